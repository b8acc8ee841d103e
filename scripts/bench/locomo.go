package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"holdfast/scripts/bench/made"
)

// What is asked about has one form, whether it is generated or a LoCoMo dialogue
// (https://github.com/snap-research/locomo). In the latter, ids are «D3:7» (dialogue 3,
// turn 7), dates are taken as UTC since the data names no time zone, and categories are
// 1 multi-hop, 2 time, 3 open, 4 single-hop, 5 adversarial.
type (
	conversation = made.Conversation
	turn         = made.Turn
	question     = made.Question
)

const adversarial = 5

// errNoData says that the folder holds no conversations.
var errNoData = errors.New("no conversations there")

// readLocomo reads the conversations. Questions without evidence, or whose evidence
// names a turn that does not exist, are left out and counted.
// The facts that were noted from each conversation are answered beside it.
func readLocomo(folder string) (all, facts []conversation, left int, err error) {
	text, err := os.ReadFile(filepath.Join(folder, "locomo-dev", "locomo_dev.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, 0, errNoData
	}
	if err != nil {
		return nil, nil, 0, err
	}
	var raw []rawConversation
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, nil, 0, err
	}
	for _, r := range raw {
		c, without, err := r.read()
		if err != nil {
			return nil, nil, 0, fmt.Errorf("%s: %w", r.SampleID, err)
		}
		noted, err := r.facts(c)
		if err != nil {
			return nil, nil, 0, fmt.Errorf("%s, facts: %w", r.SampleID, err)
		}
		all, facts, left = append(all, c), append(facts, noted), left+without
	}
	return all, facts, left, nil
}

type rawConversation struct {
	SampleID     string                     `json:"sample_id"`
	Conversation map[string]json.RawMessage `json:"conversation"`
	Observation  map[string]noted           `json:"observation"`
	QA           []struct {
		Question string   `json:"question"`
		Evidence []string `json:"evidence"`
		Category int      `json:"category"`
	} `json:"qa"`
}

func (r rawConversation) read() (c conversation, left int, err error) {
	c.Name = r.SampleID
	for n := 1; ; n++ {
		name := "session_" + strconv.Itoa(n)
		raw, ok := r.Conversation[name]
		if !ok {
			break
		}
		turns, err := readSession(name, raw, r.Conversation[name+"_date_time"])
		if err != nil {
			return c, 0, err
		}
		c.Turns = append(c.Turns, turns...)
	}
	known := make(map[string]bool, len(c.Turns))
	for _, t := range c.Turns {
		known[t.ID] = true
	}
	for _, q := range r.QA {
		if !allKnown(known, q.Evidence) {
			left++
			continue
		}
		c.Questions = append(c.Questions, question{
			Text: q.Question, Category: q.Category, Evidence: unique(q.Evidence), Adversarial: q.Category == adversarial,
		})
	}
	return c, left, nil
}

// sessionDate is the form of the data's dates: «1:56 pm on 8 May, 2023».
const sessionDate = "3:04 pm on 2 January, 2006"

func readSession(name string, raw, date json.RawMessage) ([]turn, error) {
	var lines []struct {
		Speaker string `json:"speaker"`
		ID      string `json:"dia_id"`
		Text    string `json:"text"`
	}
	if err := json.Unmarshal(raw, &lines); err != nil {
		return nil, err
	}
	var text string
	if err := json.Unmarshal(date, &text); err != nil {
		return nil, err
	}
	at, err := time.Parse(sessionDate, text)
	if err != nil {
		return nil, err
	}
	turns := make([]turn, len(lines))
	for i, l := range lines {
		turns[i] = turn{ID: l.ID, Session: name, Speaker: l.Speaker, Text: l.Text, Date: at}
	}
	return turns, nil
}

var turnID = regexp.MustCompile(`^D\d+:\d+$`)

func allKnown(known map[string]bool, ids []string) bool {
	for _, id := range ids {
		if !turnID.MatchString(id) || !known[id] {
			return false
		}
	}
	return len(ids) > 0
}

func unique(ids []string) []string {
	seen := make(map[string]bool, len(ids))
	var out []string
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}
