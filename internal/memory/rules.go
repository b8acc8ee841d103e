package memory

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"holdfast/internal/capability"
	"holdfast/internal/errs"
	"holdfast/internal/ids"
)

// The limits of an append, in code points unless said otherwise (R0.58; those of
// ids, addresses and counts of sources are ours).
const (
	MaxContent  = 16_000 // after trimming
	MaxSpeaker  = 100
	MaxTags     = 32
	MaxTagKey   = 64
	MaxTagValue = 256
	MaxID       = 256 // run, subject and source ids, attribute
	MaxURI      = 2048
	MaxSources  = 64
	MaxNote     = 1000 // a reviewer's note
	mostSources = 256  // of a memory that others joined
	mostMerges  = 100  // kept of many merges
	mostSameKey = 8    // live memories in one duplicate row
)

// Draft is what an append asks for, unchecked. A nil member was not given.
type Draft struct {
	Layer, Type   string
	Content       string
	Speaker       *string
	Tags          map[string]string
	ArtifactURI   *string
	RunID         *string
	ApplicationID *string
	AgentID       *string
	UserID        *string
	Attribute     *string
	ValidFrom     *time.Time
	ValidTo       *time.Time
	Importance    *float64
	NonNegotiable bool
	Origin        *string
	Sources       []Source
}

// faults gathers what is wrong with a request.
type faults struct {
	base string // pointer to the object that is checked
	list []errs.Field
}

func (f *faults) add(name, rule string) {
	f.list = append(f.list, errs.Field{Pointer: f.base + "/" + name, Rule: rule})
}

func (f *faults) err() error {
	if len(f.list) == 0 {
		return nil
	}
	return errs.Validation(f.list...)
}

// text reads an optional text of 1 to most code points.
func (f *faults) text(name string, value *string, most int) string {
	if value == nil {
		return ""
	}
	n := utf8.RuneCountInString(*value)
	switch {
	case n == 0 || n > most:
		f.add(name, "must have 1 to "+strconv.Itoa(most)+" characters")
	case !sound(*value):
		f.add(name, sayUnsound)
	}
	return *value
}

const sayUnsound = "must be UTF-8 without NUL"

func sound(text string) bool { return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 }

// content holds a text against R0.58: its length counts after trimming, what is
// stored is untrimmed (R0.72).
func (f *faults) content(text string) {
	n := utf8.RuneCountInString(strings.TrimSpace(text))
	switch {
	case n == 0 || n > MaxContent:
		f.add("content", "must have 1 to "+strconv.Itoa(MaxContent)+" characters after trimming")
	case !sound(text):
		f.add("content", sayUnsound)
	}
}

// Check turns a draft into a memory that could be stored, or says what is wrong
// (R0.59). base is the pointer to the draft in the request.
func (d Draft) Check(caller Caller, base string) (*Memory, error) {
	if err := d.place(caller, base); err != nil {
		return nil, err
	}
	f := &faults{base: base}
	f.content(d.Content)
	m := &Memory{
		Layer: Layer(d.Layer), Type: Type(d.Type), Content: d.Content,
		Speaker:     f.text("speaker", d.Speaker, MaxSpeaker),
		RunID:       f.text("runId", d.RunID, MaxID),
		Attribute:   f.text("attribute", d.Attribute, MaxID),
		ArtifactURI: f.text("artifactUri", d.ArtifactURI, MaxURI),
		Subject: Subject{
			ApplicationID: f.text("applicationId", d.ApplicationID, MaxID),
			AgentID:       f.text("agentId", d.AgentID, MaxID),
			UserID:        f.text("userId", d.UserID, MaxID),
		},
		Tags: f.tags(d.Tags), Importance: f.importance(d.Importance), NonNegotiable: d.NonNegotiable,
	}
	m.Temporal.ValidFrom, m.Temporal.ValidTo = f.times(d.ValidFrom, d.ValidTo)
	m.Provenance.Origin = f.origin(d.Origin, caller)
	m.Provenance.Sources = f.sources(d.Sources)
	f.together(m)
	return m, f.err()
}

// place holds layer and type against the closed sets, each with its own code.
func (d Draft) place(caller Caller, base string) error {
	switch Layer(d.Layer) {
	case Workspace, Session:
	case Platform:
		return errs.New(errs.Forbidden, "LAYER_READ_ONLY", "The platform layer is read-only.")
	case Tenant:
		if !caller.Tenant {
			return lacks(capability.MemoryTenant)
		}
	default:
		return coded("UNKNOWN_LAYER", base+"/layer", "must be one of Tenant, Workspace, Session")
	}
	switch Type(d.Type) {
	case Fact, Decision, Preference, Policy, Procedure, FileDoc, ArtifactRef:
	case Episode, Summary:
		return coded("TYPE_RESERVED", base+"/type", "must be no type that only the service writes")
	default:
		return coded("UNKNOWN_TYPE", base+"/type",
			"must be one of fact, decision, preference, policy, procedure, file_doc, artifact_ref")
	}
	if Layer(d.Layer) == Session && (d.RunID == nil || *d.RunID == "") {
		return coded("RUN_ID_REQUIRED", base+"/runId", "is required in layer Session")
	}
	return nil
}

func coded(code, pointer, rule string) error {
	err := errs.Validation(errs.Field{Pointer: pointer, Rule: rule})
	err.Code = code
	return err
}

// lacks is the error of a missing capability (T.4).
func lacks(name capability.Name) error {
	err := errs.New(errs.Forbidden, "CAPABILITY_MISSING", "This key lacks the capability that the call needs.")
	err.Extra = map[string]any{"capability": string(name)}
	return err
}

// together holds what one field demands of another.
func (f *faults) together(m *Memory) {
	if m.NonNegotiable && m.Type != Policy {
		f.add("nonNegotiable", "must be false unless type is policy")
	}
	if m.Type == ArtifactRef && m.ArtifactURI == "" {
		f.add("artifactUri", "is required with type artifact_ref")
	}
	if m.Type != ArtifactRef && m.ArtifactURI != "" {
		f.add("artifactUri", "must be left out unless type is artifact_ref")
	}
}

func (f *faults) tags(tags map[string]string) map[string]string {
	if len(tags) > MaxTags {
		f.add("tags", "must have at most "+strconv.Itoa(MaxTags)+" pairs")
	}
	for key, value := range tags {
		n := utf8.RuneCountInString(key)
		if n == 0 || n > MaxTagKey || utf8.RuneCountInString(value) > MaxTagValue || !sound(key) || !sound(value) {
			f.add("tags", "must have keys of 1 to "+strconv.Itoa(MaxTagKey)+" and values of at most "+
				strconv.Itoa(MaxTagValue)+" characters, without NUL")
			return nil
		}
	}
	if !oneSpelling(tags) {
		f.add("tags", "must have keys that differ in more than the composition of characters")
	}
	return tags
}

func (f *faults) importance(value *float64) *float64 {
	if value != nil && !(*value >= 0 && *value <= 1) {
		f.add("importance", "must be from 0 to 1")
	}
	return value
}

func (f *faults) times(from, to *time.Time) (*time.Time, *time.Time) {
	from, to = inUTC(from), inUTC(to)
	if from != nil && to != nil && !from.Before(*to) {
		f.add("validTo", "must be after validFrom")
	}
	return from, to
}

func inUTC(at *time.Time) *time.Time {
	if at == nil {
		return nil
	}
	u := at.UTC()
	return &u
}

// origin is what the caller says, else what its key's kind says (R0.58). Only a
// person's key may speak for a person.
func (f *faults) origin(said *string, caller Caller) Origin {
	if said == nil {
		return caller.origin()
	}
	origin := Origin(*said)
	switch origin {
	case FromAgent, FromTool, FromWeb:
	case FromPerson:
		if !caller.Person() {
			f.add("origin", "must not be person unless the key is a person's")
		}
	default:
		f.add("origin", "must be one of person, agent, tool, web")
	}
	return origin
}

// sources holds evidence against R0.67. Citations of the derivation graph name
// ids of this service, so that no edge can lead nowhere by a slip.
func (f *faults) sources(list []Source) []Source {
	if len(list) > MaxSources {
		f.add("sources", "must have at most "+strconv.Itoa(MaxSources)+" items")
		return nil
	}
	for i, s := range list {
		at := "sources/" + strconv.Itoa(i)
		most := MaxID
		switch s.Kind {
		case MessageSource:
		case MemorySource, EpisodeSource:
			if !ids.Valid(s.ID) {
				f.add(at+"/id", "must be an id of this service")
			}
		case URLSource:
			most = MaxURI
		default:
			f.add(at+"/kind", "must be one of message, memory, episode, url")
		}
		f.text(at+"/id", &list[i].ID, most)
		f.span(at, s)
	}
	return list
}

func (f *faults) span(at string, s Source) {
	if s.Start != nil && *s.Start < 0 {
		f.add(at+"/start", "must be at least 0")
	}
	if s.End != nil && (*s.End < 0 || s.Start != nil && *s.End < *s.Start) {
		f.add(at+"/end", "must not be before start")
	}
}
