package made

import (
	"strconv"
	"strings"
)

// Categories of the people's chats.
const (
	leans = iota + 1
	alone
	when
)

var leaning = map[string]int{"leans": leans, "alone": alone, "when": when}

const (
	daysOfTalk   = 26
	scriptsEach  = 36
	bothWays     = 12 // scripts that come a second time with the speakers changed
	fillersShare = 3  // one message of so many begins with a filler
)

var fillers = []string{"haha ", "lol ", "omg ", "hmm ", "ok so ", "btw "}

// peoples are talks of two people on many days: short messages, most of which say
// nothing. The evidence of a question is the message that states the answer, also
// where it makes sense only beside the one before («yeah, the blue one»), as other
// people's sets label it. Some things are told by both, with another answer.
func peoples() []Conversation {
	small := read("smalltalk")[0]
	scripts := read("people")
	var out []Conversation
	for _, names := range small.list("pairs") {
		c := people{small: small, maybe: candidates{}, draw: newDraw("people " + names)}
		c.Name = names
		c.names[0], c.names[1], _ = strings.Cut(names, " & ")
		c.write(scripts)
		out = append(out, c.Conversation)
	}
	return out
}

// people is a talk in the making.
type people struct {
	Conversation
	draw
	small   block
	names   [2]string
	used    []block
	maybe   candidates
	session string
	day     int
}

// exchange is a script with who is its A and the value that was drawn.
type exchange struct {
	block
	a     int
	value string
}

func (c *people) write(scripts []block) {
	c.used = some(c.draw, scripts, scriptsEach)
	var all []exchange
	for n, s := range c.used {
		values := []string{"", ""}
		if s.one("values") != "" {
			values = some(c.draw, s.list("values"), 2)
		}
		first := c.IntN(2)
		all = append(all, exchange{s, first, values[0]})
		if n < bothWays {
			all = append(all, exchange{s, 1 - first, values[1]})
		}
	}
	all = some(c.draw, all, len(all))
	for n := range daysOfTalk {
		c.session = "day-" + strconv.Itoa(n+1)
		c.day += c.between(1, 3)
		c.talk(all[n*len(all)/daysOfTalk : (n+1)*len(all)/daysOfTalk])
	}
	c.Questions = c.maybe.take(c.draw, 13, 8, 5)
}

// talk is one day: greetings, small talk, and the day's exchanges between.
func (c *people) talk(exchanges []exchange) {
	c.say(c.IntN(2), c.of(c.small["hello"]))
	c.chatter(c.between(1, 4))
	for _, e := range exchanges {
		c.exchange(e)
		c.chatter(c.between(1, 4))
	}
	c.say(c.IntN(2), c.of(c.small["bye"]))
}

// chatter is messages without an answer: small talk, or a word of some exchange.
func (c *people) chatter(n int) {
	who := c.IntN(2)
	for range n {
		lines := c.small["small"]
		if c.IntN(3) == 0 {
			lines = c.used[c.IntN(len(c.used))]["noise"]
		}
		c.say(who, c.of(lines))
		who = 1 - who
	}
}

func (c *people) exchange(e exchange) {
	answer, err := strconv.Atoi(e.one("answer"))
	if err != nil {
		panic(err) // a file of this package is broken
	}
	evidence := ""
	for n, line := range e.block["line"] {
		role, text, _ := strings.Cut(line, " ")
		who := e.a
		if role == "B" {
			who = 1 - who
		}
		id := c.say(who, fill(text, "v", e.value))
		if n+1 == answer {
			evidence = id
		}
	}
	c.maybe.add(leaning[e.one("kind")], fill(e.one("ask"), "A", c.names[e.a], "B", c.names[1-e.a]), evidence)
}

func (c *people) say(who int, text string) string {
	if c.IntN(fillersShare) == 0 {
		text = c.of(fillers) + text
	}
	id := "M" + strconv.Itoa(len(c.Turns)+1)
	c.Turns = append(c.Turns, Turn{ID: id, Session: c.session, Speaker: c.names[who], Text: text, Date: day(c.day)})
	return id
}
