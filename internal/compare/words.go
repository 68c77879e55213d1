package compare

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"kernelwake/internal/absent"
	"kernelwake/internal/lens"
)

// inWords gives a side of a row: the value alone where the row has one field
// that is known, "label value" for each known field otherwise.
func inWords(fields []Field, candidate bool) string {
	var parts []string
	for _, f := range fields {
		v := f.Baseline
		if candidate {
			v = f.Candidate
		}
		text := rawWords(v)
		if text == "" {
			continue
		}
		if len(fields) > 1 {
			text = f.Label + " " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// rawWords is a value as it was spelled, "not applicable", or nothing.
func rawWords(v FieldValue) string {
	switch {
	case v.Absent == absent.NotApplicable:
		return "not applicable"
	case v.Raw == nil:
		return ""
	}
	return rawText(v.Raw, v.Normalised)
}

func rawText(raw any, normalised string) string {
	switch value := raw.(type) {
	case string:
		return value
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(value)
	case map[string]any, []any:
		if normalised != "" {
			return normalised
		}
		encoded, err := json.Marshal(value)
		if err != nil {
			return fmt.Sprint(value)
		}
		return string(encoded)
	}
	return fmt.Sprint(raw)
}

// hardwareWords is "8 × NVIDIA H200", with what else is known of the GPUs.
func hardwareWords(fields []Field, candidate bool) string {
	side := map[string]FieldValue{}
	for _, f := range fields {
		side[f.Key] = f.Baseline
		if candidate {
			side[f.Key] = f.Candidate
		}
	}
	model, count := rawWords(side["gpu_model"]), rawWords(side["gpu_count"])
	if model == "not applicable" {
		return "no GPU"
	}
	text := model
	switch {
	case count != "" && model != "":
		text = count + " × " + model
	case count != "":
		text = count + " × GPU of unknown model"
	}
	if memory, ok := lens.Number(side["gpu_memory"].Raw); ok {
		text += fmt.Sprintf(" (%.0f GiB)", memory/(1<<30))
	}
	return text
}

// listedWords says how many GPUs a trace lists, where it lists more than ran
// kernels.
func listedWords(side []launch) string {
	captures := capturesOf(side)
	if len(captures) == 0 || len(captures[0].Figures) == 0 {
		return ""
	}
	var figures struct {
		Listed []json.RawMessage `json:"devices_listed"`
	}
	if err := json.Unmarshal(captures[0].Figures, &figures); err != nil {
		return ""
	}
	used, ok := lens.Number(captures[0].Dimensions["gpu_count"].Value)
	if !ok || float64(len(figures.Listed)) <= used {
		return ""
	}
	return fmt.Sprintf(" (of %d listed)", len(figures.Listed))
}

// list joins words as a sentence does: "a, b and c".
func list(words []string) string {
	switch len(words) {
	case 0:
		return ""
	case 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
