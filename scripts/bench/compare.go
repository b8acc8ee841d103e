package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// mayFall is by how much a figure may be worse than the saved one: below that it is
// noise (design: differences below .01 are noise unless said).
const mayFall = .005

// verdict says how a figure stands to the saved one.
type verdict string

const (
	fine       verdict = ""
	worse      verdict = "WORSE"
	gone       verdict = "GONE"            // its set was measured, the figure was not
	otherSet   verdict = "OTHER QUESTIONS" // the set is another one: a new baseline is due
	added      verdict = "new"
	unmeasured verdict = "not measured" // nor was any other of its set
)

// compared is a figure of two runs; a figure that one of them has not is 0 there.
type compared struct {
	Name     string
	Old, New float64
	Verdict  verdict
}

// bad tells whether a check has to fail.
func (c compared) bad() bool {
	return c.Verdict == worse || c.Verdict == gone || c.Verdict == otherSet
}

// compare puts the figures of two runs side by side, by name.
func compare(old, now figures) []compared {
	measured := make(map[string]bool)
	for name := range now {
		measured[setOf(name)] = true
	}
	all := maps.Clone(old)
	maps.Copy(all, now)
	var out []compared
	for _, name := range slices.Sorted(maps.Keys(all)) {
		before, had := old[name]
		after, has := now[name]
		c := compared{Name: name, Old: before, New: after}
		switch {
		case !had:
			c.Verdict = added
		case !has && measured[setOf(name)]:
			c.Verdict = gone
		case !has:
			c.Verdict = unmeasured
		default:
			c.Verdict = judge(name, before, after)
		}
		out = append(out, c)
	}
	return out
}

// judge compares one figure. A hair is left for what rounding to four digits does.
func judge(name string, before, after float64) verdict {
	const hair = 1e-9
	fall := before - after
	if strings.HasSuffix(name, ", "+stale) {
		fall = -fall
	}
	switch {
	case strings.HasSuffix(name, ", "+questions) && before != after:
		return otherSet
	case !strings.HasSuffix(name, ", "+questions) && fall > mayFall+hair:
		return worse
	}
	return fine
}

// printCompared prints every figure beside the saved one, and at the end what counts:
// which sets were not measured, and what became worse.
func printCompared(w io.Writer, with saved, rows []compared) error {
	err := table(w, func(p *printer) {
		p.row("Compared with the figures of %s\tsaved\tnow\tchange\t\t", with.At.UTC().Format("2006-01-02 15:04"))
		for _, c := range rows {
			before, after, change := fmt.Sprintf("%.4g", c.Old), fmt.Sprintf("%.4g", c.New), fmt.Sprintf("%+.4f", c.New-c.Old)
			switch c.Verdict {
			case added:
				before, change = "–", "–"
			case gone, unmeasured:
				after, change = "–", "–"
			}
			p.row("%s\t%s\t%s\t%s\t%s\t", c.Name, before, after, change, string(c.Verdict))
		}
	})
	if err != nil {
		return err
	}
	p := &printer{w: w}
	for _, set := range setsOf(rows, unmeasured) {
		p.row("NOT MEASURED, SO NOT COMPARED: %s", set)
	}
	for _, c := range rows {
		if c.bad() {
			p.row("%s: %s: %.4g was saved, %.4g now", c.Verdict, c.Name, c.Old, c.New)
		}
	}
	p.row("")
	return p.err
}

// setsOf are the sets that have figures of a verdict, in order.
func setsOf(rows []compared, v verdict) []string {
	var out []string
	for _, c := range rows {
		if c.Verdict == v {
			out = append(out, setOf(c.Name))
		}
	}
	return slices.Compact(out)
}

// checked is an error when anything became worse, or when nothing was comparable.
func checked(rows []compared) error {
	bad, compared := 0, 0
	for _, c := range rows {
		if c.bad() {
			bad++
		}
		if c.Verdict != added && c.Verdict != unmeasured {
			compared++
		}
	}
	switch {
	case compared == 0:
		return errors.New("nothing of what was saved was measured, so nothing was compared")
	case bad > 0:
		return fmt.Errorf("%d of %d ranking figures are worse than the saved ones by more than %g, or gone", bad, compared, mayFall)
	}
	return nil
}
