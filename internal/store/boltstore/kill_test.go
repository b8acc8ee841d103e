package boltstore_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/store/boltstore"
)

// childFolder names the environment variable that makes the test binary a child
// that commits until it is killed.
const childFolder = "HOLDFAST_TEST_COMMIT_FOLDER"

func TestMain(m *testing.M) {
	if folder := os.Getenv(childFolder); folder != "" {
		fmt.Fprintln(os.Stderr, commitForever(folder))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// commitForever commits pairs from several goroutines and prints the name of each
// pair once it is acknowledged.
func commitForever(folder string) error {
	s, err := boltstore.Open(boltstore.Options{Path: folder})
	if err != nil {
		return err
	}
	var mu sync.Mutex
	failed := make(chan error)
	for who := range 8 {
		go func() {
			for n := 0; ; n++ {
				name := fmt.Sprintf("%d-%d-%d", os.Getpid(), who, n)
				if err := s.Commit(context.Background(), pair(name)); err != nil {
					failed <- err
					return
				}
				mu.Lock()
				fmt.Println(name)
				mu.Unlock()
			}
		}()
	}
	return <-failed
}

func pair(name string) store.Tx {
	left, right := row("left", name), row("right", name)
	left.Due = &store.Due{Shard: 3, At: time.UnixMilli(5)}
	count := store.AddTo("", store.Key{PK: "count", SK: "pairs"}, map[string]int64{"n": 1}, nil)
	return store.Tx{Actions: []store.Action{
		store.PutItem("", left, store.IfAbsent()), store.PutItem("", right, store.IfAbsent()), count,
	}}
}

func TestT40AfterKillEverythingAcknowledgedIsThere(t *testing.T) {
	folder := t.TempDir()
	acknowledged := map[string]bool{}
	for round := range 4 {
		for _, name := range commitAndKill(t, folder, 150+200*round) {
			acknowledged[name] = true
		}
		checkKilled(t, folder, acknowledged)
	}
}

// commitAndKill lets a child acknowledge some commits, kills it, and answers all
// that it had acknowledged.
func commitAndKill(t *testing.T, folder string, enough int) (names []string) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childFolder+"="+folder)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if err != nil { // a cut line was not acknowledged
			break
		}
		if names = append(names, strings.TrimSpace(line)); len(names) == enough {
			checkLocked(t, folder)
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := child.Wait(); err == nil || len(names) < enough {
		t.Fatalf("the child ended by itself after %d commits: %v", len(names), err)
	}
	return names
}

func checkLocked(t *testing.T, folder string) {
	t.Helper()
	if _, err := boltstore.Open(boltstore.Options{Path: folder, LockWait: time.Millisecond}); !errors.Is(err, boltstore.ErrLocked) {
		t.Fatal(err)
	}
}

// checkKilled opens the folder: all pairs are whole and counted, in the due index,
// and the acknowledged ones are among them.
func checkKilled(t *testing.T, folder string, acknowledged map[string]bool) {
	t.Helper()
	s, err := boltstore.Open(boltstore.Options{Path: folder})
	if err != nil {
		t.Fatal(err)
	}
	left, right := names(t, s, "left"), names(t, s, "right")
	count, _, err := s.Get(t.Context(), store.Key{PK: "count", SK: "pairs"})
	if err != nil || len(left) != len(right) || count.Attrs.Int("n") != int64(len(left)) {
		t.Fatalf("%d left, %d right, %d counted, %v", len(left), len(right), count.Attrs.Int("n"), err)
	}
	if due := dueCount(t, s); due != len(left) {
		t.Fatalf("%d left, %d due", len(left), due)
	}
	for name := range acknowledged {
		if !left[name] || !right[name] {
			t.Fatalf("%s was acknowledged and is gone", name)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func names(t *testing.T, s store.Store, pk string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for q := (store.Query{PK: pk}); ; {
		page, err := s.Query(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range page.Items {
			all[item.Key.SK] = true
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			return all
		}
	}
}

func dueCount(t *testing.T, s store.Store) (n int) {
	t.Helper()
	for q := (store.DueQuery{Shard: 3, Until: noon}); ; {
		page, err := s.Due(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		n += len(page.Items)
		if q.Cursor = page.Cursor; q.Cursor == "" {
			return n
		}
	}
}
