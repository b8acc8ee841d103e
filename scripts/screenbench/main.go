// Command screenbench measures internal/screen on public data sets, which are not
// part of this repository:
//
//   - false alarms on the turns of the LoCoMo conversations (<data>/locomo*/*.json),
//   - false alarms on the harmless prompts of NotInject (<data>/notinject/*.json),
//   - recall on the attacks of BIPIA (<data>/bipia/*_attack_*.json), each put at the
//     start, in the middle and at the end of each e-mail (<data>/bipia/email_*.jsonl);
//     the e-mails alone are counted as harmless.
//
// Usage: screenbench -data <folder>. Without the folder it says so and succeeds.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"holdfast/internal/screen"
)

func main() {
	log.SetFlags(0)
	data := flag.String("data", "", "folder with locomo*, notinject and bipia")
	flag.Parse()
	if info, err := os.Stat(*data); *data == "" || err != nil || !info.IsDir() {
		fmt.Println("screenbench: no data folder (-data): nothing measured")
		return
	}
	if err := measure(*data); err != nil {
		log.Fatal("screenbench: ", err)
	}
}

func measure(data string) error {
	for _, step := range []func(string) error{measureTurns, measurePrompts, measureAttacks} {
		if err := step(data); err != nil {
			return err
		}
	}
	return nil
}

// tally counts texts and how many of them were caught.
type tally struct{ caught, all int }

func (t *tally) add(text string) {
	t.all++
	if !screen.Check(text).Clean() {
		t.caught++
	}
}

func (t *tally) join(o tally) { t.caught, t.all = t.caught+o.caught, t.all+o.all }

func (t tally) String() string {
	return fmt.Sprintf("%6.2f %%  (%d of %d)", 100*float64(t.caught)/float64(max(t.all, 1)), t.caught, t.all)
}

type talk struct {
	Conversation map[string]json.RawMessage `json:"conversation"`
}

func measureTurns(data string) error {
	var count tally
	err := eachFile(filepath.Join(data, "locomo*", "*.json"), func(_ string, talks []talk) {
		for _, t := range talks {
			for _, session := range t.Conversation {
				countTurns(&count, session)
			}
		}
	})
	fmt.Printf("false alarms, LoCoMo turns      %v\n", count)
	return err
}

// countTurns counts the turns of one session; other members of a conversation are
// no lists of turns and are passed over.
func countTurns(count *tally, session json.RawMessage) {
	var turns []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(session, &turns) != nil {
		return
	}
	for _, turn := range turns {
		count.add(turn.Text)
	}
}

type prompt struct {
	Prompt string `json:"prompt"`
}

func measurePrompts(data string) error {
	var count tally
	err := eachFile(filepath.Join(data, "notinject", "*.json"), func(_ string, prompts []prompt) {
		for _, p := range prompts {
			count.add(p.Prompt)
		}
	})
	fmt.Printf("false alarms, NotInject prompts %v\n", count)
	return err
}

func measureAttacks(data string) error {
	mails, err := readMails(filepath.Join(data, "bipia", "email_*.jsonl"))
	if err != nil {
		return err
	}
	var alone tally
	for _, mail := range mails {
		alone.add(mail)
	}
	fmt.Printf("false alarms, BIPIA e-mails     %v\n", alone)
	return eachFile(filepath.Join(data, "bipia", "*_attack_*.json"), func(name string, attacks map[string][]string) {
		printRecall(name, attacks, mails)
	})
}

func printRecall(name string, attacks map[string][]string, mails []string) {
	var total tally
	var lines strings.Builder
	for _, category := range slices.Sorted(maps.Keys(attacks)) {
		var count tally
		for _, attack := range attacks[category] {
			for _, mail := range mails {
				for _, text := range inserted(mail, attack) {
					count.add(text)
				}
			}
		}
		total.join(count)
		fmt.Fprintf(&lines, "    %-34s %v\n", category, count)
	}
	fmt.Printf("recall, %-23s %v\n%s", name, total, lines.String())
}

// inserted puts an attack at the end and the start of a mail, on a line of its own,
// and between the two sentences nearest to its middle.
func inserted(mail, attack string) []string {
	texts := []string{mail + "\n" + attack, attack + "\n" + mail}
	if cut := middle(mail); cut > 0 {
		texts = append(texts, mail[:cut]+" "+attack+" "+mail[cut:])
	}
	return texts
}

// middle answers the end of a sentence nearest to the middle of a mail, 0 for none.
func middle(mail string) int {
	best := 0
	for i := 1; i < len(mail); i++ {
		if strings.IndexByte(".!?", mail[i-1]) >= 0 && (mail[i] == ' ' || mail[i] == '\n') &&
			(best == 0 || distance(i, len(mail)/2) < distance(best, len(mail)/2)) {
			best = i
		}
	}
	return best
}

func distance(a, b int) int { return max(a-b, b-a) }

// readMails answers the different contexts of the files of JSON lines.
func readMails(pattern string) ([]string, error) {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(raw)) {
			var mail struct {
				Context string `json:"context"`
			}
			if err := json.Unmarshal([]byte(line), &mail); err != nil {
				return nil, fmt.Errorf("%s: %w", filepath.Base(name), err)
			}
			seen[mail.Context] = true
		}
	}
	return slices.Sorted(maps.Keys(seen)), nil
}

// eachFile decodes every file that matches and hands it on with its name.
func eachFile[T any](pattern string, visit func(name string, content T)) error {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return err
	}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var content T
		if err := json.Unmarshal(raw, &content); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
		visit(filepath.Base(name), content)
	}
	return nil
}
