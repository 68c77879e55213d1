package fault

import (
	"errors"
	"fmt"
	"testing"
)

func TestAFailureIsOneLineThatEndsWithWhatToDo(t *testing.T) {
	for name, tt := range map[string]struct {
		failure *Error
		want    string
	}{
		"plain":  {New(NotFound, "run_not_found", "no run %q", "x"), `no run "x"`},
		"hint":   {New(Denied, "role", "viewers can't import").WithHint("ask an admin"), "viewers can't import; ask an admin"},
		"places": {New(Invalid, "capture", "the capture is refused").WithProblems(Problem{Pointer: "/a", Message: "no unit"}, Problem{Pointer: "/b", Message: "no value"}), "the capture is refused: no unit at /a (and 1 more)"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tt.failure.Error(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestTheKindSurvivesWrappingAndAnythingElseIsInternal(t *testing.T) {
	cause := errors.New("disk")
	wrapped := fmt.Errorf("importing: %w", New(Unavailable, "store", "the store doesn't answer").WithCause(cause))
	if !Is(wrapped, Unavailable) || !errors.Is(wrapped, cause) {
		t.Error("the kind or the cause got lost")
	}
	hidden := Of(errors.New("password=1"))
	if hidden.Kind != Internal || hidden.Message == "password=1" {
		t.Errorf("an unexpected error is shown as it is: %+v", hidden)
	}
}
