package aiperf

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"kernelwake/internal/evidence"
)

// run is the entries of one AIPerf run inside an archive.
type run struct {
	// selector is its inner path: the folder, and the files' stem where a
	// folder holds several runs.
	selector string
	folder   string
	stem     string
	files    map[kind]*archived
	cell     string
	launch   evidence.LaunchID
}

func (r *run) file(kind kind) *archived { return r.files[kind] }

// brief is what the summary, or else the run's configuration, tells.
func (r *run) brief() brief {
	for _, kind := range []kind{summaryFile, runConfigFile} {
		if one := r.files[kind]; one != nil && one.brief.known {
			return one.brief
		}
	}
	return brief{}
}

// stemOf cuts a file's name to what the files of one run share: AIPerf's
// prefix, "profile_export" unless one was given.
func stemOf(name string) string {
	base := path.Base(name)
	base = strings.TrimSuffix(strings.TrimSuffix(base, ".jsonl"), ".json")
	return strings.TrimSuffix(base, "_aiperf")
}

// findRuns groups entries into runs, in the natural order of their paths. What
// belongs to no run, or must not be counted again, is returned apart.
func findRuns(files []*archived) (runs []*run, rest []*archived) {
	counted := runFolders(files)
	byFolder := map[string][]*archived{}
	var others []*archived
	for _, file := range files {
		switch {
		case insidePhases(file.path, counted):
			rest = append(rest, file)
		case file.kind == summaryFile || file.kind == recordsFile:
			byFolder[file.folder()] = append(byFolder[file.folder()], file)
		default:
			others = append(others, file)
		}
	}
	inFolder := map[string][]*run{}
	for folder, members := range byFolder {
		for _, one := range groupByStem(folder, members) {
			if one.file(recordsFile) == nil && one.file(summaryFile).unreadable != "" {
				rest = append(rest, one.file(summaryFile))
				continue
			}
			inFolder[folder] = append(inFolder[folder], one)
			runs = append(runs, one)
		}
	}
	for _, file := range others {
		if !attach(file, inFolder) {
			rest = append(rest, file)
		}
	}
	slices.SortFunc(runs, func(a, b *run) int { return naturalOrder(a.selector, b.selector) })
	return runs, rest
}

// runFolders are the folders that hold a run or a phase manifest.
func runFolders(files []*archived) map[string]bool {
	folders := map[string]bool{}
	for _, file := range files {
		if file.kind == summaryFile || file.kind == recordsFile || file.kind == manifestFile {
			folders[file.folder()] = true
		}
	}
	return folders
}

// insidePhases reports whether a file lies in the phases folder of a run: the
// run's own files count what is there.
func insidePhases(name string, counted map[string]bool) bool {
	parts := strings.Split(name, "/")
	for i, part := range parts[:len(parts)-1] {
		if part == "phases" && counted[path.Join(append([]string{"."}, parts[:i]...)...)] {
			return true
		}
	}
	return false
}

// groupByStem makes runs of the summaries and records in one folder: those of
// one stem belong together, and so do a single summary and single records.
func groupByStem(folder string, members []*archived) []*run {
	var stems []string
	byStem := map[string]*run{}
	count := map[kind]int{}
	for _, file := range members {
		count[file.kind]++
		stem := stemOf(file.path)
		one := byStem[stem]
		if one == nil {
			one = &run{folder: folder, stem: stem, files: map[kind]*archived{}}
			byStem[stem] = one
			stems = append(stems, stem)
		}
		one.files[file.kind] = file
	}
	selector := strings.TrimPrefix(folder, ".")
	if len(stems) == 1 || count[summaryFile] <= 1 && count[recordsFile] <= 1 {
		whole := byStem[stems[0]]
		for _, stem := range stems[1:] {
			for kind, file := range byStem[stem].files {
				whole.files[kind] = file
			}
		}
		whole.selector = selector
		return []*run{whole}
	}
	var runs []*run
	for _, stem := range stems {
		byStem[stem].selector = path.Join(selector, stem)
		runs = append(runs, byStem[stem])
	}
	return runs
}

// attach gives a file to the run it belongs to; false if there is none. In a
// folder of several runs only names tell.
func attach(file *archived, inFolder map[string][]*run) bool {
	folder := file.folder()
	if file.kind == logFile && path.Base(folder) == "logs" {
		folder = path.Dir(folder)
	}
	runs := inFolder[folder]
	if len(runs) != 1 {
		runs = slices.DeleteFunc(slices.Clone(runs), func(one *run) bool { return !strings.HasPrefix(path.Base(file.path), one.stem+"_") })
	}
	if len(runs) == 0 {
		return false
	}
	// Of two prefixes that both fit, the longer one is meant.
	one := slices.MaxFunc(runs, func(a, b *run) int { return cmp.Compare(len(a.stem), len(b.stem)) })
	if one.files[file.kind] != nil {
		return false
	}
	one.files[file.kind] = file
	return true
}

// naturalOrder compares paths with the numbers in them as numbers, so that
// concurrency_2 comes before concurrency_10.
func naturalOrder(a, b string) int {
	whole := cmp.Compare(a, b)
	for a != "" && b != "" {
		digitsA, digitsB := leadingDigits(a), leadingDigits(b)
		if digitsA > 0 && digitsB > 0 {
			numberA, numberB := strings.TrimLeft(a[:digitsA], "0"), strings.TrimLeft(b[:digitsB], "0")
			if order := cmp.Or(cmp.Compare(len(numberA), len(numberB)), cmp.Compare(numberA, numberB)); order != 0 {
				return order
			}
			a, b = a[digitsA:], b[digitsB:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), whole)
}

func leadingDigits(text string) int {
	n := 0
	for n < len(text) && text[n]-'0' <= 9 {
		n++
	}
	return n
}
