package formattest

import (
	"errors"
	"testing"

	"kernelwake/internal/evidence"
	"kernelwake/internal/fault"
)

func (s Suite) refuses(t *testing.T) {
	for _, bad := range s.Refused {
		t.Run(bad.Name, func(t *testing.T) {
			if !s.Format.Match(File(bad.Name, bad.Data), head(bad.Data)) {
				t.Errorf("it isn't recognised, so its reason would never be told")
			}
			emitted := 0
			err := s.Format.Read(t.Context(), File(bad.Name, bad.Data), evidence.ReadOptions{}, func(*evidence.Parsed) error { emitted++; return nil })
			if err == nil {
				t.Fatalf("it was accepted")
			}
			explained(t, err)
			if !hasCode(err, bad.Code) {
				t.Errorf("code %q isn't named: %v %+v", bad.Code, err, fault.Of(err).Problems)
			}
		})
	}
}

func hasCode(err error, code string) bool {
	failure := fault.Of(err)
	if failure.Code == code {
		return true
	}
	for _, problem := range failure.Problems {
		if problem.Code == code {
			return true
		}
	}
	return false
}

// explained fails the test unless an error is one that a person can act on.
func explained(t *testing.T, err error) {
	t.Helper()
	var failure *fault.Error
	if !errors.As(err, &failure) {
		t.Errorf("the error is no fault: %v", err)
		return
	}
	switch failure.Kind {
	case fault.Invalid, fault.TooLarge, fault.Unsupported:
	default:
		t.Errorf("a bad file is called %q: %v", failure.Kind, err)
	}
	if failure.Message == "" || failure.Hint == "" {
		t.Errorf("the fault says too little: %q, hint %q", failure.Message, failure.Hint)
	}
}
