package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// emulator is a double of an emulator: a stack with a table, an API and a function,
// whose properties the test decides.
type emulator struct {
	t        *testing.T
	ttl      string // status
	backups  string
	cors     object
	reserved any
	billing  string
	calls    []string
	stuck    bool // repairs are accepted and do nothing
}

func (e *emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		e.t.Error(err)
	}
	form, _ := url.ParseQuery(string(body))
	name := r.Header.Get("X-Amz-Target") + form.Get("Action")
	if name == "" {
		name = r.Method + " " + r.URL.Path
	}
	e.calls = append(e.calls, name)
	in := object{}
	_ = json.Unmarshal(body, &in) // forms are no JSON
	answer, ok := e.answer(name, in)
	if !ok {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	_, _ = io.WriteString(w, answer)
}

func (e *emulator) answer(name string, in object) (string, bool) {
	switch strings.TrimPrefix(name, dynamo) {
	case "ListExports":
		return `<R><ListExportsResult><Exports><member><Name>other:Key</Name><Value>imported</Value></member></Exports></ListExportsResult></R>`, true
	case "DescribeStacks":
		return `<R><DescribeStacksResult><Stacks><member><StackStatus>CREATE_COMPLETE</StackStatus><StackId>id</StackId></member></Stacks></DescribeStacksResult></R>`, true
	case "ListStackResources":
		return `<R><ListStackResourcesResult><StackResourceSummaries>` + e.summary("Table", "t") + e.summary("Api", "a1") + e.summary("Work", "w") +
			`</StackResourceSummaries></ListStackResourcesResult></R>`, true
	case "DescribeTable":
		return `{"Table":{"TableName":"t","BillingModeSummary":{"BillingMode":"` + e.billing + `"}}}`, true
	case "DescribeTimeToLive":
		return `{"TimeToLiveDescription":{"TimeToLiveStatus":"` + e.ttl + `","AttributeName":"ttl"}}`, true
	case "DescribeContinuousBackups":
		return `{"ContinuousBackupsDescription":{"PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"` + e.backups + `"}}}`, true
	case "GET /v2/apis/a1":
		raw, err := json.Marshal(object{"name": "a", "corsConfiguration": e.cors})
		return string(raw), err == nil
	case "GET /2015-03-31/functions/w":
		return `{"Configuration":{"FunctionName":"w","State":"Active","Timeout":15,"Environment":{"Variables":{"KEY":"imported"}}}}`, true
	case "GET /2019-09-30/functions/w/concurrency":
		raw, err := json.Marshal(object{"ReservedConcurrentExecutions": e.reserved})
		return string(raw), err == nil
	}
	return "{}", e.repair(strings.TrimPrefix(name, dynamo), in)
}

func (e *emulator) summary(logical, physical string) string {
	return "<member><LogicalResourceId>" + logical + "</LogicalResourceId><PhysicalResourceId>" + physical + "</PhysicalResourceId></member>"
}

func (e *emulator) repair(name string, in object) bool {
	if e.stuck {
		return true
	}
	switch name {
	case "UpdateTimeToLive":
		e.ttl = "ENABLED"
	case "UpdateContinuousBackups":
		e.backups = "ENABLED"
	case "PATCH /v2/apis/a1":
		e.cors, _ = in["corsConfiguration"].(object)
	case "PUT /2017-10-31/functions/w/concurrency":
		e.reserved = in["ReservedConcurrentExecutions"]
	default:
		return false
	}
	return true
}

const manifest = `{"artifacts":{"s":{"type":"aws:cloudformation:stack","properties":{"templateFile":"s.json"}}}}`

const template = `{"Resources":{
"Table":{"Type":"AWS::DynamoDB::Table","Properties":{"TableName":"t","BillingMode":"PAY_PER_REQUEST","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true},
 "PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":7}}},
"Api":{"Type":"AWS::ApiGatewayV2::Api","Properties":{"Name":"a","CorsConfiguration":{"AllowOrigins":["https://app.example"],"MaxAge":600}}},
"Work":{"Type":"AWS::Lambda::Function","Properties":{"FunctionName":{"Fn::Join":["",["w",""]]},"Timeout":15,"ReservedConcurrentExecutions":5,
 "Code":{"S3Key":"x"},"Environment":{"Variables":{"KEY":{"Fn::ImportValue":"other:Key"}}}}}}}`

// dropped is an emulator as MiniStack is after a deployment.
func dropped(t *testing.T) *emulator {
	return &emulator{t: t, ttl: "DISABLED", backups: "DISABLED", billing: "PAY_PER_REQUEST",
		cors: object{"AllowOrigins": []any{"https://app.example"}, "MaxAge": 600}}
}

func (e *emulator) verify(t *testing.T, check bool) (string, error) {
	t.Helper()
	folder := t.TempDir()
	for name, content := range map[string]string{"manifest.json": manifest, "s.json": template} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewServer(e)
	defer server.Close()
	var out bytes.Buffer
	err := verifier{cloud: newCloud(server.URL, "us-east-1"), out: folder, check: check, to: &out}.run(t.Context())
	return out.String(), err
}

func TestWhatIsKnownToBeDroppedIsRepairedAndComparedAgain(t *testing.T) {
	e := dropped(t)
	out, err := e.verify(t, false)
	if err != nil || strings.Count(out, "repaired") != 4 || !strings.Contains(out, " 0 differ") {
		t.Errorf("%v\n%s", err, out)
	}
	if e.reserved != 5.0 || e.cors["allowOrigins"] == nil || e.cors["AllowOrigins"] != nil {
		t.Errorf("%v %v", e.reserved, e.cors)
	}
	if out, err = e.verify(t, false); err != nil || strings.Contains(out, "repaired") {
		t.Errorf("a second time: %v\n%s", err, out)
	}
}

func TestNothingIsRepairedWhenOnlyAsked(t *testing.T) {
	e := dropped(t)
	out, err := e.verify(t, true)
	if err == nil || strings.Contains(out, "repaired") {
		t.Errorf("%v\n%s", err, out)
	}
	for _, call := range e.calls {
		if strings.Contains(call, "Update") || strings.HasPrefix(call, "P") {
			t.Errorf("called %s", call)
		}
	}
	for _, want := range []string{"TimeToLiveSpecification.Enabled: template true, deployed false", "CorsConfiguration.AllowOrigins", "Work ReservedConcurrentExecutions: template 5, deployed nothing"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

func TestAnyOtherDifferenceFails(t *testing.T) {
	e := dropped(t)
	e.billing = "PROVISIONED"
	out, err := e.verify(t, false)
	if err == nil || !strings.Contains(out, `Table BillingMode: template "PAY_PER_REQUEST", deployed "PROVISIONED"`) || strings.Contains(out, "repaired s/Table BillingMode") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestARepairThatDoesNothingFails(t *testing.T) {
	e := dropped(t)
	e.stuck = true
	if out, err := e.verify(t, false); err == nil || !strings.Contains(out, "differs  s/Table TimeToLiveSpecification") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestTheListOfRepairs is the list itself: a longer one needs a second look.
func TestTheListOfRepairs(t *testing.T) {
	want := "[AWS::ApiGatewayV2::Api.CorsConfiguration AWS::DynamoDB::Table.PointInTimeRecoverySpecification" +
		" AWS::DynamoDB::Table.TimeToLiveSpecification AWS::Lambda::Function.ReservedConcurrentExecutions]"
	if got := fmt.Sprint(sortedKeys(repairs)); got != want {
		t.Errorf("%s", got)
	}
	for name, reason := range unread {
		if reason == "" {
			t.Errorf("%s is passed over without a reason", name)
		}
	}
}

func TestAKindThatNobodyComparesFails(t *testing.T) {
	s := &stack{name: "s", resources: map[string]*resource{}}
	_, _, err := verifier{to: io.Discard}.compare(t.Context(), &resource{stack: s, logical: "X", kind: "AWS::EC2::Instance"})
	if err == nil || !strings.Contains(err.Error(), "nobody compares the kind AWS::EC2::Instance") {
		t.Error(err)
	}
}

func TestFunctionsOfTemplatesAreFilledIn(t *testing.T) {
	s := &stack{cloud: newCloud("http://x.example", "eu-west-1"), name: "s", parameters: object{"P": "p"}, exports: map[string]string{"e": "v"}}
	s.resources = map[string]*resource{
		"Q": {stack: s, kind: "AWS::SQS::Queue", physical: "http://x.example/000000000000/q"},
		"F": {stack: s, kind: "AWS::Lambda::Function", physical: "f"},
	}
	for in, want := range map[string]string{
		`{"Ref":"P"}`: `"p"`, `{"Ref":"F"}`: `"f"`, `{"Fn::ImportValue":"e"}`: `"v"`,
		`{"Fn::GetAtt":["Q","Arn"]}`: `"arn:aws:sqs:eu-west-1:000000000000:q"`,
		`{"Fn::Sub":"arn:${AWS::Partition}:x:${AWS::Region}:${AWS::AccountId}:${F}/${Q.Arn}"}`: `"arn:aws:x:eu-west-1:000000000000:f/arn:aws:sqs:eu-west-1:000000000000:q"`,
		`{"Fn::Sub":["${X}-${P}",{"X":{"Ref":"F"}}]}`:                                          `"f-p"`,
		`{"Fn::Join":["-",["a",{"Ref":"P"}]]}`:                                                 `"a-p"`,
		`{"a":[{"Ref":"P"},1,true]}`:                                                           `{"a":["p",1,true]}`,
	} {
		var v any
		if err := json.Unmarshal([]byte(in), &v); err != nil {
			t.Fatal(err)
		}
		got, err := s.resolved(t.Context(), v)
		if err != nil || whole(got) != want {
			t.Errorf("%s: %s, %v", in, whole(got), err)
		}
	}
	for _, in := range []string{`{"Ref":"N"}`, `{"Fn::ImportValue":"n"}`, `{"Fn::GetAtt":["F","Version"]}`, `{"Fn::Select":[0,[]]}`, `{"Fn::Sub":"${N}"}`} {
		var v any
		if err := json.Unmarshal([]byte(in), &v); err != nil {
			t.Fatal(err)
		}
		if got, err := s.resolved(t.Context(), v); err == nil {
			t.Errorf("%s: %s", in, whole(got))
		}
	}
}

func TestValuesAreComparedAsTheyMean(t *testing.T) {
	r := &resource{stack: &stack{name: "s"}, logical: "X", kind: "K"}
	for _, c := range []struct {
		want, got string
		differ    int
	}{
		{`{"A":15}`, `{"A":"15","B":1}`, 0},
		{`{"A":true}`, `{"A":"true"}`, 0},
		{`{"A":false}`, `{}`, 1},
		{`{"A":[1,2]}`, `{"A":[2,1]}`, 0},
		{`{"A":[1,2]}`, `{"A":[1]}`, 1},
		{`{"A":{"B":"x"}}`, `{"A":"{\"B\": \"x\"}"}`, 0},
		{`{"A":["x"]}`, `{"A":"x"}`, 0},
		{`{"A":{"B":1}}`, `{"A":3}`, 1},
		{`{"A":[{"N":"a","V":1},{"N":"b","V":2}]}`, `{"A":[{"N":"b","V":3},{"N":"a","V":1}]}`, 1},
	} {
		var want, got object
		if json.Unmarshal([]byte(c.want), &want) != nil || json.Unmarshal([]byte(c.got), &got) != nil {
			t.Fatal(c)
		}
		if found, _ := diff(r, want, got); len(found) != c.differ {
			t.Errorf("%s and %s: %v", c.want, c.got, found)
		}
	}
}
