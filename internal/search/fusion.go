package search

import (
	"math"
	"slices"
)

// ReciprocalRanks fuses rankings of ids: each ranking adds 1/(k + rank) to an id,
// ranks from 1 (Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", 2009, who
// use k = 60). It needs no scores; where the arms' scores can be compared it was
// measured to lose recall (design: retrieval, section 1).
func ReciprocalRanks(k float64, rankings ...[]string) map[string]float64 {
	out := map[string]float64{}
	for _, ranking := range rankings {
		for i, id := range ranking {
			out[id] += 1 / (k + float64(i+1))
		}
	}
	return out
}

// ZScores are the values less their mean over their standard deviation; all 0
// where the values do not differ.
func ZScores(values []float64) []float64 {
	out := make([]float64, len(values))
	if len(values) == 0 || slices.Min(values) == slices.Max(values) {
		return out
	}
	mean, deviation := spread(values)
	for i, value := range values {
		out[i] = (value - mean) / deviation
	}
	return out
}

// spread answers mean and standard deviation of values that are not empty.
func spread(values []float64) (mean, deviation float64) {
	for _, value := range values {
		mean += value / float64(len(values))
	}
	for _, value := range values {
		deviation += (value - mean) * (value - mean) / float64(len(values))
	}
	return mean, math.Sqrt(deviation)
}

// FuseZScores sums two arms' z-scores of the same candidates, share of the first
// and the rest of the second: a weighted CombSUM (Fox and Shaw, "Combination of
// Multiple Searches", 1994). The sums order candidates of one query and mean
// nothing between queries.
func FuseZScores(share float64, first, second []float64) []float64 {
	out := ZScores(first)
	for i, z := range ZScores(second) {
		out[i] = share*out[i] + (1-share)*z
	}
	return out
}
