package main

import (
	"html"
	"math"
	"slices"
	"strings"
	"time"
)

// recallAt is the share of the relevant ids among the first k.
func recallAt(ranked []string, relevant map[string]bool, k int) float64 {
	found := 0
	for _, id := range ranked[:min(k, len(ranked))] {
		if relevant[id] {
			found++
		}
	}
	return float64(found) / float64(len(relevant))
}

// those are ids as a set.
func those(ids []string) map[string]bool {
	out := map[string]bool{}
	for _, id := range ids {
		out[id] = true
	}
	return out
}

// ndcgAt is the normalised discounted cumulative gain of the first k with binary
// relevance: sum of 1/log2(rank+1) over the best possible sum (Järvelin and
// Kekäläinen, 2002).
func ndcgAt(ranked []string, relevant map[string]bool, k int) float64 {
	gain, best := 0.0, 0.0
	for i := range k {
		weight := 1 / math.Log2(float64(i)+2)
		if i < len(ranked) && relevant[ranked[i]] {
			gain += weight
		}
		if i < len(relevant) {
			best += weight
		}
	}
	return gain / best
}

// hitAt tells whether one of the first k distinct names is wanted.
func hitAt(ranked []string, wanted map[string]bool, k int) bool {
	seen := make(map[string]bool, k)
	for _, name := range ranked {
		seen[name] = true
		if len(seen) > k {
			return false
		}
		if wanted[name] {
			return true
		}
	}
	return false
}

// plain takes out what a block may do to a text without changing its words:
// escaping (T.28) and line breaks.
func plain(text string) string {
	return strings.Join(strings.Fields(html.UnescapeString(text)), " ")
}

// quantile is the smallest value that at least the share q of all does not exceed;
// the values must be sorted.
func quantile(sorted []time.Duration, q float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	i := int(math.Ceil(q*float64(len(sorted)))) - 1
	return sorted[max(0, i)]
}

// latency sums up how long calls took.
type latency struct {
	P50, P95, P99 time.Duration
	Calls         int
}

func summarize(took []time.Duration) latency {
	slices.Sort(took)
	return latency{quantile(took, .50), quantile(took, .95), quantile(took, .99), len(took)}
}

// median is the middle value, the lower one of two; zero for none.
func median[T float64 | time.Duration | int64](values []T) T {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)/2]
}

// medianLatency takes the median of each figure by itself.
func medianLatency(runs []latency) latency {
	var p50, p95, p99 []time.Duration
	calls := 0
	for _, r := range runs {
		p50, p95, p99 = append(p50, r.P50), append(p95, r.P95), append(p99, r.P99)
		calls += r.Calls
	}
	return latency{median(p50), median(p95), median(p99), calls}
}
