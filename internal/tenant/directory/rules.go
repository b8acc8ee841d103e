package directory

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"holdfast/internal/errs"
	"holdfast/internal/tenant"
)

// The limits of names and labels, in characters (code points).
const (
	MaxName     = 200
	MaxLabel    = 200 // sourceId, vendor
	MaxPurposes = 20
	MaxPurpose  = 100
	MaxKeySpace = 100 // workspaces that one key lists
)

// The bounds of a workspace's settings (T.32), all inclusive.
const (
	MinIdleSeconds    = 60
	MaxIdleSeconds    = 86400
	MinMergeThreshold = 0.80
	MaxMergeThreshold = 0.99
)

// label checks a short text that people read; empty when it is fine.
func label(text string, most int) string {
	n := utf8.RuneCountInString(text)
	visible := strings.TrimSpace(text) != ""
	if n > most || !visible || !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
		return fmt.Sprintf("must have 1 to %d characters, one of them visible and none a control character", most)
	}
	return ""
}

// problems collects broken rules.
type problems []errs.Field

func (p *problems) add(pointer, rule string) {
	*p = append(*p, errs.Field{Pointer: pointer, Rule: rule})
}

// when adds a rule if it is broken.
func (p *problems) when(broken bool, pointer, rule string) {
	if broken {
		p.add(pointer, rule)
	}
}

func (p *problems) label(pointer, text string, most int) {
	if rule := label(text, most); rule != "" {
		p.add(pointer, rule)
	}
}

func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return errs.Validation(p...)
}

// at is the JSON pointer of a list's element.
func at(pointer string, i int) string { return pointer + "/" + strconv.Itoa(i) }

// Nullable is a member of a change: left out (the zero Nullable), none, or a value.
type Nullable[T any] struct {
	Set   bool
	Value *T // nil: none
}

// Amount is a budget in a change.
type Amount = Nullable[int64]

// BudgetChange changes some of a workspace's budgets.
type BudgetChange struct {
	ModelTokensPerMonth Amount
	StoredBytes         Amount
}

// SettingsChange changes some of a workspace's settings; nil leaves one as it is.
type SettingsChange struct {
	IdleSeconds    *int
	DeferEmbedding *bool
	MergeThreshold *float64
	Budgets        *BudgetChange
	LexicalWeight  Nullable[float64]
}

// check answers the rules of T.32 that the change breaks; under is the pointer of
// the object that holds the settings.
func (c SettingsChange) check(under string) problems {
	var p problems
	if n := c.IdleSeconds; n != nil {
		rule := fmt.Sprintf("must be a whole number from %d to %d", MinIdleSeconds, MaxIdleSeconds)
		p.when(*n < MinIdleSeconds || *n > MaxIdleSeconds, under+"/idleSeconds", rule)
	}
	if x := c.MergeThreshold; x != nil { // written so that NaN breaks the rule
		rule := fmt.Sprintf("must be a number from %.2f to %.2f", MinMergeThreshold, MaxMergeThreshold)
		p.when(!(*x >= MinMergeThreshold && *x <= MaxMergeThreshold), under+"/mergeThreshold", rule)
	}
	if x := c.LexicalWeight.Value; x != nil {
		p.when(!(*x >= 0 && *x <= 1), under+"/lexicalWeight", "must be null or a number from 0 to 1")
	}
	if b := c.Budgets; b != nil {
		checkAmount(&p, b.ModelTokensPerMonth, under+"/budgets/modelTokensPerMonth")
		checkAmount(&p, b.StoredBytes, under+"/budgets/storedBytes")
	}
	return p
}

func checkAmount(p *problems, a Amount, pointer string) {
	p.when(a.Value != nil && *a.Value < 0, pointer, "must be null or a whole number of at least 0")
}

// apply answers the settings after the change.
func (c SettingsChange) apply(s tenant.Settings) tenant.Settings {
	if c.IdleSeconds != nil {
		s.IdleSeconds = *c.IdleSeconds
	}
	if c.DeferEmbedding != nil {
		s.DeferEmbedding = *c.DeferEmbedding
	}
	if c.MergeThreshold != nil {
		s.MergeThreshold = *c.MergeThreshold
	}
	if s.LexicalWeight = c.LexicalWeight.apply(s.LexicalWeight); s.LexicalWeight != nil {
		s.LexicalWeight = new(millionths(*s.LexicalWeight))
	}
	if c.Budgets != nil {
		s.Budgets.ModelTokensPerMonth = c.Budgets.ModelTokensPerMonth.apply(s.Budgets.ModelTokensPerMonth)
		s.Budgets.StoredBytes = c.Budgets.StoredBytes.apply(s.Budgets.StoredBytes)
	}
	return s
}

// millionths rounds a weight: the table takes no numbers that are next to nothing. -0
// becomes 0.
func millionths(x float64) float64 { return math.Round(x*1e6)/1e6 + 0 }

func (n Nullable[T]) apply(old *T) *T {
	if n.Set {
		return n.Value
	}
	return old
}
