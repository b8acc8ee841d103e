package memory

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestR034ExactFormFoldsCaseCompositionAndSpace(t *testing.T) {
	text := "Jürgen waters the Fuchsias at Café Noir."
	for _, twin := range []string{
		strings.ToUpper(text), strings.ToLower(text), norm.NFD.String(text), "  " + strings.ReplaceAll(text, " ", "\u00a0\t\n"),
	} {
		if exactForm(twin) != exactForm(text) {
			t.Errorf("%q differs from %q", twin, text)
		}
	}
	for _, other := range []string{"Jurgen waters the Fuchsias at Café Noir.", "Jürgen waters the Fuchsias at Café Noir"} {
		if exactForm(other) == exactForm(text) {
			t.Errorf("%q equals %q", other, text)
		}
	}
	if exactForm("an area of 10² m") == exactForm("an area of 102 m") {
		t.Error("compatibility forms were made plain")
	}
	if exactForm("STRASSE") != exactForm("straße") {
		t.Error("full case folding is missing")
	}
}

func TestA01NearFormJoinsWhatSaysTheSame(t *testing.T) {
	for _, pair := range [][2]string{
		{"The crew keeps all of the ropes in the loft.", "Crew keeps all the ropes in a loft"},
		{"A gull is circling the mast.", "The gulls circle a mast!"},
		{"We order three crates on Mondays.", "We order 3 crates on Monday"},
		{"The pilot said that the channel is deep.", "the pilot said the channel was deep"},
		{"It's the harbour master's launch.", "It is a harbour master launch"},
		{"The crew can't weigh anchor.", "The crew cannot weigh anchor"},
		{"We don't paint the hull, we've varnished it.", "We do not paint the hull, we have varnished it."},
		{"The U.S. coast guard meets at 5 p.m.", "The US coast guard meets at 5 pm"},
		{"The harbour centre is organising a regatta.", "The harbor center is organizing a regatta."},
		{"There are two tugs out at sea.", "Two tugs are out at sea."},
		{"Well, the buoy is loose.", "The buoy is loose."},
		{"A white and black gull sits there.", "A black and white gull is sitting there."},
		{"The 'quiet' berth is free.", "The quiet berth is free."},
		{"Load falls by 5 percent.", "The load falls by 5%."},
	} {
		if formsOf(pair[0]).near != formsOf(pair[1]).near {
			t.Errorf("%q\n%q\n%s\n%s", pair[0], pair[1], formsOf(pair[0]).near, formsOf(pair[1]).near)
		}
	}
}

// A wrong merge loses what was said; each of these pairs says two things.
var apart = []struct{ why, one, two string }{
	{"number", "The pump starts at 4 bar.", "The pump starts at 6 bar."},
	{"number word", "The pump starts at four bar.", "The pump starts at six bar."},
	{"decimal", "The probe reads 3.5 volts.", "The probe reads 35 volts."},
	{"minus", "The cellar is kept at -5 degrees.", "The cellar is kept at 5 degrees."},
	{"time of day", "The gate opens at 10:30.", "The gate opens at 1030."},
	{"version", "Port the script to 3.12.1.", "Port the script to 3.12.2."},
	{"currency", "The berth costs €20 a night.", "The berth costs $20 a night."},
	{"percent", "Fill the tank to 80%.", "Fill the tank to 80."},
	{"negation", "Guests may use the crane.", "Guests may not use the crane."},
	{"contracted negation", "The door does lock.", "The door doesn't lock."},
	{"never", "Ines always moors astern.", "Ines never moors astern."},
	{"name", "Marta repairs the sails.", "Pavel repairs the sails."},
	{"order of names", "Marta answers to Pavel.", "Pavel answers to Marta."},
	{"order of names without capitals", "marta hired pavel", "pavel hired marta"},
	{"name in a name", "Ann runs the chandlery.", "Annabel runs the chandlery."},
	{"preposition of time", "Pay the fee before 9 June.", "Pay the fee after 9 June."},
	{"preposition of place", "The flare is under the bench.", "The flare is on the bench."},
	{"direction", "Ferries run from Kiel to Oslo.", "Ferries run from Oslo to Kiel."},
	{"language", "The parser is written in C++.", "The parser is written in C#."},
	{"plus", "The driver is for C.", "The driver is for C++."},
	{"question", "The winch is greased?", "The winch is greased."},
	{"emoji", "Inspection day 🙂", "Inspection day 🙁"},
	{"derived word", "The organ is being restored.", "The organization is being restored."},
	{"derived word", "The internal audit begins.", "The international audit begins."},
	{"tense", "The lab uses helium.", "The lab used helium."},
	{"modal", "The tug can leave.", "The tug must leave."},
	{"pronoun", "He lent her the chart.", "She lent him the chart."},
	{"quantity", "Some lamps are broken.", "All lamps are broken."},
	{"script", "会议在星期五。", "会议在星期四。"},
	{"other script", "Катер ушёл утром.", "Катер ушёл вечером."},
	{"address", "Logs go to /var/log/app.", "Logs go to var log app."},
	{"sign alone", "...", "-"},
	{"degree", "So many gulls are here.", "Many gulls are here."},
	{"manner", "Well built boats last.", "Built boats last."},
	{"place", "The tug is there.", "The tug is."},
	{"denied place", "There is no tug.", "There is a tug."},
	{"order of acts", "Stop the pump and drain it.", "Drain it and stop the pump."},
	{"order of what acts", "The tug tows the barge.", "The barge tows the tug."},
	{"no contraction", "The gate wont open.", "The gate will not open."},
	{"hour of four", "An hour passes.", "An hor passes."},
	{"possessive", "Its mast broke.", "The mast broke."},
	{"dotted number", "Use 1.2.", "Use 12."},
}

func TestA01NearFormKeepsApartWhatDiffers(t *testing.T) {
	for _, pair := range apart {
		if one, two := formsOf(pair.one).near, formsOf(pair.two).near; one == two {
			t.Errorf("%s: %q and %q are both %q", pair.why, pair.one, pair.two, one)
		}
	}
}

func TestA05ValueFormForgivesPunctuationOnly(t *testing.T) {
	value := func(text string) string { return formsOf(text).value }
	for _, same := range []string{"The harbour pilot is Mrs. Olde", "  the HARBOUR pilot, is Mrs Olde.  ", "«The harbour pilot is Mrs Olde»"} {
		if value(same) != value("The harbour pilot is Mrs Olde.") {
			t.Errorf("%q is another value", same)
		}
	}
	for _, different := range []string{"The harbour pilot is Mrs Older.", "The harbour pilots are Mrs Olde.", "Harbour pilot is Mrs Olde."} {
		if value(different) == value("The harbour pilot is Mrs Olde.") {
			t.Errorf("%q is the same value", different)
		}
	}
}

func FuzzNormalForms(f *testing.F) {
	for _, pair := range apart {
		f.Add(pair.one)
		f.Add(pair.two)
	}
	for _, seed := range []string{"", " ", "\xff\xfe", "İstanbul", "ǰ ΐ ﬃ", "a\u0345b", "1.2.3,4", "-1 --2 ٣ ४", "👩\u200d🚀", "x\u00adx"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			formsOf(text)
			return
		}
		exact := exactForm(text)
		if exactForm(exact) != exact {
			t.Errorf("the exact form of an exact form is another: %q", exact)
		}
		spaced := "\t" + strings.Join(strings.Fields(text), " \n ") + " "
		if exactForm(spaced) != exact {
			t.Errorf("white space counts in %q", text)
		}
		if f := formsOf(text); exact != "" && (f.near == "" || f.value == "") {
			t.Errorf("%q has no near form", text)
		}
		if exactForm(norm.NFD.String(text)) != exact || exactForm(norm.NFC.String(text)) != exact {
			t.Errorf("composition counts in %q", text)
		}
	})
}

func TestUnitsKeepEverySignThatMeansSomething(t *testing.T) {
	for text, want := range map[string][]string{
		"c++ and c#":           {"c", "+", "+", "and", "c", "#"},
		"well-known, isn't it": {"well", "known", "isn't", "it"},
		"from -5 to 10:30":     {"from", "-", "5", "to", "10", ":", "30"},
		"3.5 and .5":           {"3.5", "and", ".", "5"},
		"...":                  {"..."},
	} {
		if got := units(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
