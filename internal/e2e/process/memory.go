package process

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Memory is what a process holds, in bytes, as /proc says it.
type Memory struct {
	Anonymous int64 // RssAnon: the store's mapped pages left out
	Resident  int64 // VmRSS
}

// Memory reads the process's memory from /proc, so on Linux only.
func (p *Process) Memory() (Memory, error) {
	f, err := os.Open(fmt.Sprintf("/proc/%d/status", p.PID()))
	if err != nil {
		return Memory{}, err
	}
	defer func() { _ = f.Close() }() // only read
	var m Memory
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ":")
		switch name {
		case "RssAnon":
			m.Anonymous = kilobytes(value)
		case "VmRSS":
			m.Resident = kilobytes(value)
		}
	}
	return m, lines.Err()
}

func kilobytes(text string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(text, "kB")), 10, 64)
	if err != nil {
		return 0
	}
	return n << 10
}
