package made

import "time"

// Conversation is a talk, or a folder of facts, with labelled questions.
type Conversation struct {
	Name      string
	Turns     []Turn // in the order of the talk
	Questions []Question
}

// Turn is one message or one fact.
type Turn struct {
	ID      string // unique in the conversation
	Session string // empty: there are no sessions
	Speaker string // empty: a text of nobody
	Text    string
	Date    time.Time // of the session
}

// Question is asked of one conversation.
type Question struct {
	Text     string
	Category int      // from 1; what it means is the set's business
	Evidence []string // ids of the turns that answer it, each of which exists; never empty
	// Adversarial questions ask for what the evidence does not say; they find it, but
	// having it in a prompt answers nothing.
	Adversarial bool
}

// Set is conversations of one shape.
type Set struct {
	Name  string
	Kinds []string // names of the categories, from category 1 on
	Talks []Conversation
}

// Sets are the generated talks: with an assistant, of people, and folders of facts.
func Sets() []Set {
	return []Set{
		{"assistant chats", []string{"user's turn", "assistant's turn", "time", "several turns"}, chats()},
		{"people's chats", []string{"leans on the turn before", "stands alone", "time"}, peoples()},
		{"short facts", []string{"named", "described", "several facts"}, folders()},
	}
}

// candidates are what could be asked, by category.
type candidates map[int][]Question

func (c candidates) add(category int, text string, evidence ...string) {
	c[category] = append(c[category], Question{Text: text, Category: category, Evidence: evidence})
}

// take draws so many of each category, from category 1 on.
func (c candidates) take(d draw, counts ...int) []Question {
	var out []Question
	for i, n := range counts {
		out = append(out, some(d, c[i+1], n)...)
	}
	return out
}
