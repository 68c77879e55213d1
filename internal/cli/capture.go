package cli

type captureCommand struct {
	Check captureCheck `cmd:"" help:"Say what is in a file and what is wrong with it; keeps nothing, needs no server."`
}
