package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"kernelwake/internal/fault"
)

// config is what login keeps for client commands.
type config struct {
	Server    string `json:"server"`
	Token     string `json:"token"`
	Workspace string `json:"workspace,omitempty"`
}

// configPath is KERNELWAKE_CONFIG, else a file in the person's own folder.
func configPath() (string, error) {
	if path := os.Getenv("KERNELWAKE_CONFIG"); path != "" {
		return path, nil
	}
	folder, err := os.UserConfigDir()
	if err != nil {
		return "", fault.New(fault.Unavailable, "config_folder_missing", "no folder for settings is known: %v", err).WithHint("set KERNELWAKE_CONFIG to a file's path")
	}
	return filepath.Join(folder, "kernelwake", "config.json"), nil
}

// readConfig returns what was kept, or nothing where nothing was.
func readConfig() (config, error) {
	var kept config
	path, err := configPath()
	if err != nil {
		return kept, nil // flags and the environment may do
	}
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return kept, nil
	}
	if err != nil {
		return kept, unreadable(path, err)
	}
	if err := json.Unmarshal(content, &kept); err != nil {
		return kept, fault.New(fault.Invalid, "config_invalid", "%s can't be read: %v", path, err).WithHint("run `graphsignal-server login` again")
	}
	return kept, nil
}

// write keeps the settings where only their owner reads them.
func (kept config) write() (string, error) {
	path, err := configPath()
	if err != nil {
		return "", err
	}
	content, err := json.MarshalIndent(kept, "", "  ")
	if err != nil {
		return "", fmt.Errorf("writing the settings: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", unwritable(path, err)
	}
	fresh := path + ".new"
	if err := os.WriteFile(fresh, append(content, '\n'), 0o600); err != nil {
		return "", unwritable(path, err)
	}
	if err := os.Rename(fresh, path); err != nil {
		return "", unwritable(path, err)
	}
	return path, nil
}

func unwritable(path string, err error) error {
	return fault.New(fault.Unavailable, "file_unwritable", "%s can't be written: %v", path, err).WithCause(err).WithHint("check the folder, or choose another place")
}

func sameServer(a, b string) bool { return strings.TrimRight(a, "/") == strings.TrimRight(b, "/") }
