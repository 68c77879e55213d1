// Command schemagen writes the JSON Schema of the Kernelwake JSON capture
// format to the file it is given; `make gen` runs it.
package main

import (
	"fmt"
	"os"

	"kernelwake/internal/format/kwcap"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: schemagen FILE")
		os.Exit(2)
	}
	schema, err := kwcap.Schema()
	if err == nil {
		err = os.WriteFile(os.Args[1], schema, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "writing the schema:", err)
		os.Exit(1)
	}
}
