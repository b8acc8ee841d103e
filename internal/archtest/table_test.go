package archtest

// module is this module's path; names below are relative to it.
const module = "holdfast/"

// layers is the dependency rule, lowest first. A package imports packages of lower
// layers only. Beside lists the imports within a layer that are allowed.
//
// A name with * is a pattern of path.Match; patterns may stand for nothing yet.
var layers = []layer{
	{"ground", []string{"internal/errs", "internal/ids", "internal/clock", "internal/capability", "internal/search/analysis", "internal/screen"}},
	{"base", []string{"internal/obs", "internal/openaihttp", "internal/tenant", "internal/routes", "internal/config", "internal/extract/prose"}},
	{"ports", []string{"internal/store", "internal/search", "internal/search/words", "internal/search/partitions", "internal/queue", "internal/embed", "internal/llm"}},
	{"keys", []string{"internal/store/keys", "internal/recall/rank", "internal/recall/rerank", "internal/extract", "internal/claim"}},
	{"rows", []string{"internal/idem", "internal/ledger", "internal/outbox", "internal/keyed", "internal/erasure"}},
	{"suites", []string{
		"internal/store/storetest", "internal/store/faultstore", "internal/search/searchtest", "internal/search/words/wordstest",
		"internal/queue/queuetest", "internal/embed/embedtest", "internal/llm/llmtest", "internal/ledger/journaltest",
	}},
	{"AWS set-up", []string{"internal/awsconf*"}},
	{"AWS credentials", []string{"internal/awsconf/*"}},
	{"adapters", []string{
		"internal/store/boltstore", "internal/store/memstore", "internal/ledger/filejournal", "internal/ledger/tablejournal",
		"internal/search/memsearch", "internal/search/words/memwords", "internal/queue/memqueue",
		"internal/embed/static", "internal/embed/hashembed", "internal/llm/offline", "internal/*/openai",
		"internal/*/dynamo", "internal/*/sqs", "internal/*/opensearch", "internal/*/bedrock",
		"internal/webhook/deliver",
	}},
	{"commit", []string{"internal/commit"}},
	{"kernel", []string{"internal/apikey", "internal/tenant/directory", "internal/ratelimit", "internal/runtoken"}},
	{"runs", []string{"internal/run"}},
	{"domains", []string{"internal/memory", "internal/fact", "internal/webhook"}},
	{"flows", []string{"internal/recall", "internal/evaluate", "internal/erase", "internal/consolidate", "internal/factsearch", "internal/facttools"}},
	{"work", []string{"internal/work"}},
	{"http", []string{"internal/httpapi"}},
	{"families", []string{"internal/httpapi/*"}},
	{"all", []string{"internal/httpapi/all"}},
	{"lambda", []string{"internal/lambdahttp", "internal/lambdawork", "internal/openapi"}},
	{"app", []string{"internal/app"}},
	{"server", []string{"internal/localserver"}},
	{"apps", []string{"internal/app/awsapp", "internal/app/localapp"}},
	{"outside", []string{"internal/e2e/process", "internal/e2e/client", "scripts/bench/made"}},
	{"entry points", []string{"functions/*", "scripts/*", "events", "infra*", "infra/*", "internal/e2e", "internal/archtest"}},
}

// beside lists the imports within a layer.
var beside = map[string][]string{
	"internal/search/words":      {"internal/search"},
	"internal/ledger":            {"internal/idem"},
	"internal/outbox":            {"internal/idem", "internal/ledger"},
	"internal/tenant/directory":  {"internal/apikey"},
	"internal/ratelimit":         {"internal/apikey"},
	"internal/runtoken":          {"internal/apikey"},
	"internal/httpapi/memoryapi": {"internal/httpapi/receiptsapi"},
	"internal/evaluate":          {"internal/recall"},
	"internal/facttools":         {"internal/factsearch"},
	"infra":                      {"infra/plan"},
	"scripts/cdk":                {"infra/plan"},
	"scripts/estimate":           {"infra/plan"},
	"scripts/verifydeploy":       {"infra/plan"},
}

// adapters are imported by the wiring, by entry points and by tests only.
var adapterUsers = []string{"internal/app", "internal/app/*", "scripts/*"}

// outside says who may use which module; the longest prefix counts. The standard
// library is open to all but for the packages of reserved.
var outside = map[string][]string{
	"go.etcd.io/bbolt":                               {"internal/store/boltstore"},
	"github.com/danielgtaylor/huma/v2":               {"internal/httpapi", "internal/httpapi/*", "internal/openapi", "internal/localserver"},
	"github.com/go-chi/chi/v5":                       {"internal/httpapi", "internal/localserver"},
	"github.com/aws/aws-lambda-go":                   {"internal/lambdahttp", "internal/lambdawork", "internal/app/*", "internal/localserver"},
	"github.com/blevesearch/snowballstem":            {"internal/search/analysis"},
	"github.com/valyala/fastjson":                    {"internal/memory"},
	"golang.org/x/text":                              {"internal/recall", "internal/search/analysis", "internal/search/words", "internal/screen", "internal/memory", "internal/fact", "internal/embed/static", "internal/embed/hashembed"},
	"github.com/aws/aws-sdk-go-v2":                   awsUsers,
	"github.com/opensearch-project/opensearch-go/v4": {"internal/search/opensearch"},
	"github.com/aws/smithy-go":                       awsUsers,
	"github.com/aws/aws-cdk-go":                      {"infra"},
	"github.com/aws/constructs-go":                   {"infra"},
	"github.com/aws/jsii-runtime-go":                 {"infra"},
	"golang.org/x/time":                              {"internal/httpapi"},
	"golang.org/x/sys":                               {"internal/store/boltstore"},
}

// awsUsers may import the AWS SDK: its set-up and the adapters.
var awsUsers = []string{
	"internal/awsconf", "internal/awsconf/*", "scripts/deployed", "scripts/emulate", "scripts/verifydeploy",
	"internal/store/dynamo", "internal/queue/sqs", "internal/search/opensearch", "internal/embed/bedrock", "internal/llm/bedrock",
}

// reserved says who may use which package of the standard library outside tests.
var reserved = map[string][]string{
	"testing":           {"internal/*/*test"},
	"net/http/httptest": {"internal/*/*test"},
	"math/rand":         {},
	"unsafe":            {},
}

// calls are reserved to packages; test files are free unless the rule says so.
var calls = []call{
	{Of: "internal/tenant", Name: "Grant", Why: "a scope is made by authentication or read back from a committed row", By: granters},
	{Of: "time", Name: "Now", Why: "time is injected: take a clock.Clock", By: clockUsers},
	{Of: "time", Name: "Since", Why: "time is injected: take a clock.Clock", By: clockUsers},
	{Of: "time", Name: "Until", Why: "time is injected: take a clock.Clock", By: clockUsers},
	{Of: "time", Name: "Sleep", Why: "wait on a channel or a timer", By: []string{"scripts/*"}, Tests: true},
	{Of: "log", Name: "*", Why: "log with slog, through internal/obs", By: []string{"scripts/*"}},
	{Of: "fmt", Name: "Print*", Why: "standard output belongs to entry points", By: []string{"scripts/*"}},
	{Of: "os", Name: "Exit", Why: "only a main ends the process", By: []string{"scripts/*", "internal/app/awsapp"}},
	{Of: "os", Name: "Getenv", Why: "settings come from internal/config", By: []string{"scripts/*", "internal/app/awsapp"}},
}

// granters authenticate, or read a scope back from a row or a message which an
// authenticated call wrote. The suites make scopes up, as the benchmark does.
var granters = []string{
	"internal/httpapi", "internal/app", "internal/tenant/directory",
	"internal/outbox", "internal/ledger", "internal/store/keys", "internal/runtoken",
	"internal/search/searchtest", "internal/search/words/wordstest", "internal/ledger/journaltest", "scripts/bench",
}

// clockUsers make time, or measure how long something took for a log line.
var clockUsers = []string{
	"internal/clock", "functions/*", "scripts/*", "internal/e2e/*",
	"internal/httpapi", "internal/lambdawork", "internal/app",
}

// committers may call Commit of the store: the one place that composes a mutation,
// and what keeps bookkeeping rows of its own that no caller asked for (jobs and
// their leases, index cursors, vectors, the steps of an erasure, deliveries).
var committers = []string{
	"internal/commit", "internal/outbox", "internal/erase", "internal/work", "internal/run", "internal/consolidate", "internal/webhook",
}
