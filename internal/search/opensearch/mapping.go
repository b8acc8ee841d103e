package opensearch

import (
	"fmt"
	"strings"
)

// layout is the version of the mapping. It changes whenever documents that were
// written before could no longer be read or found; such a change needs an index of
// another name that is filled from the table.
const layout = 4

// maxWindow bounds the hits of one search (index.max_result_window).
const maxWindow = 10_000

type object = map[string]any

// Names of fields of a document.
const (
	fieldTenant      = "tenant"
	fieldWorkspace   = "workspace"
	fieldScope       = "scope"        // also the routing
	fieldID          = "id"           // of the document in the scope
	fieldItem        = "item"         // whose text it is
	fieldSession     = "session"      // neighbours share it
	fieldVersion     = "version"      // of the item
	fieldSequence    = "sequence"     // of the change
	fieldLabels      = "labels"       // what a Filter looks at: name=value, and name
	fieldWords       = "words"        // distinct tokens of text and speaker: df
	fieldChunks      = "chunks"       // how many passages
	fieldLength      = "length"       // of all passages, in tenths of tokens, with the window's share
	fieldPlainLength = "plain_length" // the same without
	fieldKept        = "kept"         // what a window is made from; not indexed
	fieldPassages    = "passages"     // nested, one a chunk
	fieldVectors     = "vectors"      // one knn_vector a profile
	fieldEmbedded    = "embedded"     // the field of the profile that a vector came of, with a direction or without
	fieldUntil       = "until"        // when it is over, in microseconds since 1970; absent: never
	fieldTimes       = "times"        // one long a name, in microseconds since 1970
)

// Names of fields of a passage.
const (
	passageWindowed    = "windowed" // token|weight in tenths, with the window's share
	passagePlain       = "plain"
	passageLength      = "length"
	passagePlainLength = "plain_length"
)

// settings of an index.
func (x *Index) settings() object {
	return object{"index": object{
		"knn": true, "number_of_shards": max(1, x.config.Shards), "number_of_replicas": x.config.Replicas,
		"refresh_interval":  x.refresh(),
		"gc_deletes":        "60s", // how long a delete outranks older writes; the port promises a minute
		"max_result_window": maxWindow, "max_inner_result_window": maxWindow,
		// the score of a term is its weight: BM25 is computed by the query's scripts
		"similarity": object{"weight": object{"type": "scripted", "script": object{"source": "return query.boost * doc.freq;"}}},
		"analysis": object{"analyzer": object{"weighted": object{
			"type": "custom", "tokenizer": "whitespace", "filter": []string{"delimited_term_freq"},
		}}},
	}}
}

func (x *engine) refresh() string {
	if x.config.Refresh <= 0 {
		return "1s"
	}
	return millis(x.config.Refresh)
}

// mappings of an index. The source leaves out what can be made again from kept.
func (x *Index) mappings() object {
	keyword, count := object{"type": "keyword"}, object{"type": "long"}
	passage := object{
		passageWindowed: weighted(), passagePlain: weighted(),
		passageLength: object{"type": "integer"}, passagePlainLength: object{"type": "integer"},
	}
	return object{
		"dynamic": "strict", "_routing": object{"required": true}, "_meta": object{"layout": layout},
		"_source": object{"excludes": []string{fieldPassages, fieldWords}},
		// names of times are the callers': each gets its field when it first comes
		"dynamic_templates": []object{{"times": object{"path_match": fieldTimes + ".*", "mapping": count}}},
		"properties": object{
			fieldTenant: keyword, fieldWorkspace: keyword, fieldScope: keyword, fieldID: keyword, fieldItem: keyword, fieldSession: keyword,
			fieldLabels: keyword, fieldWords: object{"type": "keyword", "doc_values": false},
			fieldEmbedded: keyword, fieldUntil: count,
			fieldVersion: count, fieldSequence: count, fieldChunks: count, fieldLength: count, fieldPlainLength: count,
			fieldTimes:    object{"dynamic": true, "properties": object{}},
			fieldKept:     object{"type": "object", "enabled": false},
			fieldPassages: object{"type": "nested", "dynamic": "strict", "properties": passage},
			fieldVectors:  object{"dynamic": "strict", "properties": x.vectorFields()},
		},
	}
}

func weighted() object {
	return object{
		"type": "text", "analyzer": "weighted", "search_analyzer": "keyword", "similarity": "weight",
		"index_options": "freqs", "norms": false,
	}
}

func (x *Index) vectorFields() object {
	out := object{}
	for profile, dimension := range x.dimensions {
		out[fieldOf(profile)] = object{"type": "knn_vector", "dimension": dimension, "method": object{
			"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil",
			"parameters": object{"m": 16, "ef_construction": 128},
		}}
	}
	return out
}

// fieldOf names the field of a profile or a time: letters, digits and hyphens as
// they are, other bytes by their number, so that no two of them share one.
func fieldOf(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "_%02x", c)
		}
	}
	return b.String()
}

func vectorPath(profile string) string { return fieldVectors + "." + fieldOf(profile) }

func timePath(name string) string { return fieldTimes + "." + fieldOf(name) }
