// Package all pairs every route with its endpoint: for the local server, the
// OpenAPI document and tests. Functions never import it, since it links every
// family into one binary.
package all

import (
	"holdfast/internal/httpapi"
	"holdfast/internal/httpapi/adminapi"
	"holdfast/internal/httpapi/factapi"
	"holdfast/internal/httpapi/memoryapi"
	"holdfast/internal/httpapi/receiptsapi"
	"holdfast/internal/httpapi/webhooksapi"
	"holdfast/internal/routes"
)

// Constructors answers the constructor of each route's endpoint by route id. The
// OpenAPI document's endpoint is left out: it is made from all the others.
func Constructors() map[string]httpapi.Constructor {
	return map[string]httpapi.Constructor{
		routes.MemoryAppend.ID:      memoryapi.Append,
		routes.MemoryAppendBatch.ID: memoryapi.AppendBatch,
		routes.MemoryRetrieve.ID:    memoryapi.Retrieve,
		routes.MemoryList.ID:        memoryapi.List,
		routes.MemoryGet.ID:         memoryapi.Get,
		routes.MemoryUpdate.ID:      memoryapi.Update,
		routes.MemoryDelete.ID:      memoryapi.Delete,
		routes.MemoryVersions.ID:    memoryapi.Versions,
		routes.MemoryErasure.ID:     memoryapi.Erasure,
		routes.MemoryOperation.ID:   memoryapi.Operation,
		routes.MemoryQuarantine.ID:  memoryapi.QuarantineList,
		routes.MemoryReview.ID:      memoryapi.Review,
		routes.MemoryChanges.ID:     memoryapi.Changes,
		routes.MemoryReceipt.ID:     memoryapi.Receipt,
		routes.MemoryConsolidate.ID: memoryapi.Consolidate,
		routes.MemoryExplain.ID:     memoryapi.Explain,
		routes.MemoryShare.ID:       memoryapi.Share,
		routes.MemoryEvaluate.ID:    memoryapi.Evaluate,

		routes.RunsCreate.ID:          factapi.StartRun,
		routes.RunsEnd.ID:             factapi.EndRun,
		routes.FactsSave.ID:           factapi.Save,
		routes.FactsList.ID:           factapi.List,
		routes.FactsGet.ID:            factapi.Get,
		routes.FactsVersions.ID:       factapi.Versions,
		routes.FactsDelete.ID:         factapi.Delete,
		routes.FactsSearch.ID:         factapi.Search,
		routes.FactsContext.ID:        factapi.Context,
		routes.FactsTools.ID:          factapi.Tools,
		routes.FactsToolsCall.ID:      factapi.CallTool,
		routes.AgentsList.ID:          factapi.Agents,
		routes.AgentsFactsList.ID:     factapi.AgentFacts,
		routes.AgentsFactsVersions.ID: factapi.AgentFactVersions,
		routes.AgentsFactsEdit.ID:     factapi.EditFact,
		routes.AgentsFactsDelete.ID:   factapi.DeleteFact,
		routes.AgentsUsersErase.ID:    factapi.EraseUser,

		routes.AdminTenantsCreate.ID:    adminapi.TenantsCreate,
		routes.AdminWorkspacesCreate.ID: adminapi.WorkspacesCreate,
		routes.AdminWorkspacesList.ID:   adminapi.WorkspacesList,
		routes.AdminWorkspacesGet.ID:    adminapi.WorkspacesGet,
		routes.AdminWorkspacesSet.ID:    adminapi.WorkspacesUpdate,
		routes.AdminKeysCreate.ID:       adminapi.KeysCreate,
		routes.AdminKeysList.ID:         adminapi.KeysList,
		routes.AdminKeysDelete.ID:       adminapi.KeysDelete,
		routes.AdminJobsList.ID:         adminapi.JobsList,
		routes.AdminJobsRetry.ID:        adminapi.JobsRetry,
		routes.AdminUsage.ID:            adminapi.Usage,

		routes.ReceiptsList.ID:   receiptsapi.List,
		routes.ReceiptsGet.ID:    receiptsapi.Get,
		routes.ReceiptsVerify.ID: receiptsapi.Verify,

		routes.WebhooksCreate.ID:     webhooksapi.Create,
		routes.WebhooksList.ID:       webhooksapi.List,
		routes.WebhooksDelete.ID:     webhooksapi.Delete,
		routes.WebhooksDeliveries.ID: webhooksapi.Deliveries,
		routes.WebhooksRedeliver.ID:  webhooksapi.Redeliver,

		routes.Healthz.ID:   adminapi.Healthz,
		routes.Readyz.ID:    adminapi.Readyz,
		routes.TestClock.ID: adminapi.TestClock,
	}
}
