package consolidate_test

import (
	"strings"
	"testing"

	"holdfast/internal/consolidate"
	"holdfast/internal/extract"
	"holdfast/internal/llm/offline"
	"holdfast/internal/memory"
	"holdfast/internal/screen"
)

// offlineWorld extracts by the rules that serve without a model.
func offlineWorld(t *testing.T) *world {
	w := newWorld(t)
	w.Extractor = extract.New(offline.New(), func(text string) bool { return screen.Check(text).Clean() })
	return w
}

func TestS063WithoutAModelFactsAndProceduresAreKept(t *testing.T) {
	w := offlineWorld(t)
	w.talk("run-1")
	w.end("run-1")
	for part, kind := range map[string]memory.Type{"Postgres": memory.Decision, "Rotterdam": memory.Fact, "tag the commit": memory.Procedure} {
		found := false
		for _, m := range w.derived() {
			found = found || strings.Contains(m.Content, part) && m.Type == kind && m.Status == memory.Active
		}
		if !found {
			t.Errorf("no %s about %s in %q", kind, part, texts(w.derived()))
		}
	}
	if len(w.episodes()) != 1 || len(w.list(memory.Filter{Type: memory.Summary})) != 1 {
		t.Errorf("%q", texts(w.episodes()))
	}
}

func TestS067WithoutAModelInstructionsNarrow(t *testing.T) {
	w := offlineWorld(t)
	w.talk("run-1")
	if _, err := w.consolidate(consolidate.Ask{RunID: "run-1", Instructions: "Keep only decisions about the database."}); err != nil {
		t.Fatal(err)
	}
	all := strings.Join(texts(w.derived()), " ")
	if !strings.Contains(all, "Postgres") || strings.Contains(all, "Rotterdam") || strings.Contains(all, "green") {
		t.Errorf("kept %q", all)
	}
}

func TestF25WithoutAModelNoJunkIsKept(t *testing.T) {
	w := offlineWorld(t)
	w.know("The archive closes at six.")
	for _, text := range []string{"...", "-", "ok", "The archive closes at six.", "Decision: the archive gets a ramp."} {
		w.say("run-1", text)
	}
	w.end("run-1")
	if got := texts(w.derived()); len(got) != 1 || !strings.Contains(got[0], "ramp") {
		t.Errorf("derived %q", got)
	}
	only := offlineWorld(t) // nothing but junk: an episode all the same, and no statement
	only.say("run-1", "ok")
	only.say("run-1", "...")
	only.end("run-1")
	if len(only.derived()) != 0 || len(only.episodes()) != 1 {
		t.Errorf("derived %q, episodes %q", texts(only.derived()), texts(only.episodes()))
	}
}
