package consolidate

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"holdfast/internal/errs"
	"holdfast/internal/memory"
)

// Ask is a request to end a run (S0.65), unchecked.
type Ask struct {
	RunID         string
	ApplicationID *string // nil: not given
	Goal          string
	Instructions  string // narrow what is kept (S0.67)
}

// The limits of an Ask, in code points.
const (
	MaxGoal         = 1000
	MaxInstructions = 2000
)

func (a Ask) check() error {
	var faults []errs.Field
	hold := func(pointer, text string, least, most int) {
		n := utf8.RuneCountInString(text)
		if n < least || n > most || !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
			faults = append(faults, errs.Field{Pointer: pointer,
				Rule: "must have " + strconv.Itoa(least) + " to " + strconv.Itoa(most) + " characters of UTF-8 without NUL"})
		}
	}
	hold("/runId", a.RunID, 1, memory.MaxID)
	if a.ApplicationID != nil {
		hold("/applicationId", *a.ApplicationID, 1, memory.MaxID)
	}
	hold("/goal", a.Goal, 0, MaxGoal)
	hold("/extractionInstructions", a.Instructions, 0, MaxInstructions)
	if len(faults) == 0 {
		return nil
	}
	return errs.Validation(faults...)
}
