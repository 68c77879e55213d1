package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/lens"
)

// givenValues reads KEY=VALUE words: a value is JSON where it reads as JSON
// without loss, else text, so that a version 12.10 stays what was written.
func givenValues(flag string, words []string, lenses ...lens.Lens) (map[string]any, error) {
	values := map[string]any{}
	for _, word := range words {
		key, text, err := keyAndValue(flag, word, "VALUE")
		if err != nil {
			return nil, err
		}
		if _, twice := values[key]; twice {
			return nil, usage("give it once", "%s %s is given twice", flag, key)
		}
		values[key] = valueOf(text)
	}
	if err := checkKeys(flag, values, lenses); err != nil {
		return nil, err
	}
	return values, nil
}

// keyAndValue splits KEY=VALUE.
func keyAndValue(flag, word, what string) (key, value string, err error) {
	key, value, found := strings.Cut(word, "=")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	if !found || key == "" || value == "" {
		return "", "", usage(fmt.Sprintf("write %s KEY=%s", flag, what), "%s %q is not KEY=%s", flag, word, what)
	}
	return key, value, nil
}

// valueOf reads a value as a person types it.
func valueOf(text string) any {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil || value == nil {
		return text
	}
	if number, ok := value.(float64); ok && strconv.FormatFloat(number, 'f', -1, 64) != text {
		return text
	}
	return value
}

// checkKeys refuses keys that are no field of the lenses.
func checkKeys(flag string, values map[string]any, lenses []lens.Lens) error {
	err := evidence.CheckDeclared(values, lenses...)
	if err == nil {
		return nil
	}
	for key := range values {
		for _, l := range lenses {
			if row, ok := l.Row(key); ok && !slices.Contains(row.Fields, key) {
				return usage("give one of those", "%s %s: %s is a row of the %s lens, made of %s", flag, key, key, l.ID, strings.Join(row.Fields, ", "))
			}
		}
	}
	refusal := *fault.Of(err)
	refusal.Message = flag + ": " + refusal.Message
	refusal.Problems = slices.Clone(refusal.Problems)
	for i := range refusal.Problems {
		refusal.Problems[i].Pointer = "" // the flag is the place
	}
	refusal.Hint = fmt.Sprintf("`graphsignal-server lens show %s` lists the dimensions", lensNames(lenses))
	return misuse{&refusal}
}

func lensNames(lenses []lens.Lens) string {
	names := make([]string, len(lenses))
	for i, l := range lenses {
		names[i] = string(l.ID)
	}
	return strings.Join(names, "|")
}

// givenReasons reads ROW=REASON words. Whether a row exists is for the lens of
// the comparison to say.
func givenReasons(flag string, words []string) (map[string]string, error) {
	reasons := map[string]string{}
	for _, word := range words {
		key, reason, err := keyAndValue(flag, word, `"REASON"`)
		if err != nil {
			return nil, err
		}
		reasons[key] = reason
	}
	return reasons, nil
}

// givenThresholds reads METRIC=X words: 5%, 0.5pp, or a plain number in the
// registry's own form.
func givenThresholds(words []string) (map[string]float64, error) {
	thresholds := map[string]float64{}
	for _, word := range words {
		metric, text, err := keyAndValue("--threshold", word, "X")
		if err != nil {
			return nil, err
		}
		value, err := thresholdOf(text)
		if err != nil {
			return nil, usage("write it as 5%, 0.5pp or a number", "--threshold %s: %q is no size", metric, text)
		}
		thresholds[metric] = value
	}
	return thresholds, nil
}

func thresholdOf(text string) (float64, error) {
	for _, ending := range []string{"%", "pp"} {
		if digits, found := strings.CutSuffix(text, ending); found {
			value, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
			return value / 100, err
		}
	}
	return strconv.ParseFloat(text, 64)
}

// checkDeclared refuses rows and metrics that the lens doesn't have, naming
// the nearest.
func checkDeclared(changes, same map[string]string, thresholds map[string]float64, l lens.Lens) error {
	rows := make([]string, len(l.Rows))
	for i, row := range l.Rows {
		rows[i] = row.Key
	}
	for flag, given := range map[string]map[string]string{"--change": changes, "--same": same} {
		for _, key := range slices.Sorted(maps.Keys(given)) {
			if _, ok := l.Row(key); !ok {
				return unknownRow(flag, key, rows, l)
			}
		}
	}
	outcomes := make([]string, len(l.Outcomes))
	for i, outcome := range l.Outcomes {
		outcomes[i] = outcome.Name
	}
	for _, metric := range slices.Sorted(maps.Keys(thresholds)) {
		name, _, _ := strings.Cut(metric, ".")
		if _, ok := l.Outcome(name); !ok {
			return usage(didYouMean(name, outcomes, "the outcomes are "+strings.Join(outcomes, ", ")), "--threshold %s: the %s lens has no outcome %q", metric, l.ID, name)
		}
	}
	return nil
}

func unknownRow(flag, key string, rows []string, l lens.Lens) error {
	if field, ok := l.Field(key); ok && field.Row != "" {
		return usage(fmt.Sprintf("write %s %s=\"reason\"", flag, field.Row), "%s %s: %s is a field of the row %s", flag, key, key, field.Row)
	}
	return usage(didYouMean(key, rows, "the rows are "+strings.Join(rows, ", ")), "%s %s: the %s lens has no row %q", flag, key, l.ID, key)
}

func didYouMean(word string, candidates []string, otherwise string) string {
	if near := evidence.Nearest(word, candidates); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return otherwise
}

// asMisuse makes a refusal of what was written on the command line one of
// usage, and leaves any other failure as it is.
func asMisuse(err error) error {
	var known *fault.Error
	if errors.As(err, &known) && known.Kind == fault.Invalid {
		return misuse{err}
	}
	return err
}

// asJSON is a value as it comes back from JSON: every number a float64.
func asJSON(values map[string]any) map[string]any {
	encoded, err := json.Marshal(values)
	if err != nil {
		return values
	}
	var back map[string]any
	if json.Unmarshal(encoded, &back) != nil {
		return values
	}
	return back
}
