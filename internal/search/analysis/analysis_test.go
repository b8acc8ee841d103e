package analysis

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"Anna's dog can't swim.", "anna dog can't swim"},
		{"It’s the dogs’ third “bath”", "it the dogs third bath"},
		{"Paid 1,250.50 on 7-May, room 3b", "paid 1250.50 on 7 may room 3b"},
		{"version 3.5.", "version 3.5"},
		{"Ｆｕｌｌ ﬁsh x²", "full fish x2"},
		{"İstanbul IŞIK ışık", "istanbul işik işik"},
		{"ΟΔΥΣΣΕΥΣ Straße café", "οδυσσευσ strasse café"},
		{"l'été rock'n'roll 'tis", "l'été rock'n'roll tis"},
		{"东京的仓库在星期六关闭。", "东京的仓库在星期六关闭"},
		{"cat猫cat", "cat 猫 cat"},
		{"a\xffb \u0301", "a b"},
		{"snake_case 🎉 e-mail@x.org", "snake case e mail x org"},
	} {
		if got := strings.Join(Words(c.text), " "); got != c.want {
			t.Errorf("Words(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"The cats were running happily", "cat run happili"},
		{"I can't, won't and don't know", "know"},
		{"You're O'Brien, they'll say", "o brien say"},
		{"Café Ångström Łódź naïve", "cafe angstrom lodz naiv"},
		{"10.0.0.1 and 2.5", "10.0.0.1 10 0 0 1 2.5"},
		{"Склад закрыт, ёлка, йод", "склад закрыт елка йод"},
		{"仓库关", "仓 库 仓库 关 库关"},
		{"猫", "猫"},
		{"データの山", "デー ータ タの 山 の山"},
		{"창고가", "창 고 창고 가 고가"},
		{"ที่นี่", "ที่นี่"},
		{"المُسْتَودَع", "المستودع"},
	} {
		if got := strings.Join(Tokens(c.text), " "); got != c.want {
			t.Errorf("Tokens(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

// A text in any script is found by a word of it.
func TestTermsOfEveryScriptAreTokensOfTheText(t *testing.T) {
	for _, c := range []struct{ text, query string }{
		{"东京的仓库在星期六关闭。", "仓库"},
		{"我有一只猫在家", "猫"},
		{"Склад закрыт", "склад"},
		{"المستودع مغلق", "المستودع"},
		{"המחסן סגור", "המחסן"},
		{"창고가 토요일에 닫힌다", "창고"},
		{"倉庫は土曜日に閉まります", "土曜日"},
		{"ﾃﾞｰﾀﾍﾞｰｽを消す", "データベース"},
		{"คลังสินค้าปิดวันเสาร์", "วันเสาร์"},
		{"गोदाम शनिवार को बंद है", "गोदाम"},
		{"Η αποθήκη κλείνει", "ΑΠΟΘΗΚΗ"},
		{"İstanbul'da depo kapalı", "istanbul"},
		{"Das Lager in Köln", "koln"},
	} {
		tokens := Tokens(c.text)
		terms := Terms(c.query)
		if len(terms) == 0 {
			t.Errorf("Terms(%q) is empty", c.query)
		}
		for _, term := range terms {
			if !slices.Contains(tokens, term) {
				t.Errorf("%q of query %q is not in %q", term, c.query, tokens)
			}
		}
	}
}

func TestQuery(t *testing.T) {
	for _, c := range []struct {
		text string
		want Question
	}{
		{"When did Nora visit Lisbon?", Question{AsksTime: true, Names: []string{"nora", "lisbon"}}},
		{"What did Nora do when she was ill?", Question{Names: []string{"nora"}}},
		{"Who laughs when it rains?", Question{}},
		{"How many weeks did my leave take?", Question{AsksTime: true, FirstPerson: true}},
		{"How many boats are there?", Question{}},
		{"Give me an overview of the plan", Question{Summary: true, FirstPerson: true}},
		{"What happened in May?", Question{Months: []Month{{time.May, 0}}}},
		{"What may happen?", Question{}},
		{"Sales of June 2024 and 3 March", Question{Months: []Month{{time.June, 2024}, {time.March, 0}}, Years: []int{2024}}},
		{"On July 4, 2021. Then Ben left", Question{Months: []Month{{time.July, 2021}}, Years: []int{2021}, Names: []string{"ben"}}},
		{"", Question{}},
	} {
		got := Query(c.text)
		if got.AsksTime != c.want.AsksTime || got.FirstPerson != c.want.FirstPerson || got.Summary != c.want.Summary ||
			!slices.Equal(got.Names, c.want.Names) || !slices.Equal(got.Months, c.want.Months) || !slices.Equal(got.Years, c.want.Years) {
			t.Errorf("Query(%q) = %+v, want %+v", c.text, got, c.want)
		}
	}
}

func TestQueryQuoted(t *testing.T) {
	for text, want := range map[string][]string{
		`Who reads "Blue Hours" and “Wet Sand” or «le port»?`: {"Blue Hours", "Wet Sand", "le port"},
		`"" " x " "`:         {"x"},
		`a 5" screw`:         nil,
		"it's Nora's 'kiln'": nil,
		"\xff\"\xff\"":       {"\xff"},
		"":                   nil,
	} {
		if got := Query(text).Quoted; !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestHasName(t *testing.T) {
	for text, want := range map[string]bool{
		"It was Emil.": true, "Emil was here.": false, "We sail in May, I think.": false, "": false,
	} {
		if got := HasName(text); got != want {
			t.Errorf("HasName(%q) = %v", text, got)
		}
	}
}

func TestHasTime(t *testing.T) {
	for text, want := range map[string]bool{
		"We met yesterday":           true,
		"It was last summer":         true,
		"3 years passed":             true,
		"Closed on Sunday":           true,
		"Since 1998":                 true,
		"In May we sail":             true,
		"We may sail":                false,
		"The day was long":           false,
		"They march to the old tune": false,
		"":                           false,
		"It begins at 19:15.":        true, "Come by 7 pm.": true, "It opens at 7am.": true, "At half past six.": true, "Around noon.": true,
		"See pages 19:15.": false, "It costs 7.": false, "She walked past half of them.": false, "The score was 2:1.": false,
	} {
		if got := HasTime(text); got != want {
			t.Errorf("HasTime(%q) = %v", text, got)
		}
	}
}

func TestWithoutNames(t *testing.T) {
	got := WithoutNames("Did Nora’s boat (Nora) sink?", []string{"nora"})
	if got != "Did boat sink?" {
		t.Errorf("got %q", got)
	}
	if got := WithoutNames("Did Nora", nil); got != "Did Nora" {
		t.Errorf("got %q", got)
	}
}

func TestStem(t *testing.T) {
	for word, want := range map[string]string{"running": "run", "cities": "citi", "as": "as", "naïve": "naïve", "b2b": "b2b", "": ""} {
		if got := Stem(word); got != want {
			t.Errorf("Stem(%q) = %q, want %q", word, got, want)
		}
	}
}

func FuzzAnalysis(f *testing.F) {
	for _, seed := range []string{"", "Anna's don't 3.5,2", "东京の倉庫 ที่นี่", "a\xff'\u0301’", "ȷ́İıſßẞ", "1.2.3.4'''s", "\u0e31\u0640"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tokens := Tokens(text)
		if slices.Contains(tokens, "") || slices.Contains(Words(text), "") {
			t.Fatalf("empty token of %q", text)
		}
		if !slices.Equal(tokens, Tokens(text)) {
			t.Fatalf("tokens of %q differ between calls", text)
		}
		for _, term := range Query(text).Terms {
			if !slices.Contains(tokens, term) {
				t.Fatalf("term %q of %q is no token of it", term, text)
			}
		}
		HasTime(text)
	})
}

const sentence = "We moved the printer to the second floor last Thursday because the technician who repairs it could not carry his tools up the narrow stairs anymore, and nobody has complained since"

func BenchmarkTokens(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Tokens(sentence)
	}
}

func BenchmarkTokensUnicode(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Tokens(sentence + " – it’s done")
	}
}
