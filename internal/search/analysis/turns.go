package analysis

// turning verbs tell of an event after which something is otherwise: joined a developer,
// was promoted, traded in the Nikon.
var turning = set(`joined started began settled enrolled signed hired fired sacked adopted appointed elected promoted
	demoted married divorced bought got took moved relocated transferred switched changed replaced swapped
	traded upgraded downgraded converted raised lowered cut doubled halved extended shortened postponed
	rescheduled rebooked pushed brought granted assigned reassigned passed turned transplanted pulled torn
	ported rewritten rebuilt renamed merged split opened became came went put set gave given handed quit
	dropped stopped ended cancelled canceled closed retired resigned died sold returned lost left decided
	chose picked prescribed broke grew adjusted corrected measured introduced rolled renewed installed`)

// framing words tell since when something is so, and outsets do where a text begins with them.
var (
	framing = set("since lately now nowadays currently instead")
	outsets = set("after following with today recently")
)

// Turns tells by the words of a text that it says of an event that changed something, or
// since when something is so. English only.
func Turns(words []string) bool {
	for i, word := range words {
		if (turning[word] || framing[word] || i == 0 && outsets[word] || word == "rather" && at(words, i+1) == "than") && !isDenied(words, i) {
			return true
		}
	}
	return false
}
