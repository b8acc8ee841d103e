package rank

import "math"

// rescoreOdds is how much the best opinion of a second scorer multiplies the odds of
// a score, and the worst divides them.
const rescoreOdds = 3

// Rescored is a score after a second scorer gave it an opinion from 0 to 1: the odds
// of the score times rescoreOdds to the power of 2·opinion - 1. So .5 leaves it as it
// is, a score of .5 moves between .25 and .75, nothing leaves 0 to 1, and both a
// higher score and a higher opinion give no lower result.
func Rescored(score, opinion float64) float64 {
	score, opinion = min(1, max(0, score)), min(1, max(0, opinion))
	factor := math.Pow(rescoreOdds, 2*opinion-1)
	return score * factor / (float64(score*factor) + (1 - score))
}
