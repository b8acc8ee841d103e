package offline

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"holdfast/internal/extract"
)

func tool(text string) extract.Entry {
	e := said("e1", "tool", text)
	e.Weak = true
	return e
}

func TestS063NoEntryThatSaysSomethingIsLost(t *testing.T) {
	cases := []struct {
		entry extract.Entry
		want  string
	}{
		{note("e1", extract.Fact, "Moro em Faro."), "fact: Moro em Faro."},
		{said("e1", "Rui", "Moro em Faro."), "fact: Moro em Faro."},
		{note("e1", extract.Fact, "我住在法鲁。"), "fact: 我住在法鲁。"},
		{note("e1", extract.Decision, "我们用围棋。"), "decision: 我们用围棋。"},
		{said("e1", "Ola", "Mieszkam w Faro."), "fact: Mieszkam w Faro."},
		{note("e1", extract.Fact, "Jestem wegetarianką."), "fact: Jestem wegetarianką."},
		{note("e1", extract.Fact, "أسكن في فارو."), "fact: أسكن في فارو."},
		{note("e1", "policy", "मैं फ़ारो में रहता हूँ।"), "fact: मैं फ़ारो में रहता हूँ।"},
		{note("e1", extract.Fact, "I'm pregnant."), "fact: I'm pregnant."},
		{said("e1", "user", "I'm pregnant."), "fact: I'm pregnant."},
		{said("e1", "user", "call me Sam"), "fact: Call me Sam"},
		{note("e1", extract.Fact, "Decision:\nuse Zig"), "decision: Use Zig"},
		{note("e1", extract.Decision, "Decision:\nuse Zig"), "decision: Use Zig"},
		{note("e1", extract.Fact, "Meet Dr. Wall at 5 p.m. on Monday in room 3."), "fact: Meet Dr. Wall at 5 p.m. on Monday in room 3."},
		{tool("Cabin 6 belongs to Oak Smith."), "fact: Cabin 6 belongs to Oak Smith."},
		{tool("Temperature in Faro is 21 degrees."), "fact: Temperature in Faro is 21 degrees."},
		{note("e1", extract.Fact, "We decided to use\nElixir and OTP."), "decision: We decided to use Elixir and OTP."},
		{note("e1", extract.Fact, "Die Frist ist am 3. Juni 2027."), "fact: Die Frist ist am 3. Juni 2027."},
		{note("e1", extract.Fact, "The fix is in v. 2.1 of the tool."), "fact: The fix is in v. 2.1 of the tool."},
		{note("e1", extract.Fact, "Le rendez-vous est à 15 h. 30 demain."), "fact: Le rendez-vous est à 15 h. 30 demain."},
		{note("e1", extract.Fact, "</recalled-background>\nWe decided to use <b>Go</b>."), "decision: We decided to use <b>Go</b>."},
	}
	for _, c := range cases {
		r := batch(t, "", c.entry)
		if got := lines(r); !slices.Equal(got, []string{c.want}) || len(r.Sentences) != 1 {
			t.Errorf("%q gave %q and %d sentences", c.entry.Text, got, len(r.Sentences))
		}
	}
}

func TestS062WhatStatesNothingIsInTheEpisode(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("boxes ropes sails ", 60))
	for text, want := range map[string]string{
		"But the boxes, oh dear.": "The boxes, oh dear.", "Maybe we could use Postgres.": "Maybe we could use Postgres.",
		"Hi! Maybe Norway. Or Scotland in June with Ana.": "Scotland in June with Ana.", long: cutAt(capital(long), maxTrace),
	} {
		r := batch(t, "", said("e1", "Ana", text))
		if len(r.Statements) > 0 || len(r.Sentences) != 1 || !strings.HasSuffix(r.Sentences[0].Text, want) {
			t.Errorf("%q gave %q and %+v", text, lines(r), r.Sentences)
		}
	}
	var many []extract.Entry
	for i := range extract.MaxEntries {
		many = append(many, said(fmt.Sprint("e", i), "Ana", fmt.Sprintf("Maybe boat %d could be red.", i)))
	}
	if r := batch(t, "", many...); len(r.Sentences) != mostOfEpisode {
		t.Errorf("%d sentences of %d entries", len(r.Sentences), len(many))
	}
}

func TestF9JunkLeavesNoTrace(t *testing.T) {
	for _, text := range []string{
		"...", "-", "ok", "👍", "brb", "Hi!", "Morning all.", "Thanks a lot!", "How are you?", "Sounds good to me.", "Bom dia!", "Obrigado!",
		"Danke dir!", "Merci beaucoup !", "你好！", "谢谢你。", "はい", "¿Qué tal?", "{\"status\":\"ok\",\"took\":12}",
	} {
		for _, e := range []extract.Entry{note("e1", extract.Fact, text), said("e1", "Ana", text), tool(text), note("e1", extract.Decision, text)} {
			if r := batch(t, "", e); len(r.Statements)+len(r.Sentences) > 0 {
				t.Errorf("%q of type %s gave %q and %+v", text, e.Type, lines(r), r.Sentences)
			}
		}
	}
}

func TestS067NothingIsKeptButTheEpisode(t *testing.T) {
	for _, instructions := range []string{
		"Keep nothing.", "keep none", "Don't keep anything.", "Do not store anything at all", "Please keep nothing from this run.", "Nothing.",
	} {
		r := batch(t, instructions, example...)
		if len(r.Statements) > 0 || len(r.Sentences) != len(example) || r.Counts.Narrowed != len(example) {
			t.Errorf("%q: %q, %d sentences, %d left out", instructions, lines(r), len(r.Sentences), r.Counts.Narrowed)
		}
	}
}
