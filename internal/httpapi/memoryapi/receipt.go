package memoryapi

import (
	"holdfast/internal/httpapi"
	"holdfast/internal/httpapi/receiptsapi"
	"holdfast/internal/routes"
)

// Receipt reads the record of a retrieval: what was handed out, never its text
// (R0.54).
func Receipt(d httpapi.Deps) httpapi.Endpoint { return receiptsapi.Reader(routes.MemoryReceipt, d) }
