package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"holdfast/internal/routes"
)

func TestNoWildcardWithoutAReason(t *testing.T) {
	eachKind(t, func(t *testing.T, p Plan) {
		for _, f := range p.Functions {
			for _, s := range f.Allow {
				if strings.Contains(strings.Join(s.Actions, " "), "*") {
					t.Errorf("%s: actions %v", f.ID, s.Actions)
				}
				wild := strings.ContainsAny(strings.Join(s.Resources, " "), "*?")
				if wild != (s.Reason != "") || len(s.Resources) == 0 || slices.Contains(s.Resources, "*") {
					t.Errorf("%s: resources %v, reason %q", f.ID, s.Resources, s.Reason)
				}
			}
			if f.Route != nil && strings.Contains(f.Route.Source, "*") && f.Route.Reason == "" {
				t.Errorf("%s may be called by %s", f.ID, f.Route.Source)
			}
		}
	})
}

// allowed lists what a function may do, as action and resource.
func allowed(f Function) []string {
	var out []string
	for _, s := range f.Allow {
		for _, a := range s.Actions {
			for _, r := range s.Resources {
				out = append(out, a+" "+r[strings.LastIndex(r, ":")+1:])
			}
		}
	}
	slices.Sort(out)
	return out
}

func find(t *testing.T, p Plan, id string) Function {
	t.Helper()
	i := slices.IndexFunc(p.Functions, func(f Function) bool { return f.ID == id })
	if i < 0 {
		t.Fatalf("no function %s", id)
	}
	return p.Functions[i]
}

func TestNeedsBecomePermissionsOnExactResources(t *testing.T) {
	p := planOf(t, "searchEndpoint=https://s.example", "searchDomainArn=arn:aws:es:eu-west-1:123456789012:domain/other")
	read := []string{"dynamodb:BatchGetItem table/holdfast-dev", "dynamodb:GetItem table/holdfast-dev", "dynamodb:Query table/holdfast-dev"}
	write := []string{"dynamodb:ConditionCheckItem table/holdfast-dev", "dynamodb:DeleteItem table/holdfast-dev", "dynamodb:PutItem table/holdfast-dev", "dynamodb:UpdateItem table/holdfast-dev"}
	logs := []string{"logs:CreateLogStream *", "logs:PutLogEvents *"}
	key := []string{"secretsmanager:GetSecretValue " + RootSecret.String()}
	search := []string{"es:ESHttpGet domain/other/*", "es:ESHttpHead domain/other/*", "es:ESHttpPost domain/other/*"}
	change := []string{"es:ESHttpDelete domain/other/*", "es:ESHttpPut domain/other/*"}
	embed := []string{"bedrock:InvokeModel foundation-model/amazon.titan-embed-text-v2:0"}
	due := []string{"dynamodb:Query table/holdfast-dev/index/due"}
	var send []string
	for _, q := range p.Queues {
		if q.Name != "" {
			send = append(send, "sqs:SendMessage "+q.Name)
		}
	}
	follow := []string{"sqs:SendMessage holdfast-dev-relay-dead"}
	for _, a := range []string{"DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"} {
		follow = append(follow, "dynamodb:"+a+" "+TableStream.String())
	}
	consume := func(q string) []string {
		var out []string
		for _, a := range []string{"ChangeMessageVisibility", "DeleteMessage", "GetQueueAttributes", "ReceiveMessage"} {
			out = append(out, "sqs:"+a+" holdfast-dev-"+q)
		}
		return out
	}
	for id, want := range map[string][][]string{
		"healthz":         {logs},
		Fallback:          {logs},
		"readyz":          {logs, read, search},
		"memory-get":      {logs, read, key},
		"memory-append":   {logs, read, write, embed, key},
		"worker-relay":    {logs, send, follow},
		"memory-retrieve": {logs, read, write, search, embed, key},
		"worker-index":    {logs, read, write, search, change, send, consume("index")},
		"worker-embed":    {logs, read, write, send, embed, consume("embed")},
		"worker-erase":    {logs, read, write, search, change, send, consume("erase")},
		"worker-events":   {logs, read, write, send, consume("events")},
		"worker-sweep":    {logs, read, write, send, due},
		"worker-seal":     {logs, read, write, due, consume("seal")},
	} {
		f := find(t, p, id)
		got, all := allowed(f), slices.Concat(want...)
		for i, a := range all { // the model's name has a colon of its own
			all[i] = strings.Replace(a, "foundation-model/amazon.titan-embed-text-v2:0", "0", 1)
		}
		slices.Sort(all)
		if !slices.Equal(got, all) {
			t.Errorf("%s may\n%s\nwant\n%s", id, strings.Join(got, "\n"), strings.Join(all, "\n"))
		}
	}
}

func TestOnlyReadersOfTheDueIndexMayQueryIt(t *testing.T) {
	p := planOf(t)
	for _, f := range p.Functions {
		reads := slices.Contains(allowed(f), "dynamodb:Query table/holdfast-dev/index/due")
		if want := f.Schedule != nil || f.ID == routes.WorkerSeal.ID; reads != want {
			t.Errorf("%s queries the due index: %v", f.ID, reads)
		}
	}
}

func TestNothingIsAllowedOnAnIndexThatIsNotAWSs(t *testing.T) {
	p := planOf(t, "searchEndpoint=http://127.0.0.1:9200", "embed=static")
	for _, f := range p.Functions {
		for _, s := range f.Allow {
			if strings.HasPrefix(s.Actions[0], "es:") || strings.HasPrefix(s.Actions[0], "bedrock:") {
				t.Errorf("%s: %v", f.ID, s)
			}
		}
	}
}

// TestTheOwnKeyIsUsedThroughItsServicesOnly: no function may decrypt by itself.
func TestTheOwnKeyIsUsedThroughItsServicesOnly(t *testing.T) {
	uses := 0
	for _, f := range planOf(t, "ownKey=true").Functions {
		for _, s := range f.Allow {
			if strings.HasPrefix(s.Actions[0], "kms:") {
				uses++
				if len(s.Via) != 1 || !slices.Equal(s.Resources, []string{TableKey.String()}) {
					t.Errorf("%s: %+v", f.ID, s)
				}
			}
		}
	}
	if uses == 0 {
		t.Error("nobody uses the key")
	}
	for _, f := range planOf(t, "ownKey=false").Functions {
		for _, s := range f.Allow {
			if strings.HasPrefix(s.Actions[0], "kms:") {
				t.Errorf("%s: %+v without a key", f.ID, s)
			}
		}
	}
}

func TestModelsAreNamedByIDOrARN(t *testing.T) {
	profile := "arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.some.model-v1:0"
	for model, want := range map[string]string{
		"amazon.titan-embed-text-v2:0": "arn:${AWS::Partition}:bedrock:${AWS::Region}::foundation-model/amazon.titan-embed-text-v2:0",
		profile:                        profile,
		"eu.some.model-v1:0":           arn("bedrock", "inference-profile/eu.some.model-v1:0"),
		"europe.model":                 "arn:${AWS::Partition}:bedrock:${AWS::Region}::foundation-model/europe.model",
	} {
		if got := modelARN(model); got != want {
			t.Errorf("%s: %s", model, got)
		}
	}
}

func TestTheLanguageModelIsAllowedToThoseWhoNeedIt(t *testing.T) {
	custom := "arn:aws:bedrock:eu-west-1:123456789012:provisioned-model/a.b"
	anywhere := "arn:${AWS::Partition}:bedrock:*::foundation-model/some.model-v1:0"
	for model, want := range map[string][]string{
		"some.model-v1:0":    {modelARN("some.model-v1:0")},
		custom:               {custom},
		"eu.some.model-v1:0": {modelARN("eu.some.model-v1:0"), anywhere},
		"arn:aws:bedrock:eu-west-1:123456789012:inference-profile/global.some.model-v1:0": {
			"arn:aws:bedrock:eu-west-1:123456789012:inference-profile/global.some.model-v1:0", anywhere},
	} {
		s := settingsOf(t, "llm=bedrock", "llmModel="+model)
		p := planOf(t, "llm=bedrock", "llmModel="+model)
		got := p.needs(s, routes.LLM, reading)
		if len(got) != 1 || !slices.Equal(got[0].Actions, []string{"bedrock:InvokeModel"}) || !slices.Equal(got[0].Resources, want) || (got[0].Reason != "") != (len(want) > 1) {
			t.Errorf("%s: %+v", model, got)
		}
		if without := p.needs(s, routes.Read|routes.Queue, reading); strings.Contains(fmt.Sprint(without), "bedrock") {
			t.Errorf("without the need: %+v", without)
		}
	}
	for _, s := range []Settings{settingsOf(t), settingsOf(t, "llm=openai", "llmUrl=https://l.example/v1", "llmModel=large")} {
		if got := planOf(t).needs(s, routes.LLM, reading); len(got) != 0 {
			t.Errorf("llm=%s: %+v", s.LLM.Engine, got)
		}
	}
}

func TestPathsOfRoutesBecomePatternsOfCalls(t *testing.T) {
	p := planOf(t)
	for id, want := range map[string]string{
		"memory-append":   "/*/POST/v1/memory/append",
		"memory-versions": "/*/GET/v1/memory/*/versions",
		Fallback:          "/*",
	} {
		f := find(t, p, id)
		if got := strings.TrimPrefix(f.Route.Source, arn("execute-api", APIID.String())); got != want {
			t.Errorf("%s: %s", id, got)
		}
	}
}
