package localapp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"holdfast/internal/config"
	"holdfast/internal/ids"
	"holdfast/internal/store"
	"holdfast/internal/store/boltstore"
)

const goodKey = "an-invented-root-key-of-forty-characters"

// settings are those of a server on a free port.
func settings(t *testing.T, lines ...string) config.Config {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	c, err := config.FromEnviron(append(lines, "HOLDFAST_ADDR=127.0.0.1:0", "HOLDFAST_DATA="+data))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	return c
}

func write(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	if err := errors.Join(os.WriteFile(path, []byte(content), 0o600), os.Chmod(path, mode)); err != nil {
		t.Fatal(err)
	}
}

// ended runs a server whose context is over: it starts, stops and answers what it
// printed.
func ended(t *testing.T, c config.Config) (string, error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var out bytes.Buffer
	stopOnNotice := writerFunc(func(p []byte) (int, error) { cancel(); return out.Write(p) })
	err := Run(ctx, c, stopOnNotice, io.Discard)
	cancel()
	return out.String(), err
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestT37ARootKeyFileIsHeldToTheRuleOfTheSetting(t *testing.T) {
	for _, bad := range []string{
		"", "\n", "abc\n", strings.Repeat("x", 31), strings.Repeat("\xff", 60),
		goodKey + "\n" + goodKey, goodKey + "\x00", "\x7fELF" + goodKey, strings.Repeat("ü", 31),
	} {
		c := settings(t)
		path := filepath.Join(c.Data, rootKeyFile)
		write(t, path, bad, 0o600)
		_, _, _, err := rootKey(c)
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "remove the file") ||
			strings.Contains(err.Error(), "\n") || len(bad) > 5 && strings.Contains(err.Error(), bad) {
			t.Errorf("%q: %v", bad, err)
		}
		if raw, err := os.ReadFile(path); err != nil || string(raw) != bad {
			t.Errorf("%q was changed", bad)
		}
	}
	for _, good := range []string{goodKey, goodKey + "\n", goodKey + "\r\n", strings.Repeat("ü", 32)} {
		c := settings(t)
		write(t, filepath.Join(c.Data, rootKeyFile), good, 0o600)
		if key, _, made, err := rootKey(c); err != nil || made || key != strings.TrimSpace(good) {
			t.Errorf("%q: %q, %v", good, key, err)
		}
	}
}

func TestT37SecretsThatOthersCanUseAreMadeTheOwnersAndTold(t *testing.T) {
	c := settings(t)
	rootPath, demoPath := filepath.Join(c.Data, rootKeyFile), filepath.Join(c.Data, demoFile)
	if out, err := ended(t, c); err != nil || strings.Contains(out, "warning") {
		t.Fatal(out, err)
	}
	for _, mode := range []os.FileMode{0o644, 0o640, 0o602, 0o700} {
		if err := errors.Join(os.Chmod(rootPath, mode), os.Chmod(demoPath, mode)); err != nil {
			t.Fatal(err)
		}
		if warnings := ownersOnly(c.Data); len(warnings) != 2 {
			t.Fatal(warnings)
		}
		for _, path := range []string{rootPath, demoPath} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != ownerOnly {
				t.Errorf("%s: %v, %v", path, info.Mode(), err)
			}
		}
	}
	if err := os.Chmod(rootPath, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := ended(t, c); err != nil || !strings.Contains(out, "others could use "+rootPath) || strings.Contains(out, demoPath) {
		t.Fatal(out, err)
	}
}

func TestT38ADamagedDemoFileIsNamedWithWhatToDo(t *testing.T) {
	c := settings(t, "HOLDFAST_ROOT_KEY="+goodKey)
	path := filepath.Join(c.Data, demoFile)
	good := `{"workspaceId":"` + ids.NewSource(time.Now, nil).New() + `","key":"y"}`
	for _, bad := range []string{"", "{{{", "null", "[]", `{"workspaceId":"x","key":"y"}`, good} {
		if _, err := parseDemo(path, []byte(bad)); err == nil {
			t.Errorf("%q passes", bad)
		}
	}
	write(t, path, "{{{", 0o600)
	_, err := ended(t, c)
	if err == nil || !strings.Contains(err.Error(), path+" is damaged: remove the file") || strings.Contains(err.Error(), "\n") {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	for range 2 { // a new one is made and read again
		if out, err := ended(t, c); err != nil || !strings.Contains(out, "curl") {
			t.Fatal(out, err)
		}
	}
}

func TestT40ADamagedRowStopsTheStartWithASentence(t *testing.T) {
	c := settings(t, "HOLDFAST_ROOT_KEY="+goodKey)
	if _, err := ended(t, c); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(c.Data, boltstore.FileName)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	row := []byte("\x00SEQ") // of the head, which every start reads; old pages hold it too
	for from := 0; bytes.Contains(raw[from:], row); {
		from += bytes.Index(raw[from:], row) + len(row)
		raw[from+20] ^= 1
	}
	write(t, path, string(raw), 0o600)
	_, err = ended(t, c)
	if !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "backup") || strings.Contains(err.Error(), "\n") {
		t.Fatal(err)
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(after, raw) {
		t.Fatal("the damaged file was changed", err)
	}
}

func TestCompactSaysWhatItDidOrWhyNot(t *testing.T) {
	c := settings(t, "HOLDFAST_ROOT_KEY="+goodKey)
	var out bytes.Buffer
	if err := Compact(c, &out); err == nil || !strings.Contains(err.Error(), "there is no holdfast.db") {
		t.Error(err)
	}
	s, err := boltstore.Open(boltstore.Options{Path: c.Data})
	if err != nil {
		t.Fatal(err)
	}
	if err := Compact(c, &out); !errors.Is(err, boltstore.ErrLocked) || !strings.Contains(err.Error(), "stop the server") {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := Compact(c, &out); err != nil || !strings.Contains(out.String(), "bytes before") {
		t.Error(out.String(), err)
	}
	c.Store = config.DynamoDB
	if err := Compact(c, &out); err == nil {
		t.Error("a table elsewhere was compacted")
	}
}
