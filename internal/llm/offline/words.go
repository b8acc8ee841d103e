package offline

import (
	"slices"
	"strings"
)

func set(list string) map[string]bool {
	out := map[string]bool{}
	for _, word := range strings.Fields(list) {
		out[word] = true
	}
	return out
}

// phrases are rows of words, longest first; they are looked up by their first word.
type phrases map[string][][]string

func newPhrases(list ...string) phrases {
	out := phrases{}
	for _, phrase := range list {
		words := strings.Fields(phrase)
		out[words[0]] = append(out[words[0]], words)
	}
	for _, rows := range out {
		slices.SortStableFunc(rows, func(a, b []string) int { return len(b) - len(a) })
	}
	return out
}

// at answers how many words of the phrase that begins at word i; 0: none does.
func (p phrases) at(low []string, i int) int {
	for _, row := range p[low[i]] {
		if i+len(row) <= len(low) && slices.Equal(low[i:i+len(row)], row) {
			return len(row)
		}
	}
	return 0
}

// in tells whether one of the phrases occurs.
func (p phrases) in(low []string) bool {
	for i := range low {
		if p.at(low, i) > 0 {
			return true
		}
	}
	return false
}

func word(low []string, i int) string {
	if i < 0 || i >= len(low) {
		return ""
	}
	return low[i]
}

var (
	determiners = set("the a an our my his her their its your this that these those each every all some no both")
	pronouns    = set("it this that these those they he she there which who him them")
	auxiliaries = set(`am is are was were be been has have had do does did will would can could shall should may might
		must isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't won't wouldn't can't cannot couldn't
		shouldn't mustn't`)
	adverbs = set(`always never usually often really also just still only mostly sometimes rarely currently now both
		definitely absolutely actually generally normally typically finally already much`)
	prepositions = set(`of at by for with about to from in on as into onto over under between after before during since
		until per via behind near through within without against around along`)
	weekdays = set(`monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
		saturdays sundays`)
)

// verbs are the forms of English verbs that tell what somebody is, has or does.
var verbs = func() map[string]bool {
	out := formsOf(baseVerbs)
	for verb := range pasts {
		out[verb] = true
	}
	return out
}()

// formsOf answers the regular forms of verbs. It makes some that do not exist, which
// no text has.
func formsOf(list string) map[string]bool {
	out := map[string]bool{}
	for verb := range strings.FieldsSeq(list) {
		last := verb[len(verb)-1:]
		short := strings.TrimSuffix(verb, "e")
		for _, form := range []string{verb, verb + "s", verb + "es", short + "ed", short + "ing", verb + last + "ed", verb + last + "ing"} {
			out[form] = true
		}
		if stem, ok := strings.CutSuffix(verb, "y"); ok {
			out[stem+"ies"], out[stem+"ied"] = true, true
		}
	}
	return out
}

const baseVerbs = `accept achieve add adopt agree allow answer apply approve arrive ask assign attend avoid bake become begin belong book break
	bring brush build bump buy call cancel carry change charge check choose claim clean click collect come commit compare
	compile complete configure connect consist contact contain cook cool copy cost count cover create cut deal decide delete
	deliver depend deploy design develop die do download drain draw dream drink drive drop earn eat edit enable encrypt enjoy
	enter expect expire fail fall feed feel file fill find finish fit fix fly follow forget freeze fry get give go grow handle
	happen hate have heat help hire hold host import improve include increase install invest invite irritate join keep know
	launch lead learn leave lend let like list live load lock log look lose love make manage mark match measure meet merge
	migrate mix mount move need notify offer open order organise organize pack paint park pass pay pick plan plant play pour
	prefer prepare press print produce promise provide publish pull push put raise reach read rebuild receive recommend record
	reduce refuse register release remain remember remove renew rent repair repeat replace reply report require rescue reserve
	reset resize resolve rest restart restore retire return review ride ring rinse roast roll run save say see seem select sell
	send serve set share ship show shut sign sing sit sleep smoke speak spend stand start stay stir stop store study submit
	suffer suggest support swim switch tag take talk teach tell test throw train transfer travel try turn type unlock unplug
	update upgrade upload use verify visit vote wait wake walk want wash watch water wear weigh win wipe work wrap write`

const pastVerbs = `ate began bought broke brought built came chose did drank drew drove fell felt flew forgot found froze gave got grew
	heard held kept knew left lent lost made meant met paid ran rode sang sat saw sent slept sold spent spoke stood swam taken taught
	thought threw told took went woke won wore written wrote done gone born`

// isVerb tells whether a small word is a form of a verb that is known, or an
// auxiliary.
func isVerb(low string) bool { return auxiliaries[low] || verbs[low] }

var (
	bases = set(baseVerbs)
	pasts = set(pastVerbs)
)

// isBase tells whether a small word is the plain form of a known verb, as orders have.
func isBase(low string) bool { return bases[low] }
