package cli

import (
	"strings"
)

// givenLabels reads NAME=VALUE words; NAME= takes a label away.
func givenLabels(words []string) (map[string]string, error) {
	labels := map[string]string{}
	for _, word := range words {
		name, value, found := strings.Cut(word, "=")
		if !found || strings.TrimSpace(name) == "" {
			return nil, usage("write NAME=VALUE; NAME= takes the label away", "%q is no label", word)
		}
		labels[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return labels, nil
}
