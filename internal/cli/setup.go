package cli

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"kernelwake/internal/client"
	"kernelwake/internal/evidence"
	"kernelwake/internal/httpapi"
	"kernelwake/internal/lens"
	"kernelwake/internal/sqlstore"
)

type setupCommand struct {
	List   setupList   `cmd:"" help:"List setups."`
	Show   setupShow   `cmd:"" help:"Show a setup with all its versions."`
	Create setupCreate `cmd:"" help:"Make a setup, or the next version of one."`
	Attach setupAttach `cmd:"" help:"Attach a setup to runs, also after their import."`
	Detach setupDetach `cmd:"" help:"Take a setup off runs."`
}

type setupList struct {
	Q string `short:"q" placeholder:"TEXT" help:"Found anywhere in the name."`
	listing
	remote
}

// Help implements kong.HelpProvider.
func (*setupList) Help() string {
	return `Examples:

    graphsignal-server setup list
`
}

// Run lists setups.
func (cmd *setupList) Run(c *call) error {
	at, err := cmd.connect()
	if err != nil {
		return err
	}
	list, err := at.Setups(c.ctx, httpapi.WorkloadFilter{Page: cmd.page(), Q: cmd.Q})
	if err != nil {
		return err
	}
	return printList(c, list, []string{"ID", "NAME", "VERSION", "RUNS", "VALUES"}, func(s sqlstore.SetupRow) []string {
		return []string{s.ID, s.Name, count(s.Version), count(s.Runs), clip(strings.Join(slices.Sorted(maps.Keys(s.Values)), " "), widestValue)}
	})
}

type setupShow struct {
	Setup string `arg:"" help:"The setup, by id or name."`
	remote
}

// Help implements kong.HelpProvider.
func (*setupShow) Help() string {
	return `Examples:

    graphsignal-server setup show gpu-box
`
}

// Run shows the setup.
func (cmd *setupShow) Run(c *call) error {
	at, err := cmd.connect()
	if err != nil {
		return err
	}
	found, ok, err := findSetup(c.ctx, at, cmd.Setup)
	if err != nil {
		return err
	}
	if !ok {
		return setupMissing(cmd.Setup)
	}
	page, err := at.Setup(c.ctx, found.ID)
	if err != nil {
		return err
	}
	return c.answer(page, func() { printSetup(c, page.Setup, len(page.Versions)) })
}

func printSetup(c *call, setup evidence.Setup, versions int) {
	c.printf("%s  %s\nversion %d of %d, written %s by %s\n", setup.ID, setup.Name, setup.Version, versions, setup.Created.UTC().Format(time.RFC3339), setup.By)
	rows := table{indent: "  "}
	for _, key := range slices.Sorted(maps.Keys(setup.Values)) {
		rows.row(key, clip(valueText(setup.Values[key]), 2*widestValue))
	}
	rows.print(c.out)
}

type setupCreate struct {
	Name string   `arg:"" help:"Its name."`
	File string   `arg:"" optional:"" help:"A file of values, as the env command writes it."`
	Dim  []string `sep:"none" placeholder:"KEY=VALUE" help:"A value."`
	remote
}

// Help implements kong.HelpProvider.
func (*setupCreate) Help() string {
	return `Named values for many runs: driver, power cap, engine flags. Where a setup of the name is there with other values, its next version is written; runs keep the version they were given.

Examples:

    graphsignal-server setup create gpu-box setup.json
    graphsignal-server setup create h200 --dim gpu_model="NVIDIA H200" --dim gpu_count=8 --dim power_limit=700
`
}

// Run writes the setup.
func (cmd *setupCreate) Run(c *call) error {
	values := map[string]any{}
	if cmd.File != "" {
		setup, err := readSetup("setup", cmd.File, lens.All...)
		if err != nil {
			return err
		}
		values = setup.Values
	}
	given, err := givenValues("--dim", cmd.Dim, lens.All...)
	if err != nil {
		return err
	}
	maps.Copy(values, given)
	if len(values) == 0 {
		return usage("name a file, or give --dim KEY=VALUE", "a setup needs values")
	}
	at, err := cmd.connect()
	if err != nil {
		return err
	}
	written, err := writeSetup(c.ctx, at, cmd.Name, values)
	if err != nil {
		return err
	}
	return c.answer(written, func() { c.printf("%s  %s version %d\n", written.ID, written.Name, written.Version) })
}

// writeSetup makes a setup of a name, or its next version where the values
// differ from the newest, and returns that.
func writeSetup(ctx context.Context, at *client.Client, name string, values map[string]any) (evidence.Setup, error) {
	there, found, err := findSetup(ctx, at, name)
	if err != nil {
		return evidence.Setup{}, err
	}
	if found && reflect.DeepEqual(there.Values, asJSON(values)) {
		return there, nil
	}
	var page httpapi.SetupPage
	if found {
		page, err = at.AddSetupVersion(ctx, there.ID, there.Version, values)
	} else {
		page, err = at.CreateSetup(ctx, name, values, "")
	}
	return page.Setup, err
}

type setupAttach struct {
	Setup   string   `arg:"" help:"The setup, by id or name."`
	Runs    []string `arg:"" placeholder:"RUN" help:"Runs, by id or name."`
	Version int64    `placeholder:"N" help:"A version; without it the newest."`
	remote
}

// Help implements kong.HelpProvider.
func (*setupAttach) Help() string {
	return `Examples:

    graphsignal-server setup attach gpu-box seqs2-1 seqs2-2
`
}

// Run attaches the setup.
func (cmd *setupAttach) Run(c *call) error {
	return onRuns(c, cmd.remote, cmd.Setup, cmd.Runs, func(at *client.Client, setup evidence.Setup, runID string) (string, error) {
		made, err := at.AttachSetup(c.ctx, runID, setup.ID, cmd.Version)
		return fmt.Sprintf("%s version %d is attached to %s", made.Name, made.Version, runID), err
	})
}

type setupDetach struct {
	Setup string   `arg:"" help:"The setup, by id or name."`
	Runs  []string `arg:"" placeholder:"RUN" help:"Runs, by id or name."`
	remote
}

// Help implements kong.HelpProvider.
func (*setupDetach) Help() string {
	return `Examples:

    graphsignal-server setup detach gpu-box seqs2-1
`
}

// Run detaches the setup.
func (cmd *setupDetach) Run(c *call) error {
	return onRuns(c, cmd.remote, cmd.Setup, cmd.Runs, func(at *client.Client, setup evidence.Setup, runID string) (string, error) {
		return fmt.Sprintf("%s is no longer attached to %s", setup.Name, runID), at.DetachSetup(c.ctx, runID, setup.ID)
	})
}

// onRuns does something with a setup and each of some runs.
func onRuns(c *call, r remote, named string, runs []string, do func(*client.Client, evidence.Setup, string) (string, error)) error {
	at, err := r.connect()
	if err != nil {
		return err
	}
	setup, found, err := findSetup(c.ctx, at, named)
	if err != nil {
		return err
	}
	if !found {
		return setupMissing(named)
	}
	ids, err := findRuns(c.ctx, at, runs)
	if err != nil {
		return err
	}
	for _, runID := range ids {
		done, err := do(at, setup, runID)
		if err != nil {
			return err
		}
		if !c.json {
			c.printf("%s\n", done)
		}
	}
	if c.json {
		return c.printJSON(map[string]any{"setup_id": setup.ID, "runs": ids})
	}
	return nil
}
