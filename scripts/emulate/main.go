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
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"holdfast/internal/awsconf"
	"holdfast/internal/queue"
	"holdfast/internal/store/dynamo"
)

func main() {
	endpoint := flag.String("endpoint", "http://127.0.0.1:4566", "address of the emulator")
	name := flag.String("name", "holdfast", "name of the table and first part of the queues' names")
	search := flag.String("opensearch", "", "address of an OpenSearch node; empty: the index in memory")
	hidden := flag.Duration("visibility", 180*time.Second, "how long a message that was taken is hidden, in whole seconds")
	flag.Parse()
	lines, err := run(context.Background(), *endpoint, *name, *search, *hidden)
	if err != nil {
		fmt.Fprintln(os.Stderr, "emulate:", err)
		os.Exit(1)
	}
	for _, line := range lines {
		fmt.Println(line)
	}
}

func run(ctx context.Context, endpoint, name, search string, hidden time.Duration) ([]string, error) {
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
		url, err := makeQueue(ctx, client, name+"-"+string(q), hidden)
		if err != nil {
			return nil, fmt.Errorf("queue %s: %w", q, err)
		}
		lines = append(lines, "HOLDFAST_QUEUE_"+upper(string(q))+"="+url)
	}
	if search != "" {
		lines = append(lines, "HOLDFAST_SEARCH=opensearch", "HOLDFAST_OPENSEARCH_URL="+search)
	}
	return lines, nil
}

// tries is how often a message is taken before it is a dead letter: fewer than on
// AWS, since who uses an emulator wants to see it.
const tries = 3

// makeQueue makes a queue and, by its name with -dead, that of its dead letters. It
// answers the queue's address.
func makeQueue(ctx context.Context, client *sqs.Client, name string, hidden time.Duration) (string, error) {
	dead, err := client.CreateQueue(ctx, &sqs.CreateQueueInput{QueueName: aws.String(name + "-dead")})
	if err != nil {
		return "", err
	}
	const arn = types.QueueAttributeNameQueueArn
	told, err := client.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{
		QueueUrl: dead.QueueUrl, AttributeNames: []types.QueueAttributeName{arn}})
	if err != nil {
		return "", err
	}
	made, err := client.CreateQueue(ctx, &sqs.CreateQueueInput{QueueName: &name, Attributes: map[string]string{
		"VisibilityTimeout": strconv.Itoa(int(hidden.Seconds())),
		"RedrivePolicy":     fmt.Sprintf(`{"deadLetterTargetArn":%q,"maxReceiveCount":%d}`, told.Attributes[string(arn)], tries),
	}})
	if err != nil {
		return "", err
	}
	return aws.ToString(made.QueueUrl), nil
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
