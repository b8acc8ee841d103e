package made

import (
	"strconv"
	"strings"
)

// Categories of the short facts.
const (
	named     = iota + 1 // the question names whom it is about
	described            // it names the value and asks whose it is
	several              // more than one fact answers
)

const loosePerEntity = 4

// folders are short facts in the third person about a few people or systems each, in
// no order and without sessions. Every subject has about twenty facts, and every
// attribute as many as there are subjects, so that neither word alone finds one.
func folders() []Conversation {
	var out []Conversation
	for _, file := range []string{"folder_people", "folder_systems"} {
		blocks := read(file)
		for n, line := range blocks[0]["entities"] {
			name := strings.ReplaceAll(file, "_", " of ") + " " + strconv.Itoa(n+1)
			f := folder{draw: newDraw(name), pools: readPools(), entities: split(line, "; "), maybe: candidates{}}
			f.Name = name
			f.write(blocks[1:])
			out = append(out, f.Conversation)
		}
	}
	return out
}

// folder is one in the making.
type folder struct {
	Conversation
	draw
	pools
	entities []string
	maybe    candidates
}

func (f *folder) write(attributes []block) {
	for _, b := range attributes {
		f.attribute(b)
	}
	for _, e := range f.entities {
		for _, template := range some(f.draw, read("folder_loose")[0]["loose"], loosePerEntity) {
			f.note(f.scene(f.draw, template, e), e, "")
		}
	}
	f.Turns = some(f.draw, f.Turns, len(f.Turns))
	f.Questions = f.maybe.take(f.draw, 15, 6, 4)
}

// attribute notes what each entity has of it and what can be asked about it.
func (f *folder) attribute(b block) {
	values, shared := b.list("values"), b.list("shared")
	if shared == nil {
		values = some(f.draw, values, len(f.entities))
	}
	of := make(map[string][]string) // value → ids
	for n, e := range f.entities {
		value := ""
		if shared == nil {
			value = values[n]
		} else {
			value = f.of(shared)
		}
		id := f.note(f.of(b["say"]), e, value)
		of[value] = append(of[value], id)
		f.maybe.add(named, fill(f.of(b["ask"]), "s", f.call(e)), id)
		if shared == nil {
			f.maybe.add(described, fill(b.one("who"), "v", value), id)
		}
	}
	for _, value := range shared {
		if len(of[value]) > 1 {
			f.maybe.add(several, fill(b.one("several"), "v", value), of[value]...)
		}
	}
}

func (f *folder) note(template, entity, value string) string {
	id := "F" + strconv.Itoa(len(f.Turns)+1)
	text := sentence(template, "s", f.call(entity), "v", value)
	f.Turns = append(f.Turns, Turn{ID: id, Text: text, Date: day(f.between(0, 360))})
	return id
}

// call is how an entity is named this time: a person at times by the first name only.
func (f *folder) call(entity string) string {
	first, _, _ := strings.Cut(entity, " ")
	if first != "the" && f.IntN(2) == 0 {
		return first
	}
	return entity
}
