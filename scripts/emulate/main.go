// Command emulate makes the table and the queues that the service needs on an
// emulator of AWS and prints the settings for it, one NAME=value a line:
//
//	scripts/engines/ministack.sh start
//	env $(go run ./scripts/emulate -endpoint http://127.0.0.1:4566) make run
//
// On AWS itself the deployment makes them.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"holdfast/internal/awsconf"
	"holdfast/internal/queue"
	"holdfast/internal/store/dynamo"
)

func main() {
	endpoint := flag.String("endpoint", "http://127.0.0.1:4566", "address of the emulator")
	name := flag.String("name", "holdfast", "name of the table and first part of the queues' names")
	search := flag.String("opensearch", "", "address of an OpenSearch node; empty: the index in memory")
	flag.Parse()
	lines, err := run(context.Background(), *endpoint, *name, *search)
	if err != nil {
		fmt.Fprintln(os.Stderr, "emulate:", err)
		os.Exit(1)
	}
	for _, line := range lines {
		fmt.Println(line)
	}
}

func run(ctx context.Context, endpoint, name, search string) ([]string, error) {
	env := map[string]string{
		"AWS_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_ENDPOINT_URL": endpoint,
	}
	c, err := awsconf.Load(ctx, func(n string) (string, bool) { v, ok := env[n]; return v, ok }, nil)
	if err != nil {
		return nil, err
	}
	if err := table(ctx, c, name); err != nil {
		return nil, err
	}
	lines := []string{"HOLDFAST_STORE=dynamodb", "HOLDFAST_TABLE=" + name, "HOLDFAST_QUEUE=sqs"}
	for n, v := range env {
		lines = append(lines, n+"="+v)
	}
	client := sqs.NewFromConfig(c)
	for _, q := range queue.Names() {
		made, err := client.CreateQueue(ctx, &sqs.CreateQueueInput{QueueName: aws.String(name + "-" + string(q)),
			Attributes: map[string]string{"VisibilityTimeout": "180"}})
		if err != nil {
			return nil, fmt.Errorf("queue %s: %w", q, err)
		}
		lines = append(lines, "HOLDFAST_QUEUE_"+upper(string(q))+"="+aws.ToString(made.QueueUrl))
	}
	if search != "" {
		lines = append(lines, "HOLDFAST_SEARCH=opensearch", "HOLDFAST_OPENSEARCH_URL="+search)
	}
	return lines, nil
}

func table(ctx context.Context, c awsconf.Config, name string) error {
	s, err := dynamo.New(dynamo.Options{Config: c, Table: name})
	if err != nil {
		return err
	}
	return s.CreateTable(ctx)
}

func upper(s string) string {
	out := []byte(s)
	for i := range out {
		out[i] -= 'a' - 'A'
	}
	return string(out)
}
