package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"kernelwake/internal/lens"
)

// completeWord is the hidden first argument by which a shell asks what may
// come next; the words typed so far follow, the last one unfinished.
const completeWord = "__complete"

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help implements kong.HelpProvider.
func (*completionCommand) Help() string {
	return `Examples:

    source <(graphsignal-server completion bash)
    graphsignal-server completion zsh > "${fpath[1]}/_graphsignal-server"
    graphsignal-server completion fish > ~/.config/fish/completions/graphsignal-server.fish
`
}

// scripts ask the program itself what may come next, so that they never lag
// behind it. Where it names nothing, files are offered.
var scripts = map[string]string{
	"bash": `_graphsignal_server() {
  local IFS=$'\n'
  COMPREPLY=($("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
}
complete -o default -o bashdefault -F _graphsignal_server graphsignal-server
`,
	"zsh": `#compdef graphsignal-server
_graphsignal_server() {
  local -a candidates
  candidates=("${(@f)$(${words[1]} __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n ${candidates[1]} ]]; then compadd -S '' -- "${candidates[@]}"; else _files; fi
}
if [[ ${funcstack[1]} == _graphsignal-server ]]; then _graphsignal_server "$@"; else compdef _graphsignal_server graphsignal-server; fi
`,
	"fish": `function __graphsignal_server_candidates
    graphsignal-server __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null
end
complete -c graphsignal-server -n 'test (count (__graphsignal_server_candidates)) -gt 0' -f
complete -c graphsignal-server -a '(__graphsignal_server_candidates)'
`,
}

// Run prints the script.
func (cmd *completionCommand) Run(c *call) error {
	c.printf("%s", scripts[cmd.Shell])
	return nil
}

// complete prints what the last of the words may become.
func complete(c console, root *kong.Node, words []string) int {
	if len(words) == 0 {
		words = []string{""}
	}
	node, last := root, words[len(words)-1]
	before := ""
	for _, word := range words[:len(words)-1] {
		if child := childOf(node, word); child != nil {
			node = child
		}
		before = word
	}
	for _, candidate := range candidates(node, before, last) {
		if strings.HasPrefix(candidate, last) {
			fmt.Fprintln(c.out, candidate)
		}
	}
	return exitDone
}

func childOf(node *kong.Node, name string) *kong.Node {
	for _, child := range node.Children {
		if child.Name == name {
			return child
		}
	}
	return nil
}

func candidates(node *kong.Node, before, last string) []string {
	if flag := flagNamed(node, before); flag != nil && !flag.IsBool() {
		return flagValues(flag)
	}
	if strings.HasPrefix(last, "-") {
		var flags []string
		for _, level := range node.AllFlags(true) {
			for _, flag := range level {
				flags = append(flags, "--"+flag.Name)
			}
		}
		slices.Sort(flags)
		return flags
	}
	var names []string
	for _, child := range node.Children {
		if !child.Hidden {
			names = append(names, child.Name)
		}
	}
	for _, positional := range node.Positional {
		names = append(names, enumOf(positional)...)
	}
	return names
}

func flagNamed(node *kong.Node, word string) *kong.Flag {
	name, isFlag := strings.CutPrefix(word, "--")
	if !isFlag {
		return nil
	}
	for _, level := range node.AllFlags(true) {
		for _, flag := range level {
			if flag.Name == name {
				return flag
			}
		}
	}
	return nil
}

func enumOf(value *kong.Value) []string {
	if value.Enum == "" {
		return nil
	}
	return slices.DeleteFunc(value.EnumSlice(), func(s string) bool { return s == "" })
}

// flagValues are what a flag's value may begin with: its choices, or the keys
// of the lens registry.
func flagValues(flag *kong.Flag) []string {
	var values []string
	for _, l := range lens.All {
		switch {
		case flag.PlaceHolder == "ROW=REASON":
			for _, row := range l.Rows {
				if row.Declarable || flag.Name == "same" {
					values = append(values, row.Key+"=")
				}
			}
		case flag.PlaceHolder == "KEY=VALUE":
			for _, field := range l.Fields {
				values = append(values, field.Key+"=")
			}
		case flag.PlaceHolder == "METRIC=X":
			for _, outcome := range l.Outcomes {
				for _, statistic := range outcome.Statistics {
					values = append(values, lens.Metric(outcome.Name, statistic)+"=")
				}
			}
		}
	}
	values = append(values, enumOf(flag.Value)...)
	slices.Sort(values)
	return slices.Compact(values)
}
