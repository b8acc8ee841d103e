package keys_test

import (
	"testing"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

// TestKeysOfWakingRowsAreToldApart: each parser takes its own builder's keys only.
func TestKeysOfWakingRowsAreToldApart(t *testing.T) {
	for _, g := range golden {
		marked, isMark := keys.IndexMarkOf(g.key)
		if isMark != (g.builder == "IndexMark") || isMark && marked != scope {
			t.Errorf("%s: mark of %v, %v", g.builder, marked, isMark)
		}
		hooked, isHooked := keys.WebhookMarkOf(g.key)
		if isHooked != (g.builder == "WebhookMark") || isHooked && hooked != scope {
			t.Errorf("%s: mark of webhooks of %v, %v", g.builder, hooked, isHooked)
		}
		s, id, isJob := keys.JobOf(g.key)
		if isJob != (g.builder == "Job") || isJob && (s != scope || id != itemID) {
			t.Errorf("%s: job %v %q, %v", g.builder, s, id, isJob)
		}
		s, id, isReceipt := keys.ReceiptOf(g.key)
		if isReceipt != (g.builder == "Receipt") || isReceipt && (s != scope || id != itemID) {
			t.Errorf("%s: receipt %v %q, %v", g.builder, s, id, isReceipt)
		}
		s, id, isRun := keys.RunOf(g.key)
		if isRun != (g.builder == "RunHead") || isRun && (s != scope || id != mac) {
			t.Errorf("%s: run %v %q, %v", g.builder, s, id, isRun)
		}
		id, isToken := keys.RunTokenOf(g.key)
		if isToken != (g.builder == "RunToken") || isToken && id != itemID {
			t.Errorf("%s: token of %q, %v", g.builder, id, isToken)
		}
	}
}

// FuzzWakingRows: what a parser accepts, building gives back.
func FuzzWakingRows(f *testing.F) {
	for _, g := range golden {
		f.Add(g.key.PK, g.key.SK)
	}
	f.Add("", "")
	f.Add("#J", "x")
	f.Add("RT#", "RUN")
	f.Fuzz(func(t *testing.T, pk, sk string) {
		key := store.Key{PK: pk, SK: sk}
		if s, ok := keys.IndexMarkOf(key); ok && keys.IndexMark(s) != key {
			t.Errorf("%v is no mark", key)
		}
		if id, ok := keys.RunTokenOf(key); ok && keys.RunToken(id) != key {
			t.Errorf("%v is no run", key)
		}
		if s, ok := keys.WebhookMarkOf(key); ok && keys.WebhookMark(s) != key {
			t.Errorf("%v is no mark of webhooks", key)
		}
		if s, id, ok := keys.JobOf(key); ok && keys.Job(s, id) != key {
			t.Errorf("%v is no job", key)
		}
		if s, id, ok := keys.ReceiptOf(key); ok && (s.TenantID()+"#"+s.WorkspaceID() != pk[:len(s.TenantID()+s.WorkspaceID())+1] || id != sk) {
			t.Errorf("%v is no receipt", key)
		}
		if s, hash, ok := keys.RunOf(key); ok && keys.RunHead(s, hash) != key {
			t.Errorf("%v is no run", key)
		}
	})
}
