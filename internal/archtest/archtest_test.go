package archtest

import (
	"strings"
	"testing"
)

// eachOwn runs a rule over every package of the module and reports what breaks it.
func eachOwn(t *testing.T, all []pkg, rule func(pkg) []string) {
	t.Helper()
	for _, p := range all {
		if p.ours() {
			for _, broken := range rule(p) {
				t.Error(broken)
			}
		}
	}
}

func TestArchitecture(t *testing.T) {
	all := load(t)
	standard := standardOf(all)
	rules := []struct {
		name string
		rule func(pkg) []string
	}{
		{"every package has a layer", placed},
		{"arrows go to lower layers", arrows},
		{"adapters are for the wiring", wiring},
		{"a main links its own route", mains},
		{"outside modules have their users", func(p pkg) []string { return foreign(p, standard) }},
		{"reserved calls", uses},
		{"mutations go through commit", commits},
		{"log lines hold no error's text", lines},
		{"every package says what it is for", documented},
	}
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) { eachOwn(t, all, r.rule) })
	}
	t.Run("the table names no package that is gone", func(t *testing.T) { stale(t, all) })
}

func standardOf(all []pkg) map[string]bool {
	out := map[string]bool{"unsafe": true, "C": true}
	for _, p := range all {
		if p.Standard {
			out[p.ImportPath] = true
		}
	}
	return out
}

// documented asks for a package comment in one of the files.
func documented(p pkg) []string {
	if len(p.GoFiles) == 0 {
		return nil
	}
	for _, f := range p.files {
		if !f.test && f.tree.Doc != nil && len(strings.TrimSpace(f.tree.Doc.Text())) > 0 {
			return nil
		}
	}
	return []string{p.name() + " has no package comment"}
}

// stale finds names in layers that no package has.
func stale(t *testing.T, all []pkg) {
	present := make(map[string]bool)
	for _, p := range all {
		if p.ours() {
			present[p.name()] = true
		}
	}
	for _, l := range layers {
		for _, name := range l.packages {
			if !strings.Contains(name, "*") && !present[name] {
				t.Errorf("layer %s names %s, which does not exist", l.name, name)
			}
		}
	}
}
