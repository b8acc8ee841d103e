// Package config is the service's settings: environment variables with the same
// names everywhere (T.37, T.14, T.39, T.44), read once at the start into one
// typed struct.
//
// All that is wrong is told at once, by name and never with its value, since
// some values are keys. A name that begins with HOLDFAST_ and is no setting is
// wrong too: a misspelt variable must not be passed over in silence. It imports
// the standard library only; the table of settings is also what `holdfast -h`
// prints.
package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// Prefix begins the name of every setting.
const Prefix = "HOLDFAST_"

// The engines of each port. Those that reach out to AWS cannot be used with the
// test clock and with HOLDFAST_WEBHOOK_ALLOW.
const (
	Bolt       = "bolt"
	DynamoDB   = "dynamodb"
	Memory     = "memory"
	SQS        = "sqs"
	OpenSearch = "opensearch"
	Static     = "static"
	Offline    = "offline"
	OpenAI     = "openai"
	Bedrock    = "bedrock"
)

// Config is the service's settings. The tag of a field names its variable.
type Config struct {
	Addr    string `env:"HOLDFAST_ADDR"`     // host:port to listen on
	Data    string `env:"HOLDFAST_DATA"`     // folder of the embedded engines
	RootKey Secret `env:"HOLDFAST_ROOT_KEY"` // empty: made at the first start

	RootKeySecret string `env:"HOLDFAST_ROOT_KEY_SECRET"` // where a function finds it

	Store  string `env:"HOLDFAST_STORE"`
	Queue  string `env:"HOLDFAST_QUEUE"`
	Search string `env:"HOLDFAST_SEARCH"`
	Embed  string `env:"HOLDFAST_EMBED"`
	LLM    string `env:"HOLDFAST_LLM"`

	Table         string `env:"HOLDFAST_TABLE"`
	QueueIndex    string `env:"HOLDFAST_QUEUE_INDEX"` // addresses
	QueueEmbed    string `env:"HOLDFAST_QUEUE_EMBED"`
	QueueErase    string `env:"HOLDFAST_QUEUE_ERASE"`
	QueueSeal     string `env:"HOLDFAST_QUEUE_SEAL"`
	QueueRuns     string `env:"HOLDFAST_QUEUE_CONSOLIDATE"`
	QueueEvents   string `env:"HOLDFAST_QUEUE_EVENTS"`
	OpenSearchURL string `env:"HOLDFAST_OPENSEARCH_URL"`
	EmbedURL      string `env:"HOLDFAST_EMBED_URL"`
	EmbedModel    string `env:"HOLDFAST_EMBED_MODEL"`
	EmbedSize     int    `env:"HOLDFAST_EMBED_DIMENSION"` // 0: not given
	EmbedKey      Secret `env:"HOLDFAST_EMBED_KEY"`

	EmbedWait time.Duration `env:"HOLDFAST_EMBED_WAIT"` // of a retrieve

	LLMURL   string `env:"HOLDFAST_LLM_URL"`
	LLMModel string `env:"HOLDFAST_LLM_MODEL"`
	LLMKey   Secret `env:"HOLDFAST_LLM_KEY"`

	RateKeyPerMinute    int            `env:"HOLDFAST_RATE_KEY_PER_MINUTE"`    // 0: off
	RateTenantPerMinute int            `env:"HOLDFAST_RATE_TENANT_PER_MINUTE"` // 0: off
	TestClock           bool           `env:"HOLDFAST_TEST_CLOCK"`
	WebhookAllow        []netip.Prefix `env:"HOLDFAST_WEBHOOK_ALLOW"`
	LogLevel            slog.Level     `env:"HOLDFAST_LOG_LEVEL"`
}

// Load reads the settings. Lookup answers a variable's value; a variable that is
// empty counts as not set. Names are those of all variables there are: unknown
// ones that begin with Prefix are refused.
func Load(lookup func(name string) (string, bool), names []string) (Config, error) {
	var c Config
	var wrong []error
	for _, s := range table {
		value, _ := lookup(s.Name)
		if value == "" {
			value = s.Default
		}
		if rule := s.set(&c, value); rule != "" {
			wrong = append(wrong, fmt.Errorf("%s %s", s.Name, rule))
		}
	}
	wrong = append(wrong, unknown(names)...)
	wrong = append(wrong, c.together()...)
	return c, errors.Join(wrong...)
}

// FromEnviron is Load from lines NAME=value, as os.Environ answers them.
func FromEnviron(environ []string) (Config, error) {
	values := make(map[string]string, len(environ))
	names := make([]string, 0, len(environ))
	for _, line := range environ {
		name, value, _ := strings.Cut(line, "=")
		values[name] = value
		names = append(names, name)
	}
	return Load(func(name string) (string, bool) { value, set := values[name]; return value, set }, names)
}

func unknown(names []string) []error {
	var wrong []error
	for _, name := range slices.Sorted(slices.Values(names)) {
		known := slices.ContainsFunc(table, func(s Setting) bool { return s.Name == name })
		if strings.HasPrefix(name, Prefix) && !known {
			wrong = append(wrong, fmt.Errorf("%.80s is no setting; holdfast -h lists them all", name))
		}
	}
	return wrong
}

// Embedded tells whether no engine reaches out to AWS.
func (c Config) Embedded() bool {
	aws := []string{DynamoDB, SQS, OpenSearch, Bedrock}
	return !slices.ContainsFunc([]string{c.Store, c.Queue, c.Search, c.Embed, c.LLM}, func(engine string) bool {
		return slices.Contains(aws, engine)
	})
}

// QueueAddress answers a queue's address by the queue's name, such as index.
func (c Config) QueueAddress(name string) string {
	return map[string]string{"index": c.QueueIndex, "embed": c.QueueEmbed, "erase": c.QueueErase, "seal": c.QueueSeal,
		"consolidate": c.QueueRuns, "events": c.QueueEvents}[name]
}

// need is a setting that an engine cannot do without.
type need struct {
	missing    bool
	name, with string
}

// needed lists what the chosen engines cannot do without.
func (c Config) needed() []need {
	openai, sqs := c.Embed == OpenAI, c.Queue == SQS
	llm := "HOLDFAST_LLM=" + c.LLM
	return []need{
		{openai && c.EmbedURL == "", "HOLDFAST_EMBED_URL", "HOLDFAST_EMBED=openai"},
		{openai && c.EmbedModel == "", "HOLDFAST_EMBED_MODEL", "HOLDFAST_EMBED=openai"},
		{openai && c.EmbedSize == 0, "HOLDFAST_EMBED_DIMENSION", "HOLDFAST_EMBED=openai"},
		{c.LLM == OpenAI && c.LLMURL == "", "HOLDFAST_LLM_URL", llm},
		{(c.LLM == OpenAI || c.LLM == Bedrock) && c.LLMModel == "", "HOLDFAST_LLM_MODEL", llm},
		{c.Store == DynamoDB && c.Table == "", "HOLDFAST_TABLE", "HOLDFAST_STORE=dynamodb"},
		{sqs && c.QueueIndex == "", "HOLDFAST_QUEUE_INDEX", "HOLDFAST_QUEUE=sqs"},
		{sqs && c.QueueEmbed == "", "HOLDFAST_QUEUE_EMBED", "HOLDFAST_QUEUE=sqs"},
		{sqs && c.QueueErase == "", "HOLDFAST_QUEUE_ERASE", "HOLDFAST_QUEUE=sqs"},
		{sqs && c.QueueSeal == "", "HOLDFAST_QUEUE_SEAL", "HOLDFAST_QUEUE=sqs"},
		{sqs && c.QueueRuns == "", "HOLDFAST_QUEUE_CONSOLIDATE", "HOLDFAST_QUEUE=sqs"},
		{sqs && c.QueueEvents == "", "HOLDFAST_QUEUE_EVENTS", "HOLDFAST_QUEUE=sqs"},
		{c.Search == OpenSearch && c.OpenSearchURL == "", "HOLDFAST_OPENSEARCH_URL", "HOLDFAST_SEARCH=opensearch"},
	}
}

// together checks what settings ask of each other.
func (c Config) together() []error {
	var wrong []error
	for _, n := range c.needed() {
		if n.missing {
			wrong = append(wrong, fmt.Errorf("%s is needed with %s", n.name, n.with))
		}
	}
	if !c.Embedded() && c.TestClock {
		wrong = append(wrong, errors.New("HOLDFAST_TEST_CLOCK works with embedded engines only"))
	}
	if !c.Embedded() && len(c.WebhookAllow) > 0 {
		wrong = append(wrong, errors.New("HOLDFAST_WEBHOOK_ALLOW works with embedded engines only"))
	}
	return wrong
}
