package absent

import (
	"encoding/json"
	"testing"
)

func TestAnAbsentValueKeepsItsReasonOnTheWire(t *testing.T) {
	for name, tt := range map[string]struct {
		value Value[int64]
		want  string
	}{
		"known":     {Of(int64(0)), `0`},
		"missing":   {Because[int64](NotRecorded, "no log"), `{"absent":"not_recorded","note":"no log"}`},
		"zero type": {Value[int64]{}, `{"absent":"unknown"}`},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := json.Marshal(tt.value)
			if err != nil || string(text) != tt.want {
				t.Fatalf("got %s, %v; want %s", text, err, tt.want)
			}
			var back Value[int64]
			if err := json.Unmarshal(text, &back); err != nil {
				t.Fatal(err)
			}
			if back.Known() != tt.value.Known() || back.Reason() != tt.value.Reason() || back.Note() != tt.value.Note() {
				t.Errorf("read back as %+v", back)
			}
		})
	}
}

func TestNullIsNeitherAValueNorAnAbsence(t *testing.T) {
	var value Value[int64]
	if err := json.Unmarshal([]byte(`null`), &value); err == nil {
		t.Error("null was accepted")
	}
}
