package screen

import (
	"regexp"
	"slices"
	"testing"
)

func TestR039EveryRuleCatchesItsExamples(t *testing.T) {
	for _, r := range rules {
		for _, text := range r.hits {
			if v := Check(text); !slices.Contains(v.Reasons, r.code) {
				t.Errorf("%s: not caught (%v): %q", r.code, v.Reasons, text)
			}
		}
	}
}

func TestT27EveryCounterExampleIsClean(t *testing.T) {
	for _, r := range rules {
		for _, text := range r.misses {
			if v := Check(text); !v.Clean() {
				t.Errorf("%s: false alarm %v: %q", r.code, v.Reasons, text)
			}
		}
	}
}

func TestR039ReasonCodesAreStableNames(t *testing.T) {
	name := regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, r := range rules {
		if !name.MatchString(r.code) || seen[r.code] {
			t.Errorf("code %q is no lower_snake name, or used twice", r.code)
		}
		seen[r.code] = true
		if r.means == "" || len(r.hits) == 0 || len(r.misses) == 0 {
			t.Errorf("%s lacks its meaning, examples or counter-examples", r.code)
		}
	}
}
