package cli

import "kernelwake/internal/compare"

func (cmd *compareCommand) compareRuns(c *call, d compare.Declaration) error { return nil }
