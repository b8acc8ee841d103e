package openapi

import (
	_ "embed" // for the committed copy

	"holdfast/internal/httpapi"
)

//go:embed openapi.json
var committed []byte

// Committed is the document of all routes that are deployed, as it was written
// last; a test holds that it is what the endpoints say.
func Committed() []byte { return committed }

// Serve is the constructor of the endpoint that answers the committed copy: for
// the deployed function, which links no other family.
func Serve(httpapi.Deps) httpapi.Endpoint { return serve(committed) }
