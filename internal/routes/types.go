// Package routes is the table of routes and workers as plain values: what the
// mains, the local server, the OpenAPI document, the deployment plan and the
// tests all read. It imports capability and the standard library only.
package routes

import (
	"net/http"
	"time"

	"holdfast/internal/capability"
)

// Family names a group of routes; it is the spelling of T.51 where that has one.
type Family string

// The families that have routes.
const (
	Platform Family = "platform"
	Memory   Family = "memory"
	Receipts Family = "receipts"
	Fact     Family = "fact"
	Webhooks Family = "webhooks"
)

// Need is a bit set of the ports that a route's code is handed. It becomes its
// permissions on AWS.
type Need uint

// The needs.
const (
	Read   Need = 1 << iota // table: get, query
	Write                   // table: commit
	Search                  // index
	Queue                   // send to queues
	Embed                   // embedding model
	LLM                     // language model
)

// Has tells whether all bits of m are in n.
func (n Need) Has(m Need) bool { return n&m == m }

// Access says who may call.
type Access int

// The kinds of access.
const (
	KeyAccess  Access = iota // a bearer key with the route's capability
	RootAccess               // the root key only
	Open                     // no key: health and the document
	RunAccess                // the token of a run (A3.1); a mutation asks that the run goes on
)

// ScopeSource says where the workspace comes from (T.34).
type ScopeSource int

// The sources.
const (
	TenantScope    ScopeSource = iota // none: the call acts on the tenant
	WorkspaceBody                     // member workspaceId of the body
	WorkspaceQuery                    // query parameter workspaceId
	WorkspaceKey                      // the key's only workspace, else header Workspace-Id
	WorkspaceRun                      // that of the run
)

// Idempotency says what an Idempotency-Key does.
type Idempotency int

// The choices.
const (
	NoIdempotency Idempotency = iota // the header is ignored
	Optional                         // honoured when sent
)

// Route is one operation of the HTTP interface.
type Route struct {
	ID          string // kebab-case; the folder in functions/ and the event in events/
	Method      string
	Path        string // API Gateway and chi share this form
	Family      Family
	Summary     string
	Access      Access
	Capability  capability.Name // empty for Root and Open
	Scope       ScopeSource
	Idempotency Idempotency
	Mutates     bool // leaves a log row
	Needs       Need
	Timeout     time.Duration
	MemoryMB    int
	BodyLimit   int // bytes; 0: takes no body
	Success     int
	BadInput    int      // status of bad input: 400 or 422 (T.10)
	Codes       []string // error codes beside the shared ones
	LocalOnly   bool     // served by the local server only (the test clock)
}

// Trigger says what starts a worker.
type Trigger string

// The triggers.
const (
	OnQueue    Trigger = "queue"
	OnSchedule Trigger = "schedule"
	OnStream   Trigger = "stream" // the table's; in one process commits relay themselves
)

// Worker is a function that no caller waits for.
type Worker struct {
	ID          string // «worker-» and a name; the folder in functions/
	Summary     string
	Trigger     Trigger
	Queue       string        // for OnQueue; a scheduled worker with one is woken by it too
	Every       time.Duration // for OnSchedule
	Batch       int
	Concurrency int
	Visibility  time.Duration // longer than the timeout
	Tries       int           // deliveries before a message is dead (T.20)
	Needs       Need
	Timeout     time.Duration
	MemoryMB    int
}

// The limits of bodies (T.8, R0.86).
const (
	Body64K = 64 << 10
	Body1M  = 1 << 20
)

func memory(id, method, path, summary string, cap capability.Name, needs Need) Route {
	r := Route{
		ID: id, Method: method, Path: path, Family: Memory, Summary: summary,
		Capability: cap, Needs: needs | Read, Timeout: 10 * time.Second, MemoryMB: 512,
		Success: http.StatusOK, BadInput: http.StatusBadRequest, Scope: WorkspaceQuery,
	}
	if method == http.MethodPost || method == http.MethodPut {
		r.Scope, r.BodyLimit = WorkspaceBody, Body64K
	}
	return r
}

func (r Route) mutating() Route {
	r.Mutates, r.Idempotency = true, Optional
	r.Needs |= Write
	return r
}

func (r Route) answering(status int) Route { r.Success = status; return r }

func (r Route) limited(bytes int) Route { r.BodyLimit = bytes; return r }

func (r Route) within(timeout time.Duration) Route { r.Timeout = timeout; return r }

func (r Route) coded(codes ...string) Route { r.Codes = codes; return r }

// facts is a call of a run, with its token.
func facts(id, method, path, summary string, needs Need) Route {
	r := Route{
		ID: id, Method: method, Path: path, Family: Fact, Summary: summary, Access: RunAccess, Scope: WorkspaceRun,
		Needs: needs | Read, Timeout: 10 * time.Second, MemoryMB: 512,
		Success: http.StatusOK, BadInput: http.StatusUnprocessableEntity,
	}
	if method == http.MethodPost || method == http.MethodPatch {
		r.BodyLimit = Body64K
	}
	return r
}

// byKey makes it a call with a bearer key, in the key's workspace (T.34).
func (r Route) byKey(c capability.Name) Route {
	r.Access, r.Scope, r.Capability = KeyAccess, WorkspaceKey, c
	return r
}

// writing leaves a log row. Idempotency-Key is a matter of /v1 (T.15).
func (r Route) writing() Route { r.Mutates = true; return r }

func admin(id, method, path, summary string) Route {
	r := Route{
		ID: id, Method: method, Path: path, Family: Platform, Summary: summary,
		Capability: capability.Admin, Needs: Read, Timeout: 10 * time.Second, MemoryMB: 512,
		Success: http.StatusOK, BadInput: http.StatusBadRequest,
	}
	if method == http.MethodPost || method == http.MethodPatch {
		r.BodyLimit = Body64K
	}
	return r
}

func receipts(id, path, summary string) Route {
	return Route{
		ID: id, Method: http.MethodGet, Path: path, Family: Receipts, Summary: summary,
		Capability: capability.Receipts, Scope: WorkspaceQuery, Needs: Read,
		Timeout: 10 * time.Second, MemoryMB: 512,
		Success: http.StatusOK, BadInput: http.StatusUnprocessableEntity,
	}
}

func webhooks(id, method, path, summary string) Route {
	r := Route{
		ID: id, Method: method, Path: path, Family: Webhooks, Summary: summary,
		Capability: capability.Webhooks, Scope: WorkspaceQuery, Needs: Read,
		Timeout: 10 * time.Second, MemoryMB: 512,
		Success: http.StatusOK, BadInput: http.StatusUnprocessableEntity,
	}
	if method == http.MethodPost {
		r.Scope, r.BodyLimit = WorkspaceBody, Body64K
	}
	return r
}

func open(id, path, summary string) Route {
	return Route{
		ID: id, Method: http.MethodGet, Path: path, Family: Platform, Summary: summary, Access: Open,
		Timeout: 5 * time.Second, MemoryMB: 256, Success: http.StatusOK, BadInput: http.StatusBadRequest,
	}
}
