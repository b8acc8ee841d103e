package analysis

import (
	"strings"
	"testing"
)

func TestFingerprint(t *testing.T) {
	same := Fingerprint("The kiln, Nora's, is HOT!")
	if same == 0 || same != Fingerprint("the kiln nora’s is hot") {
		t.Error("case and signs count")
	}
	for _, other := range []string{"kiln the nora is hot", "the kiln is hot", "thekiln nora is hot"} {
		if Fingerprint(other) == same {
			t.Errorf("%q is the same", other)
		}
	}
	if Fingerprint("") != 0 || Fingerprint("?!") != 0 {
		t.Error("no words have a fingerprint")
	}
}

// Texts of the same words have the same start, whatever stands between the words.
func TestStart(t *testing.T) {
	long := strings.Repeat("the kiln of Nora is hot and ", 60)
	for name, pair := range map[string][2]string{
		"short": {"The kiln, Nora's, is HOT!", "the kiln nora’s is hot"}, "long": {long, strings.ToUpper(strings.ReplaceAll(long, " ", " — "))},
		"far apart": {strings.ReplaceAll(long, " ", strings.Repeat(" ", 300)), long}, "one word": {strings.Repeat("窯", 3000) + "!", strings.Repeat("窯", 3000)},
	} {
		if Fingerprint(pair[0]) != Fingerprint(pair[1]) {
			t.Fatal(name)
		}
		if Start(pair[0]) == 0 || Start(pair[0]) != Start(pair[1]) {
			t.Errorf("%s: another start", name)
		}
	}
	if Start(long+"old") != Start(long) || Start("old "+long) == Start(long) {
		t.Error("not the first words count")
	}
	if Start("?!") != 0 {
		t.Error("no words have a start")
	}
}

func FuzzStart(f *testing.F) {
	f.Add("kiln ", ", ", uint8(200))
	f.Add("窯の釉薬。", "é", uint8(90))
	f.Fuzz(func(t *testing.T, text, between string, times uint8) {
		one, other := strings.Repeat(text+" ", int(times)), strings.Repeat(text+between, int(times))
		if Fingerprint(one) == Fingerprint(other) && Start(one) != Start(other) {
			t.Errorf("%q and %q, %d times", text, between, times)
		}
	})
}
