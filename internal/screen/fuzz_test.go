package screen

import (
	"reflect"
	"slices"
	"testing"
)

func FuzzCheck(f *testing.F) {
	for _, r := range rules {
		for _, text := range slices.Concat(r.hits, r.misses) {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		v := Check(text)
		checkForm(t, text, v)
		if again := Check(text); !reflect.DeepEqual(v, again) {
			t.Errorf("two verdicts on %q: %v, %v", text, v, again)
		}
		longer := Check(text + "\n\nThe sea was calm.")
		for _, code := range v.Reasons {
			if !slices.Contains(longer.Reasons, code) && !leansOnDocument(code) {
				t.Errorf("%s is lost when a paragraph follows: %q", code, text)
			}
		}
	})
}

// leansOnDocument: the rule asks what kind of text is around, which more text may
// change.
func leansOnDocument(code string) bool {
	return slices.ContainsFunc(mailRules, func(r rule) bool { return r.code == code })
}

// checkForm checks what holds of every verdict.
func checkForm(t *testing.T, text string, v Verdict) {
	t.Helper()
	var codes []string
	for i, s := range v.Spans {
		if s.Start < 0 || s.Start >= s.End || s.End > len(text) {
			t.Errorf("span %v of a text of %d bytes", s, len(text))
		}
		if i > 0 && v.Spans[i-1].Start > s.Start {
			t.Errorf("spans out of order: %v", v.Spans)
		}
		codes = append(codes, s.Rule)
	}
	slices.Sort(codes)
	if codes = slices.Compact(codes); !slices.Equal(codes, v.Reasons) {
		t.Errorf("reasons %v, spans of %v", v.Reasons, codes)
	}
}
