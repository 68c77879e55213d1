//go:build crash

package server

import (
	"os"
	"syscall"

	"kernelwake/internal/importing"
)

// killAt ends the process, as kill -9 does, at the step that KERNELWAKE_KILL_AT
// names: what the crash test runs against.
func killAt() func(importing.Step) {
	at := importing.Step(os.Getenv("KERNELWAKE_KILL_AT"))
	return func(step importing.Step) {
		if step == at {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // the signal comes
		}
	}
}
