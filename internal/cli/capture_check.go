package cli

import (
	"fmt"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/format"
	"kernelwake/internal/importing"
	"kernelwake/internal/lens"
)

type captureCheck struct {
	File string `arg:"" help:"The capture file." placeholder:"FILE"`
	Lens string `enum:",inference,training,fleet" default:"" placeholder:"LENS" help:"Read it under this lens: inference, training or fleet. Without it the file is asked."`
	All  bool   `help:"Show every dimension and figure, also those that are absent."`
}

// Help implements kong.HelpProvider.
func (*captureCheck) Help() string {
	return `Reads a file as an import would, keeps nothing and needs no server. Exit 0: readable, with findings or not. Exit 1: refused, every error with its place.

Examples:

    graphsignal-server capture check trace.json.gz
    graphsignal-server capture check aiperf-run.zip --json
`
}

// checked is the answer of `capture check`: the file, and the captures in it.
// Where it holds one, that capture's members stand at the top as well.
type checked struct {
	FileName    string                   `json:"file_name"`
	Readable    bool                     `json:"readable"`
	Format      string                   `json:"format"`
	Lens        lens.ID                  `json:"lens,omitempty"`
	LensGuessed bool                     `json:"lens_guessed"`
	SHA256      string                   `json:"sha256,omitempty"`
	Bytes       int64                    `json:"bytes"`
	Captures    []evidence.CaptureDetail `json:"captures"`
	Missing     []importing.MissingField `json:"missing"`
	Errors      []fault.Problem          `json:"errors"`
	Message     string                   `json:"message,omitempty"`
	Hint        string                   `json:"hint,omitempty"`
	*evidence.CaptureDetail
}

func checkedOf(path, digest string, of importing.Checked) checked {
	answer := checked{
		FileName: path, Readable: of.Readable, Format: of.Format, Lens: of.Lens, LensGuessed: of.LensGuessed, SHA256: digest, Bytes: of.Bytes,
		Captures: of.Captures, Missing: of.Missing, Errors: of.Errors, Message: of.Message, Hint: of.Hint,
	}
	if len(of.Captures) == 1 {
		answer.CaptureDetail = &of.Captures[0]
	}
	return answer
}

// Run checks the file.
func (cmd *captureCheck) Run(c *call) error {
	answer, err := checkFile(c, cmd.File, lens.ID(cmd.Lens))
	if err != nil {
		return err
	}
	if err := c.answer(answer, func() { cmd.print(c, answer) }); err != nil {
		return err
	}
	if !answer.Readable {
		return silent(exitFailed)
	}
	return nil
}

// mostProblems is how many problems of one file a check lists.
const mostProblems = 10_000

func checkFile(c *call, path string, chosen lens.ID) (checked, error) {
	var answer checked
	err := withFile(path, func(file evidence.File) error {
		c.progress("reading %s", path)
		defer c.progress("")
		digest, err := digestOf(file)
		if err != nil {
			return err
		}
		var found importing.Checked
		if detected, refusal := format.Detect(file); refusal != nil {
			found, err = importing.Refused(file, "", refusal)
		} else {
			found, err = importing.Check(c.ctx, detected, file, evidence.ReadOptions{Lens: chosen, Problems: mostProblems})
		}
		answer = checkedOf(path, digest, found)
		return err
	})
	return answer, err
}

func (cmd *captureCheck) print(c *call, answer checked) {
	if !answer.Readable {
		printRefusedFile(c, answer)
		return
	}
	c.printf("readable: %s\n", answer.FileName)
	c.printf("%s, %s, sha256 %s\n", answer.Format, bytesText(float64(answer.Bytes)), answer.SHA256)
	if n := len(answer.Captures); n > 1 && !cmd.All {
		c.printf("%s lens, %s captures\n\n", answer.Lens, count(n))
		printOverview(c, answer.Captures)
		printMissing(c, answer.Missing, answer.Lens, false)
		return
	}
	for _, capture := range answer.Captures {
		c.printf("\n")
		printCapture(c, capture, cmd.All)
	}
	printMissing(c, answer.Missing, answer.Lens, cmd.All)
}

func printRefusedFile(c *call, answer checked) {
	c.printf("refused: %s\n", answer.FileName)
	c.paragraph("  ", answer.Message)
	for _, one := range answer.Errors {
		text := one.Message
		if one.Limit != "" {
			text += " (limit " + one.Limit
			if one.Got != "" {
				text += ", got " + one.Got
			}
			text += ")"
		}
		place := one.Pointer
		if place == "" && one.Message == answer.Message {
			continue
		}
		c.paragraph("  "+orDash(place)+"  ", one.Code+": "+text)
	}
	if answer.Hint != "" {
		c.paragraph("  → ", answer.Hint)
	}
}

// printMissing lists what a comparison would ask for and the file doesn't tell.
func printMissing(c *call, missing []importing.MissingField, of lens.ID, all bool) {
	if len(missing) == 0 {
		return
	}
	c.printf("\nnot told by the file; give it with --dim KEY=VALUE or a setup where a comparison asks for it\n")
	if all {
		rows := table{indent: "  "}
		for _, field := range missing {
			rows.row(field.Key, field.Label, "row "+field.Row, weightOf(field), "for example "+orDash(field.Example))
		}
		rows.print(c.out)
		return
	}
	for _, weight := range []string{mayCap, goodToHave} {
		var keys []string
		for _, field := range missing {
			if weightOf(field) == weight {
				keys = append(keys, field.Key)
			}
		}
		if len(keys) > 0 {
			c.paragraph("  "+weight+": ", strings.Join(keys, ", "))
		}
	}
	c.paragraph("  ", fmt.Sprintf("`%s lens show %s` says what each is, with an example", programName, of))
}

const (
	mayCap     = "may cap a verdict"
	goodToHave = "good to have"
)

func weightOf(field importing.MissingField) string {
	if field.Required {
		return mayCap
	}
	return goodToHave
}
