package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kernelwake/internal/client"
	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/importing"
	"kernelwake/internal/lens"
)

type importCommand struct {
	Files       []string `arg:"" placeholder:"FILE" help:"Capture files, folders of them, or patterns."`
	Workload    string   `placeholder:"NAME" help:"The workload they belong to; made where there is none. A Kernelwake capture may name it itself."`
	RunName     string   `name:"run" placeholder:"NAME" help:"One run of this name for all files, or more captures for the run that has it."`
	Lens        string   `enum:",inference,training,fleet" default:"" placeholder:"LENS" help:"Read them under this lens: inference, training or fleet. Without it the file is asked."`
	Dim         []string `sep:"none" placeholder:"KEY=VALUE" help:"A value declared for every run."`
	Env         []string `sep:"none" placeholder:"FILE" help:"A setup to attach to every run, as the env command writes it."`
	Setup       []string `sep:"none" placeholder:"NAME" help:"A setup on the server to attach to every run, by id or name."`
	Group       string   `name:"replicate-group" placeholder:"NAME" help:"The name that ties replicates together."`
	KeepSecrets bool     `help:"Keep found secrets in the parsed form; they are always in the exact bytes."`
	remote
}

// Help implements kong.HelpProvider.
func (*importCommand) Help() string {
	return `The format is found from the content. Several files go in together or not at all: ranks of one job become one run, other files runs of their own and replicates of each other. Bytes that are there already are recognised.

Examples:

    graphsignal-server import trace.json.gz --workload resnet50
    graphsignal-server import seqs2-*.zip --workload batch-limit --env setup.json --replicate-group seqs2
    graphsignal-server import rank*.json.gz --workload llama-pretrain --run night-7 --lens training
`
}

// Run imports the files.
func (cmd *importCommand) Run(c *call) error {
	lenses := lens.All
	if chosen, ok := lens.Find(lens.ID(cmd.Lens)); ok {
		lenses = []lens.Lens{chosen}
	}
	dims, err := givenValues("--dim", cmd.Dim, lenses...)
	if err != nil {
		return err
	}
	files, err := cmd.files(c)
	if err != nil {
		return err
	}
	at, err := cmd.connect()
	if err != nil {
		return err
	}
	setups, err := cmd.setups(c, at)
	if err != nil {
		return err
	}
	request := importing.Request{
		Workload: cmd.Workload, Run: cmd.RunName, Lens: lens.ID(cmd.Lens), Group: cmd.Group, Dims: dims, Via: "cli", KeepSecrets: cmd.KeepSecrets,
	}
	if len(setups) > 0 {
		request.SetupID = setups[0].ID
	}
	answer, err := sendFiles(c, at, request, files)
	if err != nil {
		return err
	}
	for _, run := range answer.Runs {
		made := slices.ContainsFunc(run.Captures, func(one importing.AnswerCapture) bool { return !one.AlreadyStored })
		for i, setup := range setups {
			if i == 0 && made {
				continue // the import attached it
			}
			if _, err := at.AttachSetup(c.ctx, run.ID, setup.ID, setup.Version); err != nil {
				return fmt.Errorf("attaching setup %s to run %s: %w", setup.Name, run.Name, err)
			}
		}
	}
	return c.answer(answer, func() { printImport(c, answer) })
}

// files are those named. What a folder holds beside captures is left out.
func (cmd *importCommand) files(c *call) ([]namedFile, error) {
	named, err := expand(cmd.Files)
	if err != nil {
		return nil, err
	}
	var files []namedFile
	var skipped []string
	for _, file := range named {
		if file.folder && noCapture(detects(file.path)) {
			skipped = append(skipped, file.path)
			continue
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		return nil, fault.New(fault.Invalid, "no_capture", "none of %s is a capture", strings.Join(cmd.Files, ", ")).
			WithHint("`graphsignal-server capture check FILE` says what is wrong with one")
	}
	if len(skipped) > 0 {
		c.note("left out, being no captures: %s", strings.Join(skipped, ", "))
	}
	return files, nil
}

// setups are those to attach: each file as a setup of its name on the server.
func (cmd *importCommand) setups(c *call, at *client.Client) ([]evidence.Setup, error) {
	var setups []evidence.Setup
	for _, named := range cmd.Setup {
		found, ok, err := findSetup(c.ctx, at, named)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, setupMissing(named)
		}
		setups = append(setups, found)
	}
	for _, path := range cmd.Env {
		read, err := readSetup("--env", path, lens.All...)
		if err != nil {
			return nil, err
		}
		written, err := writeSetup(c.ctx, at, read.Name, read.Values)
		if err != nil {
			return nil, err
		}
		setups = append(setups, written)
	}
	return setups, nil
}

// sendFiles imports files and shows how much of them is sent.
func sendFiles(c *call, at *client.Client, request importing.Request, files []namedFile) (importing.Answer, error) {
	total := int64(0)
	var sending []client.File
	for _, file := range files {
		info, err := os.Stat(file.path)
		if err != nil {
			return importing.Answer{}, unreadable(file.path, err)
		}
		total += info.Size()
		sending = append(sending, client.File{Name: filepath.Base(file.path), Open: func() (io.ReadCloser, error) { return os.Open(file.path) }})
	}
	defer c.progress("")
	return at.Import(c.ctx, request, sending, func(sent int64) {
		if sent < total {
			c.progress("sending %s of %s (%d %%)", bytesText(float64(sent)), bytesText(float64(total)), 100*sent/max(total, 1))
		} else {
			c.progress("reading %s", plural(len(files), "file", "files"))
		}
	})
}

func printImport(c *call, answer importing.Answer) {
	for _, run := range answer.Runs {
		beside := ""
		if run.Group != "" {
			beside = ", replicate group " + run.Group
		}
		c.printf("run %s  %s  (%s, workload %s%s)\n", run.ID, run.Name, run.Lens, run.Workload, beside)
		for _, one := range run.Captures {
			mark := ""
			if one.AlreadyStored {
				mark = ", there already"
			}
			if one.Origin != evidence.Recorded {
				mark += ", " + strings.ToUpper(string(one.Origin))
			}
			where := one.FileName
			if one.Cell != "" {
				where += " " + one.Cell
			}
			c.printf("  %s  %s  %s, %s, measured on %s%s\n", one.ID, where, strings.TrimSpace(one.Format+" "+one.FormatVersion), bytesText(float64(one.Bytes)), one.MeasuredOn, mark)
			c.printf("    sha256 %s  parsed %s\n", one.SHA256, one.ParsedSHA256)
		}
	}
	printFindings(c, answer.Findings)
}
