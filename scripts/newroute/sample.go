package main

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"

	"holdfast/internal/routes"
)

// sampleID stands in sample events wherever an id is needed.
const sampleID = "0198f3c2-6a00-7000-8000-00000000c0de"

var parameter = regexp.MustCompile(`\{([A-Za-z]+)\}`)

// routeEvent is a payload 2.0 event that the route accepts as well formed:
// https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
func routeEvent(r routes.Route) []byte {
	path := parameter.ReplaceAllString(r.Path, sampleID)
	key := r.Method + " " + r.Path
	headers := map[string]string{"host": "api.example.org", "accept": "application/json"}
	switch r.Access {
	case routes.Open:
	case routes.RunAccess:
		headers["x-agentos-run-token"] = "holdfast_run_sample"
	default:
		headers["authorization"] = "Bearer holdfast_sample_key"
	}
	event := map[string]any{
		"version": "2.0", "routeKey": key, "rawPath": path, "rawQueryString": "", "headers": headers, "isBase64Encoded": false,
		"requestContext": map[string]any{
			"accountId": "000000000000", "apiId": "sample", "domainName": "api.example.org", "domainPrefix": "api",
			"http": map[string]string{
				"method": r.Method, "path": path, "protocol": "HTTP/1.1", "sourceIp": "203.0.113.7", "userAgent": "sample",
			},
			"requestId": "sample-request", "routeKey": key, "stage": "$default",
			"time": "01/Mar/2026:09:00:00 +0000", "timeEpoch": 1772355600000,
		},
	}
	if names := parameter.FindAllStringSubmatch(r.Path, -1); len(names) > 0 {
		values := make(map[string]string)
		for _, n := range names {
			values[n[1]] = sampleID
		}
		event["pathParameters"] = values
	}
	if r.Scope == routes.WorkspaceQuery {
		event["rawQueryString"] = url.Values{"workspaceId": {sampleID}}.Encode()
		event["queryStringParameters"] = map[string]string{"workspaceId": sampleID}
	}
	if r.BodyLimit > 0 {
		headers["content-type"] = "application/json"
		event["body"] = "{}"
	}
	return indented(event)
}

// workerEvent is an SQS batch of one message, or what the scheduler sends:
// https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html
func workerEvent(w routes.Worker) []byte {
	if w.Trigger == routes.OnSchedule {
		return indented(map[string]any{
			"version": "0", "id": sampleID, "detail-type": "Scheduled Event", "source": "aws.events",
			"account": "000000000000", "time": "2026-03-01T09:00:00Z", "region": "eu-central-1",
			"resources": []string{"arn:aws:events:eu-central-1:000000000000:rule/" + w.ID}, "detail": map[string]any{},
		})
	}
	if w.Trigger == routes.OnStream {
		return streamEvent()
	}
	return indented(map[string]any{"Records": []any{map[string]any{
		"messageId": sampleID, "receiptHandle": "sample-handle", "body": "{}",
		"attributes": map[string]string{
			"ApproximateReceiveCount": "1", "SentTimestamp": "1772355600000",
			"SenderId": "sample", "ApproximateFirstReceiveTimestamp": "1772355600100",
		},
		"messageAttributes": map[string]any{}, "md5OfBody": "99914b932bd37a50b983c5e7c90ae93b",
		"eventSource": "aws:sqs", "eventSourceARN": "arn:aws:sqs:eu-central-1:000000000000:holdfast-" + w.Queue,
		"awsRegion": "eu-central-1",
	}}})
}

// streamEvent is a batch of the table's stream with one job row:
// https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html
func streamEvent() []byte {
	text := func(s string) map[string]string { return map[string]string{"S": s} }
	key := map[string]any{"pk": text(sampleID + "#" + sampleID + "#J"), "sk": text(sampleID)}
	return indented(map[string]any{"Records": []any{map[string]any{
		"eventID": sampleID, "eventName": "INSERT", "eventVersion": "1.1", "eventSource": "aws:dynamodb",
		"awsRegion": "eu-central-1", "eventSourceARN": "arn:aws:dynamodb:eu-central-1:000000000000:table/holdfast/stream/2026-03-01T09:00:00.000",
		"dynamodb": map[string]any{
			"Keys": key, "NewImage": map[string]any{"pk": key["pk"], "sk": key["sk"], "kind": text("erase")},
			"SequenceNumber": "100000000000000000001", "SizeBytes": 200, "StreamViewType": "NEW_IMAGE",
			"ApproximateCreationDateTime": 1772355600,
		},
	}}})
}

func indented(v any) []byte {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		panic("newroute: a sample event does not encode: " + err.Error())
	}
	return []byte(out.String())
}
