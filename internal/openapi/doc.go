// Package openapi builds the OpenAPI 3.1 document of exactly the endpoints that
// are served (T.30), from the same schemas that check requests. The document is
// built once and its bytes are kept; openapi.json is the committed copy.
//
// It may import httpapi, routes and huma (the document's types).
package openapi
