package openapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"holdfast/internal/httpapi"
	"holdfast/internal/routes"
)

// Version is the version of the interface.
const Version = "1.0.0"

// Build makes the document of the endpoints: indented JSON that is the same at
// every run. A type that cannot be described is an error.
func Build(endpoints []httpapi.Endpoint) (document []byte, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			document, err = nil, fmt.Errorf("openapi: %v", cause)
		}
	}()
	registry := httpapi.NewRegistry()
	doc := frame(registry)
	for _, e := range endpoints {
		doc.AddOperation(e.Operation(registry))
	}
	raw, err := doc.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	return tidied(raw)
}

func frame(registry huma.Registry) *huma.OpenAPI {
	return &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "Holdfast", Version: Version,
			Description: "A memory service for agents. Times are RFC 3339 in UTC. Errors are problem JSON (RFC 9457) with a code.",
			License:     &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"},
		},
		Components: &huma.Components{
			Schemas: registry,
			SecuritySchemes: map[string]*huma.SecurityScheme{
				httpapi.SecurityBearer: {Type: "http", Scheme: "bearer", Description: "A key: holdfast_<id>_<secret>"},
				httpapi.SecurityRun:    {Type: "apiKey", In: "header", Name: "X-Agentos-Run-Token", Description: "The token of a run"},
				httpapi.SecurityRoot:   {Type: "http", Scheme: "bearer", Description: "The root key of the installation"},
			},
		},
		Tags: []*huma.Tag{
			{Name: string(routes.Memory), Description: "Memories of a workspace"},
			{Name: string(routes.Receipts), Description: "Receipts of writes and reads, and their chain"},
			{Name: string(routes.Webhooks), Description: "Addresses that are told of events"},
			{Name: string(routes.Platform), Description: "Administration, operation and health"},
		},
	}
}

// Endpoint answers /openapi.json with the document of the other endpoints and
// itself.
func Endpoint(others []httpapi.Endpoint) (httpapi.Endpoint, error) {
	document, err := Build(append([]httpapi.Endpoint{serve(nil)}, others...))
	if err != nil {
		return httpapi.Endpoint{}, err
	}
	return serve(document), nil
}

func serve(document []byte) httpapi.Endpoint {
	return httpapi.Handle(routes.OpenAPI, func(context.Context, *httpapi.Call, *struct{}) (httpapi.Reply[json.RawMessage], error) {
		return httpapi.OK(json.RawMessage(document)), nil
	})
}

// tidied puts what huma writes into the words of JSON Schema 2020-12.
func tidied(raw []byte) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var doc map[string]any
	if err := decoder.Decode(&doc); err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	tidy(doc)
	prune(doc)
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(doc); err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	return out.Bytes(), nil
}
