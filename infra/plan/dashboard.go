package plan

import (
	"encoding/json"
	"fmt"

	"holdfast/internal/obs"
)

// widget is a graph of the dashboard.
type widget struct {
	Type       string         `json:"type"`
	X          int            `json:"x"`
	Y          int            `json:"y"`
	Width      int            `json:"width"`
	Height     int            `json:"height"`
	Properties map[string]any `json:"properties"`
}

// A dashboard is 24 columns wide; three graphs make a row.
const (
	columns      = 24
	widgetWidth  = 8
	widgetHeight = 6
)

// Dashboard is the body of the one dashboard, as CloudWatch reads it
// (https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html).
// Functions are found by search, so that a new route is on it without a new graph.
func (p Plan) Dashboard() (string, error) {
	var all []widget
	for _, g := range p.graphs() {
		n := len(all) * widgetWidth
		all = append(all, widget{
			Type: "metric", X: n % columns, Y: n / columns * widgetHeight, Width: widgetWidth, Height: widgetHeight,
			Properties: map[string]any{"title": g.title, "metrics": g.metrics, "stat": g.statistic, "period": minute,
				"region": "${AWS::Region}", "view": "timeSeries"},
		})
	}
	body, err := json.Marshal(map[string]any{"widgets": all})
	return string(body), err
}

type graph struct {
	title     string
	statistic string
	metrics   []any
}

func (p Plan) graphs() []graph {
	out := []graph{
		{"Calls", "Sum", []any{p.ofAPI("Count"), p.ofAPI("4xx"), p.ofAPI("5xx")}},
		{"Time of a call, ms (p99)", "p99", []any{p.ofAPI("Latency"), p.ofAPI("IntegrationLatency")}},
		{"Index lag, s", "Maximum", []any{[]any{obs.Namespace, obs.IndexLag, "FunctionName", p.Prefix + "-worker-sweep"}}},
		{"Functions: errors", "Sum", []any{p.ofFunctions("Errors", "Sum")}},
		{"Functions: throttles", "Sum", []any{p.ofFunctions("Throttles", "Sum")}},
		{"Functions: duration, ms", "Maximum", []any{p.ofFunctions("Duration", "Maximum")}},
		{"Queues: oldest message, s", "Maximum", p.ofQueues("ApproximateAgeOfOldestMessage", func(q Queue) string { return q.Name })},
		{"Queues: waiting", "Maximum", p.ofQueues("ApproximateNumberOfMessagesVisible", func(q Queue) string { return q.Name })},
		{"Queues: dead", "Maximum", p.ofQueues("ApproximateNumberOfMessagesVisible", func(q Queue) string { return q.DeadName })},
		{"Table: units a minute", "Sum", []any{p.ofTable("ConsumedReadCapacityUnits"), p.ofTable("ConsumedWriteCapacityUnits")}},
		{"Table: throttled", "Sum", []any{p.ofTable("ReadThrottleEvents"), p.ofTable("WriteThrottleEvents")}},
	}
	if p.Domain != nil {
		out = append(out, graph{"Search domain: memory and processor, %", "Maximum", []any{p.ofDomain("JVMMemoryPressure"), p.ofDomain("CPUUtilization")}})
	}
	return out
}

func (p Plan) ofAPI(metric string) []any {
	return []any{"AWS/ApiGateway", metric, "ApiId", APIID.String()}
}

func (p Plan) ofTable(metric string) []any {
	return []any{"AWS/DynamoDB", metric, "TableName", p.Table.Name}
}

func (p Plan) ofDomain(metric string) []any {
	return []any{"AWS/ES", metric, "DomainName", p.Domain.Name, "ClientId", "${AWS::AccountId}"}
}

func (p Plan) ofQueues(metric string, name func(Queue) string) []any {
	var out []any
	for _, q := range p.Queues {
		if n := name(q); n != "" {
			out = append(out, []any{"AWS/SQS", metric, "QueueName", n})
		}
	}
	return out
}

// ofFunctions is an expression that finds a metric of all functions of the deployment.
func (p Plan) ofFunctions(metric, statistic string) []any {
	return []any{map[string]any{"expression": fmt.Sprintf(
		`SEARCH('{AWS/Lambda,FunctionName} MetricName="%s" FunctionName="%s-"', '%s', %d)`, metric, p.Prefix, statistic, minute)}}
}
