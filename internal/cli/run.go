package cli

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"kernelwake/internal/absent"
	"kernelwake/internal/client"
	"kernelwake/internal/evidence"
	"kernelwake/internal/httpapi"
	"kernelwake/internal/lens"
)

type runCommand struct {
	List    runList    `cmd:"" help:"List runs, the newest first."`
	Show    runShow    `cmd:"" help:"Show a run: dimensions with their sources, captures, outcomes, what relies on it."`
	Declare runDeclare `cmd:"" help:"Say what nobody recorded of a run."`
	Label   runLabel   `cmd:"" help:"Label, rename or group a run."`
}

type runList struct {
	Q          string `short:"q" placeholder:"TEXT" help:"Found anywhere in name, workload or labels."`
	Workload   string `placeholder:"NAME" help:"Runs of this workload, by id or name."`
	Lens       string `enum:",inference,training,fleet" default:"" placeholder:"LENS" help:"inference, training or fleet."`
	Label      string `placeholder:"NAME[=VALUE]" help:"Runs with this label."`
	MeasuredOn string `enum:",gpu,cpu,simulator,none,unknown" default:"" placeholder:"DEVICE" help:"gpu, cpu, simulator, none or unknown."`
	Origin     string `enum:",recorded,synthetic,unattested" default:"" placeholder:"ORIGIN" help:"recorded, synthetic or unattested."`
	Format     string `placeholder:"FORMAT" help:"aiperf, chrome-trace or kernelwake-json."`
	Group      string `placeholder:"NAME" help:"A replicate group."`
	listing
	remote
}

// Help implements kong.HelpProvider.
func (*runList) Help() string {
	return `Examples:

    graphsignal-server run list --workload llama-serving
    graphsignal-server run list --label team=inference --measured-on gpu --json
`
}

// Run lists runs.
func (cmd *runList) Run(c *call) error {
	at, err := cmd.connect()
	if err != nil {
		return err
	}
	filter := httpapi.RunFilter{
		Page: cmd.page(), Q: cmd.Q, Lens: lens.ID(cmd.Lens), Label: cmd.Label, MeasuredOn: evidence.Device(cmd.MeasuredOn),
		Origin: evidence.Origin(cmd.Origin), Format: cmd.Format, Group: cmd.Group,
	}
	if cmd.Workload != "" {
		found, err := findWorkload(c.ctx, at, cmd.Workload)
		if err != nil {
			return err
		}
		filter.Workload = found.ID
	}
	list, err := at.Runs(c.ctx, filter)
	if err != nil {
		return err
	}
	return printList(c, list, []string{"ID", "NAME", "WORKLOAD", "LENS", "MEASURED ON", "HEADLINE", "KNOWN", "GROUP", "FINDINGS"}, runCells)
}

func runCells(row httpapi.RunRow) []string {
	on := string(row.MeasuredOn)
	if row.Origin != evidence.Recorded {
		on += " (" + strings.ToUpper(string(row.Origin)) + ")"
	}
	return []string{
		row.ID, row.Name, row.Workload, string(row.Lens), strings.TrimSpace(on + " " + row.Hardware), headlineText(row.Headline),
		count(row.Known.Known) + "/" + count(row.Known.Of), orDash(row.Group), count(row.Findings),
	}
}

func headlineText(h httpapi.Headline) string {
	if h.Value == nil {
		return dash + " (" + spaced(string(cmp.Or(h.Absent, absent.NotRecorded))) + ")"
	}
	return h.Metric + " " + quantity(*h.Value, h.Unit)
}

type runShow struct {
	Named string `arg:"" name:"run" help:"The run, by id, NAME or WORKLOAD/NAME."`
	All   bool   `help:"Show every dimension and figure, also those that are absent."`
	remote
}

// Help implements kong.HelpProvider.
func (*runShow) Help() string {
	return `Examples:

    graphsignal-server run show seqs2-1
    graphsignal-server run show batch-limit/seqs2-1 --json
`
}

// Run shows the run.
func (cmd *runShow) Run(c *call) error {
	at, err := cmd.connect()
	if err != nil {
		return err
	}
	runID, err := findRun(c.ctx, at, cmd.Named)
	if err != nil {
		return err
	}
	page, err := at.Run(c.ctx, runID)
	if err != nil {
		return err
	}
	return c.answer(page, func() { printRun(c, page, cmd.All) })
}

func printRun(c *call, page httpapi.RunPage, all bool) {
	run := page.Run
	parts := []string{"workload " + run.Workload, string(run.Lens) + " lens", string(run.Origin), "measured on " + string(run.MeasuredOn)}
	if run.Started != nil {
		parts = append(parts, "started "+run.Started.UTC().Format(time.RFC3339))
	}
	if run.Group != "" {
		parts = append(parts, "replicate group "+run.Group)
	}
	c.printf("%s  %s\n%s\n", run.ID, run.Name, strings.Join(parts, " · "))
	printLabels(c, run.Labels)
	for _, setup := range page.Setups {
		c.printf("setup %s version %d, attached by %s\n", setup.Name, setup.Version, setup.By)
	}
	printRunDimensions(c, page, all)
	for _, one := range page.Captures {
		c.printf("\n%s  %s  %s\n", one.Capture.ID, one.Capture.Provenance.FileName, strings.TrimSpace(one.Capture.Format+" "+one.Capture.FormatVersion))
		c.printf("sha256 %s\n", one.Capture.Provenance.SHA256)
		printMeasurements(c, one.Outcomes, all)
		printCompleteness(c, one.Completeness)
		printFindings(c, one.Findings)
	}
	printMissing(c, page.Missing, run.Lens, all)
	for i, one := range page.ReliedOnBy {
		if i == 0 {
			c.printf("\nrelied on by\n")
		}
		c.printf("  %s %s as %s: %s\n", one.Kind, one.ID, one.As, one.Name)
	}
}

func printRunDimensions(c *call, page httpapi.RunPage, all bool) {
	of, _ := lens.Find(page.Run.Lens)
	c.printf("\ndimensions (%d of %d rows known)\n", page.Known.Known, page.Known.Of)
	rows := table{indent: "  "}
	var unknown []string
	show := func(key string) {
		value, ok := page.Dimensions[key]
		if !ok {
			return
		}
		if !value.Known() && !value.NotApplicable() && !value.Conflict && !all {
			unknown = append(unknown, key)
			return
		}
		mark := ""
		if value.Conflict {
			mark = "CONFLICT"
		}
		rows.row(key, dimensionText(value.Dimension), string(value.Source), clip(value.From, widestValue), mark)
	}
	seen := map[string]bool{}
	for _, field := range of.Fields {
		show(field.Key)
		seen[field.Key] = true
	}
	for _, key := range slices.Sorted(maps.Keys(page.Dimensions)) {
		if !seen[key] {
			show(key)
		}
	}
	rows.print(c.out)
	if len(unknown) > 0 {
		c.paragraph("  not known: ", strings.Join(unknown, ", "))
	}
}

type runDeclare struct {
	Named  string   `arg:"" name:"run" help:"The run, by id, NAME or WORKLOAD/NAME."`
	Values []string `arg:"" optional:"" placeholder:"KEY=VALUE" help:"What nobody recorded; KEY='{\"absent\":\"withdrawn\"}' takes it back."`
	Launch string   `enum:",launch,invocation,unknown" default:"" placeholder:"KIND" help:"Whether the run is a launch of its own: launch, invocation or unknown."`
	remote
}

// Help implements kong.HelpProvider.
func (*runDeclare) Help() string {
	return `What a capture recorded is stronger than what is declared; where they disagree the row is in conflict.

Examples:

    graphsignal-server run declare seqs2-1 gpu_model="NVIDIA H200" gpu_count=1 gpu_memory=150754820096
    graphsignal-server run declare seqs2-1 --launch launch
`
}

// Run declares the values.
func (cmd *runDeclare) Run(c *call) error {
	if len(cmd.Values) == 0 && cmd.Launch == "" {
		return usage("give KEY=VALUE, or --launch", "nothing is declared")
	}
	return editRun(c, cmd.remote, cmd.Named, func(page httpapi.RunPage) (httpapi.RunEditBody, error) {
		of, _ := lens.Find(page.Run.Lens)
		values, err := givenValues("declare", cmd.Values, of)
		body := httpapi.RunEditBody{Declared: values}
		if cmd.Launch != "" {
			body.LaunchKind = &cmd.Launch
		}
		return body, err
	})
}

type runLabel struct {
	Named  string   `arg:"" name:"run" help:"The run, by id, NAME or WORKLOAD/NAME."`
	Labels []string `arg:"" optional:"" placeholder:"NAME=VALUE" help:"Labels; NAME= takes one away."`
	Name   *string  `placeholder:"NAME" help:"Give the run another name."`
	Group  *string  `placeholder:"NAME" help:"Put the run into a replicate group."`
	Into   string   `placeholder:"WORKLOAD" help:"Put the run into another workload, by id or name."`
	remote
}

// Help implements kong.HelpProvider.
func (*runLabel) Help() string {
	return `Examples:

    graphsignal-server run label seqs2-1 team=inference ticket=PERF-12
    graphsignal-server run label run_01 --name baseline-1 --group baseline
`
}

// Run labels the run.
func (cmd *runLabel) Run(c *call) error {
	labels, err := givenLabels(cmd.Labels)
	if err != nil {
		return err
	}
	if len(labels) == 0 && cmd.Name == nil && cmd.Group == nil && cmd.Into == "" {
		return usage("give NAME=VALUE, --name, --group or --into", "nothing is changed")
	}
	body := httpapi.RunEditBody{Labels: labels, Name: cmd.Name, Group: cmd.Group}
	if cmd.Into != "" {
		at, err := cmd.connect()
		if err != nil {
			return err
		}
		into, err := findWorkload(c.ctx, at, cmd.Into)
		if err != nil {
			return err
		}
		body.WorkloadID = &into.ID
	}
	return editRun(c, cmd.remote, cmd.Named, func(httpapi.RunPage) (httpapi.RunEditBody, error) { return body, nil })
}

// editRun edits the revision of a run that was read just before.
func editRun(c *call, r remote, named string, body func(httpapi.RunPage) (httpapi.RunEditBody, error)) error {
	at, err := r.connect()
	if err != nil {
		return err
	}
	page, err := readRun(c, at, named)
	if err != nil {
		return err
	}
	edit, err := body(page)
	if err != nil {
		return err
	}
	edited, err := at.EditRun(c.ctx, page.Run.ID, page.Run.Revision, edit)
	if err != nil {
		return err
	}
	return c.answer(edited, func() {
		c.printf("%s  %s  (workload %s, revision %d)\n", edited.ID, edited.Name, edited.Workload, edited.Revision)
		printLabels(c, edited.Labels)
		printDeclared(c, edited.Declared)
	})
}

func readRun(c *call, at *client.Client, named string) (httpapi.RunPage, error) {
	runID, err := findRun(c.ctx, at, named)
	if err != nil {
		return httpapi.RunPage{}, err
	}
	return at.Run(c.ctx, runID)
}
