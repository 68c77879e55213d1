package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"syscall"

	"github.com/alecthomas/kong"
)

// commands is the whole command line.
type commands struct {
	JSON bool `help:"Answer as JSON with stable, documented names."`

	Serve  serveCommand  `cmd:"" group:"server" help:"Run the server and the web workspace."`
	Demo   demoCommand   `cmd:"" group:"server" help:"A server on a scratch folder, filled with examples, opened in the browser."`
	Login  loginCommand  `cmd:"" group:"server" help:"Keep server and token for the client commands."`
	Whoami whoamiCommand `cmd:"" group:"server" help:"Say who the token belongs to, and where."`

	Import     importCommand     `cmd:"" group:"evidence" help:"Import captures."`
	Compare    compareCommand    `cmd:"" group:"evidence" help:"Hold two sides of runs against each other: files, or runs on a server."`
	Comparison comparisonCommand `cmd:"" group:"evidence" help:"List, show and recompute saved comparisons."`
	Capture    captureCommand    `cmd:"" group:"evidence" help:"Check a file offline; list, show, label and download captures."`
	Run        runCommand        `cmd:"" group:"evidence" help:"List, show, declare and label runs."`
	Workload   workloadCommand   `cmd:"" group:"evidence" help:"List, show, create, declare and label workloads."`
	Setup      setupCommand      `cmd:"" group:"evidence" help:"Named values for many runs: create, attach, show, list."`
	Env        envCommand        `cmd:"" group:"evidence" help:"Write this machine's setup: GPUs, driver, CUDA, caps, engine arguments."`
	Lens       lensCommand       `cmd:"" group:"evidence" help:"List the lenses, their outcomes, rows and fields."`

	Token   tokenCommand   `cmd:"" group:"folder" help:"Make tokens on a data folder."`
	Backup  backupCommand  `cmd:"" group:"folder" help:"Copy a data folder as of one moment, also while a server runs on it."`
	Restore restoreCommand `cmd:"" group:"folder" help:"Make a data folder of a backup."`
	Doctor  doctorCommand  `cmd:"" group:"folder" help:"Say what is missing or wrong in a data folder, and the fix."`

	OpenAPI    openapiCommand    `cmd:"" name:"openapi" group:"program" help:"Print the description of the API."`
	Version    versionCommand    `cmd:"" group:"program" help:"Say which version this is."`
	Completion completionCommand `cmd:"" group:"program" help:"Write shell completion for bash, zsh or fish."`
}

const description = `Is this really faster, and can I show why I believe it? Kernelwake keeps captures of GPU work with their evidence and compares only what is comparable.`

var groups = kong.ExplicitGroups([]kong.Group{
	{Key: "server", Title: "Server:"},
	{Key: "evidence", Title: "Evidence:"},
	{Key: "files", Title: "For files, without a server:"},
	{Key: "folder", Title: "Data folder:"},
	{Key: "program", Title: "This program:"},
	{Key: "remote", Title: "Which server:"},
})

// programName is what the program is called wherever it speaks of itself.
const programName = "graphsignal-server"

// Main runs the command line of this process and returns its exit code.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return run(ctx, processConsole(), os.Args[1:])
}

// left ends the parsing once help was printed.
type left int

func newParser(grammar *commands, c console) (*kong.Kong, error) {
	return kong.New(grammar,
		kong.Name(programName), kong.Description(description), kong.Writers(c.out, c.err), groups,
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true, WrapUpperBound: c.width}),
		kong.Exit(func(code int) { panic(left(code)) }),
	)
}

func run(ctx context.Context, c console, args []string) (code int) {
	at := &call{console: c, ctx: ctx, json: slices.Contains(args, "--json")}
	defer func() {
		if e := recover(); e != nil {
			exited, ok := e.(left)
			if !ok {
				panic(e)
			}
			code = int(exited)
		}
	}()
	var grammar commands
	parser, err := newParser(&grammar, c)
	if err != nil {
		return at.fail(err)
	}
	if len(args) > 0 && args[0] == completeWord {
		return complete(c, parser.Model.Node, args[1:])
	}
	if len(args) == 0 {
		_, _ = parser.Parse([]string{"--help"})
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		return at.fail(misused(err))
	}
	at.json = grammar.JSON
	if err := parsed.Run(at); err != nil {
		return at.fail(err)
	}
	return exitDone
}

// misused says in one line what is wrong with a command line, and where its
// help is.
func misused(err error) error {
	path := programName
	var wrong *kong.ParseError
	if errors.As(err, &wrong) && wrong.Context != nil {
		if node := wrong.Context.Selected(); node != nil {
			path = node.FullPath()
		}
	}
	return usage("see `"+path+" --help`", "%s", noValue.ReplaceAllString(err.Error(), "needs a value"))
}

// noValue is how the parser says that a flag stands last, without its value.
var noValue = regexp.MustCompile(`expected \S+ value but got "EOL" \(<EOL>\)`)
