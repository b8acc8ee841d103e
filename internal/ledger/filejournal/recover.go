package filejournal

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"holdfast/internal/ledger"
	"holdfast/internal/tenant"
)

func (j *Journal) recover() error {
	paths, err := filepath.Glob(filepath.Join(j.opt.Folder, prefix+"*"+suffix))
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	sort.Strings(paths)
	for _, path := range paths {
		digits := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), prefix), suffix)
		n, err := strconv.Atoi(digits)
		if err != nil || len(digits) != 16 || n < 0 {
			continue // not one of ours
		}
		j.number = max(j.number, n)
		if err := j.read(path); err != nil {
			return err
		}
	}
	return nil
}

func (j *Journal) read(path string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("the journal of read receipts cannot be read: %w", err)
	}
	s := &segment{path: path, closed: true}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(make([]byte, 0, 64<<10), 1<<20)
	end := 0
	for lines.Scan() {
		end += len(lines.Bytes()) + 1
		scope, receipt, err := parse(lines.Bytes())
		if err != nil {
			if end >= len(raw) { // the last line: torn by a power cut
				break
			}
			return harmed(path, err)
		}
		j.add(&entry{scope: scope, receipt: receipt, segment: s})
	}
	if err := lines.Err(); err != nil {
		return harmed(path, err)
	}
	return j.discard(s)
}

// harmed says what can be done about a file that cannot be understood.
func harmed(path string, err error) error {
	return fmt.Errorf("the journal %s is damaged (%w): put its backup in its place, or move it out of the data folder to start without the read receipts in it",
		path, err)
}

// format is one line: CRC-32 of the canonical form, a space, the canonical form.
func format(canonical []byte) []byte {
	line := fmt.Appendf(make([]byte, 0, len(canonical)+10), "%08x ", crc32.ChecksumIEEE(canonical))
	return append(append(line, canonical...), '\n')
}

var errLine = errors.New("broken line")

func parse(line []byte) (tenant.Scope, ledger.Receipt, error) {
	if len(line) < 10 || line[8] != ' ' {
		return tenant.Scope{}, ledger.Receipt{}, errLine
	}
	var sum [4]byte
	if _, err := hex.Decode(sum[:], line[:8]); err != nil {
		return tenant.Scope{}, ledger.Receipt{}, errLine
	}
	want := uint32(sum[0])<<24 | uint32(sum[1])<<16 | uint32(sum[2])<<8 | uint32(sum[3])
	if crc32.ChecksumIEEE(line[9:]) != want {
		return tenant.Scope{}, ledger.Receipt{}, errLine
	}
	return ledger.DecodeReceipt(line[9:])
}
