package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"kernelwake/internal/httpapi"
	"kernelwake/internal/server"
	"kernelwake/internal/workspace"
)

type demoCommand struct {
	Listen    string `default:"127.0.0.1:0" placeholder:"ADDR" help:"Address to listen on; port 0 picks a free one."`
	NoBrowser bool   `help:"Open no browser."`
}

// Help implements kong.HelpProvider.
func (*demoCommand) Help() string {
	return `A server on a scratch folder, filled with captures that this project recorded (and a pool that it simulated, marked synthetic): one comparison that is clear, one that is refused, one that lacks a single fact. It runs until it is stopped; the folder goes with it.

Examples:

    graphsignal-server demo
    graphsignal-server demo --listen 127.0.0.1:8080 --no-browser
`
}

// shown is the demo once it can be looked at.
type shown struct {
	URL         string                  `json:"url"`
	SignIn      string                  `json:"sign_in"`
	Data        string                  `json:"data"`
	Comparisons []httpapi.ComparisonRow `json:"comparisons"`
}

// Run serves the demo until the process is told to stop.
func (cmd *demoCommand) Run(c *call) (err error) {
	began := time.Now()
	data, err := os.MkdirTemp("", "kernelwake-demo-")
	if err != nil {
		return fmt.Errorf("making a scratch folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(data)) }()
	signal.Ignore(syscall.SIGPIPE) // whoever stops reading ends the demo as any failure does: tidily
	ctx, stop := context.WithCancel(c.ctx)
	defer stop()
	filled := make(chan error, 1)
	ready := func(running server.Running) {
		go func() {
			err := cmd.open(ctx, c, data, running, began)
			if err != nil {
				stop()
			}
			filled <- err
		}()
	}
	err = server.Serve(ctx, server.Options{
		Data: data, Listen: cmd.Listen, Out: io.Discard, Log: slog.New(slog.NewTextHandler(c.err, &slog.HandlerOptions{Level: slog.LevelWarn})), Demo: true, Ready: ready,
	})
	select {
	case broken := <-filled:
		return errors.Join(broken, err)
	default:
		return err
	}
}

// open fills the demo, says where it is, and shows it where there is a display.
func (cmd *demoCommand) open(ctx context.Context, c *call, data string, running server.Running, began time.Time) error {
	token, err := server.CreateToken(ctx, data, "demo", defaultWorkspace, workspace.Admin)
	if err != nil {
		return err
	}
	c.progress("filling the demo")
	comparisons, err := fillDemo(ctx, running.URL, token.Key)
	c.progress("")
	if err != nil {
		return fmt.Errorf("filling the demo: %w", err)
	}
	err = c.answer(shown{running.URL, running.SignInLink, data, comparisons}, func() {
		c.printf("the demo is ready after %.1f s; sign in once with\n\n  %s\n\n", time.Since(began).Seconds(), running.SignInLink)
		rows := table{indent: "  "}
		for _, one := range comparisons {
			rows.row(one.Name, one.Answer, one.Sentence)
		}
		rows.print(c.out)
		c.printf("\nit runs until it is stopped (Ctrl-C), and its folder %s goes with it\n", data)
	})
	if err == nil && c.outTerminal && !cmd.NoBrowser {
		openBrowser(ctx, running.SignInLink)
	}
	return err
}

// openBrowser shows a page where there is a display. That it can't is no
// failure: the link stands on the terminal.
func openBrowser(ctx context.Context, address string) {
	var command *exec.Cmd
	switch {
	case runtime.GOOS == "darwin":
		command = exec.CommandContext(ctx, "open", address)
	case runtime.GOOS == "windows":
		command = exec.CommandContext(ctx, "rundll32", "url.dll,FileProtocolHandler", address)
	case os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "":
		command = exec.CommandContext(ctx, "xdg-open", address)
	default:
		return
	}
	if err := command.Start(); err == nil {
		go func() { _ = command.Wait() }() // it may stay open for as long as it likes
	}
}
