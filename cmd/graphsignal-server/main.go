// Command graphsignal-server is Kernelwake: the server and its command line.
package main

import (
	"os"

	"kernelwake/internal/cli"
)

func main() { os.Exit(cli.Main()) }
