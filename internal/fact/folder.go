package fact

import (
	"context"
	"strconv"

	"holdfast/internal/errs"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

// folder is where an end user's folder stands: its generation, which only grows, and
// what it holds. Facts of an earlier generation are erased, whether their rows are
// still there or not (R3.23); that is why every write into the folder asks in its
// commit for the generation that it has seen.
type folder struct {
	user       string
	hash       string // of the user: keyed, for the row outlives what it is about
	key        store.Key
	found      bool
	generation int64 // 0: nothing was ever written
	facts      int64
	bytes      int64
	revision   int64
}

func (s *Service) userHash(ctx context.Context, scope tenant.Scope, user string) (string, error) {
	h, err := s.secrets.Of(ctx, scope)
	if err != nil {
		return "", errs.Unread(err)
	}
	return h.MAC("fact user", user), nil
}

func (s *Service) folder(ctx context.Context, t Target, user string) (folder, error) {
	hash, err := s.userHash(ctx, t.Scope, user)
	if err != nil {
		return folder{}, err
	}
	f := folder{user: user, hash: hash, key: keys.FactUser(t.Scope, t.Space.hash, hash)}
	item, found, err := s.Store.Get(ctx, f.key)
	if err != nil {
		return folder{}, errs.Unread(err)
	}
	f.fill(item, found)
	return f, nil
}

func (f *folder) fill(item store.Item, found bool) {
	f.found, f.generation = found, item.Attrs.Int(attrFolder)
	f.facts, f.bytes, f.revision = item.Attrs.Int(attrFacts), item.Attrs.Int(attrBytes), item.Attrs.Int(attrRevision)
}

// current is the generation that a write into the folder belongs to.
func (f folder) current() int64 { return max(f.generation, 1) }

// grow counts facts and bytes in the folder, if it is of the same generation still.
func (f folder) grow(facts, bytes int64) store.Action {
	if !f.found {
		f.generation, f.facts, f.bytes, f.revision = 1, facts, bytes, 1
		return store.PutItem("folder", f.item(), store.IfAbsent())
	}
	add := map[string]int64{attrFacts: facts, attrBytes: bytes, attrRevision: 1}
	return store.AddTo("folder", f.key, add, store.IfEqual(attrFolder, store.N(f.generation)))
}

// erased begins the next generation, empty, if nothing was written meanwhile.
func (f folder) erased() store.Action {
	still := store.IfEqual(attrRevision, store.N(f.revision))
	f.generation, f.facts, f.bytes, f.revision = f.generation+1, 0, 0, f.revision+1
	return store.PutItem("folder", f.item(), still)
}

// erasure is the id of the erasure of what the folder holds now: of this end user in this
// memory, for each memory has a folder of theirs, and of this generation.
func (f folder) erasure(of Space) string {
	return "u_" + keys.Hash(of.hash, f.hash)[:len(f.hash)] + "-" + strconv.FormatInt(f.generation, 10)
}

func (f folder) item() store.Item {
	return store.Item{Key: f.key, Attrs: store.Attrs{
		attrFolder: store.N(f.generation), attrFacts: store.N(f.facts), attrBytes: store.N(f.bytes), attrRevision: store.N(f.revision),
	}}
}

// sight knows what a caller may see: it remembers the generations of users' folders
// for the length of a call.
type sight struct {
	*Service
	t   Target
	now map[string]int64 // by user
}

func (s *Service) sight(t Target) *sight { return &sight{Service: s, t: t, now: map[string]int64{}} }

// current tells whether a generation of a user's folder is the one that is there.
func (v *sight) current(ctx context.Context, user string, generation int64) (bool, error) {
	if user == "" {
		return true, nil
	}
	now, known := v.now[user]
	if !known {
		f, err := v.folder(ctx, v.t, user)
		if err != nil {
			return false, err
		}
		now = f.generation
		v.now[user] = now
	}
	return now == generation, nil
}

// shows tells whether a fact exists for the caller (S3.18).
func (v *sight) shows(ctx context.Context, f *Fact) (bool, error) {
	if f == nil || f.Deleted || f.Space != v.t.Space.hash || !v.t.Border.Sees(f.Path) {
		return false, nil
	}
	return v.current(ctx, f.User(), f.Generation)
}

// Generation is the current one of the folder of the target's own end user, for a search
// in it; 0: there is no such folder.
func (s *Service) Generation(ctx context.Context, t Target) (int64, error) {
	if t.Border.User == "" {
		return 0, nil
	}
	f, err := s.folder(ctx, t, t.Border.User)
	return f.generation, err
}
