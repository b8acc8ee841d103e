package apikey

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

const someID = "0190c4a2-7e15-7b3c-9d21-5f60718293a4"

var keyForm = regexp.MustCompile(`^holdfast_[0-9a-f]{32}_[0-9A-Za-z]{43}\z`)

func someSecret(fill byte) string {
	secret, err := NewSecret(bytes.NewReader(bytes.Repeat([]byte{fill}, secretBytes)))
	if err != nil {
		panic(err)
	}
	return secret
}

func TestT2KeyTextIsLettersDigitsAndUnderscore(t *testing.T) {
	for _, fill := range []byte{0x00, 0x01, 0x7f, 0xff} {
		if text := Format(someID, someSecret(fill)); !keyForm.MatchString(text) {
			t.Errorf("key of bytes %#x has another form: %d bytes", fill, len(text))
		}
	}
}

func TestT2SecretHoldsAll256Bits(t *testing.T) {
	seen := map[string]bool{}
	for bit := range 256 {
		raw := make([]byte, secretBytes)
		raw[bit/8] = 1 << (bit % 8)
		secret, err := NewSecret(bytes.NewReader(raw))
		if err != nil || len(secret) != secretLength || seen[secret] {
			t.Fatalf("bit %d: %d digits, error %v, or a secret seen before", bit, len(secret), err)
		}
		seen[secret] = true
	}
}

func TestT2NoRandomnessNoKey(t *testing.T) {
	s := New(Options{Random: bytes.NewReader(make([]byte, secretBytes-1))})
	if _, err := s.Issue(Principal{KeyID: someID}); err == nil {
		t.Fatal("a key was made of too little randomness")
	}
}

func TestT2ParseAcceptsOnlyWhatFormatMakes(t *testing.T) {
	good := Format(someID, someSecret(7))
	if id, secret, ok := Parse(good); !ok || id != someID || secret != someSecret(7) {
		t.Fatalf("Parse = %q, %v", id, ok)
	}
	bad := map[string]string{
		"empty": "", "prefix only": Prefix, "short": good[:len(good)-1], "long": good + "a",
		"space before": " " + good[1:], "other prefix": "holdfish_" + good[len(Prefix):],
		"upper-case prefix": "HOLDFAST_" + good[len(Prefix):],
		"upper-case id":     Prefix + strings.Replace(good[len(Prefix):], "c4a2", "C4A2", 1),
		"letter in id":      Prefix + "g" + good[len(Prefix)+1:],
		"hyphen for _":      strings.Replace(good, "_"+someSecret(7), "-"+someSecret(7), 1),
		"_ in secret":       good[:len(good)-1] + "_",
		"NUL in secret":     good[:len(good)-1] + "\x00",
		"ü in secret":       good[:len(good)-2] + "ü",
		"hyphened id":       Prefix + someID + "_" + someSecret(7),
	}
	for name, text := range bad {
		if _, _, ok := Parse(text); ok {
			t.Errorf("%s: accepted", name)
		}
	}
}

func FuzzT2ParseIsTheInverseOfFormat(f *testing.F) {
	good := Format(someID, someSecret(9))
	for _, seed := range []string{good, good[:50], good + "x", "", Prefix, strings.ToUpper(good), "Bearer " + good, "holdfast_a_b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		id, secret, ok := Parse(text)
		if ok != keyForm.MatchString(text) {
			t.Errorf("accepted: %v", ok)
		}
		if ok && Format(id, secret) != text {
			t.Error("a text was accepted that Format does not make")
		}
	})
}
