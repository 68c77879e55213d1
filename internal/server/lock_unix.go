//go:build unix

package server

import (
	"os"
	"syscall"

	"kernelwake/internal/fault"
)

// lockFolder takes the folder's lock, which ends with the process however it
// ends.
func lockFolder(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "data_folder_unavailable", "the data folder can't be written to: %v", err).WithCause(err).
			WithHint("check that its disk is there and writable and that the folder is yours, or choose another with --data DIR")
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		return nil, fault.New(fault.Conflict, "data_folder_in_use", "another server uses this data folder (%s)", path).
			WithCause(err).WithHint("stop it, or choose another folder with --data DIR")
	}
	return file, nil
}
