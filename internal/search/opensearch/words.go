package opensearch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"

	"holdfast/internal/search/words"
	"holdfast/internal/tenant"
)

// Names of the index of words and its alias where Config says nothing.
const (
	DefaultWordsIndex = "facts-v1"
	DefaultWordsAlias = "facts"
)

// Words is the adapter of the port words. It is safe for concurrent use.
type Words struct {
	engine
}

var _ words.Index = (*Words)(nil)

// NewWords makes the adapter without asking the domain anything. Profiles do not count.
func NewWords(c Config) (*Words, error) {
	e, err := newEngine(c, DefaultWordsIndex, DefaultWordsAlias)
	if err != nil {
		return nil, err
	}
	return &Words{e}, nil
}

// wordsLayout is the version of the mapping, as layout is of the other.
const wordsLayout = 1

// wordsOf marks the mapping as that of words.
const wordsOf = "words"

// Names of fields that only the index of words has. folders are the prefixes of whole
// segments of the path, without the root; words lie behind the key of their space.
const (
	fieldSpace   = "space"
	fieldUpdated = "updated" // microseconds since 1970
	fieldFolders = "folders"
	fieldTags    = "tags"
)

// fact is a document of the index.
type fact struct {
	Tenant    string   `json:"tenant"`
	Workspace string   `json:"workspace"`
	Scope     string   `json:"scope"`
	ID        string   `json:"id"`
	Space     string   `json:"space"`
	Sequence  int64    `json:"sequence"`
	Updated   int64    `json:"updated"`
	Folders   []string `json:"folders,omitempty"`
	Tags      []string `json:"tags,omitempty"`
	Words     []string `json:"words,omitempty"`
	Length    int      `json:"length"`
}

func newFact(d *words.Document) fact {
	all := words.Split(d.Text)
	f := fact{
		Tenant: d.Scope.TenantID(), Workspace: d.Scope.WorkspaceID(), Scope: scopeKey(d.Scope), ID: d.ID, Space: d.Space,
		Sequence: d.Sequence, Updated: d.Micros(), Folders: words.Ancestors(d.Path)[1:], Tags: d.Tags, Length: len(all),
	}
	before := wordsKey(d.Scope, d.Space)
	for _, word := range words.Distinct(all) {
		f.Words = append(f.Words, before+word)
	}
	return f
}

// wordsKey is what stands before the words of a space. A digest that two spaces share
// costs time and nothing else: queries name the space itself too.
func wordsKey(scope tenant.Scope, space string) string {
	sum := sha256.Sum256([]byte(scopeKey(scope) + "\n" + space))
	return hex.EncodeToString(sum[:8]) + "."
}

func (x *Words) mappings() object {
	keyword, count := object{"type": "keyword"}, object{"type": "long"}
	return object{
		"dynamic": "strict", "_routing": object{"required": true}, "_meta": object{"layout": wordsLayout, "of": wordsOf},
		"_source": object{"excludes": []string{fieldWords}}, // made again from the table
		"properties": object{
			fieldTenant: keyword, fieldWorkspace: keyword, fieldScope: keyword, fieldID: keyword, fieldSpace: keyword,
			fieldSequence: count, fieldUpdated: count, fieldLength: object{"type": "integer"},
			fieldFolders: keyword, fieldTags: keyword, fieldWords: object{"type": "keyword", "doc_values": false},
		},
	}
}

func (x *Words) settings() object {
	return object{"index": object{
		"number_of_shards": max(1, x.config.Shards), "number_of_replicas": x.config.Replicas,
		"refresh_interval": x.refresh(), "max_result_window": maxWindow,
		"gc_deletes": "60s", // how long a delete outranks older writes; the port promises a minute
	}}
}

// Ensure makes the index where there is none, with a template for its successors, and
// checks it. It is for the worker and the deploy step, never for a request.
func (x *Words) Ensure(ctx context.Context) error {
	if err := x.create(ctx, x.settings(), x.mappings()); err != nil {
		return err
	}
	return x.Check(ctx)
}

// Fits is Check for a process that only searches, as Index.Fits is.
func (x *Words) Fits(ctx context.Context) error {
	if err := x.Check(ctx); errors.Is(err, ErrMismatch) {
		return err
	}
	return nil
}

// Check tells whether the index is there and has this layout.
func (x *Words) Check(ctx context.Context) error {
	var answer map[string]struct {
		Mappings struct {
			Meta struct {
				Layout int    `json:"layout"`
				Of     string `json:"of"`
			} `json:"_meta"`
		} `json:"mappings"`
	}
	if err := do(ctx, &x.engine, request{method: http.MethodGet, path: "/" + x.index + "/_mapping"}, &answer); err != nil {
		return err
	}
	if m := answer[x.index].Mappings.Meta; m.Layout != wordsLayout || m.Of != wordsOf {
		return fmt.Errorf("%w: index %s has layout %d, this program writes %d of words", ErrMismatch, x.index, m.Layout, wordsLayout)
	}
	return nil
}
