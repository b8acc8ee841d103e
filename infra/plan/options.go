package plan

import "strings"

// Option is one setting as the usage text shows it.
type Option struct {
	Name    string
	Default string            // as a value; empty: none
	Stages  map[string]string // other defaults of some stages
	Meaning string
	set     func(s *Settings, value string) (broken string)
}

// The stages that have presets. Any other short name is a stage too, with the
// small defaults.
const (
	defaultStage = "dev"
	trial        = "test"
	production   = "prod"
)

func prod(value string) map[string]string { return map[string]string{production: value} }
func test(value string) map[string]string { return map[string]string{trial: value} }
func both(inTest, inProduction string) map[string]string {
	return map[string]string{trial: inTest, production: inProduction}
}

// The settings in the order in which they are shown.
var options = []Option{
	{"stage", defaultStage, nil, "name of the deployment, part of every resource's name; test has short times, prod the production preset",
		word(func(s *Settings) *string { return &s.Stage }, 12)},
	{"functions", ".bin/functions", nil, "folder of the built functions: {arch}/{id}/bootstrap",
		text(func(s *Settings) *string { return &s.Functions })},
	{"arch", "arm64", nil, "processor of the functions: arm64 or amd64",
		one(func(s *Settings) *string { return &s.Arch }, "arm64", "amd64")},
	{"reserve", "true", nil, "reserve each worker's concurrency; false for accounts whose limit is too small",
		yes(func(s *Settings) *bool { return &s.Reserve })},
	{"logLevel", "info", nil, "least level of log lines: debug, info, warn or error",
		one(func(s *Settings) *string { return &s.LogLevel }, "debug", "info", "warn", "error")},
	{"logDays", "30", both("1", "90"), "days that log lines are kept", days(func(s *Settings) *int { return &s.LogDays })},
	{"allowDestroy", "false", nil, "lift the protection of the stage prod against destroy, with one more deploy",
		yes(func(s *Settings) *bool { return &s.AllowDestroy })},

	{"keyPerMinute", "600", nil, "calls a minute of an agent's key; 0: no limit",
		count(func(s *Settings) *int { return &s.KeyPerMinute }, 0, 1_000_000)},
	{"tenantPerMinute", "60000", nil, "calls a minute of a tenant; 0: no limit",
		count(func(s *Settings) *int { return &s.TenantPerMinute }, 0, 1_000_000)},
	{"throttleRate", "100", both("5000", "2000"), "calls a second that the gateway lets through",
		count(func(s *Settings) *int { return &s.ThrottleRate }, 1, 100_000)},
	{"throttleBurst", "200", both("5000", "4000"), "calls at once that the gateway lets through",
		count(func(s *Settings) *int { return &s.ThrottleBurst }, 1, 100_000)},
	{"cors", "", nil, "origins of web pages that may call, separated by commas; none: no page may",
		origins(func(s *Settings) *[]string { return &s.CORS })},

	{"protect", "true", test("false"), "protect the table against deletion, and keep it when its stack is destroyed",
		yes(func(s *Settings) *bool { return &s.Protect })},
	{"backupDays", "7", both("1", "35"), "days to which the table can be restored, 1 to 35",
		count(func(s *Settings) *int { return &s.BackupDays }, 1, 35)},
	{"ownKey", "false", prod("true"), "encrypt the table and the root key with a key of the account's own",
		yes(func(s *Settings) *bool { return &s.OwnKey })},

	{"searchEndpoint", "", nil, "address of an OpenSearch that is there already; none: the deployment makes a domain",
		link(func(s *Settings) *string { return &s.Search.Endpoint })},
	{"searchDomainArn", "", nil, "ARN of the domain behind searchEndpoint, when it is one of AWS",
		arnOf(func(s *Settings) *string { return &s.Search.DomainARN }, "es")},
	{"searchVersion", "OpenSearch_2.19", nil, "engine of the domain",
		text(func(s *Settings) *string { return &s.Search.Version })},
	{"searchInstance", "t3.small.search", prod("r7g.large.search"), "kind of the domain's data nodes",
		instance(func(s *Settings) *string { return &s.Search.Instance })},
	{"searchNodes", "1", prod("3"), "data nodes", count(func(s *Settings) *int { return &s.Search.Nodes }, 1, 80)},
	{"searchZones", "1", prod("3"), "availability zones over which they are spread: 1 to 3",
		count(func(s *Settings) *int { return &s.Search.Zones }, 1, 3)},
	{"searchManagers", "0", prod("3"), "dedicated cluster managers: 0, 3 or 5",
		managers(func(s *Settings) *int { return &s.Search.Managers })},
	{"searchManagerInstance", "m7g.medium.search", nil, "kind of the cluster managers",
		instance(func(s *Settings) *string { return &s.Search.Manager })},
	{"searchGB", "10", prod("100"), "gigabytes of each data node's gp3 disk",
		count(func(s *Settings) *int { return &s.Search.GB }, 10, 12_000)},
	{"searchFineAccess", "false", nil, "fine-grained access control; roles are then mapped by hand, see the output SearchRoles",
		yes(func(s *Settings) *bool { return &s.Search.FineAccess })},
	{"searchMasterArn", "", nil, "ARN of the role that may map roles, needed with searchFineAccess",
		arnOf(func(s *Settings) *string { return &s.Search.Master }, "iam")},

	{"embed", "bedrock", test("static"), "embedding model: bedrock, static or openai (any compatible address)",
		one(func(s *Settings) *string { return &s.Embed.Engine }, "bedrock", "static", "openai")},
	{"embedUrl", "", nil, "address of the openai model, up to and with /v1", link(func(s *Settings) *string { return &s.Embed.URL })},
	{"embedModel", "", nil, "name of the model; bedrock without it: " + titan, text(func(s *Settings) *string { return &s.Embed.Model })},
	{"embedDimension", "0", nil, "dimension of the vectors; 0: the model's own",
		count(func(s *Settings) *int { return &s.Embed.Dimension }, 0, 65_536)},
	{"embedSecret", "", nil, "name or ARN of the secret with the openai model's key",
		text(func(s *Settings) *string { return &s.Embed.Secret })},
	{"embedWait", "0", nil, "milliseconds that a retrieve waits for the embedding model; 0: the default of HOLDFAST_EMBED_WAIT",
		count(func(s *Settings) *int { return &s.Embed.Wait }, 0, 5_000)},

	{"llm", "offline", nil, "language model: offline (rules only), bedrock or openai (any compatible address)",
		one(func(s *Settings) *string { return &s.LLM.Engine }, "offline", "bedrock", "openai")},
	{"llmUrl", "", nil, "address of the openai language model, up to and with /v1", link(func(s *Settings) *string { return &s.LLM.URL })},
	{"llmModel", "", nil, "name of the language model; with bedrock the id of a model, or the id or ARN of an inference profile",
		text(func(s *Settings) *string { return &s.LLM.Model })},
	{"llmSecret", "", nil, "name or ARN of the secret with the openai language model's key",
		text(func(s *Settings) *string { return &s.LLM.Secret })},

	{"alarmEmail", "", nil, "address that alarms are mailed to", email(func(s *Settings) *string { return &s.Alarms })},
	{"shortTimes", "false", test("true"), "short timeouts, few tries, small batches: for tests only",
		yes(func(s *Settings) *bool { return &s.ShortTimes })},
}

// titan is the embedding model of Bedrock that is used unless another is named.
const titan = "amazon.titan-embed-text-v2:0"

// preset is the default of a stage.
func (o Option) preset(stage string) string {
	if v, ok := o.Stages[stage]; ok {
		return v
	}
	return o.Default
}

// Usage is the list of settings as text for people.
func Usage() string {
	var b strings.Builder
	for _, o := range options {
		b.WriteString("  " + o.Name)
		if o.Default != "" {
			b.WriteString(" (default " + o.Default + o.exceptions() + ")")
		}
		b.WriteString("\n        " + o.Meaning + "\n")
	}
	return b.String()
}

func (o Option) exceptions() string {
	out := ""
	for _, stage := range []string{trial, production} {
		if v, ok := o.Stages[stage]; ok {
			out += ", " + stage + " " + v
		}
	}
	return out
}
