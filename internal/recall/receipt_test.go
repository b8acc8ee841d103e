package recall

import (
	"strings"
	"testing"

	"holdfast/internal/ledger"
)

func TestR031TheReceiptNamesWhatWasHandedOutAndHoldsNoText(t *testing.T) {
	w := newWorld(t)
	rule := w.store(here, floor("Sign the register."))
	tea := w.add("Ida drinks tea.", ofUser("ida"), ofType("preference"))
	ferry := w.add("The ferry leaves at nine.")
	w.update(ferry, "The ferry leaves at ten.")
	w.add("A second ferry is left out by the number asked for.")
	w.sync(here)
	c := w.ask("ferry leaves", asUser("ida"), most(1), in(Lexical))
	r := w.journal.last(t)
	if r.ID != c.ReceiptID || !r.At.Equal(c.At) || r.Kind != ledger.RetrieveReceipt || r.Family != "memory" ||
		r.RequestHash != "hash" || r.Actor != writer.Actor || r.Sequence != 0 {
		t.Errorf("receipt %+v", r)
	}
	want := map[string]int64{rule: 1, ferry: 2, tea: 1}
	if len(r.Items) != len(want) {
		t.Errorf("items %+v, want %v", r.Items, want)
	}
	for _, item := range r.Items {
		if item.Version != want[item.ID] || (item.Score != nil) != (item.ID == ferry) {
			t.Errorf("item %+v", item)
		}
		if item.ID == ferry && *item.Score != c.Sections[WorkspaceEntries][0].Score {
			t.Errorf("score %v", *item.Score)
		}
	}
	raw, err := r.Encode(here)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"ferry", "tea", "register", "ida"} {
		if strings.Contains(strings.ToLower(string(raw)), text) {
			t.Errorf("the receipt holds %q: %s", text, raw)
		}
	}
}

func TestR031AnAnswerWithoutEntriesLeavesAReceiptToo(t *testing.T) {
	w := newWorld(t)
	c := w.ask("anything")
	if r := w.journal.last(t); r.ID != c.ReceiptID || r.Items == nil || len(r.Items) != 0 {
		t.Errorf("%+v", r)
	}
}
