package routes

import (
	"net/http"
	"time"

	"holdfast/internal/capability"
)

// The routes of /v1/memory.
var (
	MemoryAppend = memory("memory-append", http.MethodPost, "/v1/memory/append",
		"Store one memory", capability.MemoryAppend, Embed).mutating().
		coded("UNKNOWN_LAYER", "UNKNOWN_TYPE", "TYPE_RESERVED", "RUN_ID_REQUIRED", "LAYER_READ_ONLY", "REJECTED_VALUE", "BUDGET_EXHAUSTED")
	MemoryAppendBatch = memory("memory-append-batch", http.MethodPost, "/v1/memory/append-batch",
		"Store 1 to 100 memories, one result an item", capability.MemoryAppend, Embed).mutating().limited(Body1M)
	MemoryRetrieve = memory("memory-retrieve", http.MethodPost, "/v1/memory/retrieve",
		"Ranked context within a token budget", capability.MemoryRead, Search|Embed|Write).
		coded("INVALID_MODE", "INVALID_AS_OF_AXIS", "INVALID_OVERRIDES", "DETERMINISTIC_EXCLUDES_RERANK", "CONTEXT_BUDGET_TOO_SMALL")
	MemoryList = memory("memory-list", http.MethodGet, "/v1/memory",
		"List entries, newest first", capability.MemoryRead, 0)
	MemoryGet = memory("memory-get", http.MethodGet, "/v1/memory/{id}",
		"Read one entry", capability.MemoryRead, 0)
	MemoryUpdate = memory("memory-update", http.MethodPut, "/v1/memory/{id}",
		"Replace an entry's content in place", capability.MemoryUpdate, Embed).mutating().
		coded("VERSION_MISMATCH", "REJECTED_VALUE", "CONSOLIDATION_RUNNING")
	MemoryDelete = memory("memory-delete", http.MethodDelete, "/v1/memory/{id}",
		"Delete an entry and erase every copy", capability.MemoryDelete, 0).mutating().
		answering(http.StatusNoContent).coded("VERSION_MISMATCH")
	MemoryVersions = memory("memory-versions", http.MethodGet, "/v1/memory/{id}/versions",
		"List an entry's versions, newest first", capability.MemoryRead, 0)
	MemoryErasure = memory("memory-erasure", http.MethodGet, "/v1/memory/{id}/erasure",
		"Where an erasure stands", capability.MemoryRead, 0)
	MemoryOperation = memory("memory-operation", http.MethodGet, "/v1/memory/operations/{operationId}",
		"What became of an append", capability.MemoryRead, 0)
	MemoryQuarantine = memory("memory-quarantine", http.MethodGet, "/v1/memory/quarantine",
		"List entries in quarantine", capability.MemoryReview, 0)
	MemoryReview = memory("memory-review", http.MethodPost, "/v1/memory/{id}/quarantine/review",
		"Release or reject a quarantined entry", capability.MemoryReview, Embed).mutating().coded("ALREADY_DECIDED")
	MemoryChanges = memory("memory-changes", http.MethodGet, "/v1/memory/changes",
		"The change feed of the workspace, all families", capability.MemoryRead, 0)
	MemoryExplain = memory("memory-explain", http.MethodGet, "/v1/memory/{id}/explain",
		"Where an entry comes from, what came of it and who was handed it", capability.MemoryRead, 0)
	MemoryShare = memory("memory-share", http.MethodPost, "/v1/memory/{id}/share",
		"Copy an entry into another layer or workspace", capability.MemoryShare, Embed).mutating().
		answering(http.StatusCreated).coded("NOT_SHAREABLE", "UNKNOWN_LAYER", "LAYER_READ_ONLY", "REJECTED_VALUE", "BUDGET_EXHAUSTED")
	MemoryEvaluate = memory("memory-evaluate", http.MethodPost, "/v1/memory/evaluations",
		"Measure recall against expected answers", capability.MemoryEvaluate, Search|Embed).within(29 * time.Second).coded("INVALID_MODE")
	MemoryConsolidate = memory("memory-consolidate", http.MethodPost, "/v1/memory/consolidate",
		"End a run: make its episode, facts and procedures, and clear its session", capability.MemoryConsolidate, Search|Queue|Embed|LLM).
		mutating().within(29*time.Second).
		coded("CONSOLIDATION_RUNNING", "BUDGET_EXHAUSTED", "MODEL_UNAVAILABLE", "MODEL_ANSWER_BROKEN", "MODEL_REFUSED", "SESSION_EDITED", "TIMEOUT", "CONSOLIDATION_DELAYED")
	MemoryReceipt = memory("memory-receipt", http.MethodGet, "/v1/memory/receipts/{receiptId}",
		"Read the record of a retrieval", capability.MemoryRead, 0)
)

// The routes of facts: runs, their memory, and the panel.
var (
	RunsCreate = facts("runs-create", http.MethodPost, "/v0/runs", "Start a run and answer its token", Write).
			byKey(capability.FactsRun).answering(http.StatusCreated)
	RunsEnd = facts("runs-end", http.MethodPost, "/v0/runs/{id}/end", "End a run", Write).
		byKey(capability.FactsRun)
	FactsSave = facts("facts-save", http.MethodPost, "/v0/memory/facts", "Save a fact, or the next version of one", Write).
			writing().answering(http.StatusCreated).coded("OTHER_USER", "NO_USER", "MEMORY_FULL")
	FactsList     = facts("facts-list", http.MethodGet, "/v0/memory/facts", "List facts, newest first", 0).coded("OTHER_USER", "NO_USER")
	FactsGet      = facts("facts-get", http.MethodGet, "/v0/memory/facts/{id}", "Read a fact", 0)
	FactsVersions = facts("facts-versions", http.MethodGet, "/v0/memory/facts/{id}/versions", "List a fact's versions", 0)
	FactsDelete   = facts("facts-delete", http.MethodDelete, "/v0/memory/facts/{id}", "Remove a fact with its whole history", Write).
			writing().answering(http.StatusNoContent).coded("VERSION_MISMATCH")
	FactsSearch = facts("facts-search", http.MethodPost, "/v0/memory/search", "Find facts by words", Search|Write).
			coded("OTHER_USER", "NO_USER")
	FactsContext = facts("facts-context", http.MethodPost, "/v0/memory/context", "The block of facts for a prompt", Search|Write).
			coded("OTHER_USER", "NO_USER")
	FactsTools     = facts("facts-tools", http.MethodPost, "/v0/memory/tools", "Definitions of the tools for a model", 0).coded("OTHER_USER", "NO_USER")
	FactsToolsCall = facts("facts-tools-call", http.MethodPost, "/v0/memory/tools/call", "Do what a model asks for", Search|Write).
			coded("OTHER_USER", "NO_USER")
	AgentsList = facts("agents-list", http.MethodGet, "/v0/agents", "List the agents that have facts", 0).
			byKey(capability.FactsPanel)
	AgentsFactsList = facts("agents-facts-list", http.MethodGet, "/v0/agents/{agent}/facts", "List an agent's facts", 0).
			byKey(capability.FactsPanel)
	AgentsFactsVersions = facts("agents-facts-versions", http.MethodGet, "/v0/agents/{agent}/facts/{id}/versions", "List a fact's versions", 0).
				byKey(capability.FactsPanel)
	AgentsFactsEdit = facts("agents-facts-edit", http.MethodPatch, "/v0/agents/{agent}/facts/{id}", "Edit a fact, or clear it", Write).
			byKey(capability.FactsPanel).writing().coded("VERSION_MISMATCH")
	AgentsFactsDelete = facts("agents-facts-delete", http.MethodDelete, "/v0/agents/{agent}/facts/{id}", "Remove a fact with its whole history", Write).
				byKey(capability.FactsPanel).writing().answering(http.StatusNoContent).coded("VERSION_MISMATCH")
	AgentsUsersErase = facts("agents-users-erase", http.MethodDelete, "/v0/agents/{agent}/users/{user}", "Erase an end user's folder", Write).
				byKey(capability.Admin).writing().answering(http.StatusNoContent)
)

// The routes of administration and operation.
var (
	AdminTenantsCreate = rootOnly(admin("admin-tenants-create", http.MethodPost, "/v1/admin/tenants",
		"Make a tenant and its admin key").mutating().answering(http.StatusCreated))
	AdminWorkspacesCreate = admin("admin-workspaces-create", http.MethodPost, "/v1/admin/workspaces",
		"Make a workspace").mutating().answering(http.StatusCreated)
	AdminWorkspacesList = admin("admin-workspaces-list", http.MethodGet, "/v1/admin/workspaces", "List workspaces")
	AdminWorkspacesGet  = admin("admin-workspaces-get", http.MethodGet, "/v1/admin/workspaces/{id}", "Read a workspace")
	AdminWorkspacesSet  = admin("admin-workspaces-update", http.MethodPatch, "/v1/admin/workspaces/{id}",
		"Change a workspace's name or settings").mutating().coded("VERSION_MISMATCH")
	AdminKeysCreate = admin("admin-keys-create", http.MethodPost, "/v1/admin/keys",
		"Make a key; its secret is shown once").mutating().answering(http.StatusCreated)
	AdminKeysList   = admin("admin-keys-list", http.MethodGet, "/v1/admin/keys", "List keys without secrets")
	AdminKeysDelete = admin("admin-keys-delete", http.MethodDelete, "/v1/admin/keys/{keyId}",
		"Revoke a key").mutating().answering(http.StatusNoContent).coded("VERSION_MISMATCH")
	AdminJobsList = withQuery(admin("admin-jobs-list", http.MethodGet, "/v1/admin/jobs",
		"List background jobs of a workspace"))
	AdminJobsRetry = admin("admin-jobs-retry", http.MethodPost, "/v1/admin/jobs/{jobId}/retry",
		"Try a dead job again").mutating().answering(http.StatusAccepted)
	AdminUsage = withQuery(admin("admin-usage", http.MethodGet, "/v1/admin/usage", "Usage of a workspace"))
)

// The shared calls, health and the document.
var (
	ReceiptsList   = receipts("receipts-list", "/v1/receipts", "List receipts")
	ReceiptsGet    = receipts("receipts-get", "/v1/receipts/{receiptId}", "Read a receipt")
	ReceiptsVerify = receipts("receipts-verify", "/v1/receipts/verify", "Check the chain")

	WebhooksCreate = webhooks("webhooks-create", http.MethodPost, "/v1/webhooks",
		"Name an address that is told of events; its secret is shown once").mutating().answering(http.StatusCreated).coded("TOO_MANY_WEBHOOKS")
	WebhooksList   = webhooks("webhooks-list", http.MethodGet, "/v1/webhooks", "List webhooks without secrets")
	WebhooksDelete = webhooks("webhooks-delete", http.MethodDelete, "/v1/webhooks/{webhookId}",
		"End a webhook and its deliveries").mutating().answering(http.StatusNoContent).coded("VERSION_MISMATCH")
	WebhooksDeliveries = webhooks("webhooks-deliveries", http.MethodGet, "/v1/webhooks/{webhookId}/deliveries",
		"List a webhook's deliveries of the last 30 days, newest first")
	WebhooksRedeliver = webhooks("webhooks-redeliver", http.MethodPost, "/v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver",
		"Try a delivery again at once").mutating().answering(http.StatusAccepted)

	Healthz = open("healthz", "/healthz", "The process lives")
	Readyz  = func() Route { r := open("readyz", "/readyz", "The stores answer"); r.Needs = Read | Search; return r }()
	OpenAPI = open("openapi", "/openapi.json", "The OpenAPI 3.1 document of what is served")

	TestClock = Route{
		ID: "test-clock", Method: http.MethodPost, Path: "/v1/test/clock", Family: Platform,
		Summary: "Move the test clock forward", Access: RootAccess, Timeout: 29 * time.Second, MemoryMB: 256,
		BodyLimit: Body64K, Success: http.StatusOK, BadInput: http.StatusUnprocessableEntity, LocalOnly: true,
	}
)

// The workers.
var (
	WorkerIndex = Worker{ID: "worker-index", Summary: "Brings the index up to the log", Trigger: OnQueue, Queue: "index",
		Batch: 10, Concurrency: 5, Visibility: 180 * time.Second, Tries: 8,
		Needs: Read | Write | Search | Queue, Timeout: 30 * time.Second, MemoryMB: 512}
	WorkerEmbed = Worker{ID: "worker-embed", Summary: "Embeds what was deferred", Trigger: OnQueue, Queue: "embed",
		Batch: 10, Concurrency: 5, Visibility: 360 * time.Second, Tries: 8,
		Needs: Read | Write | Queue | Embed, Timeout: 60 * time.Second, MemoryMB: 512}
	WorkerErase = Worker{ID: "worker-erase", Summary: "Erases every copy, step by step", Trigger: OnQueue, Queue: "erase",
		Batch: 1, Concurrency: 5, Visibility: 360 * time.Second, Tries: 8,
		Needs: Read | Write | Search | Queue, Timeout: 60 * time.Second, MemoryMB: 512}
	WorkerConsolidate = Worker{ID: "worker-consolidate", Summary: "Consolidates runs, step by step", Trigger: OnQueue, Queue: "consolidate",
		Batch: 1, Concurrency: 5, Visibility: 960 * time.Second, Tries: 8,
		Needs: Read | Write | Search | Queue | Embed | LLM, Timeout: 300 * time.Second, MemoryMB: 1024}
	WorkerEvents = Worker{ID: "worker-events", Summary: "Tells webhooks what happened", Trigger: OnQueue, Queue: "events",
		Batch: 1, Concurrency: 16, Visibility: 180 * time.Second, Tries: 8,
		Needs: Read | Write | Queue, Timeout: 50 * time.Second, MemoryMB: 256}
	WorkerIdle = Worker{ID: "worker-idle", Summary: "Seals runs that nobody uses any more", Trigger: OnSchedule,
		Every: time.Minute, Needs: Read | Write, Timeout: 50 * time.Second, MemoryMB: 256}
	WorkerExperiments = Worker{ID: "worker-experiments", Summary: "Ends experiments that nobody ended in time", Trigger: OnSchedule,
		Every: time.Minute, Needs: Read | Write, Timeout: 50 * time.Second, MemoryMB: 256}
	WorkerSweep = Worker{ID: "worker-sweep", Summary: "Sends due jobs whose message was lost", Trigger: OnSchedule,
		Every: time.Minute, Needs: Read | Write | Queue, Timeout: 50 * time.Second, MemoryMB: 256}
	WorkerSeal = Worker{ID: "worker-seal", Summary: "Seals read receipts into the chain", Trigger: OnSchedule,
		Every: time.Minute, Queue: "seal", Batch: 10, Concurrency: 2, Visibility: 180 * time.Second, Tries: 8,
		Needs: Read | Write, Timeout: 50 * time.Second, MemoryMB: 256}
	WorkerRelay = Worker{ID: "worker-relay", Summary: "Turns changes of the table into messages", Trigger: OnStream,
		Batch: 100, Concurrency: 4, Tries: 8, Needs: Queue, Timeout: 30 * time.Second, MemoryMB: 256}
)

func rootOnly(r Route) Route  { r.Access, r.Capability = RootAccess, ""; return r }
func withQuery(r Route) Route { r.Scope = WorkspaceQuery; return r }

// All lists every route, literal paths before parameters of the same family.
func All() []Route {
	return []Route{
		MemoryAppend, MemoryAppendBatch, MemoryRetrieve, MemoryConsolidate, MemoryQuarantine, MemoryChanges, MemoryOperation, MemoryReceipt,
		MemoryList, MemoryGet, MemoryUpdate, MemoryDelete, MemoryVersions, MemoryErasure, MemoryReview, MemoryExplain, MemoryShare, MemoryEvaluate,
		AdminTenantsCreate, AdminWorkspacesCreate, AdminWorkspacesList, AdminWorkspacesGet, AdminWorkspacesSet,
		AdminKeysCreate, AdminKeysList, AdminKeysDelete, AdminJobsList, AdminJobsRetry, AdminUsage,
		RunsCreate, RunsEnd, FactsSave, FactsList, FactsSearch, FactsContext, FactsTools, FactsToolsCall,
		FactsGet, FactsVersions, FactsDelete,
		AgentsList, AgentsFactsList, AgentsFactsVersions, AgentsFactsEdit, AgentsFactsDelete, AgentsUsersErase,
		ReceiptsList, ReceiptsVerify, ReceiptsGet,
		WebhooksCreate, WebhooksList, WebhooksDelete, WebhooksDeliveries, WebhooksRedeliver,
		Healthz, Readyz, OpenAPI, TestClock,
	}
}

// Workers lists every worker.
func Workers() []Worker {
	return []Worker{WorkerIndex, WorkerEmbed, WorkerErase, WorkerConsolidate, WorkerEvents, WorkerIdle, WorkerExperiments, WorkerSweep, WorkerSeal, WorkerRelay}
}
