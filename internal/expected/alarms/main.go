// Command alarms counts how often the comparison calls launches of one and the
// same configuration improved or regressed, on real repeated launches, beside
// what an independent script counts.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	draws := flag.Int("draws", 400, "draws of each kind")
	folder := flag.String("samples", "", "folder of the recorded repeats, to judge by samples; the kept medians otherwise")
	flag.Parse()
	if err := run(*draws, *folder); err != nil {
		fmt.Fprintln(os.Stderr, "alarms:", err)
		os.Exit(1)
	}
}

// run prints the table.
func run(draws int, folder string) error {
	all, err := readRepeats()
	if err != nil {
		return err
	}
	fmt.Printf("False alarms in %% of %d draws, A against A, effects from %g %%; in brackets an independent script's.\n", draws, 100*threshold)
	for _, r := range all {
		l, err := r.fromValues()
		if folder != "" {
			l, err = r.fromSamples(folder)
		}
		if err != nil {
			return err
		}
		fmt.Printf("\n%s: %d launches\n", r.Name, len(l.a))
		for _, p := range plans {
			var columns []string
			for i, design := range designsOf(l) {
				got, err := measure(r, l, p.runs, p.history, draws, design)
				if err != nil {
					return err
				}
				if design == againstB {
					columns = append(columns, fmt.Sprintf("%s regressed %.0f improved %.0f", design, 100*got.regressed, 100*got.improved))
					continue
				}
				columns = append(columns, fmt.Sprintf("%s %4.1f (%4.1f)", design, 100*got.alarms(), reference[r.Name][p][i]))
			}
			fmt.Printf("  %-14s %s\n", p, strings.Join(columns, "  "))
		}
	}
	return nil
}
