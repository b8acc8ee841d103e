package memory

import "github.com/valyala/fastjson"

// readHead reads a stored head without reflection: a retrieve reads 60 of them, which
// took a quarter of its time. It knows the members of what is recalled most; of a head
// with any other it answers nil, and encoding/json reads it.
func readHead(doc []byte) *storedHead {
	p := parsers.Get()
	defer parsers.Put(p)
	q, h := &quick{}, &storedHead{Memory: &Memory{}}
	q.members(q.document(p, doc), func(name []byte, v *fastjson.Value) {
		if string(name) == "f" {
			h.Format = int(q.whole(v))
		} else if !h.readText(q, name, v) && !h.readState(q, name, v) {
			q.failed = true
		}
	})
	if q.failed {
		return nil
	}
	return h
}

// readText reads members that say what was written, and where.
func (m *Memory) readText(q *quick, name []byte, v *fastjson.Value) bool {
	switch string(name) {
	case "layer":
		m.Layer = Layer(q.text(v))
	case "type":
		m.Type = Type(q.text(v))
	case "text":
		m.Content = q.text(v)
	case "speaker":
		m.Speaker = q.text(v)
	case "tags":
		m.readTags(q, v)
	case "run":
		m.RunID = q.text(v)
	case "subject":
		m.Subject.read(q, v)
	case "attribute":
		m.Attribute = q.text(v)
	case "importance":
		m.Importance = new(q.number(v))
	case "nonNegotiable":
		m.NonNegotiable = q.yes(v)
	case "stretch":
		m.Stretch = q.whole(v)
	case "runHash":
		m.RunHash = q.text(v)
	default:
		return false
	}
	return true
}

// readState reads members that say how it stands and came about.
func (m *Memory) readState(q *quick, name []byte, v *fastjson.Value) bool {
	switch string(name) {
	case "version":
		m.Version = q.whole(v)
	case "revision":
		m.Revision = q.whole(v)
	case "status":
		m.Status = Status(q.text(v))
	case "provenance":
		m.Provenance.read(q, v)
	case "temporal":
		m.Temporal.read(q, v)
	case "edition":
		m.Edition.read(q, v)
	case "createdAt":
		m.CreatedAt = q.time(v)
	case "updatedAt":
		m.UpdatedAt = q.time(v)
	case "mergeCount":
		m.MergeCount = q.whole(v)
	case "ceiling":
		m.Ceiling = new(q.number(v))
	case "bytes":
		m.Bytes = q.whole(v)
	case "salt":
		m.Salt = q.bytes(v)
	default:
		return false
	}
	return true
}

func (m *Memory) readTags(q *quick, v *fastjson.Value) {
	if m.Tags == nil {
		m.Tags = map[string]string{}
	}
	q.members(v, func(key []byte, v *fastjson.Value) { m.Tags[string(key)] = q.text(v) })
}

func (s *Subject) read(q *quick, v *fastjson.Value) {
	q.members(v, func(name []byte, v *fastjson.Value) {
		switch string(name) {
		case "application":
			s.ApplicationID = q.text(v)
		case "agent":
			s.AgentID = q.text(v)
		case "user":
			s.UserID = q.text(v)
		default:
			q.failed = true
		}
	})
}

func (p *Provenance) read(q *quick, v *fastjson.Value) {
	q.members(v, func(name []byte, v *fastjson.Value) {
		switch string(name) {
		case "origin":
			p.Origin = Origin(q.text(v))
		case "source":
			p.SourceID = q.text(v)
		case "key":
			p.KeyID = q.text(v)
		case "operation":
			p.OperationID = q.text(v)
		default:
			q.failed = true
		}
	})
}

func (t *Temporal) read(q *quick, v *fastjson.Value) {
	q.members(v, func(name []byte, v *fastjson.Value) {
		switch string(name) {
		case "recordedAt":
			t.RecordedAt = q.time(v)
		case "validFrom":
			t.ValidFrom = new(q.time(v))
		case "validTo":
			t.ValidTo = new(q.time(v))
		case "supersededAt":
			t.SupersededAt = new(q.time(v))
		case "supersededBy":
			t.SupersededBy = q.text(v)
		case "replacedFrom":
			t.ReplacedFrom = new(q.time(v))
		default:
			q.failed = true
		}
	})
}

func (e *Edition) read(q *quick, v *fastjson.Value) {
	q.members(v, func(name []byte, v *fastjson.Value) {
		switch string(name) {
		case "at":
			e.At = q.time(v)
		case "actor":
			e.Actor = q.text(v)
		case "origin":
			e.Origin = Origin(q.text(v))
		case "reason":
			e.Reason = Reason(q.text(v))
		case "operation":
			e.OperationID = q.text(v)
		default:
			q.failed = true
		}
	})
}
