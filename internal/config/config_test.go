package config

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/queue"
)

// load reads settings from lines.
func load(lines ...string) (Config, error) { return FromEnviron(lines) }

func TestT37NothingNeedsToBeConfigured(t *testing.T) {
	got, err := load("PATH=/bin", "HOME=/", "EMPTY", "HOLDFAST_EMBED_URL=", "HOLDFAST_ADDR=")
	want := Config{
		Addr: "127.0.0.1:8080", Data: ".data", Store: Bolt, Queue: Memory, Search: Memory, Embed: Static, EmbedWait: 500 * time.Millisecond, LLM: Offline,
		RateKeyPerMinute: 600, RateTenantPerMinute: 60000, LogLevel: slog.LevelInfo,
	}
	if err != nil || !reflect.DeepEqual(got, want) || !got.Embedded() {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestT37EverySettingIsRead(t *testing.T) {
	root := strings.Repeat("ü", 32)
	got, err := load(
		"HOLDFAST_ADDR=[::1]:0", "HOLDFAST_DATA=somewhere/else", "HOLDFAST_ROOT_KEY="+root, "HOLDFAST_ROOT_KEY_SECRET=root-secret",
		"HOLDFAST_STORE=bolt", "HOLDFAST_QUEUE=memory", "HOLDFAST_SEARCH=memory", "HOLDFAST_EMBED=openai", "HOLDFAST_LLM=offline",
		"HOLDFAST_TABLE=memories", "HOLDFAST_QUEUE_INDEX=https://q.example/i", "HOLDFAST_QUEUE_EMBED=https://q.example/m",
		"HOLDFAST_QUEUE_ERASE=https://q.example/e", "HOLDFAST_QUEUE_SEAL=https://q.example/s", "HOLDFAST_QUEUE_CONSOLIDATE=https://q.example/c", "HOLDFAST_QUEUE_EVENTS=https://q.example/v", "HOLDFAST_OPENSEARCH_URL=https://s.example/", "HOLDFAST_EMBED_URL=http://m.example:9000/v1/",
		"HOLDFAST_EMBED_MODEL=small", "HOLDFAST_EMBED_DIMENSION=768", "HOLDFAST_EMBED_KEY=k1", "HOLDFAST_EMBED_WAIT=5000", "HOLDFAST_LLM_URL=http://l.example/v1", "HOLDFAST_LLM_MODEL=large", "HOLDFAST_LLM_KEY=k2",
		"HOLDFAST_RATE_KEY_PER_MINUTE=0", "HOLDFAST_RATE_TENANT_PER_MINUTE=1000000", "HOLDFAST_TEST_CLOCK=1",
		"HOLDFAST_WEBHOOK_ALLOW=127.0.0.1/8, ::1", "HOLDFAST_LOG_LEVEL=debug",
	)
	want := Config{
		Addr: "[::1]:0", Data: "somewhere/else", RootKey: Secret(root), RootKeySecret: "root-secret", Store: Bolt, Queue: Memory, Search: Memory, Embed: OpenAI, LLM: Offline,
		Table: "memories", QueueIndex: "https://q.example/i", QueueEmbed: "https://q.example/m", QueueErase: "https://q.example/e", QueueSeal: "https://q.example/s", QueueRuns: "https://q.example/c", QueueEvents: "https://q.example/v",
		OpenSearchURL: "https://s.example", EmbedURL: "http://m.example:9000/v1", EmbedModel: "small", EmbedSize: 768, EmbedKey: "k1", EmbedWait: 5 * time.Second,
		LLMURL: "http://l.example/v1", LLMModel: "large", LLMKey: "k2", RateTenantPerMinute: 1000000, TestClock: true,
		WebhookAllow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}, LogLevel: slog.LevelDebug,
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestBadValuesAreToldByNameAndNeverShown(t *testing.T) {
	for name, values := range map[string][]string{
		"HOLDFAST_ADDR":                   {"8080", "localhost", "localhost:http", "localhost:65536", "localhost:-1", ":08"},
		"HOLDFAST_DATA":                   {"a\nb", " data"},
		"HOLDFAST_ROOT_KEY":               {strings.Repeat("x", 31), strings.Repeat("ü", 31), strings.Repeat("x", 40) + "\n", " " + strings.Repeat("x", 40), strings.Repeat("\xff", 40)},
		"HOLDFAST_STORE":                  {"Bolt", "sqlite"},
		"HOLDFAST_QUEUE":                  {"rabbit"},
		"HOLDFAST_SEARCH":                 {"bolt"},
		"HOLDFAST_EMBED":                  {"hash"},
		"HOLDFAST_LLM":                    {"static", "OpenAI"},
		"HOLDFAST_QUEUE_INDEX":            {"index"},
		"HOLDFAST_OPENSEARCH_URL":         {"s.example", "ftp://s.example", "https://", "https://someone:word@s.example", "https://s.example/?q=1", "http://%zz"},
		"HOLDFAST_EMBED_KEY":              {"k\t"},
		"HOLDFAST_RATE_KEY_PER_MINUTE":    {"-1", "many", "1.5", "1000001", "99999999999999999999"},
		"HOLDFAST_RATE_TENANT_PER_MINUTE": {"-1"},
		"HOLDFAST_EMBED_DIMENSION":        {"-1", "65537", "x"},
		"HOLDFAST_EMBED_WAIT":             {"0", "-1", "5001", "500ms", "1.5"},
		"HOLDFAST_TEST_CLOCK":             {"yes", "2", "true"},
		"HOLDFAST_WEBHOOK_ALLOW":          {"localhost", "127.0.0.1/33", "fe80::1%eth0", "127.0.0.1/8;::1"},
		"HOLDFAST_LOG_LEVEL":              {"loud", "INFO"},
	} {
		for _, value := range values {
			_, err := load(name + "=" + value)
			if err == nil || !strings.HasPrefix(err.Error(), name+" ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s=%q: %v", name, value, err)
			}
			if len(value) > 12 && strings.Contains(err.Error(), value) {
				t.Errorf("%s: the error shows the value", name)
			}
		}
	}
}

func TestEnginesSayWhatTheyCannotDoWithout(t *testing.T) {
	for line, names := range map[string][]string{
		"HOLDFAST_STORE=dynamodb": {"HOLDFAST_TABLE"},
		"HOLDFAST_QUEUE=sqs": {"HOLDFAST_QUEUE_INDEX", "HOLDFAST_QUEUE_EMBED", "HOLDFAST_QUEUE_ERASE", "HOLDFAST_QUEUE_SEAL",
			"HOLDFAST_QUEUE_CONSOLIDATE", "HOLDFAST_QUEUE_EVENTS"},
		"HOLDFAST_SEARCH=opensearch": {"HOLDFAST_OPENSEARCH_URL"},
		"HOLDFAST_EMBED=openai":      {"HOLDFAST_EMBED_URL", "HOLDFAST_EMBED_MODEL", "HOLDFAST_EMBED_DIMENSION"},
		"HOLDFAST_LLM=openai":        {"HOLDFAST_LLM_URL", "HOLDFAST_LLM_MODEL"},
		"HOLDFAST_LLM=bedrock":       {"HOLDFAST_LLM_MODEL"},
	} {
		_, err := load(line)
		if err == nil || len(strings.Split(err.Error(), "\n")) != len(names) {
			t.Errorf("%s: %v", line, err)
			continue
		}
		for _, name := range names {
			if !strings.Contains(err.Error(), name+" is needed with "+line) {
				t.Errorf("%s: %v does not name %s", line, err, name)
			}
		}
	}
	if _, err := load("HOLDFAST_EMBED=bedrock"); err != nil {
		t.Errorf("bedrock has a default model: %v", err)
	}
}

func TestMisspeltNamesAreRefused(t *testing.T) {
	_, err := load("HOLDFAST_ADRR=:80", "HOLDFAST_QUEUE_REPORT=https://q.example", "HOLDFAST_=1", "holdfast_addr=:80", "OTHER=1")
	if err == nil {
		t.Fatal("accepted")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "HOLDFAST_ ") || !strings.HasPrefix(lines[1], "HOLDFAST_ADRR ") ||
		!strings.HasPrefix(lines[2], "HOLDFAST_QUEUE_REPORT ") {
		t.Errorf("%q", lines)
	}
}

func TestAllThatIsWrongIsToldAtOnce(t *testing.T) {
	_, err := load("HOLDFAST_ADDR=x", "HOLDFAST_ROOT_KEY=short", "HOLDFAST_OTHER=1", "HOLDFAST_EMBED=openai")
	for _, name := range []string{"HOLDFAST_ADDR", "HOLDFAST_ROOT_KEY", "HOLDFAST_OTHER", "HOLDFAST_EMBED_URL", "HOLDFAST_EMBED_MODEL", "HOLDFAST_EMBED_DIMENSION"} {
		if err == nil || !strings.Contains(err.Error(), name+" ") {
			t.Errorf("%s is not told: %v", name, err)
		}
	}
}

func TestT39TestClockAndWebhookNetworksAreForEmbeddedEnginesOnly(t *testing.T) {
	for _, engine := range []string{"HOLDFAST_STORE=dynamodb", "HOLDFAST_QUEUE=sqs", "HOLDFAST_SEARCH=opensearch", "HOLDFAST_EMBED=bedrock", "HOLDFAST_LLM=bedrock"} {
		_, err := load(engine, "HOLDFAST_TEST_CLOCK=1", "HOLDFAST_WEBHOOK_ALLOW=127.0.0.1")
		for _, name := range []string{"HOLDFAST_TEST_CLOCK", "HOLDFAST_WEBHOOK_ALLOW"} {
			if err == nil || !strings.Contains(err.Error(), name+" works with embedded engines only") {
				t.Errorf("%s: %s: %v", engine, name, err)
			}
		}
	}
}

func TestTableAndStructNameTheSameSettings(t *testing.T) {
	var inStruct, inTable []string
	for f := range reflect.TypeFor[Config]().Fields() {
		inStruct = append(inStruct, f.Tag.Get("env"))
	}
	for _, s := range Table() {
		inTable = append(inTable, s.Name)
		if !strings.HasPrefix(s.Name, Prefix) || s.Meaning == "" {
			t.Errorf("setting %+v", s)
		}
		if !strings.Contains(Usage(), "  "+s.Name) || !strings.Contains(Usage(), s.Meaning) {
			t.Errorf("usage lacks %s", s.Name)
		}
	}
	if !slices.Equal(inStruct, inTable) {
		t.Errorf("struct %v\ntable %v", inStruct, inTable)
	}
}

// TestTableSetsTheFieldThatBearsItsName sets one variable after the other and
// looks which field of the struct moves.
func TestTableSetsTheFieldThatBearsItsName(t *testing.T) {
	values := map[string]string{
		"HOLDFAST_ADDR": "h:1", "HOLDFAST_ROOT_KEY": strings.Repeat("r", 40), "HOLDFAST_RATE_KEY_PER_MINUTE": "1",
		"HOLDFAST_RATE_TENANT_PER_MINUTE": "1", "HOLDFAST_EMBED_DIMENSION": "1", "HOLDFAST_EMBED_WAIT": "1", "HOLDFAST_TEST_CLOCK": "1", "HOLDFAST_WEBHOOK_ALLOW": "::1", "HOLDFAST_LOG_LEVEL": "warn",
	}
	plain, _ := load()
	for f := range reflect.TypeFor[Config]().Fields() {
		name := f.Tag.Get("env")
		value, ok := values[name]
		if !ok {
			value = "https://x.example/" + name // wrong for some, and kept nonetheless
		}
		got, _ := load(name + "=" + value)
		for g := range reflect.TypeFor[Config]().Fields() {
			moved := !reflect.DeepEqual(reflect.ValueOf(got).FieldByIndex(g.Index).Interface(), reflect.ValueOf(plain).FieldByIndex(g.Index).Interface())
			if moved != (g.Name == f.Name) {
				t.Errorf("%s: field %s moved: %v", name, g.Name, moved)
			}
		}
	}
}

func TestEveryQueueHasAnAddress(t *testing.T) {
	for _, name := range queue.Names() {
		variable := "HOLDFAST_QUEUE_" + strings.ToUpper(string(name))
		got, err := load(variable + "=https://q.example/" + string(name))
		if err != nil || got.QueueAddress(string(name)) != "https://q.example/"+string(name) {
			t.Errorf("%s: %q, %v", name, got.QueueAddress(string(name)), err)
		}
	}
}

func TestT29SecretsAreNotPrinted(t *testing.T) {
	canary := "canary-of-a-root-key-with-some-length"
	c, err := load("HOLDFAST_ROOT_KEY="+canary, "HOLDFAST_EMBED_KEY="+canary)
	if err != nil || c.RootKey.Reveal() != canary {
		t.Fatal(err)
	}
	var b strings.Builder
	slog.New(slog.NewJSONHandler(&b, nil)).Info("start", "config", c, "key", c.RootKey)
	asJSON, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	shown := b.String() + string(asJSON) + fmt.Sprintf("%v %+v %#v %s %q %x", c, c, c, c.RootKey, c.RootKey, c.RootKey)
	if strings.Contains(shown, "canary") || strings.Contains(shown, fmt.Sprintf("%x", canary)) {
		t.Error("a secret was printed")
	}
	if strings.Count(shown, hidden) < 8 || fmt.Sprint(Secret("")) != "" {
		t.Error("hidden values do not say so")
	}
}
