package analysis

import (
	"strings"
	"testing"
)

func TestWithoutSince(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "The port is 25.": "The port is 25.",
		"As of 4 May 2031, the port is 25.":         "the port is 25.",
		"As of May 4, 2031, the port is 25.":        "the port is 25.",
		"as of the 4th of May 2031 the port is 25":  "the port is 25",
		"Since March the port is 25.":               "the port is 25.",
		"The port is 25 since 2031-05-04.":          "The port is 25",
		"The port is 25 effective 1 June.":          "The port is 25",
		"From 2 May on the port is 25.":             "the port is 25.",
		"From now on the port is 25.":               "the port is 25.",
		"From this quarter on, the port is 25.":     "the port is 25.",
		"The port is 25 from next Monday.":          "The port is 25",
		"From this port ships leave.":               "From this port ships leave.",
		"The shop is open from today to Monday.":    "The shop is open from today to Monday.",
		"The port changed from 25 to 26.":           "The port changed from 25 to 26.",
		"She lived there from 2019 to 2021.":        "She lived there from 2019 to 2021.",
		"Since 25 it is open.":                      "Since 25 it is open.",
		"At the moment the port is 25.":             "the port is 25.",
		"These days, it is 25.":                     "it is 25.",
		"Since last week it is 25.":                 "it is 25.",
		"At the moment":                             "",
		"At the mill these ships load.":             "At the mill these ships load.",
		"As of now, the port is 25.":                "the port is 25.",
		"It is as old as the port.":                 "It is as old as the port.",
		"The letter from Ana came.":                 "The letter from Ana came.",
		"She knows it since":                        "She knows it since",
		"As of":                                     "As of",
		"Starting May, 5 people work on the tower.": "5 people work on the tower.",
	} {
		if got := WithoutSince(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzWithoutSince(f *testing.F) {
	for _, seed := range []string{"As of the 4th of May 2031, it is\u00a025", "since\xff 2031-05-04 . from , May", "starting 12. May 2031\nuntil"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := WithoutSince(text)
		if len(got) > len(text) {
			t.Fatalf("%q became %q", text, got)
		}
		for word := range strings.FieldsSeq(got) {
			if !strings.Contains(text, word) {
				t.Fatalf("%q of %q is none of its words", word, text)
			}
		}
	})
}
