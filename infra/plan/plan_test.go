package plan

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/config"
	"holdfast/internal/queue"
	"holdfast/internal/routes"
)

var update = flag.Bool("update", false, "write the golden file anew")

// planOf is the plan of the service's own table under these settings.
func planOf(t *testing.T, settings ...string) Plan {
	t.Helper()
	p, err := Build(settingsOf(t, settings...))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func settingsOf(t *testing.T, settings ...string) Settings {
	t.Helper()
	s, err := FromMap(valuesOf(settings))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func valuesOf(settings []string) map[string]string {
	values := map[string]string{}
	for _, line := range settings {
		name, value, _ := strings.Cut(line, "=")
		values[name] = value
	}
	return values
}

// kinds are deployments that differ as much as they can.
var kinds = map[string][]string{
	"small":      nil,
	"test":       {"stage=test", "searchEndpoint=http://127.0.0.1:9200", "arch=amd64", "cors=https://app.example", "llm=bedrock", "llmModel=eu.some.model-v1:0"},
	"production": {"stage=prod", "alarmEmail=people@example.com"},
	"elsewhere": {"searchEndpoint=https://s.example", "searchDomainArn=arn:aws:es:eu-west-1:123456789012:domain/other", "embed=openai",
		"embedUrl=https://m.example/v1", "embedModel=small", "embedDimension=384", "embedSecret=model-key", "embedWait=900", "reserve=false",
		"llm=openai", "llmUrl=https://l.example/v1", "llmModel=large", "llmSecret=language-key"},
}

// eachKind runs a test over all kinds of deployments.
func eachKind(t *testing.T, check func(t *testing.T, p Plan)) {
	for name, settings := range kinds {
		t.Run(name, func(t *testing.T) { check(t, planOf(t, settings...)) })
	}
}

func TestGolden(t *testing.T) {
	path := filepath.Join("testdata", "plan.golden.json")
	got, err := json.MarshalIndent(planOf(t, kinds["production"]...), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("the plan of production is not that of %s; look at what changes after: go test ./infra/plan -update", path)
	}
}

func TestEveryRouteAndWorkerHasOneFunction(t *testing.T) {
	eachKind(t, func(t *testing.T, p Plan) {
		count := map[string]int{}
		for _, f := range p.Functions {
			count[f.ID]++
		}
		want := []string{Fallback}
		for _, r := range routes.All() {
			if !r.LocalOnly {
				want = append(want, r.ID)
			}
		}
		for _, w := range routes.Workers() {
			want = append(want, w.ID)
		}
		for _, id := range want {
			if count[id] != 1 {
				t.Errorf("%s has %d functions", id, count[id])
			}
		}
		if len(p.Functions) != len(want) {
			t.Errorf("%d functions for %d routes and workers", len(p.Functions), len(want))
		}
	})
}

func TestEveryFunctionHasATrigger(t *testing.T) {
	eachKind(t, func(t *testing.T, p Plan) {
		for _, f := range p.Functions {
			behind := f.Queue != nil || f.Stream != nil || f.Schedule != nil
			if (f.Route != nil) == behind {
				t.Errorf("%s: route %v, anything else %v", f.ID, f.Route != nil, behind)
			}
		}
	})
}

func TestT54WhatNoRouteTakesHasAFunction(t *testing.T) {
	p := planOf(t)
	i := slices.IndexFunc(p.Functions, func(f Function) bool { return f.Route != nil && f.Route.Key == "$default" })
	if i < 0 || p.Functions[i].ID != Fallback || len(p.Functions[i].Allow) != 1 {
		t.Fatalf("function %d", i)
	}
}

func TestRoutesEndWithin29Seconds(t *testing.T) {
	eachKind(t, func(t *testing.T, p Plan) {
		for _, f := range p.Functions {
			if f.Route != nil && (f.Seconds < 1 || f.Seconds > 29 || f.Route.TimeoutMS <= f.Seconds*1000 || f.Route.TimeoutMS > 30_000) {
				t.Errorf("%s: %d s, the gateway waits %d ms", f.ID, f.Seconds, f.Route.TimeoutMS)
			}
		}
	})
}

func TestT20MessagesAreInvisibleWhileTheirWorkerRunsAndDieAfterTheirTries(t *testing.T) {
	eachKind(t, func(t *testing.T, p Plan) {
		for _, f := range p.Functions {
			if f.Queue == nil {
				continue
			}
			q := p.Queue(f.Queue.Queue)
			if q.Name == "" || q.DeadName == "" || q.Visibility < f.Seconds || q.Tries < 2 {
				t.Errorf("%s runs %d s with %+v", f.ID, f.Seconds, q)
			}
		}
	})
}

func TestEveryQueueOfTheServiceIsThere(t *testing.T) {
	p := planOf(t)
	for _, name := range queue.Names() {
		if p.Queue(string(name)).Name != "holdfast-dev-"+string(name) {
			t.Errorf("queue %s: %+v", name, p.Queue(string(name)))
		}
	}
}

// TestFunctionsUnderstandTheirSettings reads the environment of a function with the
// code that reads it at its start.
func TestFunctionsUnderstandTheirSettings(t *testing.T) {
	eachKind(t, func(t *testing.T, p Plan) {
		var lines []string
		for name, value := range p.Env {
			for ref, stand := range map[string]string{
				SearchEndpoint.String(): "https://s.example", RootSecret.String(): "arn:aws:secretsmanager:eu-west-1:123456789012:secret:k-a1b2c3",
			} {
				value = strings.ReplaceAll(value, ref, stand)
			}
			if strings.HasPrefix(name, "HOLDFAST_QUEUE_") {
				value = "https://sqs.example/" + name
			}
			lines = append(lines, name+"="+value)
		}
		c, err := config.FromEnviron(lines)
		if err != nil || c.Table != p.Table.Name || c.OpenSearchURL == "" {
			t.Errorf("%v", err)
		}
	})
}

var reference = regexp.MustCompile(`\$\{[^}]*\}`)

// TestEveryReferenceIsKnown: what infra cannot fill in would reach AWS as text.
func TestEveryReferenceIsKnown(t *testing.T) {
	eachKind(t, func(t *testing.T, p Plan) {
		known := map[string]bool{
			TableStream.String(): true, TableKey.String(): p.Table.OwnKey, RootSecret.String(): true,
			SearchEndpoint.String(): p.Domain != nil, APIID.String(): true,
			"${AWS::Partition}": true, "${AWS::Region}": true, "${AWS::AccountId}": true, "${AWS::URLSuffix}": true,
		}
		for _, q := range p.Queues {
			known[QueueURL(q.ID).String()] = q.Name != ""
		}
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		board, err := p.Dashboard()
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range reference.FindAllString(string(text)+board, -1) {
			if !known[found] {
				t.Errorf("%s is no reference of this deployment", found)
			}
		}
	})
}

// TestKeysOfModelsStayInTheirSecrets: the plan names them, CloudFormation reads them.
func TestKeysOfModelsStayInTheirSecrets(t *testing.T) {
	env := planOf(t, kinds["elsewhere"]...).Env
	for name, want := range map[string]string{
		"HOLDFAST_EMBED_KEY": "{{resolve:secretsmanager:model-key}}", "HOLDFAST_LLM_KEY": "{{resolve:secretsmanager:language-key}}",
		"HOLDFAST_LLM": "openai", "HOLDFAST_LLM_URL": "https://l.example/v1", "HOLDFAST_LLM_MODEL": "large",
	} {
		if env[name] != want {
			t.Errorf("%s=%q", name, env[name])
		}
	}
	small := planOf(t).Env
	for _, name := range []string{"HOLDFAST_EMBED_KEY", "HOLDFAST_LLM_KEY", "HOLDFAST_LLM_URL", "HOLDFAST_LLM_MODEL"} {
		if value, there := small[name]; there {
			t.Errorf("%s=%q without a setting", name, value)
		}
	}
}

func TestT29TheAccessLogHoldsNoAddressesAndNoQueries(t *testing.T) {
	for _, value := range planOf(t).API.AccessLog {
		for _, bad := range []string{"identity", "path", "Path", "domain", "authorizer", "error", "requestOverride", "query"} {
			if strings.Contains(value, bad) {
				t.Errorf("%s", value)
			}
		}
	}
}

func TestShortTimesAreShort(t *testing.T) {
	p := planOf(t, kinds["test"]...)
	for _, f := range p.Functions {
		if f.Route == nil && f.Seconds > 15 {
			t.Errorf("%s runs %d s", f.ID, f.Seconds)
		}
	}
	for _, q := range p.Queues {
		if q.Name != "" && (q.Visibility > 15 || q.Tries > 3) {
			t.Errorf("queue %+v", q)
		}
	}
	if long := planOf(t); long.Queue("index").Tries != routes.WorkerIndex.Tries {
		t.Errorf("tries of the small deployment: %d", long.Queue("index").Tries)
	}
}

func TestStagesDifferInWhatTheyProtect(t *testing.T) {
	for _, c := range []struct {
		settings                       []string
		protected, deletion, retention bool
	}{
		{nil, false, true, true},
		{kinds["test"], false, false, false},
		{[]string{"stage=prod"}, true, true, true},
		{[]string{"stage=prod", "allowDestroy=true"}, false, false, true},
		{[]string{"protect=false"}, false, false, false},
	} {
		p := planOf(t, c.settings...)
		if p.Protected != c.protected || p.Table.Protected != c.deletion || p.Table.Retained != c.retention {
			t.Errorf("%v: stacks %v, table %v, kept %v", c.settings, p.Protected, p.Table.Protected, p.Table.Retained)
		}
	}
}

func TestReservedConcurrencyIsForWorkers(t *testing.T) {
	for _, f := range planOf(t).Functions {
		switch {
		case f.Route != nil && f.Reserved != 0, f.Route == nil && f.Reserved == 0,
			f.Queue != nil && f.Queue.MaxConcurrency != f.Reserved, f.ID == routes.WorkerSweep.ID && f.Reserved != 1:
			t.Errorf("%s: %d", f.ID, f.Reserved)
		}
	}
	for _, f := range planOf(t, "reserve=false").Functions {
		if f.Reserved != 0 {
			t.Errorf("%s: %d although nothing is to be reserved", f.ID, f.Reserved)
		}
	}
}

func TestSchedulesAreWholeMinutes(t *testing.T) {
	for every, want := range map[time.Duration]string{
		time.Minute: "rate(1 minute)", 5 * time.Minute: "rate(5 minutes)", time.Hour: "rate(60 minutes)",
		30 * time.Second: "", 90 * time.Second: "", 0: "",
	} {
		got, err := schedule(routes.Worker{ID: "worker-x", Every: every})
		if want == "" && err == nil || want != "" && (err != nil || got.Expression != want) {
			t.Errorf("%s: %+v, %v", every, got, err)
		}
	}
}
