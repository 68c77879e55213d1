package chrometrace

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
	"kernelwake/internal/trace"
)

// FuzzRead feeds any bytes to the whole importer: it must end in evidence whose
// events are all accounted for, or in a refusal for a person; never in a panic,
// and never without an answer.
func FuzzRead(f *testing.F) {
	f.Add([]byte(small().text()))
	f.Add(zipped(f, []byte(small().text())))
	f.Add([]byte(`[{"ph":"B","name":"a","ts":1},{"ph":"E","ts":2},{"ph":"X","cat":"kernel","ts":"3","dur":1e-3}`))
	f.Add([]byte(`{"traceEvents":[{"ph":"X","name":"a"b","ts":1},` + "\n" + `{"ph":"X","name":"c","ts":1,"dur":1}],"baseTimeNanoseconds":1}`))
	for _, folder := range []string{"odd", "chrome-edge"} {
		paths, _ := filepath.Glob(filepath.Join(os.Getenv("KERNELWAKE_SAMPLES"), "traces", folder, "*"))
		for _, path := range paths {
			if data, err := os.ReadFile(path); err == nil {
				f.Add(data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file := evidence.File{Name: "fuzz", Bytes: int64(len(data)), Content: bytes.NewReader(data)}
		err := Format{}.Read(context.Background(), file, evidence.ReadOptions{}, func(p *evidence.Parsed) error {
			encoded, err := p.Encode()
			if err != nil {
				t.Fatalf("what was read can't be stored: %v", err)
			}
			decoded, err := evidence.Decode(encoded)
			if err != nil {
				t.Fatalf("what was stored can't be read: %v", err)
			}
			spans, _ := decoded.Table(trace.SpansTable)
			trace.Timeline(spans, 0, 0, 800)
			return nil
		})
		var refusal *fault.Error
		if err != nil && (!errors.As(err, &refusal) || refusal.Message == "" || refusal.Hint == "") {
			t.Fatalf("not a refusal for a person: %v", err)
		}
		if r, err := readBytes(t, data); err == nil {
			everyEventIsAccountedFor(t, r)
		}
	})
}

// FuzzCursor holds the scanner to two rules: what it takes as a value ends where
// it says, and any value that it takes can be taken again.
func FuzzCursor(f *testing.F) {
	for _, seed := range []string{`{"a":[1,-2.5e3,"x\"y",NaN,null],}`, `"\\"`, `[[[[]]]]`, `-inf`, `{"a":{"b":"c"}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := cursor{data: data, whole: true, deepest: 64}
		v, err := c.read(0)
		if err != nil {
			return
		}
		if c.pos > len(data) {
			t.Fatalf("took %d of %d bytes", c.pos, len(data))
		}
		again := cursor{data: data[:c.pos], whole: true, deepest: 64}
		w, err := again.read(0)
		if err != nil || !bytes.Equal(v.raw, w.raw) || again.pos != c.pos {
			t.Fatalf("the bytes taken read otherwise by themselves: %q, %q, %v", v.raw, w.raw, err)
		}
		members(v, func(string, value) {})
		elements(v, func(value) {})
		nanoseconds(v)
		integer(v)
	})
}
