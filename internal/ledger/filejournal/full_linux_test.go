package filejournal

import (
	"os"
	"strings"
	"testing"
	"time"

	"holdfast/internal/ids"
	"holdfast/internal/ledger"
	"holdfast/internal/tenant"
)

// TestT40PingFailsWhileTheDiskIsFull puts /dev/full in place of the file.
func TestT40PingFailsWhileTheDiskIsFull(t *testing.T) {
	j, err := Open(Options{Folder: t.TempDir(), Flush: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	scope := tenant.Grant("01890000-0000-7000-8000-000000000001", "01890000-0000-7000-8000-000000000002")
	source := ids.NewSource(time.Now, nil)
	add := func() error {
		return j.Append(t.Context(), scope, ledger.Receipt{ID: source.New(), Kind: ledger.RetrieveReceipt, Items: []ledger.Item{}})
	}
	size := func() int64 {
		info, err := os.Stat(j.current.path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	if err := add(); err != nil || j.Ping(t.Context()) != nil {
		t.Fatal(err)
	}
	file, before := j.current.file, size()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	j.current.file = full
	if err := add(); err == nil || j.Ping(t.Context()) == nil {
		t.Fatal("ready while nothing can be written", err)
	}
	j.current.file = file
	if err := j.Ping(t.Context()); err != nil {
		t.Fatalf("with room again: %v", err)
	}
	if size() != before {
		t.Fatal("the probe is left in the file")
	}
	if err := add(); err != nil {
		t.Fatal(err)
	}
	if err := full.Close(); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestAFileThatCannotBeUnderstoodIsNamedWithWhatToDo(t *testing.T) {
	o := Options{Folder: t.TempDir()}
	path := o.Folder + "/receipts-0000000000000001.journal"
	for _, content := range []string{"no line of ours\nnor this one\n", strings.Repeat("x", 2<<20)} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(o)
		if err == nil || !strings.Contains(err.Error(), path+" is damaged") || !strings.Contains(err.Error(), "move it out") {
			t.Errorf("%v", err)
		}
	}
	if err := os.Rename(path, o.Folder+"/receipts-old.journal"); err != nil {
		t.Fatal(err)
	}
	j, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(o.Folder + "/receipts-old.journal"); err != nil {
		t.Fatal("a file of another name was touched", err)
	}
}
