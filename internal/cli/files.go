package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"kernelwake/internal/fault"
)

// fileList is a flag that takes all words up to the next flag, so that a
// pattern which the shell expanded stays together.
type fileList []string

// Decode implements kong.MapperValue.
func (f *fileList) Decode(ctx *kong.DecodeContext) error {
	first, err := ctx.Scan.PopValue("file")
	if err != nil {
		return err
	}
	*f = append(*f, first.String())
	if first.Type == kong.FlagValueToken {
		return nil // --against=FILE names one
	}
	for next := ctx.Scan.Peek(); next.Type == kong.UntypedToken && next.IsValue(); next = ctx.Scan.Peek() {
		*f = append(*f, ctx.Scan.Pop().String())
	}
	return nil
}

// namedFile is a file to read. One that a folder brought along may turn out to
// be no capture.
type namedFile struct {
	path   string
	folder bool
}

// expand turns the words of a command line into files: a pattern that the
// shell left alone into what it matches, a folder into the files in it.
func expand(words []string) ([]namedFile, error) {
	var files []namedFile
	for _, word := range words {
		paths, err := matches(word)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			info, err := os.Stat(path)
			if err != nil {
				return nil, unreadable(path, err)
			}
			if !info.IsDir() {
				files = append(files, namedFile{path: path})
				continue
			}
			inside, err := filesIn(path)
			if err != nil {
				return nil, err
			}
			files = append(files, inside...)
		}
	}
	return files, nil
}

// matches expands a pattern; what names an existing file is never a pattern.
func matches(word string) ([]string, error) {
	if _, err := os.Lstat(word); err == nil || !strings.ContainsAny(word, "*?[") {
		return []string{word}, nil
	}
	found, err := filepath.Glob(word)
	if err != nil {
		return nil, usage("quote a name that holds [ or ]", "%q is no file and no pattern: %v", word, err)
	}
	if len(found) == 0 {
		return nil, fault.New(fault.NotFound, "file_missing", "no file matches %s", word).WithHint("check the path")
	}
	slices.Sort(found)
	return found, nil
}

// exportMark is the file by which an unpacked AIPerf export is known.
const exportMark = "profile_export_aiperf.json"

func filesIn(folder string) ([]namedFile, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, unreadable(folder, err)
	}
	var files []namedFile
	for _, entry := range entries {
		if entry.Name() == exportMark {
			return nil, fault.New(fault.Unsupported, "folder_unpacked", "%s is an unpacked AIPerf export; a capture is one file", folder).
				WithHint("pack it: tar czf %s.tar.gz -C %s .", filepath.Base(filepath.Clean(folder)), folder)
		}
		if entry.Type().IsRegular() && !strings.HasPrefix(entry.Name(), ".") {
			files = append(files, namedFile{path: filepath.Join(folder, entry.Name()), folder: true})
		}
	}
	if len(files) == 0 {
		return nil, fault.New(fault.NotFound, "folder_empty", "%s holds no file", folder).WithHint("name the files, or the folder they are in")
	}
	return files, nil
}

// unreadable says why a file can't be opened.
func unreadable(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.NotFound, "file_missing", "%s is not there", path).WithCause(err).WithHint("check the path")
	case errors.Is(err, fs.ErrPermission):
		return fault.New(fault.Denied, "file_unreadable", "%s can't be read: permission denied", path).WithCause(err).WithHint("check who may read it")
	}
	return fmt.Errorf("reading %s: %w", path, err)
}
