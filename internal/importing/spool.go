package importing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"kernelwake/internal/blob"
	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
)

const (
	// FilesLimit is the most files one import may hold: a rank set of a large
	// job.
	FilesLimit = 512
	// TotalLimit is the most bytes one import may hold.
	TotalLimit = 2 << 30
)

// Upload collects the files of one import in temporary files.
type Upload struct {
	importer *Importer
	files    []*spooled
	total    int64
}

// spooled is a received file.
type spooled struct {
	name           string
	stage          blob.Stage
	declaredSHA256 string
	format         evidence.Format
}

func (s *spooled) file() evidence.File {
	return evidence.File{Name: s.name, Bytes: s.stage.Size(), Content: s.stage}
}

// Begin returns an empty upload. It must be discarded, whatever came of it.
func (i *Importer) Begin() *Upload { return &Upload{importer: i} }

// Discard removes what is still temporary.
func (u *Upload) Discard() {
	for _, file := range u.files {
		_ = file.stage.Discard() // what can't be removed now goes at the next start
	}
	u.files = nil
}

// Files is how many files were added.
func (u *Upload) Files() int { return len(u.files) }

// Add receives a file. A digest that the sender declares must be that of the
// bytes that arrive.
func (u *Upload) Add(ctx context.Context, name string, content io.Reader, declaredSHA256 string) error {
	if len(u.files) == FilesLimit {
		return fault.New(fault.TooLarge, "too_many_files", "one import may hold %d files", FilesLimit).WithHint("send the rest in another import")
	}
	stage, err := u.importer.Blobs.Stage(ctx)
	if err != nil {
		return err
	}
	file := &spooled{name: baseName(name), stage: stage, declaredSHA256: strings.ToLower(declaredSHA256)}
	u.files = append(u.files, file)
	if err := receive(stage, content); err != nil {
		return err
	}
	if u.total += stage.Size(); u.total > TotalLimit {
		return fault.New(fault.TooLarge, "import_too_large", "one import may hold %d MiB in all", TotalLimit>>20).WithHint("send fewer files at a time")
	}
	if err := u.importer.identify(file); err != nil {
		return err
	}
	if file.declaredSHA256 != "" && file.declaredSHA256 != stage.Digest() {
		return fault.New(fault.Invalid, "digest_mismatch", "%q arrived with SHA-256 %s, the sender declared %s", file.name, stage.Digest(), file.declaredSHA256).
			WithHint("the file changed on its way: send it again")
	}
	return nil
}

// receive writes at most one byte more than the largest format allows: enough
// to know that the file is too large.
func receive(stage blob.Stage, content io.Reader) error {
	limited := io.LimitReader(content, evidence.LargestReceived()+1)
	if _, err := io.CopyBuffer(stage, limited, make([]byte, 256<<10)); err != nil {
		var known *fault.Error
		if errors.As(err, &known) {
			return err
		}
		return fault.New(fault.Invalid, "upload_broken", "the upload ended before the file did: %v", err).WithCause(err).WithHint("send it again")
	}
	return nil
}

// identify finds the format of a file and holds the file to its limit.
func (i *Importer) identify(file *spooled) error {
	format, err := i.Detect(file.file())
	if err != nil {
		return about(file.name, err)
	}
	if err := evidence.CheckReceived(format.ID(), file.stage.Size()); err != nil {
		return about(file.name, err)
	}
	file.format = format
	return nil
}

// baseName is the last element of a file name as any system writes it.
func baseName(name string) string {
	base := path.Base(strings.ReplaceAll(strings.ToValidUTF8(name, "�"), `\`, "/"))
	base = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, base)
	if base == "." || base == "/" || base == "" {
		return "capture"
	}
	if len(base) > 255 {
		base = strings.ToValidUTF8(base[:255], "")
	}
	return base
}

// about names the file a failure speaks of, where several may have been sent.
func about(name string, err error) error {
	var known *fault.Error
	if !errors.As(err, &known) {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	if strings.Contains(known.Message, name) {
		return err
	}
	named := *known
	named.Message = name + ": " + known.Message
	return &named
}
