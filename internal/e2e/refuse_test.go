package e2e

import (
	"bytes"
	"crypto/sha256"
	bits "encoding/binary"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// snapshot maps the files of a folder to their hashes. Locks and logs hold no data.
func snapshot(t *testing.T, data string) map[string][32]byte {
	t.Helper()
	out := make(map[string][32]byte)
	err := filepath.WalkDir(data, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		out[path] = sha256.Sum256(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func untouched(t *testing.T, before map[string][32]byte, data string) {
	t.Helper()
	after := snapshot(t, data)
	for path, sum := range before {
		if after[path] != sum {
			t.Errorf("%s was changed or removed", filepath.Base(path))
		}
	}
}

// filled makes a data folder with memories in it and answers one's place and id.
func filled(t *testing.T, data string) (place, string) {
	t.Helper()
	s := start(t, options(data))
	p := s.place(t)
	id := ""
	for _, text := range []string{"The crane is inspected in May.", "Pilots come aboard at buoy four.", "The depot is locked at night."} {
		id = p.remember(t, text)
	}
	if code := s.stop(t); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	return p, id
}

// database finds the store's file: the one with the magic number of bbolt's meta
// page, which stands behind the 16 bytes of a page header.
func database(t *testing.T, data string) string {
	t.Helper()
	magic := []byte{0xED, 0xDA, 0x0C, 0xED}
	for path := range snapshot(t, data) {
		head := make([]byte, 20)
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		n, _ := f.ReadAt(head, 0) // a short file is not it
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if n == len(head) && bytes.Equal(head[16:], magic) {
			return path
		}
	}
	t.Fatal("no database file in the data folder")
	return ""
}

func TestT38SecondStartOnTheSameFolderIsRefused(t *testing.T) {
	data := folder(t)
	s := start(t, options(data))
	p := s.place(t)
	id := p.remember(t, "The tug is called Anna.")
	second := options(data)
	second.Log = data + ".second.log"
	refuses(t, second, "in use")
	s.alive(t)
	if err := p.agent.Do(t.Context(), "GET", p.path(id), nil, nil); err != nil {
		t.Error(err)
	}
}

func TestT38APortInUseIsRefused(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }() // only held
	data := folder(t)
	o := options(data)
	o.Addr = taken.Addr().String()
	refuses(t, o, o.Addr)
	o.Addr = ""
	start(t, o) // the folder is as good as new
}

func TestT37SettingsThatMakeNoSenseAreRefused(t *testing.T) {
	cases := map[string]string{
		"HOLDFAST_STORE=paper":               "HOLDFAST_STORE",
		"HOLDFAST_QUEUE=pigeon":              "HOLDFAST_QUEUE",
		"HOLDFAST_SEARCH=luck":               "HOLDFAST_SEARCH",
		"HOLDFAST_EMBED=guess":               "HOLDFAST_EMBED",
		"HOLDFAST_ROOT_KEY=short":            "HOLDFAST_ROOT_KEY",
		"HOLDFAST_RATE_KEY_PER_MINUTE=many":  "HOLDFAST_RATE_KEY_PER_MINUTE",
		"HOLDFAST_RATE_TENANT_PER_MINUTE=-1": "HOLDFAST_RATE_TENANT_PER_MINUTE",
		"HOLDFAST_WEBHOOK_ALLOW=everybody":   "HOLDFAST_WEBHOOK_ALLOW",
		"HOLDFAST_TEST_CLOCK=perhaps":        "HOLDFAST_TEST_CLOCK",
		"HOLDFAST_EMBED=openai HOLDFAST_EMBED_MODEL=m HOLDFAST_EMBED_DIMENSION=8": "HOLDFAST_EMBED_URL",
	}
	for setting, name := range cases {
		t.Run(setting, func(t *testing.T) {
			data := folder(t)
			refuses(t, options(data, strings.Fields(setting)...), name)
			if _, err := os.Stat(data); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the data folder was made all the same: %v", err)
			}
		})
	}
}

func TestT40ADamagedDatabaseIsRefusedAndUntouched(t *testing.T) {
	damages := map[string]func(t *testing.T, file string){
		"truncated to half":     func(t *testing.T, file string) { cut(t, file, used(t, file)/2) },
		"its last page lost":    func(t *testing.T, file string) { cut(t, file, used(t, file)-page) },
		"truncated to one page": func(t *testing.T, file string) { cut(t, file, page) },
		"both meta pages lost":  func(t *testing.T, file string) { scribble(t, file, 0, 2*page) },
		"another kind of file":  func(t *testing.T, file string) { scribble(t, file, 0, size(t, file)) },
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			data := folder(t)
			filled(t, data)
			damage(t, database(t, data))
			before := snapshot(t, data)
			o := options(data)
			o.Log = data + ".damaged.log"
			refuses(t, o, "damaged")
			untouched(t, before, data)
		})
	}
}

// page is bbolt's page size here.
var page = int64(os.Getpagesize())

// used is how much of the file holds data: what lies behind is only set aside. Both
// meta pages say how many pages are in use, 40 bytes behind their page header.
func used(t *testing.T, file string) int64 {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // only read
	least := int64(0)
	for meta := range int64(2) {
		var pages [8]byte
		if _, err := f.ReadAt(pages[:], meta*page+16+40); err != nil {
			t.Fatal(err)
		}
		if n := int64(bits.LittleEndian.Uint64(pages[:])); least == 0 || n < least {
			least = n
		}
	}
	return least * page
}

func size(t *testing.T, file string) int64 {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

func cut(t *testing.T, file string, to int64) {
	t.Helper()
	if err := os.Truncate(file, to); err != nil {
		t.Fatal(err)
	}
}

func scribble(t *testing.T, file string, at, n int64) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(bytes.Repeat([]byte("scribble"), int(n/8)), at); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestT38AReadOnlyDataFolderIsRefusedAndUntouched(t *testing.T) {
	base, err := os.MkdirTemp("", "holdfast-read-only-")
	if err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(base, "data")
	t.Cleanup(func() {
		if err := errors.Join(modes(base, 0o755, 0o644), os.RemoveAll(base)); err != nil {
			t.Error(err)
		}
	})
	filled(t, data)
	before := snapshot(t, data)
	if err := modes(base, 0o555, 0o444); err != nil {
		t.Fatal(err)
	}
	o := options(data)
	o.Log = filepath.Join(t.TempDir(), "log")
	o.Attr = ordinaryUser()
	refuses(t, o, "data folder")
	untouched(t, before, data)

	empty := filepath.Join(base, "fresh")
	o.Data = empty
	refuses(t, o, "data folder")
}

// modes sets the permissions of a folder and of all that is in it.
func modes(folder string, dir, file fs.FileMode) error {
	return filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			return os.Chmod(path, dir)
		}
		return os.Chmod(path, file)
	})
}

// ordinaryUser makes root start the server as nobody, since permissions do not bind
// root; others start it as themselves.
func ordinaryUser() *syscall.SysProcAttr {
	if os.Getuid() != 0 {
		return nil
	}
	const nobody = 65534
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}
