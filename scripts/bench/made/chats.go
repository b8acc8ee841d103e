package made

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Categories of the assistant chats.
const (
	ofUser = iota + 1
	ofAssistant
	ofTime
	ofSeveral
)

const (
	chatCount   = 4
	domainsEach = 6
	rounds      = 3 // sessions of each domain
)

// chats are talks of a user with an assistant over some months. The user's turns are
// short and hold what the questions ask for; the assistant's are long lists that
// repeat the words of the subject, and at times a proposal that a question asks for.
func chats() []Conversation {
	domains := read("chats")
	var out []Conversation
	for n := range chatCount {
		c := chat{draw: newDraw("chat " + strconv.Itoa(n)), replies: read("replies"), maybe: candidates{}}
		c.Name = "chat " + strconv.Itoa(n+1)
		c.write(some(c.draw, domains, domainsEach))
		out = append(out, c.Conversation)
	}
	return out
}

// chat is a talk in the making.
type chat struct {
	Conversation
	draw
	replies []block
	maybe   candidates
	session int
	date    time.Time
}

func (c *chat) write(domains []block) {
	var all []*domain
	for _, b := range domains {
		all = append(all, newDomain(b, c.draw))
	}
	on := c.between(0, 10)
	for round := range rounds {
		for _, d := range some(c.draw, all, len(all)) {
			c.session++
			c.date = day(on)
			on += c.between(8, 14)
			c.talk(d, round)
		}
	}
	for _, d := range all {
		c.askEvents(d)
	}
	c.Questions = c.maybe.take(c.draw, 13, 5, 6, 2)
}

// add appends a turn and answers its id.
func (c *chat) add(speaker, text string) string {
	id := "T" + strconv.Itoa(len(c.Turns)+1)
	c.Turns = append(c.Turns, Turn{ID: id, Session: "chat-" + strconv.Itoa(c.session), Speaker: speaker, Text: text, Date: c.date})
	return id
}

// talk is a session about one domain: two facts, an event, and turns that only come
// back to the subject, each with the assistant's reply.
func (c *chat) talk(d *domain, round int) {
	steps := []func(){
		func() { c.fact(d, d.facts[2*round]) }, func() { c.fact(d, d.facts[2*round+1]) },
		func() { c.event(d, round) }, func() { c.come(d) }, func() { c.come(d) },
	}
	c.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
	proposal := c.IntN(len(steps))
	for n, step := range steps {
		step()
		if n == proposal && round < len(d.picks) {
			c.propose(d, d.picks[round])
			continue
		}
		c.add("assistant", c.reply(d, ""))
	}
}

// fact is a turn of the user with a fact; a template has what is said, the question
// and the values.
func (c *chat) fact(d *domain, template string) {
	parts := split(template, " | ")
	said := sentence(parts[0], "v", c.of(split(parts[2], "; ")))
	c.maybe.add(ofUser, parts[1], c.add("user", c.around(d, said)))
}

// propose is a reply with a proposal of the assistant.
func (c *chat) propose(d *domain, template string) {
	parts := split(template, " | ")
	said := sentence(parts[0], "v", c.of(split(parts[2], "; ")))
	c.maybe.add(ofAssistant, parts[1], c.add("assistant", c.reply(d, said)))
}

// come is a turn that comes back to the subject and holds no answer.
func (c *chat) come(d *domain) { c.add("user", c.around(d, c.of(d.block["about"]))) }

// around puts a user's sentence among a greeting and a request.
func (c *chat) around(d *domain, said string) string {
	parts := []string{said, c.of(d.block["request"])}
	if c.IntN(3) == 0 {
		parts = slices.Insert(parts, 0, c.of(c.replies[0]["hello"]))
	}
	if c.IntN(4) == 0 {
		parts = append(parts, c.of(d.block["request"]))
	}
	return strings.Join(slices.Compact(parts), " ")
}

// reply is a long answer of the assistant: five to seven tips of the domain in a list,
// each with a sentence or two that fit anything, and a proposal before the end if
// there is one.
func (c *chat) reply(d *domain, proposal string) string {
	r := c.replies[0]
	lines := []string{fill(c.of(r["opening"]), "noun", c.of(d.list("noun"))) + " " + c.of(r["between"]), ""}
	for i, tip := range some(c.draw, d.block["tip"], c.between(5, 7)) {
		head, body, _ := strings.Cut(tip, " | ")
		support := some(c.draw, r["support"], c.between(1, 2))
		lines = append(lines, fmt.Sprintf("%d. **%s**: %s %s", i+1, head, body, strings.Join(support, " ")))
	}
	lines = append(lines, "")
	if proposal != "" {
		lines = append(lines, proposal, "")
	}
	return strings.Join(append(lines, c.of(r["closing"])), "\n")
}
