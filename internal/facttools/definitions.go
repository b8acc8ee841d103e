package facttools

import "holdfast/internal/fact"

// Names of the tools (S3.49).
const (
	searchMemory = "search_memory"
	saveMemory   = "save_memory"
	forgetMemory = "forget_memory"
)

// Definition is a tool in OpenAI's function form.
type Definition struct {
	Type     string   `json:"type"` // function
	Function Function `json:"function"`
}

// Function is what a model is told of a tool.
type Function struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Parameters  Schema `json:"parameters"`
}

// Schema is the part of JSON Schema that the definitions use.
type Schema struct {
	Type        string            `json:"type"`
	Description string            `json:"description,omitempty"`
	Properties  map[string]Schema `json:"properties,omitempty"`
	Required    []string          `json:"required,omitempty"`
	Additional  *bool             `json:"additionalProperties,omitempty"`
	Items       *Schema           `json:"items,omitempty"`
	Enum        []string          `json:"enum,omitempty"`
	Minimum     int               `json:"minimum,omitempty"`
	Maximum     int               `json:"maximum,omitempty"`
	MinLength   int               `json:"minLength,omitempty"`
	MaxLength   int               `json:"maxLength,omitempty"`
	MaxItems    int               `json:"maxItems,omitempty"`
}

// Definitions are the three tools for the folders that a caller gave; nil: the whole
// memory. With two or more each takes one of them (S3.50).
func Definitions(b fact.Border, paths []string) ([]Definition, error) {
	list, err := folders(b, paths)
	if err != nil {
		return nil, err
	}
	out := make([]Definition, len(tools))
	for i, t := range tools {
		out[i] = Definition{Type: "function", Function: Function{
			Name: t.name, Description: t.about, Parameters: t.parameters(list),
		}}
	}
	return out, nil
}

// tool is one of the three.
type tool struct {
	name, about string
	arguments   map[string]Schema
	required    []string
	place       string // what its path says
	placed      bool   // a path is required where there are several (R3.21)
}

var tools = []tool{
	{
		name:  searchMemory,
		about: "Find facts in memory that match the words of a query, best first. An empty query gives the newest facts.",
		arguments: map[string]Schema{
			"query": {Type: "string", Description: "Words to look for; each also matches as the beginning of a word."},
			"k":     {Type: "integer", Description: "How many facts at most; 5 when left out.", Minimum: 1, Maximum: 50},
		},
		required: []string{"query"},
		place:    "The folder to search; all of them when left out.",
	},
	{
		name:  saveMemory,
		about: "Save one short fact in memory, for later conversations. To correct a fact that is there, name it in replaces.",
		arguments: map[string]Schema{
			"text":     {Type: "string", Description: "The fact, in a sentence or two.", MinLength: 1, MaxLength: fact.MaxText},
			"tags":     {Type: "array", Description: "Labels of letters, digits and . _ : -", Items: &Schema{Type: "string"}, MaxItems: fact.MaxTags},
			"replaces": {Type: "string", Description: "The id of the fact that this one takes the place of, as search_memory gave it."},
		},
		required: []string{"text"},
		place:    "The folder to save the fact in.",
		placed:   true,
	},
	{
		name:  forgetMemory,
		about: "Remove a fact from memory, with all its earlier versions.",
		arguments: map[string]Schema{
			"id": {Type: "string", Description: "The fact's id, as search_memory gave it."},
		},
		required: []string{"id"},
		place:    "The folder that the fact is in; any of them when left out.",
	},
}

// parameters is the schema of a tool's arguments.
func (t tool) parameters(list []folder) Schema {
	properties := map[string]Schema{}
	for name, schema := range t.arguments {
		properties[name] = schema
	}
	required := t.required
	if len(list) > 1 {
		properties["path"] = Schema{Type: "string", Description: t.place, Enum: names(list)}
		if t.placed {
			required = append([]string{"path"}, required...)
		}
	}
	no := false
	return Schema{Type: "object", Properties: properties, Required: required, Additional: &no}
}

func names(list []folder) []string {
	out := make([]string, len(list))
	for i, f := range list {
		out[i] = f.name
	}
	return out
}
