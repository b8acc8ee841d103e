package opensearch

import (
	"slices"
	"strings"

	"holdfast/internal/search"
	"holdfast/internal/tenant"
)

// escape keeps the point, which parts tenant and workspace, and the comma, which
// parts routings, out of ids, so that no two scopes share a key.
var escape = strings.NewReplacer("%", "%25", ".", "%2E", ",", "%2C")

// scopeKey is the routing of a scope's documents and the value of their field
// scope.
func scopeKey(s tenant.Scope) string {
	return escape.Replace(s.TenantID()) + "." + escape.Replace(s.WorkspaceID())
}

// documentID is a document's id in the index. The scope's key holds exactly one
// point, so that no two documents share an id.
func documentID(key, item string) string { return key + "." + item }

// maxID is the most bytes of an id in the engine.
const maxID = 512

// scoped builds queries of some scopes, each with their filter in it.
type scoped struct {
	scopes map[string]tenant.Scope // by key
	keys   []string                // sorted
}

// scopedTo refuses no scope and those that nobody granted.
func scopedTo(scopes ...tenant.Scope) (scoped, error) {
	s := scoped{scopes: make(map[string]tenant.Scope, len(scopes))}
	for _, scope := range scopes {
		if scope.IsZero() {
			return scoped{}, search.ErrBadRequest
		}
		key := scopeKey(scope)
		if _, known := s.scopes[key]; !known {
			s.keys = append(s.keys, key)
		}
		s.scopes[key] = scope
	}
	if len(s.keys) == 0 {
		return scoped{}, search.ErrBadRequest
	}
	slices.Sort(s.keys)
	return s, nil
}

// routing names the shards that hold the scopes.
func (s scoped) routing() string { return strings.Join(s.keys, ",") }

// clause holds for the documents of the scopes.
func (s scoped) clause() object { return object{"terms": object{fieldScope: s.keys}} }

// only answers the query for documents of the scopes that meet the conditions,
// without a score.
func (s scoped) only(conditions ...object) object {
	return object{"bool": object{"filter": append([]object{s.clause()}, conditions...)}}
}

// scoring answers the same with the score of a query.
func (s scoped) scoring(query object, conditions ...object) object {
	return object{"bool": object{"filter": append([]object{s.clause()}, conditions...), "must": []object{query}}}
}
