package factsearch

import (
	"context"
	"strconv"
	"strings"

	"holdfast/internal/fact"
	"holdfast/internal/search/words"
	"holdfast/internal/tenant"
)

// users is the folder of end users' folders.
const users = "users/"

// indexed is a path as the index knows it. In an end user's folder it tells the folder's
// generation, behind a sign that no path holds: what was erased is out of reach from the
// first commit on, whatever the index still has.
func indexed(path, user string, generation int64) string {
	folder := users + user + "/"
	if user == "" || !strings.HasPrefix(path, folder) {
		return path
	}
	return users + user + "#" + strconv.FormatInt(generation, 10) + "/" + path[len(folder):]
}

// Document is a fact as the index of words knows it. Sequence is the external version:
// that of the log row, or of the log's end, that the fact was read after.
func Document(d fact.Document, sequence int64) words.Document {
	return words.Document{
		Scope: d.Scope, Space: d.Space, ID: d.ID, Sequence: sequence, Updated: d.Updated,
		Path: indexed(d.Path.String(), d.User, d.Generation), Tags: d.Tags, Text: d.Text,
	}
}

// Live tells what search may know of facts; fact.Projector does.
type Live interface {
	// Live answers documents in the order asked: nil for one that search must not know.
	Live(ctx context.Context, scope tenant.Scope, ids []string) ([]*fact.Document, error)
}

// Project turns facts into operations: an upsert of what is true now, or a delete of
// what search must not know. No id may occur twice. Sequences are filled in by the
// caller.
func Project(ctx context.Context, from Live, scope tenant.Scope, ids []string) ([]words.Op, error) {
	live, err := from.Live(ctx, scope, ids)
	if err != nil {
		return nil, err
	}
	ops := make([]words.Op, len(ids))
	for i, d := range live {
		if d == nil {
			ops[i] = words.Op{Delete: true, Document: words.Document{Scope: scope, ID: ids[i]}}
			continue
		}
		ops[i].Document = Document(*d, 0)
	}
	return ops, nil
}
