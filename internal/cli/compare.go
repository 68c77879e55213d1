package cli

import (
	"cmp"
	"os"
	"os/user"
	"strings"

	"kernelwake/internal/compare"
	"kernelwake/internal/evidence"
	"kernelwake/internal/lens"
)

type compareCommand struct {
	Files   []string `arg:"" optional:"" placeholder:"FILE" help:"Capture files of the baseline, folders of them, or patterns."`
	Against fileList `placeholder:"FILE…" help:"Capture files of the candidate: all words up to the next flag."`

	Baseline  []string `sep:"none" placeholder:"RUN,…" help:"Runs of the baseline on a server, by id, name or pattern (loader0-*)."`
	Candidate []string `sep:"none" placeholder:"RUN,…" help:"Runs of the candidate on a server, by id, name or pattern."`
	Save      bool     `help:"Keep the comparison on the server."`
	Name      string   `placeholder:"NAME" help:"Name of the comparison that is kept."`

	Change    []string `sep:"none" placeholder:"ROW=REASON" help:"The row that was changed on purpose, and why. More than one is confounded, and said so."`
	Same      []string `sep:"none" placeholder:"ROW=REASON" help:"Vouch that an unknown row is equal, and say why. The verdict is marked attested."`
	Threshold []string `sep:"none" placeholder:"METRIC=X" help:"The smallest effect of a metric that matters: ttft.p99=5%, error_rate=0.5pp."`
	Lens      string   `enum:",inference,training,fleet" default:"" placeholder:"LENS" help:"The lens both sides are judged under: inference, training or fleet."`

	offlineGiven

	All      bool `help:"Show every dimension, also those that are the same."`
	Markdown bool `help:"Answer as Markdown, for a pull request."`
	remote
}

// offlineGiven is what a person says of captures that no server keeps.
type offlineGiven struct {
	Dim          []string `group:"files" sep:"none" placeholder:"KEY=VALUE" help:"A value of both sides."`
	BaselineDim  []string `group:"files" sep:"none" placeholder:"KEY=VALUE" help:"A value of the baseline."`
	CandidateDim []string `group:"files" sep:"none" placeholder:"KEY=VALUE" help:"A value of the candidate."`
	Env          []string `group:"files" sep:"none" placeholder:"FILE" help:"A setup of both sides, as the env command writes it."`
	BaselineEnv  []string `group:"files" sep:"none" placeholder:"FILE" help:"A setup of the baseline."`
	CandidateEnv []string `group:"files" sep:"none" placeholder:"FILE" help:"A setup of the candidate."`
	Workload     string   `group:"files" placeholder:"NAME" help:"Both sides are runs of this one workload."`
}

// Help implements kong.HelpProvider.
func (*compareCommand) Help() string {
	return `The dimension table first: what is the same, changed on purpose, different or unknown. Then a refusal with its remedy, or each outcome with its effect, interval, finding and verdict. Exit 0: compared, capped or clear. Exit 12: refused.

On files no server is needed. Several captures of one side are launches of one configuration.

Examples:

    graphsignal-server compare before.json.gz --against after.json.gz --change input="two loader workers"
    graphsignal-server compare runs/before --against runs/after --dim gpu_model="NVIDIA H200" --dim gpu_count=8
    graphsignal-server compare 'loader0-*.json.gz' --against 'loader2-*.json.gz' --change input="two workers" --markdown
    graphsignal-server compare --baseline seqs2-1,seqs2-2 --candidate 'seqs8-*' --change serving_stack="room for eight" --save
`
}

// Run compares files, or runs on a server.
func (cmd *compareCommand) Run(c *call) error {
	declaration, err := cmd.declaration()
	if err != nil {
		return err
	}
	var result *compare.Result
	switch offline, online := len(cmd.Files)+len(cmd.Against) > 0, len(cmd.Baseline)+len(cmd.Candidate) > 0; {
	case offline && online:
		return usage("name either files or runs", "files and runs on a server can't be compared with each other")
	case online:
		return cmd.compareRuns(c, declaration)
	case len(cmd.Files) == 0 || len(cmd.Against) == 0:
		return usage("write compare FILE… --against FILE…, or compare --baseline RUN… --candidate RUN…", "a comparison needs two sides")
	case cmd.Save:
		return usage("import both first, then compare --baseline RUN… --candidate RUN… --save", "--save keeps a comparison of runs on a server, not of files")
	}
	if result, err = cmd.compareFiles(c, declaration); err != nil {
		return err
	}
	return cmd.show(c, result, saved{}, remedyForFiles)
}

// saved names a comparison that a server keeps.
type saved struct {
	ID   string `json:"id,omitempty"`
	Name string `json:"name,omitempty"`
}

// show prints a result in the form asked for, and ends with its exit code.
func (cmd *compareCommand) show(c *call, result *compare.Result, kept saved, remedy func(string) string) error {
	switch {
	case c.json:
		if err := c.printJSON(struct {
			saved
			*compare.Result
		}{kept, result}); err != nil {
			return err
		}
	case cmd.Markdown:
		printMarkdown(c, result, remedy)
	default:
		printResult(c, result, cmd.All, remedy)
	}
	return exitOf(result.ExitCode())
}

func (cmd *compareCommand) declaration() (compare.Declaration, error) {
	d := compare.Declaration{Lens: lens.ID(cmd.Lens)}
	var err error
	if d.Changes, err = givenReasons("--change", cmd.Change); err != nil {
		return d, err
	}
	if d.Attested, err = givenReasons("--same", cmd.Same); err != nil {
		return d, err
	}
	if d.Thresholds, err = givenThresholds(cmd.Threshold); err != nil {
		return d, err
	}
	for row := range d.Attested {
		if _, both := d.Changes[row]; both {
			return d, usage("say one of the two", "%s is declared as the change (--change) and vouched for as equal (--same)", row)
		}
	}
	return d, nil
}

// compareFiles compares capture files on this machine.
func (cmd *compareCommand) compareFiles(c *call, declaration compare.Declaration) (*compare.Result, error) {
	if len(declaration.Attested) > 0 {
		declaration.By = personName()
	}
	baseline, err := cmd.side(c, cmd.Files, side{"--baseline-dim", cmd.BaselineDim, "--baseline-env", cmd.BaselineEnv})
	if err != nil {
		return nil, err
	}
	candidate, err := cmd.side(c, cmd.Against, side{"--candidate-dim", cmd.CandidateDim, "--candidate-env", cmd.CandidateEnv})
	if err != nil {
		return nil, err
	}
	if lenses := lensesOf(baseline); len(lenses) == 1 {
		if err := checkDeclared(declaration.Changes, declaration.Attested, declaration.Thresholds, lenses[0]); err != nil {
			return nil, err
		}
	}
	result, err := compare.Compare(compare.Input{Baseline: compare.Side{Runs: baseline}, Candidate: compare.Side{Runs: candidate}, Declaration: declaration})
	return result, asMisuse(err)
}

// side is what was given for one side alone.
type side struct {
	dimFlag string
	dims    []string
	envFlag string
	envs    []string
}

func (cmd *compareCommand) side(c *call, words []string, own side) ([]evidence.RunEvidence, error) {
	captures, err := c.readAll(words, lens.ID(cmd.Lens))
	if err != nil {
		return nil, err
	}
	runs := runsOf(captures)
	lenses := lensesOf(runs)
	declared := map[string]evidence.Dimension{}
	for _, given := range []struct {
		flag  string
		words []string
	}{{"--dim", cmd.Dim}, {own.dimFlag, own.dims}} {
		values, err := givenValues(given.flag, given.words, lenses...)
		if err != nil {
			return nil, err
		}
		for key, value := range values {
			declared[key] = evidence.Dimension{Value: value, Source: evidence.Declared, From: given.flag}
		}
	}
	var setups []evidence.Setup
	for _, given := range []struct {
		flag  string
		paths []string
	}{{"--env", cmd.Env}, {own.envFlag, own.envs}} {
		for _, path := range given.paths {
			setup, err := readSetup(given.flag, path, lens.All...)
			if err != nil {
				return nil, err
			}
			setups = append(setups, setup)
		}
	}
	for i := range runs {
		runs[i].Declared, runs[i].Setups = declared, setups
		runs[i].Workload, runs[i].WorkloadID = cmd.Workload, cmd.Workload
	}
	return runs, nil
}

// lensesOf are the lenses that the captures of runs were read under.
func lensesOf(runs []evidence.RunEvidence) []lens.Lens {
	var found []lens.Lens
	for _, l := range lens.All {
		for _, run := range runs {
			if run.Captures[0].Lens == l.ID {
				found = append(found, l)
				break
			}
		}
	}
	return found
}

// personName is who vouches on this machine: the account's name.
func personName() string {
	name := cmp.Or(os.Getenv("USER"), os.Getenv("USERNAME"))
	if current, err := user.Current(); name == "" && err == nil {
		name = current.Username
	}
	return strings.TrimSpace(name)
}
