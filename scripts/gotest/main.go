// Command gotest runs go test and says at the end how many tests passed, failed and
// were skipped. A skipped test is named with its reason, so that nothing goes
// unproved in silence.
//
// A package may take half an hour, since machines differ; -timeout says otherwise.
//
//	go run ./scripts/gotest [arguments of go test] [packages]
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
)

func main() {
	// go test gets the signal too, as a member of the group, and its end ends this.
	// Ignoring signals would be inherited; catching them is not.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt, syscall.SIGTERM)
	cmd := exec.Command("go", append([]string{"test", "-json", "-timeout", "30m"}, os.Args[1:]...)...)
	cmd.Stderr = os.Stderr
	sum := newSummary(os.Stdout)
	err := pipe(cmd, sum)
	if printErr := sum.print(); err == nil {
		err = printErr
	}
	if err != nil || sum.failed > 0 {
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			fmt.Fprintln(os.Stderr, "gotest:", err)
		}
		os.Exit(1)
	}
}

func pipe(cmd *exec.Cmd, sum *summary) error {
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	readErr := sum.read(out)
	if err := cmd.Wait(); err != nil {
		return err
	}
	return readErr
}

// event is one line of go test -json (go doc test2json).
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
	Elapsed float64
}

type summary struct {
	out                     io.Writer
	passed, failed, skipped int
	packages                int
	lines                   map[string][]string // output by package and test, until its verdict
	skips                   []string
}

func newSummary(out io.Writer) *summary {
	return &summary{out: out, lines: make(map[string][]string)}
}

func (s *summary) read(r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			if _, err := fmt.Fprintln(s.out, lines.Text()); err != nil {
				return err
			}
			continue
		}
		if err := s.take(e); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (s *summary) take(e event) error {
	id := e.Package + " " + e.Test
	switch e.Action {
	case "build-output":
		return s.show([]string{e.Output})
	case "output":
		s.lines[id] = append(s.lines[id], e.Output)
		return nil
	case "pass", "fail", "skip":
	default:
		return nil
	}
	said := s.lines[id]
	delete(s.lines, id)
	if e.Test == "" {
		return s.pack(e, said)
	}
	switch e.Action {
	case "pass":
		s.passed++
	case "skip":
		s.skipped++
		s.skips = append(s.skips, id+": "+reason(said))
	case "fail":
		s.failed++
		return s.show(said)
	}
	return nil
}

// pack takes the verdict over a package. A package that failed by itself, because
// it did not build or a test ended the process, counts as a failure.
func (s *summary) pack(e event, said []string) error {
	switch e.Action {
	case "pass":
		s.packages++
		_, err := fmt.Fprintf(s.out, "ok   %s (%.1f s)\n", e.Package, e.Elapsed)
		return err
	case "fail":
		s.failed++
		for id, rest := range s.lines {
			if strings.HasPrefix(id, e.Package+" ") {
				said = append(said, rest...)
				delete(s.lines, id)
			}
		}
		if err := s.show(said); err != nil {
			return err
		}
		_, err := fmt.Fprintf(s.out, "FAIL %s\n", e.Package)
		return err
	}
	return nil
}

func (s *summary) show(said []string) error {
	_, err := io.WriteString(s.out, strings.Join(said, ""))
	return err
}

// reason is what a skipped test said, without the lines of go test itself.
func reason(said []string) string {
	var out []string
	for _, line := range said {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "===") && !strings.HasPrefix(line, "---") {
			out = append(out, line)
		}
	}
	return strings.Join(out, " ")
}

func (s *summary) print() error {
	var b strings.Builder
	for _, skip := range s.skips {
		fmt.Fprintf(&b, "SKIPPED, so not proved: %s\n", skip)
	}
	fmt.Fprintf(&b, "%d tests passed, %d failed, %d skipped in %d packages\n", s.passed, s.failed, s.skipped, s.packages)
	_, err := io.WriteString(s.out, b.String())
	return err
}
