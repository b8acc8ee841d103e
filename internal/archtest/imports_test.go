package archtest

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// layer is a set of packages that may import lower layers.
type layer struct {
	name     string
	packages []string
}

// matches tells whether a package's name fits one of the patterns.
func matches(name string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		ok, err := path.Match(pattern, name)
		return err == nil && ok
	})
}

// rank is the place of a package's layer, lowest 0; -1 when no layer names it. A
// package named in full goes before a pattern that fits it.
func rank(name string) int {
	for i, l := range layers {
		if slices.Contains(l.packages, name) {
			return i
		}
	}
	for i, l := range layers {
		if matches(name, l.packages) {
			return i
		}
	}
	return -1
}

func layerOf(name string) string {
	if i := rank(name); i >= 0 {
		return layers[i].name
	}
	return ""
}

// placed says what to do about a package that is in no layer.
func placed(p pkg) []string {
	if rank(p.name()) >= 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s is in no layer: add it to layers in internal/archtest/table_test.go, "+
		"above everything it imports (%s)", p.name(), strings.Join(ownImports(p), ", "))}
}

func ownImports(p pkg) []string {
	var out []string
	for _, i := range p.Imports {
		if name, ok := strings.CutPrefix(i, module); ok {
			out = append(out, name)
		}
	}
	return out
}

// arrows finds imports of the module's own packages that turn back or go sideways.
func arrows(p pkg) []string {
	var out []string
	from := rank(p.name())
	for _, to := range ownImports(p) {
		switch {
		case from < 0 || rank(to) < 0 || rank(to) < from:
		case rank(to) == from && slices.Contains(beside[p.name()], to):
		default:
			out = append(out, fmt.Sprintf("%s (%s) imports %s (%s): arrows go to lower layers only",
				p.name(), layerOf(p.name()), to, layerOf(to)))
		}
	}
	return out
}

// wiring finds adapters that are imported by others than the wiring. Packages in
// the layer of adapters may build on each other where beside allows it.
func wiring(p pkg) []string {
	var out []string
	for _, to := range ownImports(p) {
		if layerOf(to) == "adapters" && layerOf(p.name()) != "adapters" && !matches(p.name(), adapterUsers) {
			out = append(out, fmt.Sprintf("%s imports the adapter %s: only internal/app and tests do", p.name(), to))
		}
	}
	return out
}

// mains finds functions that link more than their one route needs.
func mains(p pkg) []string {
	if !strings.HasPrefix(p.name(), "functions/") {
		return nil
	}
	var out []string
	families := 0
	for _, to := range p.Imports {
		name := strings.TrimPrefix(to, module)
		switch {
		case name == "internal/app/awsapp" || name == "internal/routes":
		case families == 0 && (layerOf(name) == "families" || p.name() == "functions/openapi" && name == "internal/openapi"):
			families++
		default:
			out = append(out, fmt.Sprintf("%s imports %s: a main takes app/awsapp, routes and one family", p.name(), to))
		}
	}
	if slices.Contains(p.Deps, module+"internal/httpapi/all") {
		out = append(out, p.name()+" links httpapi/all, and with it every family")
	}
	return out
}

// foreign finds outside modules and reserved standard packages in the wrong place.
func foreign(p pkg, standard map[string]bool) []string {
	var out []string
	for _, to := range p.Imports {
		if strings.HasPrefix(to, module) {
			continue
		}
		if standard[to] {
			if users, ok := reserved[to]; ok && !reservedTo(p.name(), users) {
				out = append(out, fmt.Sprintf("%s imports %s, which is reserved to %v", p.name(), to, users))
			}
			continue
		}
		users, ok := usersOf(to)
		switch {
		case !ok:
			out = append(out, fmt.Sprintf("%s imports %s: say in outside (internal/archtest/table_test.go) who may use that module", p.name(), to))
		case !matches(p.name(), users):
			out = append(out, fmt.Sprintf("%s imports %s, which is for %v only", p.name(), to, users))
		}
	}
	return out
}

func reservedTo(name string, users []string) bool {
	return matches(name, users) || layerOf(name) == "suites"
}

func usersOf(importPath string) ([]string, bool) {
	best := ""
	for prefix := range outside {
		if (importPath == prefix || strings.HasPrefix(importPath, prefix+"/")) && len(prefix) > len(best) {
			best = prefix
		}
	}
	return outside[best], best != ""
}
