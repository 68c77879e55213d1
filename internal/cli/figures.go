package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	jsontext "github.com/go-json-experiment/json/jsontext"
)

// member is one member of a JSON object, in the order it stands in.
type member struct {
	key    string
	raw    json.RawMessage
	number *float64
	text   string
	truth  bool
}

// members reads an object's members in order; anything else has none.
func members(object json.RawMessage) []member {
	decoder := jsontext.NewDecoder(strings.NewReader(string(object)))
	if token, err := decoder.ReadToken(); err != nil || token.Kind() != '{' {
		return nil
	}
	var all []member
	for decoder.PeekKind() != '}' {
		key, err := decoder.ReadToken()
		if err != nil {
			return all
		}
		name := key.String()
		value, err := decoder.ReadValue()
		if err != nil {
			return all
		}
		one := member{key: name, raw: json.RawMessage(string(value))}
		var scalar any
		if json.Unmarshal(one.raw, &scalar) == nil {
			switch v := scalar.(type) {
			case float64:
				one.number = &v
			case string:
				one.text = v
			case bool:
				one.truth = v
			}
		}
		all = append(all, one)
	}
	return all
}

// printFigures shows a capture's figures, which are in its format's own words:
// numbers by the unit in their name, lists by their first entries. Absent ones
// are folded into a line.
func printFigures(c *call, figures json.RawMessage, all bool) {
	rows := table{indent: "  "}
	var missing []string
	for _, m := range members(figures) {
		if reason := absenceOf(m.raw); reason != "" && !all {
			missing = append(missing, m.key+" ("+spaced(reason)+")")
		} else if text := figureText(m, all); text != "" {
			rows.row(m.key, text)
		}
	}
	if len(rows.rows) == 0 {
		return
	}
	c.printf("\nfigures\n")
	rows.print(c.out)
	if len(missing) > 0 {
		c.paragraph("  absent: ", strings.Join(missing, ", "))
	}
}

// absenceOf is the reason of a value that is absent, or empty.
func absenceOf(raw json.RawMessage) string {
	var missing struct {
		Absent string `json:"absent"`
	}
	if json.Unmarshal(raw, &missing) != nil {
		return ""
	}
	return missing.Absent
}

func figureText(m member, all bool) string {
	switch {
	case m.number != nil:
		return figureNumber(m.key, *m.number)
	case m.text != "" && !all:
		return clip(m.text, 2*widestValue)
	case m.text != "":
		return m.text
	case m.truth:
		return "yes"
	}
	var list []json.RawMessage
	if json.Unmarshal(m.raw, &list) == nil && list != nil {
		return listText(list, all)
	}
	var parts []string
	for _, inner := range members(m.raw) {
		if text := figureText(inner, all); text != "" {
			parts = append(parts, spaced(inner.key)+" "+text)
		}
	}
	if !all {
		return clip(strings.Join(parts, ", "), 2*widestValue)
	}
	return strings.Join(parts, ", ")
}

func figureNumber(key string, value float64) string {
	switch {
	case strings.HasSuffix(key, "_ns"):
		return durationNS(value)
	case strings.HasSuffix(key, "_ms"):
		return durationNS(value * 1e6)
	case strings.HasSuffix(key, "_s"):
		return durationNS(value * 1e9)
	case strings.HasSuffix(key, "_bytes"):
		return bytesText(value)
	}
	return number(value)
}

// shownEntries is how many entries of a list are named.
const shownEntries = 3

// listText names the first entries of a list of named things.
func listText(list []json.RawMessage, all bool) string {
	if len(list) == 0 {
		return "none"
	}
	var named []string
	for _, entry := range list {
		var thing struct {
			Name   string `json:"name"`
			Reason string `json:"reason"`
			Count  *int64 `json:"count"`
		}
		if json.Unmarshal(entry, &thing) != nil || thing.Name+thing.Reason == "" {
			break
		}
		name := clip(thing.Name+thing.Reason, widestValue/2)
		if thing.Count != nil {
			name += fmt.Sprintf(" × %s", count(*thing.Count))
		}
		if named = append(named, name); len(named) == shownEntries && !all {
			break
		}
	}
	if len(named) == 0 {
		return plural(len(list), "entry", "entries")
	}
	text := count(len(list)) + ": " + strings.Join(named, ", ")
	if len(named) < len(list) {
		text += ", …"
	}
	return text
}
