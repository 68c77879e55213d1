package cli

import (
	"maps"
	"slices"
	"strings"
	"time"

	"kernelwake/internal/evidence"
	"kernelwake/internal/httpapi"
	"kernelwake/internal/lens"
)

type workloadCommand struct {
	List    workloadList    `cmd:"" help:"List workloads."`
	Show    workloadShow    `cmd:"" help:"Show a workload."`
	Create  workloadCreate  `cmd:"" help:"Make a workload."`
	Declare workloadDeclare `cmd:"" help:"Say what all runs of a workload have in common."`
	Label   workloadLabel   `cmd:"" help:"Label a workload."`
}

type workloadList struct {
	Q string `short:"q" placeholder:"TEXT" help:"Found anywhere in the name."`
	listing
	remote
}

// Help implements kong.HelpProvider.
func (*workloadList) Help() string {
	return `Examples:

    graphsignal-server workload list
    graphsignal-server workload list -q llama --json
`
}

// Run lists workloads.
func (cmd *workloadList) Run(c *call) error {
	at, err := cmd.connect()
	if err != nil {
		return err
	}
	list, err := at.Workloads(c.ctx, httpapi.WorkloadFilter{Page: cmd.page(), Q: cmd.Q})
	if err != nil {
		return err
	}
	return printList(c, list, []string{"ID", "NAME", "LENS", "RUNS", "LABELS"}, func(w evidence.Workload) []string {
		return []string{w.ID, w.Name, string(w.Lens), count(w.Runs), labelsText(w.Labels)}
	})
}

type workloadShow struct {
	Workload string `arg:"" help:"The workload, by id or name."`
	remote
}

// Help implements kong.HelpProvider.
func (*workloadShow) Help() string {
	return `Examples:

    graphsignal-server workload show llama-serving
`
}

// Run shows the workload.
func (cmd *workloadShow) Run(c *call) error {
	at, err := cmd.connect()
	if err != nil {
		return err
	}
	found, err := findWorkload(c.ctx, at, cmd.Workload)
	if err != nil {
		return err
	}
	return printWorkload(c, found)
}

type workloadCreate struct {
	Name  string   `arg:"" help:"Its name."`
	Lens  string   `required:"" enum:"inference,training,fleet" help:"inference, training or fleet."`
	Dim   []string `sep:"none" placeholder:"KEY=VALUE" help:"What its runs have in common."`
	Label []string `sep:"none" placeholder:"NAME=VALUE" help:"A label."`
	remote
}

// Help implements kong.HelpProvider.
func (*workloadCreate) Help() string {
	return `A workload is the thing whose performance is being decided on. Putting a run into it declares that the run has its values; without a model value it stands for the model itself. An import makes one where there is none.

Examples:

    graphsignal-server workload create llama-serving --lens inference --dim model=meta-llama/Llama-3.1-8B-Instruct
`
}

// Run makes the workload.
func (cmd *workloadCreate) Run(c *call) error {
	of, _ := lens.Find(lens.ID(cmd.Lens))
	declared, err := givenValues("--dim", cmd.Dim, of)
	if err != nil {
		return err
	}
	labels, err := givenLabels(cmd.Label)
	if err != nil {
		return err
	}
	at, err := cmd.connect()
	if err != nil {
		return err
	}
	made, err := at.CreateWorkload(c.ctx, httpapi.NewWorkloadBody{Name: cmd.Name, Lens: of.ID, Declared: declared, Labels: labels}, "")
	if err != nil {
		return err
	}
	return printWorkload(c, made)
}

type workloadDeclare struct {
	Workload string   `arg:"" help:"The workload, by id or name."`
	Values   []string `arg:"" placeholder:"KEY=VALUE" help:"What its runs have in common; KEY='{\"absent\":\"withdrawn\"}' takes it back."`
	remote
}

// Help implements kong.HelpProvider.
func (*workloadDeclare) Help() string {
	return `Examples:

    graphsignal-server workload declare llama-serving model=meta-llama/Llama-3.1-8B-Instruct weights_precision=bf16
`
}

// Run declares the values.
func (cmd *workloadDeclare) Run(c *call) error {
	at, err := cmd.connect()
	if err != nil {
		return err
	}
	found, err := findWorkload(c.ctx, at, cmd.Workload)
	if err != nil {
		return err
	}
	of, _ := lens.Find(found.Lens)
	values, err := givenValues("declare", cmd.Values, of)
	if err != nil {
		return err
	}
	edited, err := at.EditWorkload(c.ctx, found.ID, found.Revision, httpapi.WorkloadEditBody{Declared: values})
	if err != nil {
		return err
	}
	return printWorkload(c, edited)
}

type workloadLabel struct {
	Workload string   `arg:"" help:"The workload, by id or name."`
	Labels   []string `arg:"" placeholder:"NAME=VALUE" help:"Labels; NAME= takes one away."`
	remote
}

// Help implements kong.HelpProvider.
func (*workloadLabel) Help() string {
	return `Examples:

    graphsignal-server workload label llama-serving team=inference owner=
`
}

// Run labels the workload.
func (cmd *workloadLabel) Run(c *call) error {
	labels, err := givenLabels(cmd.Labels)
	if err != nil {
		return err
	}
	at, err := cmd.connect()
	if err != nil {
		return err
	}
	found, err := findWorkload(c.ctx, at, cmd.Workload)
	if err != nil {
		return err
	}
	edited, err := at.EditWorkload(c.ctx, found.ID, found.Revision, httpapi.WorkloadEditBody{Labels: labels})
	if err != nil {
		return err
	}
	return printWorkload(c, edited)
}

func printWorkload(c *call, w evidence.Workload) error {
	return c.answer(w, func() {
		c.printf("%s  %s\n", w.ID, w.Name)
		c.printf("%s lens, %s, made %s by %s\n", w.Lens, plural(int(w.Runs), "run", "runs"), w.Created.UTC().Format(time.RFC3339), w.By)
		printLabels(c, w.Labels)
		printDeclared(c, w.Declared)
	})
}

// printDeclared shows what people declared, with who and when.
func printDeclared(c *call, declared map[string]evidence.DeclaredValue) {
	if len(declared) == 0 {
		return
	}
	c.printf("declared\n")
	rows := table{indent: "  "}
	for _, key := range slices.Sorted(maps.Keys(declared)) {
		one := declared[key]
		rows.row(key, clip(valueText(one.Value), widestValue), "by "+one.By, one.At.UTC().Format(time.RFC3339))
	}
	rows.print(c.out)
}

func printLabels(c *call, labels map[string]string) {
	if len(labels) > 0 {
		c.printf("labels: %s\n", labelsText(labels))
	}
}

func labelsText(labels map[string]string) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		words = append(words, strings.TrimSuffix(name+"="+labels[name], "="))
	}
	return strings.Join(words, " ")
}
