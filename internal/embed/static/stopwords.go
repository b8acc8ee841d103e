package static

import "strings"

// stopWords are pieces that weigh nothing: English function words, the
// interjections of talk, and what is left of clitics once the apostrophe has
// split them. That they are zero is what matters most about the weights; words of
// negation (no, not, nor, never) keep theirs. README.md has the effect.
var stopWords = wordSet(`
	a an the this that these those same such own other some any each few both all
	i me my mine myself we us our ours ourselves you your yours yourself yourselves
	he him his himself she her hers herself it its itself they them their theirs themselves
	am is are was were be been being do does did has have had having doing
	will would can could should
	and or but if so as at by for from in into of on to with than then because while
	about above after again against before below between down during further off
	once only out over through under until up very just more most too now also
	how what when where which who whom why there here
	hey hi oh ok okay yeah yes wow thank thanks really
	m re ve d ll s t don didn doesn isn ain wasn weren aren couldn wouldn shouldn hasn haven hadn`)

func wordSet(list string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}
