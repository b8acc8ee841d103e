package recall

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"holdfast/internal/memory"
	"holdfast/internal/recall/rerank"
	"holdfast/internal/store/boltstore"
)

var benchWords = strings.Fields("harbour boat keel mast rope anchor tide gull sailor storm lantern deck cargo barrel island captain crew " +
	"voyage map compass star wind wave rain fog dawn dusk market fish net oar rudder sail plank nail hammer saw wood tar pitch")

func benchText(r *rand.Rand) string {
	out := make([]string, 12+r.IntN(18))
	for i := range out {
		if out[i] = benchWords[r.IntN(len(benchWords))]; r.IntN(4) == 0 {
			out[i] += fmt.Sprint(r.IntN(2000))
		}
	}
	return strings.Join(out, " ") + "."
}

// benchWorld holds 10,000 memories in runs of 50, a tenth of them edited since, and
// answers an instant before the edits.
func benchWorld(b *testing.B) (*world, time.Time) {
	s, err := boltstore.Open(boltstore.Options{Path: b.TempDir(), NoSync: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	w := newWorldOver(b, s)
	r := rand.New(rand.NewPCG(1, 2))
	var ids []string
	for i := range 10_000 {
		ids = append(ids, w.add(benchText(r), inRun(fmt.Sprint("r", i/50)), tagged("k", "v")))
	}
	then := w.clock.Now()
	for i := 0; i < len(ids); i += 10 {
		w.update(ids[i], benchText(r))
	}
	w.Runs = &runs{summaries: map[string][]string{"r1": {ids[50]}}}
	w.Reranker = rerank.Cross{}
	w.sync(here)
	w.index.asked = nil
	return w, then
}

// BenchmarkOptions tells what a retrieve at 10,000 memories costs without any option,
// with each, and with all of them, in processor time. They take turns with the same
// query, so that what disturbs one disturbs all.
func BenchmarkOptions(b *testing.B) {
	w, then := benchWorld(b)
	long := then.Add(-time.Hour * 1e5)
	window, as := between(&long, nil), asOf(memory.BothAxes, then)
	weights := overriding(Overrides{LexicalWeight: new(.5), RecencyWeight: new(.5), CandidateCount: new(proposals)})
	options := []struct {
		name    string
		changes []func(*Request)
	}{
		{"plain", nil}, {"explain", []func(*Request){explained}}, {"rerank", []func(*Request){reranking}},
		{"expand", []func(*Request){expanding(3, 3)}}, {"expand-most", []func(*Request){expanding(10, 20)}},
		{"window", []func(*Request){window}}, {"asOf", []func(*Request){as}},
		{"superseded", []func(*Request){withSuperseded}}, {"run", []func(*Request){inRunOf("r1")}},
		{"all", []func(*Request){explained, reranking, expanding(3, 3), window, as, withSuperseded, inRunOf("r1"),
			having("k", "v"), weights, anchored(then)}},
	}
	r := rand.New(rand.NewPCG(3, 4))
	took := make([][]time.Duration, len(options))
	for b.Loop() {
		query := strings.Join(strings.Fields(benchText(r))[:6], " ")
		for i, one := range options {
			before := processorTime(b)
			w.ask(query, one.changes...)
			took[i] = append(took[i], processorTime(b)-before)
		}
		w.index.asked = w.index.asked[:0]
	}
	for i, one := range options {
		slices.Sort(took[i])
		b.ReportMetric(float64(took[i][len(took[i])/2].Microseconds()), one.name+"-p50-µs")
		b.ReportMetric(float64(took[i][len(took[i])*99/100].Microseconds()), one.name+"-p99-µs")
	}
}

// processorTime is what this process has used: unlike time on the wall it does not
// tell what else the machine did.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkLongTexts tells what a retrieve of 150 memories of the greatest length costs, by
// script, in processor time.
func BenchmarkLongTexts(b *testing.B) {
	for script, letters := range map[string]struct{ first, count, word int }{
		"latin": {'a', 26, 6}, "cyrillic": {'а', 32, 6}, "kanji": {'一', 2000, 30}, "hangul": {'가', 2000, 4},
	} {
		b.Run(script, func(b *testing.B) {
			w, r := newWorld(b), rand.New(rand.NewPCG(7, 8))
			write := func(length int) string {
				var text strings.Builder
				for i := range length {
					if i%(letters.word+1) == letters.word {
						text.WriteByte(' ')
					} else {
						text.WriteRune(rune(letters.first + min(r.IntN(letters.count), r.IntN(letters.count))))
					}
				}
				return text.String()
			}
			for range 150 {
				w.add(write(16_000), alone)
			}
			w.sync(here)
			before, query := processorTime(b), write(20)
			for b.Loop() {
				w.ask(query)
			}
			b.ReportMetric(float64((processorTime(b)-before).Milliseconds())/float64(b.N), "processor-ms")
		})
	}
}
