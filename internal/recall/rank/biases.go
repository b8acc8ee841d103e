package rank

import "math"

// importance is the bias of a candidate's importance.
func (r *ranking) importance(c *Candidate) float64 {
	if c.Importance == nil {
		return 1
	}
	return bias(r.options.ImportanceWeight, *c.Importance)
}

// recency is the bias of a candidate's age: half of it is lost every half-life.
func (r *ranking) recency(c *Candidate) float64 {
	if r.options.RecencyWeight <= 0 || r.options.Anchor.IsZero() {
		return 1
	}
	halfLife := r.options.HalfLife
	if halfLife <= 0 {
		halfLife = DefaultHalfLife
	}
	age := max(0, r.options.Anchor.Sub(c.RecordedAt))
	return bias(r.options.RecencyWeight, math.Exp2(-age.Hours()/halfLife.Hours()))
}

// bias turns a value from 0 to 1 into a factor: with weight 1 from one half to
// two, with weight 0 always 1 (R0.81).
func bias(weight, value float64) float64 {
	weight, value = min(1, max(0, weight)), min(1, max(0, value))
	return math.Exp2(weight * (2*value - 1))
}
