//go:build infra

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/assertions"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/jsii-runtime-go"
	"github.com/cdklabs/cdk-nag-go/cdknag/v2"

	"holdfast/infra/plan"
)

// deployment is a rendered plan and the templates that it became.
type deployment struct {
	*renderer
	templates map[string]assertions.Template
}

// The deployments under test, rendered once: a render asks Node a few thousand times.
var trial, production deployment

func TestMain(m *testing.M) {
	functions, err := stubs()
	if err == nil {
		trial, err = rendered(functions, object{"stage": "test", "searchEndpoint": "http://127.0.0.1:9200", "cors": "https://app.example"})
	}
	if err == nil {
		production, err = rendered(functions, object{"stage": "prod", "alarmEmail": "people@example.com", "searchFineAccess": "true",
			"searchMasterArn": "arn:aws:iam::123456789012:role/search"})
	}
	code := 1
	if err == nil {
		code = m.Run()
	} else {
		_, _ = os.Stderr.WriteString(err.Error() + "\n")
	}
	jsii.Close()
	_ = os.RemoveAll(functions) // a temporary folder of the system's
	os.Exit(code)
}

// stubs stand for the built functions: what is in them does not count here.
func stubs() (string, error) {
	folder, err := os.MkdirTemp("", "holdfast-infra-")
	if err != nil {
		return "", err
	}
	settings, err := plan.FromMap(nil)
	if err != nil {
		return folder, err
	}
	p, err := plan.Build(settings)
	if err != nil {
		return folder, err
	}
	for _, f := range p.Functions {
		at := filepath.Join(folder, "arm64", f.ID)
		if err := os.MkdirAll(at, 0o755); err != nil {
			return folder, err
		}
		if err := os.WriteFile(filepath.Join(at, "bootstrap"), []byte(f.ID), 0o755); err != nil {
			return folder, err
		}
	}
	return folder, nil
}

func rendered(functions string, context object) (deployment, error) {
	context["functions"] = functions
	r, err := build(awscdk.NewApp(&awscdk.AppProps{AnalyticsReporting: jsii.Bool(false), Context: &context}))
	if err != nil {
		return deployment{}, err
	}
	d := deployment{renderer: r, templates: map[string]assertions.Template{}}
	for name, stack := range r.stacks {
		d.templates[name] = assertions.Template_FromStack(stack, nil)
	}
	return d, nil
}

// resources are those of a stack, by their logical ids.
func (d deployment) resources(name string) map[string]resource {
	raw, err := json.Marshal(d.templates[name].ToJSON())
	if err != nil {
		panic(err)
	}
	var t struct{ Resources map[string]resource }
	if err := json.Unmarshal(raw, &t); err != nil {
		panic(err)
	}
	return t.Resources
}

type resource struct {
	Type                                string
	Properties                          map[string]any
	DeletionPolicy, UpdateReplacePolicy string
}

// has asserts that a stack has a resource with these properties, and perhaps more.
func (d deployment) has(t *testing.T, stack, kind string, properties object) {
	t.Helper()
	defer func() {
		if cause := recover(); cause != nil { // how assertions fail
			t.Errorf("%s: no %s with %v: %v", stack, kind, properties, cause)
		}
	}()
	d.templates[stack].HasResourceProperties(jsii.String(kind), properties)
}

func TestTheTableHasWhatTheEmulatorDrops(t *testing.T) {
	for _, c := range []struct {
		d    deployment
		days int
	}{{trial, 1}, {production, 35}} {
		c.d.has(t, plan.DataStack, "AWS::DynamoDB::Table", object{
			"BillingMode":                      "PAY_PER_REQUEST",
			"TimeToLiveSpecification":          object{"AttributeName": "ttl", "Enabled": true},
			"PointInTimeRecoverySpecification": object{"PointInTimeRecoveryEnabled": true, "RecoveryPeriodInDays": c.days},
			"StreamSpecification":              object{"StreamViewType": "NEW_IMAGE"},
			"KeySchema":                        []any{object{"AttributeName": "pk", "KeyType": "HASH"}, object{"AttributeName": "sk", "KeyType": "RANGE"}},
			"GlobalSecondaryIndexes": []any{object{"IndexName": "due", "Projection": object{"ProjectionType": "ALL"},
				"KeySchema": []any{object{"AttributeName": "due_pk", "KeyType": "HASH"}, object{"AttributeName": "due_sk", "KeyType": "RANGE"}}}},
		})
	}
}

func TestProductionIsProtectedAndEncryptedWithItsOwnKey(t *testing.T) {
	production.has(t, plan.DataStack, "AWS::DynamoDB::Table", object{
		"DeletionProtectionEnabled": true, "SSESpecification": object{"SSEEnabled": true, "SSEType": "KMS"},
	})
	production.has(t, plan.DataStack, "AWS::KMS::Key", object{"EnableKeyRotation": true})
	for id, r := range production.resources(plan.DataStack) {
		if r.Type != "AWS::KMS::Alias" && (r.DeletionPolicy != "Retain" || r.UpdateReplacePolicy != "Retain") {
			t.Errorf("%s is not kept: %s, %s", id, r.DeletionPolicy, r.UpdateReplacePolicy)
		}
	}
	for name, stack := range production.stacks {
		if top := stack.NestedStackParent() == nil; top && !*stack.TerminationProtection() {
			t.Errorf("stack %s may be destroyed", name)
		}
	}
	for _, r := range trial.resources(plan.DataStack) {
		if r.DeletionPolicy == "Retain" {
			t.Errorf("a test keeps its %s", r.Type)
		}
	}
	for name, stack := range trial.stacks {
		if p := stack.TerminationProtection(); p != nil && *p {
			t.Errorf("a test's stack %s may not be destroyed", name)
		}
	}
}

func TestTheRootKeyIsMadeAndNeverWrittenDown(t *testing.T) {
	production.has(t, plan.DataStack, "AWS::SecretsManager::Secret", object{"GenerateSecretString": object{"PasswordLength": 64}})
	for name := range production.templates {
		for id, r := range production.resources(name) {
			text, err := json.Marshal(r.Properties)
			if err != nil || strings.Contains(string(text), "{{resolve:") {
				t.Errorf("%s/%s: %v: a secret is resolved into a template", name, id, err)
			}
		}
	}
}

func TestTheSearchDomainIsClosed(t *testing.T) {
	production.has(t, plan.SearchStack, "AWS::OpenSearchService::Domain", object{
		"EngineVersion": "OpenSearch_2.19", "EncryptionAtRestOptions": object{"Enabled": true}, "NodeToNodeEncryptionOptions": object{"Enabled": true},
		"DomainEndpointOptions":   object{"EnforceHTTPS": true, "TLSSecurityPolicy": "Policy-Min-TLS-1-2-PFS-2023-10"},
		"AdvancedSecurityOptions": object{"Enabled": true, "InternalUserDatabaseEnabled": false},
		"ClusterConfig": object{"InstanceCount": 3, "InstanceType": "r7g.large.search", "ZoneAwarenessEnabled": true,
			"ZoneAwarenessConfig": object{"AvailabilityZoneCount": 3}, "DedicatedMasterEnabled": true, "DedicatedMasterCount": 3},
		"EBSOptions": object{"EBSEnabled": true, "VolumeType": "gp3", "VolumeSize": 100},
	})
	if _, made := trial.templates[plan.SearchStack]; made {
		t.Error("a domain is made although there is one")
	}
}

func TestQueuesAreEncryptedAndGiveUpAfterTheirTries(t *testing.T) {
	for _, d := range []deployment{trial, production} {
		for _, q := range d.plan.Queues {
			d.has(t, plan.WorkStack, "AWS::SQS::Queue", object{"QueueName": q.DeadName, "SqsManagedSseEnabled": true, "MessageRetentionPeriod": 14 * 86400})
			if q.Name != "" {
				d.has(t, plan.WorkStack, "AWS::SQS::Queue", object{"QueueName": q.Name, "SqsManagedSseEnabled": true,
					"VisibilityTimeout": q.Visibility, "RedrivePolicy": object{"maxReceiveCount": q.Tries}})
			}
		}
	}
}

func TestSourcesOfWorkers(t *testing.T) {
	for _, d := range []deployment{trial, production} {
		for _, f := range d.plan.Of(plan.WorkStack) {
			at := object{"Ref": camel(f.ID)}
			if f.Queue != nil {
				d.has(t, plan.WorkStack, "AWS::Lambda::EventSourceMapping", object{"FunctionName": at, "BatchSize": f.Queue.Batch,
					"EventSourceArn":        object{"Fn::GetAtt": []any{"Queue" + camel(f.Queue.Queue), "Arn"}},
					"FunctionResponseTypes": []any{"ReportBatchItemFailures"}, "ScalingConfig": object{"MaximumConcurrency": f.Queue.MaxConcurrency}})
			}
			if f.Stream != nil {
				d.has(t, plan.WorkStack, "AWS::Lambda::EventSourceMapping", object{"FunctionName": at, "BatchSize": f.Stream.Batch,
					"FunctionResponseTypes": []any{"ReportBatchItemFailures"}, "StartingPosition": "TRIM_HORIZON", "BisectBatchOnFunctionError": true,
					"MaximumRetryAttempts": f.Stream.Retries, "MaximumRecordAgeInSeconds": f.Stream.MaxAge,
					"FilterCriteria":    object{"Filters": []any{object{"Pattern": f.Stream.Filters[0]}}},
					"DestinationConfig": object{"OnFailure": object{"Destination": object{"Fn::GetAtt": []any{"QueueRelayDead", "Arn"}}}}})
			}
			if f.Schedule != nil {
				d.has(t, plan.WorkStack, "AWS::Events::Rule", object{"Name": f.Name, "ScheduleExpression": f.Schedule.Expression, "State": "ENABLED"})
			}
		}
	}
}

func TestEveryFunctionIsAsPlanned(t *testing.T) {
	for _, d := range []deployment{trial, production} {
		for _, f := range d.plan.Functions {
			want := object{"FunctionName": f.Name, "MemorySize": f.MemoryMB, "Timeout": f.Seconds, "Runtime": "provided.al2023",
				"Handler": "bootstrap", "Architectures": []any{"arm64"}, "LoggingConfig": object{"LogGroup": object{"Ref": camel(f.ID) + "Log"}},
				"Environment": object{"Variables": object{"HOLDFAST_TABLE": d.plan.Table.Name}}}
			if f.Reserved > 0 {
				want["ReservedConcurrentExecutions"] = f.Reserved
			} else {
				want["ReservedConcurrentExecutions"] = assertions.Match_Absent()
			}
			d.has(t, f.Stack, "AWS::Lambda::Function", want)
			d.has(t, f.Stack, "AWS::Logs::LogGroup", object{"LogGroupName": f.LogGroup, "RetentionInDays": d.plan.LogDays})
			for _, a := range f.Alarms {
				d.has(t, a.Stack, "AWS::CloudWatch::Alarm", alarmed(a))
			}
		}
	}
}

func alarmed(a plan.Alarm) object {
	return object{"AlarmName": a.Name, "Namespace": a.Namespace, "MetricName": a.Metric, "Statistic": a.Statistic, "Threshold": a.Threshold,
		"Period": a.Period, "EvaluationPeriods": a.Periods, "TreatMissingData": "notBreaching",
		"AlarmActions": []any{object{"Fn::Sub": assertions.Match_StringLikeRegexp(jsii.String(":sns:.*-alarms$"))}}}
}

func TestQueuesTableIndexAndDomainAreWatched(t *testing.T) {
	for _, d := range []deployment{trial, production} {
		for _, a := range d.plan.Alarms {
			d.has(t, a.Stack, "AWS::CloudWatch::Alarm", alarmed(a))
		}
		for _, q := range d.plan.Queues {
			for _, a := range q.Alarms {
				d.has(t, a.Stack, "AWS::CloudWatch::Alarm", alarmed(a))
			}
		}
		d.has(t, plan.APIStack, "AWS::CloudWatch::Dashboard", object{"DashboardName": d.plan.Prefix})
	}
	production.has(t, plan.WorkStack, "AWS::SNS::Subscription", object{"Endpoint": "people@example.com", "Protocol": "email"})
}

func TestTheAPIThrottlesLogsAndSharesWithNamedOriginsOnly(t *testing.T) {
	trial.has(t, plan.APIStack, "AWS::ApiGatewayV2::Api", object{"ProtocolType": "HTTP", "CorsConfiguration": object{
		"AllowOrigins": []any{"https://app.example"}, "AllowCredentials": false, "MaxAge": 600,
		"AllowHeaders":  assertions.Match_ArrayWith(&[]any{"authorization", "idempotency-key"}),
		"ExposeHeaders": assertions.Match_ArrayWith(&[]any{"memory-sequence", "request-id"})}})
	production.has(t, plan.APIStack, "AWS::ApiGatewayV2::Api", object{"CorsConfiguration": assertions.Match_Absent()})
	production.has(t, plan.APIStack, "AWS::ApiGatewayV2::Stage", object{"StageName": "$default", "AutoDeploy": true,
		"DefaultRouteSettings": object{"ThrottlingRateLimit": 2000, "ThrottlingBurstLimit": 4000},
		"AccessLogSettings":    object{"DestinationArn": object{"Fn::GetAtt": []any{"AccessLog", "Arn"}}}})
	production.has(t, plan.APIStack, "AWS::Logs::LogGroup", object{"LogGroupName": production.plan.API.LogGroup, "RetentionInDays": 90})
}

func TestEveryRouteLeadsToItsFunction(t *testing.T) {
	for _, f := range production.plan.Functions {
		if f.Route == nil {
			continue
		}
		id := camel(f.ID)
		production.has(t, f.Stack, "AWS::ApiGatewayV2::Route", object{"RouteKey": f.Route.Key, "AuthorizationType": "NONE",
			"Target": object{"Fn::Join": []any{"/", []any{"integrations", object{"Ref": id + "Integration"}}}}})
		production.has(t, f.Stack, "AWS::ApiGatewayV2::Integration", object{"PayloadFormatVersion": "2.0", "IntegrationType": "AWS_PROXY",
			"IntegrationUri": object{"Fn::GetAtt": []any{id, "Arn"}}, "TimeoutInMillis": f.Route.TimeoutMS})
		production.has(t, f.Stack, "AWS::Lambda::Permission", object{"FunctionName": object{"Ref": id}, "Principal": "apigateway.amazonaws.com"})
	}
}

func TestStacksHaveTheResourcesOfThePlan(t *testing.T) {
	for _, d := range []deployment{trial, production} {
		for _, s := range d.plan.Stacks {
			if got := len(d.resources(s.Name)); got != s.Resources || got >= 450 {
				t.Errorf("stack %s of %s has %d resources, planned %d", s.Name, d.plan.Stage, got, s.Resources)
			}
		}
		if len(d.templates) != len(d.plan.Stacks) {
			t.Errorf("%d stacks, planned %d", len(d.templates), len(d.plan.Stacks))
		}
	}
}

// wild lists the wildcards that no function has, and why they are there. Those of
// functions carry their reasons in the plan.
var wild = map[string]string{
	"AWS::KMS::Key kms:*":               "in a key's policy: this key, managed by the account",
	"AWS::KMS::Key *":                   "in a key's policy: this key, managed by the account",
	"AWS::SQS::QueuePolicy sqs:*":       "a refusal: nothing without TLS",
	"AWS::OpenSearchService::Domain /*": "paths below the domain, for those whom their own policies allow it",
	"AWS::SQS::QueuePolicy Principal *": "a refusal: to everybody without TLS",
	"AWS::SNS::TopicPolicy Principal *": "a refusal: to everybody without TLS",
}

func TestNoWildcardWithoutAReason(t *testing.T) {
	for _, d := range []deployment{trial, production} {
		reasons := map[string]bool{}
		for _, f := range d.plan.Functions {
			for _, s := range f.Allow {
				for _, r := range s.Resources {
					reasons[r] = s.Reason != ""
				}
			}
		}
		for name := range d.templates {
			for id, r := range d.resources(name) {
				for _, s := range statements(r.Properties) {
					for _, at := range []string{"Action", "Resource", "Principal"} {
						for _, value := range values(s[at]) {
							if strings.Contains(value, "*") && !excused(r.Type, at, value, reasons) {
								t.Errorf("%s/%s: %s %s", name, id, at, value)
							}
						}
					}
				}
			}
		}
	}
}

func excused(kind, at, value string, reasons map[string]bool) bool {
	if kind == "AWS::IAM::Role" && at == "Resource" {
		return reasons[value]
	}
	if kind == "AWS::OpenSearchService::Domain" && strings.HasSuffix(value, "/*") {
		value = "/*"
	}
	if at == "Principal" {
		value = "Principal " + value
	}
	return wild[kind+" "+value] != ""
}

// statements finds the statements of all policies below a value.
func statements(v any) []map[string]any {
	var out []map[string]any
	switch v := v.(type) {
	case map[string]any:
		if v["Effect"] != nil {
			out = append(out, v)
		}
		for _, inner := range v {
			out = append(out, statements(inner)...)
		}
	case []any:
		for _, inner := range v {
			out = append(out, statements(inner)...)
		}
	}
	return out
}

// values are the texts below a value.
func values(v any) []string {
	var out []string
	switch v := v.(type) {
	case string:
		out = append(out, v)
	case map[string]any:
		for _, inner := range v {
			out = append(out, values(inner)...)
		}
	case []any:
		for _, inner := range v {
			out = append(out, values(inner)...)
		}
	}
	return out
}

var findings = assertions.Match_StringLikeRegexp(jsii.String("AwsSolutions-.*"))

func TestAwsSolutionsFindsNothing(t *testing.T) {
	for _, d := range []deployment{trial, production} {
		for name, stack := range d.stacks {
			if stack.NestedStackParent() != nil {
				continue // its findings are its parent's
			}
			findingless(t, name+" of "+d.plan.Stage, assertions.Annotations_FromStack(stack))
		}
	}
}

func findingless(t *testing.T, name string, notes assertions.Annotations) {
	t.Helper()
	defer func() {
		if cause := recover(); cause != nil { // how assertions fail
			t.Errorf("%s: %v", name, cause)
		}
	}()
	notes.HasNoError(jsii.String("*"), findings)
	notes.HasNoWarning(jsii.String("*"), findings)
}

// TestAwsSolutionsBites shows the rules something that they must not pass over.
func TestAwsSolutionsBites(t *testing.T) {
	stack := awscdk.NewStack(awscdk.NewApp(nil), jsii.String("bare"), nil)
	nested := awscdk.NewNestedStack(stack, jsii.String("Nested"), nil)
	awssqs.NewCfnQueue(nested, jsii.String("Queue"), &awssqs.CfnQueueProps{})
	awscdk.Aspects_Of(stack).Add(cdknag.NewAwsSolutionsChecks(nil), nil)
	if found := *assertions.Annotations_FromStack(stack).FindError(jsii.String("*"), findings); len(found) == 0 {
		t.Error("a queue without TLS and dead letters passes")
	}
}

func TestFunctionsThatAreNotBuiltAreNamed(t *testing.T) {
	_, err := rendered(t.TempDir(), object{})
	if err == nil || !strings.Contains(err.Error(), "memory-append has no bootstrap") || !strings.Contains(err.Error(), "worker-index has no bootstrap") {
		t.Errorf("%v", err)
	}
}

func TestWrongSettingsAreNamed(t *testing.T) {
	_, err := rendered(t.TempDir(), object{"searchNodes": 0, "regoin": "x"})
	if err == nil || !strings.Contains(err.Error(), "searchNodes") || !strings.Contains(err.Error(), "regoin") {
		t.Errorf("%v", err)
	}
}
