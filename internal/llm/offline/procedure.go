package offline

import (
	"strings"

	"holdfast/internal/extract/prose"
)

var (
	steps = newPhrases("first", "firstly", "second", "secondly", "third", "then", "next", "after that", "afterwards",
		"finally", "lastly", "at last", "once that is done")
	notAims = set("be the a an my our your his her me us you him them it this that say sum no some all see put date have")
	howTos  = newPhrases("how to", "how we", "steps to", "steps for", "the steps", "instructions for", "procedure for",
		"the procedure", "here is how", "this is how", "here's how")
	stepNames = set("steps procedure instructions checklist runbook recipe guide workflow")
)

// isHowTo tells whether one sentence says in order how something is done: "To
// release: first run the tests, then tag the commit".
func (s sentence) isHowTo() bool {
	if s.question || len(s.low) < 6 {
		return false
	}
	marks, orders := 0, 0
	for i := range s.low {
		if i > 0 && steps.at(s.low, i) > 0 {
			marks++
		}
	}
	for _, c := range prose.Clauses(s.text) {
		if isOrder(prose.Lower(c.Of(s.text))) {
			orders++
		}
	}
	aim := s.aims() || howTos.at(s.low, 0) > 0 && strings.ContainsAny(s.text, ":,")
	return (aim || marks >= 2) && orders >= 2 || marks > 0 && orders > 0 && s.low[0] == "to" && !notAims[s.low[1]]
}

// aims tells sentences that begin with what is to be reached: "To release", "For a
// release", "When the disk is full".
func (s sentence) aims() bool {
	return s.low[0] == "to" && len(s.low) > 1 && !notAims[s.low[1]] && strings.ContainsAny(s.text, ":,")
}

// orderLeads are words before an order's verb.
var orderLeads = set("first next finally second third lastly please afterwards always never carefully")

// isOrder tells whether words begin as an order does: "run", "then run", "and let".
func isOrder(low []string) bool {
	for i, w := range low {
		if i > 3 {
			return false
		}
		if connectives[w] || orderLeads[w] {
			continue
		}
		return isBase(w) && !isVerbAt(low, i+1)
	}
	return false
}

// isImperative tells whether a sentence is an order.
func (s sentence) isImperative() bool { return !s.question && isOrder(s.low) }

// maxSteps is the most sentences of one procedure.
const maxSteps = 100

// procedureAt answers how many sentences from i on are one procedure: an introduction
// and its list, or at least three orders in a row; 0 for none.
func procedureAt(all []sentence, i int, assistant bool) int {
	if n := listAt(all, i); n > 2 && (all[i].introduces() || mostlyOrders(all[i+1:i+n])) {
		return n
	}
	n, marks := 0, 0
	for i+n < len(all) && n < maxSteps && all[i+n].isImperative() && !all[i+n].list {
		if steps.at(all[i+n].low, 0) > 0 {
			marks++
		}
		n++
	}
	if n >= 3 && (!assistant || marks > 0) {
		return n
	}
	return 0
}

// listAt answers how many sentences a list with the line above it has, 0 for none. An
// item may have more sentences than one.
func listAt(all []sentence, i int) int {
	if all[i].list || !strings.HasSuffix(all[i].text, ":") || i+1 >= len(all) || !all[i+1].list {
		return 0
	}
	n, loose := 1, 0
	for i+n < len(all) && n < maxSteps {
		if all[i+n].list {
			loose = 0
		} else if loose++; loose > 1 || all[i+n].gap {
			break
		}
		n++
	}
	return n
}

func (s sentence) introduces() bool {
	if s.aims() || howTos.in(s.low) || len(s.low) > 0 && s.low[0] == "to" {
		return true
	}
	for _, w := range s.low {
		if stepNames[w] {
			return true
		}
	}
	return false
}

func mostlyOrders(items []sentence) bool {
	orders, all := 0, 0
	for _, item := range items {
		if item.list {
			all++
			if isOrder(prose.Lower(item.item())) {
				orders++
			}
		}
	}
	return all > 1 && orders*3 >= all*2
}
