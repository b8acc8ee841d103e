package filejournal_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/ledger/filejournal"
	"holdfast/internal/ledger/journaltest"
	"holdfast/internal/store/memstore"
	"holdfast/internal/tenant"
)

var (
	at  = time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	one = tenant.Grant("01890000-0000-7000-8000-000000000001", "01890000-0000-7000-8000-000000000002")
	two = tenant.Grant("01890000-0000-7000-8000-000000000001", "01890000-0000-7000-8000-000000000003")
)

func TestConformance(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) journaltest.Subject {
		o := filejournal.Options{Folder: t.TempDir(), Segment: 2000}
		return journaltest.Subject{Store: memstore.New(), Open: func() ledger.Journal { return open(t, o) }}
	})
}

func open(t *testing.T, o filejournal.Options) *filejournal.Journal {
	t.Helper()
	j, err := filejournal.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func fill(t *testing.T, j *filejournal.Journal, scope tenant.Scope, n int) []string {
	t.Helper()
	source := ids.NewSource(func() time.Time { return at }, nil)
	var out []string
	for range n {
		r := ledger.Receipt{ID: source.New(), Kind: ledger.RetrieveReceipt, At: at, Items: []ledger.Item{}}
		if err := j.Append(t.Context(), scope, r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r.ID)
	}
	return out
}

// held answers what the journal holds of a scope.
func held(t *testing.T, j *filejournal.Journal, scope tenant.Scope) []string {
	t.Helper()
	batches, err := j.Unsealed(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, b := range batches {
		for _, r := range b.Receipts {
			if b.Scope == scope {
				out = append(out, r.ID)
			}
		}
	}
	return out
}

func files(t *testing.T, folder string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func TestT19WhatIsNotSealedIsThereAfterTheProcessDied(t *testing.T) {
	o := filejournal.Options{Folder: t.TempDir()}
	j := open(t, o)
	made := fill(t, j, one, 5)
	if err := j.Sealed(t.Context(), one, made[:2]); err != nil {
		t.Fatal(err)
	}
	again := open(t, o) // j was never closed: the process died
	want := strings.Join(made, " ")
	if got := strings.Join(held(t, again, one), " "); got != want {
		t.Fatalf("held %s, want %s (sealed ones come again; sealing is idempotent)", got, want)
	}
	if r, ok, err := again.Find(t.Context(), one, made[4]); !ok || r.ID != made[4] || err != nil {
		t.Fatal("not found by its id", err)
	}
	if _, ok, _ := again.Find(t.Context(), two, made[4]); ok {
		t.Fatal("found in another scope")
	}
}

func TestSegmentsGoWhenAllIsSealed(t *testing.T) {
	o := filejournal.Options{Folder: t.TempDir(), Segment: 300}
	j := open(t, o)
	made := fill(t, j, one, 20)
	if n := len(files(t, o.Folder)); n < 3 {
		t.Fatalf("%d segments, want several", n)
	}
	if err := j.Sealed(t.Context(), one, made); err != nil {
		t.Fatal(err)
	}
	if n := len(files(t, o.Folder)); n != 1 {
		t.Fatalf("%d segments left, want the open one", n)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if n := len(files(t, o.Folder)); n != 0 {
		t.Fatalf("%d files after closing an empty journal", n)
	}
}

func TestATornLastLineIsDroppedAndAnyOtherIsAnError(t *testing.T) {
	o := filejournal.Options{Folder: t.TempDir()}
	made := fill(t, open(t, o), one, 3)
	path := files(t, o.Folder)[0]
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, raw[:len(raw)-7], 0o600); err != nil {
		t.Fatal(err)
	}
	if got := held(t, open(t, o), one); fmt.Sprint(got) != fmt.Sprint(made[:2]) {
		t.Fatalf("held %v", got)
	}
	raw[20] ^= 1
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := filejournal.Open(o); err == nil {
		t.Fatal("a broken line in the middle was passed over")
	}
}
