package cli_test

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"kernelwake/internal/cli"
)

var update = flag.Bool("update", false, "write the outputs that the scripts expect anew")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"graphsignal-server": func() { os.Exit(cli.Main()) }})
}

// TestScripts runs each script of testdata against the real program, with a
// real server where a script starts one.
func TestScripts(t *testing.T) {
	recordings, err := filepath.Abs("../../examples/recordings")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata", UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("RECORDINGS", recordings)
			env.Setenv("USER", "ana")
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, "home", "config"))
			return os.MkdirAll(filepath.Join(env.WorkDir, "home"), 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"serving": serving, "has": has, "keep": keep, "code": code},
	})
}

// serving waits until a server of the data folder answers, and points the
// client commands at it: serving DIR.
func serving(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: serving DIR")
	}
	path := ts.MkAbs(filepath.Join(args[0], "address"))
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if address, err := os.ReadFile(path); err == nil {
			ts.Setenv("KERNELWAKE_SERVER", strings.TrimSpace(string(address)))
			return
		}
	}
	ts.Fatalf("no server wrote %s", path)
}

// has requires that a JSON file holds members at paths: has FILE PATH…, a path
// being like runs[0].captures[0].sha256, and NAME=VALUE where its text counts.
func has(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: has FILE PATH[=VALUE]…")
	}
	document := read(ts, args[0])
	for _, arg := range args[1:] {
		path, want, exact := strings.Cut(arg, "=")
		value, found := member(document, path)
		if found && exact {
			found = text(value) == want
		}
		if found == neg {
			ts.Fatalf("%s: %s is %s", args[0], arg, text(value))
		}
	}
}

// keep sets a variable to a member of a JSON file: keep NAME FILE PATH.
func keep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: keep NAME FILE PATH")
	}
	value, found := member(read(ts, args[1]), args[2])
	if !found {
		ts.Fatalf("%s holds no %s", args[1], args[2])
	}
	ts.Setenv(args[0], text(value))
}

func read(ts *testscript.TestScript, name string) any {
	var document any
	if err := json.Unmarshal([]byte(ts.ReadFile(name)), &document); err != nil {
		ts.Fatalf("%s is no JSON: %v", name, err)
	}
	return document
}

// member finds the value at a path like runs[0].captures[0].sha256.
func member(value any, path string) (any, bool) {
	for step := range strings.SplitSeq(strings.TrimPrefix(strings.NewReplacer("[", ".", "]", "").Replace(path), "."), ".") {
		switch at := value.(type) {
		case map[string]any:
			inner, ok := at[step]
			if !ok {
				return nil, false
			}
			value = inner
		case []any:
			index, err := strconv.Atoi(step)
			if err != nil || index >= len(at) {
				return nil, false
			}
			value = at[index]
		default:
			return nil, false
		}
	}
	return value, true
}

func text(value any) string {
	if words, ok := value.(string); ok {
		return words
	}
	encoded, _ := json.Marshal(value)
	return string(encoded)
}

// code requires an exit code of the program: code N ARG….
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: code N ARG…")
	}
	err := ts.Exec("graphsignal-server", args[1:]...)
	got := 0
	var exited *exec.ExitError
	if errors.As(err, &exited) {
		got = exited.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("graphsignal-server %s exits with %d, not %s", strings.Join(args[1:], " "), got, args[0])
	}
}
