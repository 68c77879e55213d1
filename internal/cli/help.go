package cli

// The help of commands that only hold others, and of the program itself: what
// belongs together, with the examples that show the way through.

// Help implements kong.HelpProvider.
func (*commands) Help() string {
	return `Examples:

    graphsignal-server demo
    graphsignal-server serve --data kernelwake-data
    graphsignal-server capture check trace.json.gz
    graphsignal-server compare before.json.gz --against after.json.gz --change input="two loader workers"
    graphsignal-server import run.zip --workload llama-serving --env setup.json
`
}

// Help implements kong.HelpProvider.
func (*captureCommand) Help() string {
	return `A capture is one imported file (or one selection of it) and what was parsed from it.

Examples:

    graphsignal-server capture check trace.json.gz
    graphsignal-server capture list --run seqs2-1
    graphsignal-server capture download cap_01jd8m5q3v6n7p8r9s0t1v2w3x -o trace.json.gz
`
}

// Help implements kong.HelpProvider.
func (*runCommand) Help() string {
	return `A run is one launch of a workload: one server start, one training launch, one window of a pool.

Examples:

    graphsignal-server run list --workload llama-serving
    graphsignal-server run show seqs2-1
    graphsignal-server run declare seqs2-1 gpu_model="NVIDIA H200" gpu_count=1
`
}

// Help implements kong.HelpProvider.
func (*workloadCommand) Help() string {
	return `A workload is the thing whose performance is being decided on.

Examples:

    graphsignal-server workload list
    graphsignal-server workload declare llama-serving model=meta-llama/Llama-3.1-8B-Instruct
`
}

// Help implements kong.HelpProvider.
func (*setupCommand) Help() string {
	return `A setup is a named, versioned set of values (driver, power cap, engine flags) that many runs share. A comparison says which version it used.

Examples:

    graphsignal-server setup create gpu-box setup.json
    graphsignal-server setup attach gpu-box seqs2-1 seqs2-2
`
}

// Help implements kong.HelpProvider.
func (*comparisonCommand) Help() string {
	return `A saved comparison never changes, and can be computed again to the same digits.

Examples:

    graphsignal-server comparison list
    graphsignal-server comparison recompute cmp_01jd8m5q3v6n7p8r9s0t1v2w3x
`
}

// Help implements kong.HelpProvider.
func (*lensCommand) Help() string {
	return `A lens says which outcomes count and what two runs must share before they are compared.

Examples:

    graphsignal-server lens list
    graphsignal-server lens show training
`
}

// Help implements kong.HelpProvider.
func (*tokenCommand) Help() string {
	return `Examples:

    graphsignal-server token create --data kernelwake-data --role analyst --name laptop
`
}
