package words

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestStoredForms(t *testing.T) {
	for path, want := range map[string]bool{"": true, "a/": true, "a/b/": true, "a": false, "/": false, "/a/": false, "a//": false, "a//b/": false, "a/b": false} {
		if stored(path) != want {
			t.Errorf("%q: %v", path, !want)
		}
	}
	if got := Ancestors("a/bc/"); !slices.Equal(got, []string{"", "a/", "a/bc/"}) {
		t.Errorf("%q", got)
	}
}

// FuzzBranchesAreTheReach: what lies in one of the branches is what the longest prefix
// admits.
func FuzzBranchesAreTheReach(f *testing.F) {
	f.Add("|users/anna/", "users/", "users/anna/x/")
	f.Add("a/|a/b/c/", "a/b/|a/b/c/d/", "a/b/c/")
	f.Add("a/", "a/", "a/")
	f.Fuzz(func(t *testing.T, under, not, path string) {
		q := Query{Under: strings.Split(under, "|"), Not: strings.Split(not, "|")}
		in := slices.ContainsFunc(q.Branches(), func(b Branch) bool {
			return strings.HasPrefix(path, b.Folder) && !slices.ContainsFunc(b.Out, func(p string) bool { return strings.HasPrefix(path, p) })
		})
		if in != q.Reaches(path) {
			t.Errorf("under %q not %q: %q is %v by branches", q.Under, q.Not, path, in)
		}
	})
}

func TestRawScoresAreExactInSingles(t *testing.T) {
	for _, n := range []int{1, 2, 7, 100, MaxWords} {
		s := NewScorer(make([]string, n), Statistics{Documents: math.MaxInt32, Length: math.MaxInt32, DF: make([]int, n)})
		sum := 0
		for i := range n {
			sum += s.Raw(i)
		}
		if float64(float32(sum)) != float64(sum) || sum/s.Step != n || s.Raw(0) <= s.Step {
			t.Errorf("%d words: %d of steps %d", n, sum, s.Step)
		}
		if score, matched := s.Of(sum, 0); matched != n || score <= float64(n) || score >= float64(n+1) {
			t.Errorf("%d words: %v, %d", n, score, matched)
		}
	}
}

func TestTextScoresAsItsLengthAndMatchesSay(t *testing.T) {
	s := NewScorer(Terms("kiln door"), Statistics{Documents: 10, Length: 50, DF: []int{1, 5}})
	both, one, rare := s.Text("Kilns, doors"), s.Text("doors doors doors"), s.Text("a kiln alone")
	if !(both > 2 && one > 1 && one < rare && rare < 2) || s.Text("alone") != 0 || s.Text("") != 0 {
		t.Errorf("%v %v %v", both, one, rare)
	}
	if want, _ := s.Of(s.Raw(0)+s.Raw(1), 2); both != want {
		t.Errorf("%v, want %v", both, want)
	}
	if none := NewScorer(Terms("kiln"), Statistics{}); none.Text("kiln") <= 1 {
		t.Error("no statistics, no score")
	}
}
