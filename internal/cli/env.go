package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"kernelwake/internal/environment"
	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/lens"
)

type envCommand struct {
	Output        string   `short:"o" placeholder:"FILE" help:"Write the setup into this file instead of printing it."`
	Name          string   `placeholder:"NAME" help:"Name of the setup."`
	Engine        string   `placeholder:"NAME" help:"The serving engine, for example vllm."`
	EngineVersion string   `placeholder:"VERSION" help:"The engine's version."`
	EngineArg     []string `sep:"none" placeholder:"ARG" help:"An argument the engine was started with; give it once for each: --engine-arg=--max-num-seqs=64."`
	ImageDigest   string   `placeholder:"sha256:…" help:"Digest of the image the engine ran from."`
}

// Help implements kong.HelpProvider.
func (*envCommand) Help() string {
	return `Run it on the machine that is measured. The file goes with the captures: import --env FILE, or compare --env FILE. What can't be read stays absent with the reason.

Examples:

    graphsignal-server env -o setup.json
    graphsignal-server env -o setup.json --engine vllm --engine-version 0.31.0 --engine-arg=--max-num-seqs=64
`
}

// Run reads the machine.
func (cmd *envCommand) Run(c *call) error {
	machine := environment.Machine{Files: os.DirFS("/"), Run: output}
	setup, err := environment.Read(c.ctx, machine, environment.Given{
		Name: cmd.Name, Engine: cmd.Engine, EngineVersion: cmd.EngineVersion, EngineArgs: cmd.EngineArg, ImageDigest: cmd.ImageDigest,
	})
	if err != nil {
		return err
	}
	if cmd.Output == "" {
		return c.printJSON(setup)
	}
	encoded, err := json.MarshalIndent(setup, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the setup: %w", err)
	}
	if err := os.WriteFile(cmd.Output, append(encoded, '\n'), 0o644); err != nil {
		return fault.New(fault.Unavailable, "file_unwritable", "%s can't be written: %v", cmd.Output, err).WithHint("choose another place with -o")
	}
	return c.answer(setup, func() {
		known := 0
		for _, value := range setup.Values {
			if _, isObject := value.(map[string]any); !isObject {
				known++
			}
		}
		c.printf("%s: %d values, %d absent with their reason\n", cmd.Output, known, len(setup.Values)-known)
		for _, note := range setup.Notes {
			c.paragraph("  ", note)
		}
	})
}

// output runs a program and returns what it prints, with its complaint where
// it fails.
func output(ctx context.Context, name string, args ...string) ([]byte, error) {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) && len(failed.Stderr) > 0 {
		return out, fmt.Errorf("%w: %s", err, strings.TrimSpace(string(failed.Stderr)))
	}
	return out, err
}

// readSetup reads a setup file as `env` writes it. Values of a key that the
// lenses don't know are refused.
func readSetup(flag, path string, lenses ...lens.Lens) (evidence.Setup, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return evidence.Setup{}, unreadable(path, err)
	}
	var setup environment.Setup
	if err := json.Unmarshal(content, &setup); err != nil {
		return evidence.Setup{}, fault.New(fault.Invalid, "setup_invalid", "%s is no setup file: %v", path, err).
			WithHint(`a setup is {"name": NAME, "values": {KEY: VALUE}}; `+"`graphsignal-server env -o %s` writes one", path)
	}
	if len(setup.Values) == 0 {
		return evidence.Setup{}, fault.New(fault.Invalid, "setup_empty", "%s names no values", path).
			WithHint(`a setup is {"name": NAME, "values": {KEY: VALUE}}; ` + "`graphsignal-server env` writes one")
	}
	if err := checkKeys(flag+" "+path, setup.Values, lenses); err != nil {
		return evidence.Setup{}, err
	}
	name := setup.Name
	if name == "" {
		name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	return evidence.Setup{Name: name, Version: 1, Values: setup.Values}, nil
}
