package cli

import (
	"os"

	"kernelwake/internal/client"
	"kernelwake/internal/evidence"
	"kernelwake/internal/httpapi"
)

type captureCommand struct {
	Check    captureCheck    `cmd:"" help:"Say what is in a file and what is wrong with it; keeps nothing, needs no server."`
	List     captureList     `cmd:"" help:"List captures, the newest first."`
	Show     captureShow     `cmd:"" help:"Show a capture: provenance, dimensions, outcomes, figures, findings."`
	Label    captureLabel    `cmd:"" help:"Label a capture."`
	Download captureDownload `cmd:"" help:"Get the exact bytes that were imported."`
	Remove   captureRemove   `cmd:"" help:"Remove a capture that nothing relies on."`
}

type captureList struct {
	Q      string `short:"q" placeholder:"TEXT" help:"The beginning of a digest, or found anywhere in the file's name."`
	Of     string `name:"run" placeholder:"RUN" help:"Captures of this run, by id or name."`
	Format string `placeholder:"FORMAT" help:"aiperf, chrome-trace or kernelwake-json."`
	Label  string `placeholder:"NAME[=VALUE]" help:"Captures with this label."`
	listing
	remote
}

// Help implements kong.HelpProvider.
func (*captureList) Help() string {
	return `Examples:

    graphsignal-server capture list --run seqs2-1
    graphsignal-server capture list -q 33fad8ef
    graphsignal-server capture list --label ticket=PERF-12
`
}

// Run lists captures.
func (cmd *captureList) Run(c *call) error {
	at, err := cmd.connect()
	if err != nil {
		return err
	}
	filter := httpapi.CaptureFilter{Page: cmd.page(), Q: cmd.Q, Format: cmd.Format, Label: cmd.Label}
	if cmd.Of != "" {
		if filter.Run, err = findRun(c.ctx, at, cmd.Of); err != nil {
			return err
		}
	}
	list, err := at.Captures(c.ctx, filter)
	if err != nil {
		return err
	}
	return printList(c, list, []string{"ID", "FILE", "FORMAT", "LENS", "CELL", "ORIGIN", "MEASURED ON", "BYTES", "SHA256"}, func(one evidence.Capture) []string {
		return []string{
			one.ID, one.Provenance.FileName, one.Format, string(one.Lens), orDash(one.Cell), string(one.Origin), string(one.MeasuredOn),
			bytesText(float64(one.Provenance.Bytes)), clip(one.Provenance.SHA256, 13),
		}
	})
}

type captureShow struct {
	Capture string `arg:"" help:"The capture, by id."`
	All     bool   `help:"Show every dimension and figure, also those that are absent."`
	remote
}

// Help implements kong.HelpProvider.
func (*captureShow) Help() string {
	return `Examples:

    graphsignal-server capture show cap_01jd8m5q3v6n7p8r9s0t1v2w3x
`
}

// Run shows the capture.
func (cmd *captureShow) Run(c *call) error {
	at, err := cmd.connect()
	if err != nil {
		return err
	}
	page, err := at.Capture(c.ctx, cmd.Capture)
	if err != nil {
		return err
	}
	return c.answer(page, func() {
		c.printf("run %s, workload %s\n", page.Run, page.RunWorkload)
		printLabels(c, page.Labels)
		printProvenance(c, page.Provenance)
		printCapture(c, page.CaptureDetail, cmd.All)
	})
}

func printProvenance(c *call, p *evidence.Provenance) {
	if p == nil {
		return
	}
	c.printf("%s, imported %s by %s (%s, %s)\n", p.FileName, p.ImportedAt.UTC().Format("2006-01-02 15:04:05Z"), p.ImportedBy, p.Via, p.Importer)
	c.printf("bytes  %s  sha256 %s\nparsed %s  sha256 %s\n", bytesText(float64(p.Bytes)), p.SHA256, bytesText(float64(p.ParsedBytes)), p.ParsedSHA256)
}

type captureLabel struct {
	Capture string   `arg:"" help:"The capture, by id."`
	Labels  []string `arg:"" placeholder:"NAME=VALUE" help:"Labels; NAME= takes one away."`
	remote
}

// Help implements kong.HelpProvider.
func (*captureLabel) Help() string {
	return `Examples:

    graphsignal-server capture label cap_01jd8m5q3v6n7p8r9s0t1v2w3x ticket=PERF-12 owner=
`
}

// Run labels the revision of a capture that was read just before.
func (cmd *captureLabel) Run(c *call) error {
	labels, err := givenLabels(cmd.Labels)
	if err != nil {
		return err
	}
	at, err := cmd.connect()
	if err != nil {
		return err
	}
	page, err := at.Capture(c.ctx, cmd.Capture)
	if err != nil {
		return err
	}
	edited, err := at.EditCapture(c.ctx, page.ID, page.Revision, httpapi.CaptureEditBody{Labels: labels})
	if err != nil {
		return err
	}
	return c.answer(edited, func() {
		c.printf("%s  %s  (run %s, revision %d)\n", edited.ID, edited.Provenance.FileName, page.Run, edited.Revision)
		printLabels(c, edited.Labels)
	})
}

type captureDownload struct {
	Capture string `arg:"" help:"The capture, by id."`
	Output  string `short:"o" placeholder:"FILE" help:"Write it into this file; - is standard output. Without it the file's own name is used, and nothing is overwritten."`
	remote
}

// Help implements kong.HelpProvider.
func (*captureDownload) Help() string {
	return `The bytes are held against the digest that was recorded at import.

Examples:

    graphsignal-server capture download cap_01jd8m5q3v6n7p8r9s0t1v2w3x -o trace.json.gz
`
}

// Run downloads the bytes. A file is complete or not there.
func (cmd *captureDownload) Run(c *call) error {
	at, err := cmd.connect()
	if err != nil {
		return err
	}
	if cmd.Output == "-" {
		_, _, err := at.Download(c.ctx, cmd.Capture, c.out)
		return err
	}
	path := cmd.Output
	if path == "" {
		if path, err = ownName(c, at, cmd.Capture); err != nil {
			return err
		}
	}
	digest, bytes, err := downloadTo(c, at, cmd.Capture, path)
	if err != nil {
		return err
	}
	return c.answer(map[string]any{"id": cmd.Capture, "file": path, "bytes": bytes, "sha256": digest}, func() {
		c.printf("%s: %s, sha256 %s\n", path, bytesText(float64(bytes)), digest)
	})
}

// ownName is the name a capture's file had, where nothing has it here.
func ownName(c *call, at *client.Client, captureID string) (string, error) {
	page, err := at.Capture(c.ctx, captureID)
	if err != nil {
		return "", err
	}
	name := "capture"
	if page.Provenance != nil && page.Provenance.FileName != "" {
		name = page.Provenance.FileName
	}
	if _, err := os.Lstat(name); err == nil {
		return "", usage("choose another with -o FILE", "%s is there already", name)
	}
	return name, nil
}

func downloadTo(c *call, at *client.Client, captureID, path string) (digest string, bytes int64, err error) {
	fresh := path + ".part"
	file, err := os.OpenFile(fresh, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
	if err != nil {
		return "", 0, unwritable(path, err)
	}
	defer func() {
		if err != nil {
			os.Remove(fresh)
		}
	}()
	if digest, bytes, err = at.Download(c.ctx, captureID, file); err != nil {
		file.Close()
		return digest, bytes, err
	}
	if err = file.Close(); err != nil {
		return digest, bytes, unwritable(path, err)
	}
	if err = os.Rename(fresh, path); err != nil {
		return digest, bytes, unwritable(path, err)
	}
	return digest, bytes, nil
}

type captureRemove struct {
	Captures []string `arg:"" placeholder:"CAPTURE" help:"Captures, by id."`
	remote
}

// Help implements kong.HelpProvider.
func (*captureRemove) Help() string {
	return `A capture that a comparison relies on is refused, and what relies on it is named. With its last capture a run goes too.

Examples:

    graphsignal-server capture remove cap_01jd8m5q3v6n7p8r9s0t1v2w3x
`
}

// Run removes the captures.
func (cmd *captureRemove) Run(c *call) error {
	at, err := cmd.connect()
	if err != nil {
		return err
	}
	for _, one := range cmd.Captures {
		if err := at.RemoveCapture(c.ctx, one); err != nil {
			return err
		}
		if !c.json {
			c.printf("%s is removed\n", one)
		}
	}
	if c.json {
		return c.printJSON(map[string]any{"removed": cmd.Captures})
	}
	return nil
}
