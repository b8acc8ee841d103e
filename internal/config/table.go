package config

import (
	"slices"
	"strings"
	"time"
)

// Setting is one variable as `holdfast -h` shows it.
type Setting struct {
	Name    string
	Default string // as a value; empty: none
	Meaning string
	set     func(c *Config, value string) (broken string) // empty: it is fine
}

// The settings in the order in which they are shown.
var table = []Setting{
	{"HOLDFAST_ADDR", "127.0.0.1:8080", "address and port to listen on", address(func(c *Config) *string { return &c.Addr })},
	{"HOLDFAST_DATA", ".data", "folder of the embedded engines' files", text(func(c *Config) *string { return &c.Data })},
	{"HOLDFAST_ROOT_KEY", "", "the root key, at least 32 characters; without it one is made at the first start, kept in the data folder and printed once",
		rootKey(func(c *Config) *Secret { return &c.RootKey })},
	{"HOLDFAST_ROOT_KEY_SECRET", "", "name or ARN of the secret of AWS Secrets Manager that holds the root key; read by functions on AWS only",
		text(func(c *Config) *string { return &c.RootKeySecret })},

	{"HOLDFAST_STORE", Bolt, "table: bolt or dynamodb", engine(func(c *Config) *string { return &c.Store }, Bolt, DynamoDB)},
	{"HOLDFAST_QUEUE", Memory, "queues: memory or sqs", engine(func(c *Config) *string { return &c.Queue }, Memory, SQS)},
	{"HOLDFAST_SEARCH", Memory, "index: memory or opensearch", engine(func(c *Config) *string { return &c.Search }, Memory, OpenSearch)},
	{"HOLDFAST_EMBED", Static, "embedding model: static, openai (any compatible address) or bedrock",
		engine(func(c *Config) *string { return &c.Embed }, Static, OpenAI, Bedrock)},
	{"HOLDFAST_LLM", Offline, "language model: offline (rules only), openai (any compatible address) or bedrock",
		engine(func(c *Config) *string { return &c.LLM }, Offline, OpenAI, Bedrock)},

	{"HOLDFAST_TABLE", "", "name of the DynamoDB table", text(func(c *Config) *string { return &c.Table })},
	{"HOLDFAST_QUEUE_INDEX", "", "address of the SQS queue of index work", link(func(c *Config) *string { return &c.QueueIndex })},
	{"HOLDFAST_QUEUE_EMBED", "", "address of the SQS queue of deferred embedding", link(func(c *Config) *string { return &c.QueueEmbed })},
	{"HOLDFAST_QUEUE_ERASE", "", "address of the SQS queue of erasures", link(func(c *Config) *string { return &c.QueueErase })},
	{"HOLDFAST_QUEUE_SEAL", "", "address of the SQS queue that wakes the sealer of read receipts", link(func(c *Config) *string { return &c.QueueSeal })},
	{"HOLDFAST_QUEUE_CONSOLIDATE", "", "address of the SQS queue of consolidations", link(func(c *Config) *string { return &c.QueueRuns })},
	{"HOLDFAST_QUEUE_EVENTS", "", "address of the SQS queue of webhooks", link(func(c *Config) *string { return &c.QueueEvents })},
	{"HOLDFAST_OPENSEARCH_URL", "", "address of the OpenSearch domain", link(func(c *Config) *string { return &c.OpenSearchURL })},
	{"HOLDFAST_EMBED_URL", "", "address of the embedding model, up to and with /v1", link(func(c *Config) *string { return &c.EmbedURL })},
	{"HOLDFAST_EMBED_MODEL", "", "name of the embedding model", text(func(c *Config) *string { return &c.EmbedModel })},
	{"HOLDFAST_EMBED_DIMENSION", "", "dimension of the embedding model's vectors", count(func(c *Config) *int { return &c.EmbedSize }, maxDimension)},
	{"HOLDFAST_EMBED_KEY", "", "bearer key of the embedding model, where it asks for one", secret(func(c *Config) *Secret { return &c.EmbedKey })},
	{"HOLDFAST_EMBED_WAIT", "500", "milliseconds that a retrieve waits for the embedding model; then words alone answer, and the answer says so",
		millis(func(c *Config) *time.Duration { return &c.EmbedWait }, maxWait)},
	{"HOLDFAST_LLM_URL", "", "address of the language model, up to and with /v1", link(func(c *Config) *string { return &c.LLMURL })},
	{"HOLDFAST_LLM_MODEL", "", "name of the language model; with bedrock the id of a model or the id or ARN of an inference profile", text(func(c *Config) *string { return &c.LLMModel })},
	{"HOLDFAST_LLM_KEY", "", "bearer key of the language model, where it asks for one", secret(func(c *Config) *Secret { return &c.LLMKey })},

	{"HOLDFAST_RATE_KEY_PER_MINUTE", "600", "calls a minute of an agent's key; a person's has ten times that; 0: no limit",
		count(func(c *Config) *int { return &c.RateKeyPerMinute }, maxRate)},
	{"HOLDFAST_RATE_TENANT_PER_MINUTE", "60000", "calls a minute of all keys of a tenant together; 0: no limit",
		count(func(c *Config) *int { return &c.RateTenantPerMinute }, maxRate)},
	{"HOLDFAST_TEST_CLOCK", "0", "1 adds POST /v1/test/clock, which moves the service's time forward; embedded engines only",
		flag(func(c *Config) *bool { return &c.TestClock })},
	{"HOLDFAST_WEBHOOK_ALLOW", "", "networks, separated by commas, that webhooks may reach although they are private, also by http; for tests, embedded engines only",
		networks},
	{"HOLDFAST_LOG_LEVEL", "info", "least level of log lines: debug, info, warn or error", level},
}

// Table lists every setting.
func Table() []Setting { return slices.Clone(table) }

// Usage is the table as text for people: name and default, then the meaning.
func Usage() string {
	var b strings.Builder
	for _, s := range table {
		b.WriteString("  " + s.Name)
		if s.Default != "" {
			b.WriteString(" (default " + s.Default + ")")
		}
		b.WriteString("\n        " + s.Meaning + "\n")
	}
	return b.String()
}
