package kwcap

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"kernelwake/internal/lens"
)

func TestThePublishedSchemaIsTheOneOfTheReader(t *testing.T) {
	published, err := os.ReadFile("../../../docs/formats/kernelwake-json.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	generated, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(published, generated) {
		t.Error("docs/formats/kernelwake-json.schema.json has drifted: run `go generate ./internal/format/kwcap`")
	}
}

func TestTheSchemaNamesEveryOutcomeAndRequiredDimension(t *testing.T) {
	generated, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	var root struct {
		Defs map[string]struct {
			Required   []string
			Properties map[string]struct{ AnyOf []struct{ Enum []string } }
		} `json:"$defs"`
	}
	if err := json.Unmarshal(generated, &root); err != nil {
		t.Fatal(err)
	}
	for _, l := range lens.All {
		dimensions, outcome := root.Defs["dimensions_"+string(l.ID)], root.Defs["outcome_"+string(l.ID)]
		required := map[string]bool{}
		for _, key := range dimensions.Required {
			required[key] = true
		}
		for _, field := range l.Fields {
			if required[field.Key] != field.Required {
				t.Errorf("%s: %s is required in the registry: %v, in the schema: %v", l.ID, field.Key, field.Required, required[field.Key])
			}
		}
		names := outcome.Properties["name"].AnyOf
		if len(names) == 0 || len(names[0].Enum) != len(l.Outcomes) {
			t.Errorf("%s: the schema doesn't name the registry's %d outcomes", l.ID, len(l.Outcomes))
		}
	}
}
