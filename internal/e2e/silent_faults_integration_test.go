//go:build integration

package e2e

import (
	"testing"
	"time"
)

// TestT20OpenSearchFallsSilentOnRealEngines: the node takes calls and answers none,
// as one that is frozen. A retrieve waits for it no longer than its deadline allows,
// and when it answers again the index catches up.
func TestT20OpenSearchFallsSilentOnRealEngines(t *testing.T) {
	own := ownEngines(t, "silent", 3*time.Second)
	node := wireTo(t, own.value("HOLDFAST_OPENSEARCH_URL"))
	p := own.with("HOLDFAST_OPENSEARCH_URL", node.base()).start(t).place(t)
	all := p.notes(t, 0, 10, func(int) {})
	eventually(t, "the index has reached the log", func() bool { return p.lag(t) == 0 })
	node.silence(true)
	last := note{p.remember(t, "The depot opens at six on Mondays."), "depot opens on Mondays"}
	p.withoutTheIndex(t, 1, last)
	node.silence(false)
	eventually(t, "the index has reached the log again", func() bool { return p.lag(t) == 0 })
	for _, n := range append(all, last) {
		p.recalled(t, "after", n)
	}
}
