package main

import (
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strconv"
)

// noted is what the data's makers noted from one session, as short facts in the third
// person: by speaker, each with the turns it comes from.
type noted map[string][][]json.RawMessage

var turnIDs = regexp.MustCompile(`D\d+:\d+`)

var errFact = errors.New("a fact is no pair of text and turns")

// facts are the short facts of a conversation as texts of nobody, with those of its
// questions that a fact answers: one that comes from a turn of the evidence.
func (r rawConversation) facts(c conversation) (conversation, error) {
	out := conversation{Name: c.Name + " facts"}
	from := map[string][]string{} // turn id → ids of facts
	session := ""
	for _, t := range c.Turns {
		if t.Session == session {
			continue
		}
		session = t.Session
		if err := note(&out, r.Observation[session+"_observation"], t, from); err != nil {
			return out, err
		}
	}
	for _, q := range c.Questions {
		var evidence []string
		for _, id := range q.Evidence {
			evidence = append(evidence, from[id]...)
		}
		if len(evidence) > 0 {
			q.Evidence = unique(evidence)
			out.Questions = append(out.Questions, q)
		}
	}
	return out, nil
}

// note adds the facts of the session that begins with a turn.
func note(c *conversation, of noted, first turn, from map[string][]string) error {
	for _, speaker := range slices.Sorted(maps.Keys(of)) {
		for _, pair := range of[speaker] {
			if len(pair) != 2 {
				return errFact
			}
			fact := turn{ID: "F" + strconv.Itoa(len(c.Turns)), Session: first.Session, Date: first.Date}
			if err := json.Unmarshal(pair[0], &fact.Text); err != nil {
				return err
			}
			c.Turns = append(c.Turns, fact)
			for _, id := range turnIDs.FindAllString(string(pair[1]), -1) {
				from[id] = append(from[id], fact.ID)
			}
		}
	}
	return nil
}
