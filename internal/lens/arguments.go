package lens

import "strings"

// Arguments reads engine arguments as a map from option to value, whatever way
// they were written: a list of words, one command line, or an object. Options
// lose their dashes; a boolean option has the value "on".
func Arguments(value any) map[string]string {
	options := map[string]string{}
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			setOption(options, name, plain(member))
		}
	case []any:
		words := make([]string, 0, len(v))
		for _, word := range v {
			if text, ok := word.(string); ok {
				words = append(words, text)
			} else {
				words = append(words, plain(word))
			}
		}
		readWords(options, words)
	case []string:
		readWords(options, v)
	case string:
		readWords(options, strings.Fields(v))
	}
	return options
}

func readWords(options map[string]string, words []string) {
	last := ""
	for _, word := range words {
		if !strings.HasPrefix(word, "-") {
			if last == "" {
				setOption(options, word, "on")
				continue
			}
			if options[last] == "on" {
				options[last] = ""
			}
			options[last] = strings.TrimPrefix(options[last]+","+word, ",")
			continue
		}
		name, given, ok := strings.Cut(word, "=")
		if !ok {
			given = "on"
		}
		last = setOption(options, name, given)
		if ok {
			last = ""
		}
	}
}

// setOption stores an option under its plain name. "--no-x" is x off.
func setOption(options map[string]string, name, value string) string {
	name = strings.ReplaceAll(strings.ToLower(strings.TrimLeft(name, "-")), "_", "-")
	switch value {
	case "true", "True":
		value = "on"
	case "false", "False":
		value = "off"
	}
	if plainName, ok := strings.CutPrefix(name, "no-"); ok && value == "on" {
		name, value = plainName, "off"
	}
	options[name] = value
	return name
}

// DifferingArguments lists the options that two sets of arguments set
// differently, as "max-num-seqs 64 → 128", in order.
func DifferingArguments(a, b any) []string {
	left, right := Arguments(a), Arguments(b)
	names := map[string]string{}
	for name := range left {
		names[name] = ""
	}
	for name := range right {
		names[name] = ""
	}
	var differing []string
	for _, name := range sortedKeys(names) {
		if left[name] != right[name] {
			differing = append(differing, name+" "+orUnset(left[name])+" → "+orUnset(right[name]))
		}
	}
	return differing
}

func orUnset(value string) string {
	if value == "" {
		return "(not set)"
	}
	return value
}
