package lens

import "strings"

// Quantity is a count with its unit, as a batch is given:
// {"count": 512, "unit": "{sample}"}.
type Quantity struct {
	Count float64
	// Unit is empty where it was not given.
	Unit string
	// Per is "rank" where the count speaks of one rank alone.
	Per   string
	Known bool
	text  string
}

// QuantityOf reads a quantity given as an object or as a bare number.
func QuantityOf(value any) Quantity {
	if object, ok := value.(map[string]any); ok {
		count, known := Number(object["count"])
		unit, _ := object["unit"].(string)
		per, _ := object["per"].(string)
		return Quantity{count, unit, per, known, plain(value)}
	}
	count, known := Number(value)
	return Quantity{Count: count, Known: known, text: plain(value)}
}

// String is "512 {sample}", "8 {sample} a rank".
func (q Quantity) String() string {
	if !q.Known {
		return q.text
	}
	text := strings.TrimSpace(scalar(q.Count) + " " + q.Unit)
	if q.Per != "" {
		text += " a " + q.Per
	}
	return text
}

// agreeQuantity leaves open what differs in unit or reference: tokens and
// samples can't be told apart without a length.
func agreeQuantity(a, b Quantity) Agreement {
	switch {
	case !a.Known || !b.Known:
		if a.text == b.text {
			return Equal
		}
		return Undecided
	case a.Per != b.Per || a.Unit != b.Unit && a.Unit != "" && b.Unit != "":
		return Undecided
	case a.Count == b.Count:
		return Equal
	}
	return Unequal
}

// Workers is a number of loader workers, or the least it can be.
type Workers struct {
	Count float64
	// AtLeast is true where only a lower bound is known.
	AtLeast bool
	Known   bool
	text    string
}

// LoaderWorkers reads a number of loader workers: 4, "4", {"workers": 4},
// {"at_least": 1}, "at least 1".
func LoaderWorkers(value any) Workers {
	if object, ok := value.(map[string]any); ok {
		if least, ok := Number(object["at_least"]); ok {
			return Workers{Count: least, AtLeast: true, Known: true}
		}
		for _, key := range []string{"workers", "loader_workers", "num_workers"} {
			if count, ok := Number(object[key]); ok {
				return Workers{Count: count, Known: true}
			}
		}
		return Workers{text: plain(value)}
	}
	if text, ok := value.(string); ok {
		for _, prefix := range []string{"at least ", ">=", "≥"} {
			if rest, found := strings.CutPrefix(strings.ToLower(text), prefix); found {
				least, known := Number(rest)
				return Workers{Count: least, AtLeast: true, Known: known, text: plain(value)}
			}
		}
	}
	count, known := Number(value)
	return Workers{Count: count, Known: known, text: plain(value)}
}

// String is "4" or "at least 1".
func (w Workers) String() string {
	switch {
	case !w.Known:
		return w.text
	case w.AtLeast:
		return "at least " + scalar(w.Count)
	}
	return scalar(w.Count)
}

func agreeWorkers(a, b Workers) Agreement {
	switch {
	case !a.Known || !b.Known:
		return equalText(a.text, b.text)
	case a.AtLeast && b.AtLeast:
		return Undecided
	case a.AtLeast && b.Count >= a.Count, b.AtLeast && a.Count >= b.Count:
		return Undecided
	case a.Count == b.Count && !a.AtLeast && !b.AtLeast:
		return Equal
	}
	return Unequal
}
