package cli

import (
	"kernelwake/internal/server"
)

type backupCommand struct {
	Into string `arg:"" placeholder:"DIR" help:"A folder that is empty or not there."`
	Data string `env:"KERNELWAKE_DATA" default:"kernelwake-data" placeholder:"DIR" help:"The server's data folder."`
}

// Help implements kong.HelpProvider.
func (*backupCommand) Help() string {
	return `Copies a data folder as of one moment; a server on it may go on. Bytes are linked where the target is on the same disk.

Examples:

    graphsignal-server backup /backups/kernelwake-monday --data /var/lib/kernelwake
`
}

// Run backs the folder up.
func (cmd *backupCommand) Run(c *call) error {
	copied, err := server.Backup(c.ctx, cmd.Data, cmd.Into)
	if err != nil {
		return err
	}
	return c.answer(copied, func() { printCopied(c, "backed up", copied) })
}

type restoreCommand struct {
	From string `arg:"" placeholder:"DIR" help:"The folder that backup wrote."`
	Data string `env:"KERNELWAKE_DATA" default:"kernelwake-data" placeholder:"DIR" help:"The data folder to make: empty or not there."`
}

// Help implements kong.HelpProvider.
func (*restoreCommand) Help() string {
	return `Makes a data folder of a backup and holds every byte of it against its digest.

Examples:

    graphsignal-server restore /backups/kernelwake-monday --data /var/lib/kernelwake
`
}

// Run restores the folder.
func (cmd *restoreCommand) Run(c *call) error {
	copied, err := server.Restore(c.ctx, cmd.From, cmd.Data)
	if err != nil {
		return err
	}
	return c.answer(copied, func() { printCopied(c, "restored", copied) })
}

func printCopied(c *call, done string, copied server.Copied) {
	c.printf("%s into %s: %s, %s in %s\n", done, copied.Folder, plural(int(copied.Captures), "capture", "captures"), bytesText(float64(copied.Bytes)), plural(int(copied.Blobs), "blob", "blobs"))
}
