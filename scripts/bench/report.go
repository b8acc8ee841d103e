package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"text/tabwriter"
	"time"
)

// report is the JSON beside the tables; durations are nanoseconds.
type report struct {
	At          time.Time
	Go          string
	CPUs        int
	Load        float64 // load average before the run: above 0, other work disturbed it
	Runs        int
	LeftOut     int // questions without valid evidence
	Recall      []armRow
	Facts       []armRow
	Features    []featureRow
	Shortlists  []shortlistRow
	Peers       []peerRow
	Sets        []setRow    // generated talks
	Updates     []updateRow // generated update pairs
	Ranking     figures     // of Recall, Facts, Sets and Updates, for comparing
	Floors      *floors
	Speed       []speedRow
	Options     []optionRow
	Consolidate *consolidateRow
	Folders     *folderRow
	Crash       *crashRow
}

// save writes the report under a name of its own and answers the path.
func (r report) save(folder string) (string, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "bench-"+r.At.UTC().Format("20060102-150405")+".json")
	return path, os.WriteFile(path, append(text, '\n'), 0o644)
}

// printer keeps the first error of many prints.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) row(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// table prints aligned columns; cells are parted by tabs.
func table(w io.Writer, fill func(*printer)) error {
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	p := &printer{w: columns}
	fill(p)
	p.row("")
	if p.err != nil {
		return p.err
	}
	return columns.Flush()
}

func printRecall(w io.Writer, r report) error {
	return table(w, func(p *printer) {
		p.row("LoCoMo: %d questions with valid evidence, %d left out; evidence in budgets over the %d of categories 1 to 4", r.Recall[0].Questions, r.LeftOut, r.Recall[0].Packed)
		arms(p, r.Recall)
		p.row("")
		p.row("recall@10 / NDCG@10 by category\tmulti-hop\ttime\topen\tsingle-hop\tadversarial\t")
		for _, a := range r.Recall {
			p.row("%s\t%s\t%s\t%s\t%s\t%s\t", a.Arm, a.cat(1), a.cat(2), a.cat(3), a.cat(4), a.cat(5))
		}
		p.row("")
		p.row("Facts noted from LoCoMo: %d questions that a fact answers", r.Facts[0].Questions)
		arms(p, r.Facts)
	})
}

func arms(p *printer, rows []armRow) {
	p.row("arm\trecall@10\tNDCG@10\tsession@1\tsession@5\tin 512\tin 1,024\tin 2,048\tin 4,096\t")
	for _, a := range rows {
		p.row("%s\t%.3f\t%.3f\t%s\t%s\t%.3f\t%.3f\t%.3f\t%.3f\t", a.Arm, a.Recall10, a.NDCG10, a.session(a.Session1), a.session(a.Session5),
			a.Evidence["512"], a.Evidence["1024"], a.Evidence["2048"], a.Evidence["4096"])
	}
}

// session is a share of the questions that have sessions, a dash when none has.
func (a armRow) session(share float64) string {
	if a.Sessions == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f", share)
}

func (a armRow) cat(n int) string {
	c := a.ByCategory[strconv.Itoa(n)]
	return fmt.Sprintf("%.3f / %.3f", c.Recall10, c.NDCG10)
}

func printFloors(w io.Writer, f floors) error {
	return table(w, func(p *printer) {
		p.row("one fsync %s, one bare loopback request %s, start to ready with an empty folder %.3f s",
			micro(f.Fsync), micro(f.Loopback), f.EmptySeconds)
	})
}

func printSpeed(w io.Writer, f floors, rows []speedRow) error {
	return table(w, func(p *printer) {
		p.row("memories\tworkspaces\tfill/s\tindexed after\tbytes each\tRssAnon\tRssAnon each\tVmRSS\tstart\t")
		for _, r := range rows {
			p.row("%d\t%d\t%.0f\t%.2f s\t%.0f\t%d MB\t%.2f KB\t%d MB\t%.3f s\t", r.Memories, r.Workspaces, r.FillPerSecond, r.IndexAfter,
				r.BytesEach, r.Memory.Anonymous>>20, float64(r.Memory.Anonymous)/1000/float64(r.Memories), r.Memory.Resident>>20, r.StartSeconds)
		}
		p.row("")
		p.row("memories\tcall\tclients\ta second\tp50\tp95\tp99\tp50 in fsyncs\tp50 in requests\tp50 grew\tp99 grew\t")
		var before speedRow
		for _, r := range rows {
			if r.Workspaces != before.Workspaces {
				before = speedRow{}
			}
			calls(p, f, r.Memories, retrieveOf(r), r.Retrieve, before.Retrieve)
			calls(p, f, r.Memories, "append, 1 workspace", r.AppendOne, before.AppendOne)
			calls(p, f, r.Memories, fmt.Sprintf("append, %d workspaces", manyWorkspaces), r.AppendMany, before.AppendMany)
			before = r
		}
	})
}

func retrieveOf(r speedRow) string {
	if r.Workspaces == 1 {
		return "retrieve"
	}
	return fmt.Sprintf("retrieve, %d workspaces", r.Workspaces)
}

// calls prints runs, beside those of the size before.
func calls(p *printer, f floors, memories int, name string, runs, before map[string]latencyRun) {
	for i := len(clientCounts) - 1; i >= 0; i-- {
		clients := strconv.Itoa(clientCounts[i])
		r, ok := runs[clients]
		if !ok {
			continue
		}
		was := before[clients]
		p.row("%d\t%s\t%d\t%.0f\t%s\t%s\t%s\t%.1f\t%.1f\t%s\t%s\t", memories, name, clientCounts[i], r.PerSecond,
			micro(r.P50), micro(r.P95), micro(r.P99), ratio(r.P50, f.Fsync), ratio(r.P50, f.Loopback), grown(r.P50, was.P50), grown(r.P99, was.P99))
	}
}

// grown is how many times longer something takes than at the size before.
func grown(now, before time.Duration) string {
	if before == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", ratio(now, before))
}

func ratio(a, b time.Duration) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

func micro(d time.Duration) string {
	return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond))
}

func printOptions(w io.Writer, rows []optionRow) error {
	return table(w, func(p *printer) {
		p.row("retrieve, %d memories, 1 client\tp50\tp99\tp50 over plain's\tp99 over plain's\t", optionMemories)
		for _, r := range rows {
			p.row("%s\t%s\t%s\t%.2f\t%.2f\t", r.Name, micro(r.P50), micro(r.P99), r.OverP50, r.OverP99)
		}
	})
}

func printConsolidate(w io.Writer, c consolidateRow) error {
	return table(w, func(p *printer) {
		p.row("consolidating a run of %d session entries: %.1f s, %d calls, RssAnon %d MB idle, %d MB at its peak (+%d MB), %d memories made",
			c.Entries, c.Seconds, c.Calls, c.Idle>>20, c.Peak>>20, (c.Peak-c.Idle)>>20, c.Made)
	})
}

func printCrash(w io.Writer, c crashRow) error {
	return table(w, func(p *printer) {
		p.row("kill -9 under load: %d rounds, %d writes acknowledged, %d lost, %d chain breaks",
			c.Rounds, c.Acknowledged, c.Lost, c.ChainBreaks)
	})
}
