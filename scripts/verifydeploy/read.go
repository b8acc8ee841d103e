package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"
)

// reader asks a service for a resource and answers it by the template's names.
type reader func(ctx context.Context, c *cloud, r *resource) (object, error)

// readers are the kinds of resources that are compared.
var readers = map[string]reader{
	"AWS::DynamoDB::Table":            readTable,
	"AWS::SecretsManager::Secret":     readSecret,
	"AWS::SQS::Queue":                 readQueue,
	"AWS::SQS::QueuePolicy":           readQueuePolicy,
	"AWS::SNS::Topic":                 readTopic,
	"AWS::SNS::TopicPolicy":           readTopicPolicy,
	"AWS::Lambda::Function":           readFunction,
	"AWS::Lambda::Permission":         readPermission,
	"AWS::Lambda::EventSourceMapping": readSource,
	"AWS::IAM::Role":                  readRole,
	"AWS::Logs::LogGroup":             readLogGroup,
	"AWS::Events::Rule":               readRule,
	"AWS::CloudWatch::Alarm":          readAlarm,
	"AWS::CloudWatch::Dashboard":      readDashboard,
	"AWS::CloudFormation::Stack":      readStack,
	"AWS::ApiGatewayV2::Api":          readAPI,
	"AWS::ApiGatewayV2::Stage":        readStage,
	"AWS::ApiGatewayV2::Integration":  readIntegration,
	"AWS::ApiGatewayV2::Route":        readRoute,
}

// unread are properties that no service of the emulator answers, and why that is no
// loss.
var unread = map[string]string{
	"AWS::DynamoDB::Table.PointInTimeRecoverySpecification.RecoveryPeriodInDays": "the emulator restores nothing; the tests of infra assert it on the template",
	"AWS::Lambda::Function.Code":                       "where the code was uploaded; that it runs is shown by calling it",
	"AWS::CloudFormation::Stack.TemplateURL":           "where the template was uploaded; its resources are compared one by one",
	"AWS::SecretsManager::Secret.GenerateSecretString": "how the value was made; its length is compared in readSecret",
	"AWS::SQS::QueuePolicy.Queues":                     "the queue whose policy was read",
	"AWS::SNS::TopicPolicy.Topics":                     "the topic whose policy was read",
}

// first is the physical name behind a property that lists one resource.
func first(ctx context.Context, r *resource, property string) (string, error) {
	v, err := r.stack.resolved(ctx, r.properties[property])
	if err != nil {
		return "", err
	}
	list, _ := v.([]any)
	if len(list) != 1 {
		return "", fmt.Errorf("%s should have one element", property)
	}
	return text(list[0]), nil
}

const dynamo = "DynamoDB_20120810."

func readTable(ctx context.Context, c *cloud, r *resource) (object, error) {
	in := object{"TableName": r.physical}
	answer, err := c.json(ctx, "dynamodb", dynamo+"DescribeTable", in)
	if err != nil {
		return nil, err
	}
	state, _ := answer["Table"].(object)
	if billing, ok := state["BillingModeSummary"].(object); ok {
		state["BillingMode"] = billing["BillingMode"]
	}
	ttl, err := c.json(ctx, "dynamodb", dynamo+"DescribeTimeToLive", in)
	if err != nil {
		return nil, err
	}
	if d, ok := ttl["TimeToLiveDescription"].(object); ok {
		state["TimeToLiveSpecification"] = object{"AttributeName": d["AttributeName"], "Enabled": strings.HasPrefix(text(d["TimeToLiveStatus"]), "ENABL")}
	}
	backups, err := c.json(ctx, "dynamodb", dynamo+"DescribeContinuousBackups", in)
	if err != nil {
		return nil, err
	}
	if d, ok := backups["ContinuousBackupsDescription"].(object); ok {
		p, _ := d["PointInTimeRecoveryDescription"].(object)
		state["PointInTimeRecoverySpecification"] = object{
			"PointInTimeRecoveryEnabled": p["PointInTimeRecoveryStatus"] == "ENABLED", "RecoveryPeriodInDays": p["RecoveryPeriodInDays"],
		}
	}
	return state, nil
}

func readSecret(ctx context.Context, c *cloud, r *resource) (object, error) {
	in := object{"SecretId": r.physical}
	state, err := c.json(ctx, "secretsmanager", "secretsmanager.DescribeSecret", in)
	if err != nil {
		return nil, err
	}
	value, err := c.json(ctx, "secretsmanager", "secretsmanager.GetSecretValue", in)
	if err != nil {
		return nil, err
	}
	how, _ := r.properties["GenerateSecretString"].(object)
	if want, ok := how["PasswordLength"].(float64); ok && len(text(value["SecretString"])) != int(want) {
		return nil, fmt.Errorf("the value does not have %v characters", want)
	}
	return state, nil
}

func queueAttributes(ctx context.Context, c *cloud, address string) (object, error) {
	answer, err := c.json(ctx, "sqs", "AmazonSQS.GetQueueAttributes", object{"QueueUrl": address, "AttributeNames": []any{"All"}})
	if err != nil {
		return nil, err
	}
	state, _ := answer["Attributes"].(object)
	return state, nil
}

func readQueue(ctx context.Context, c *cloud, r *resource) (object, error) {
	state, err := queueAttributes(ctx, c, r.physical)
	if err != nil {
		return nil, err
	}
	state["QueueName"] = r.physical[strings.LastIndex(r.physical, "/")+1:]
	return state, nil
}

func readQueuePolicy(ctx context.Context, c *cloud, r *resource) (object, error) {
	address, err := first(ctx, r, "Queues")
	if err != nil {
		return nil, err
	}
	state, err := queueAttributes(ctx, c, address)
	return object{"PolicyDocument": state["Policy"]}, err
}

func topicAttributes(ctx context.Context, c *cloud, topic string) (object, error) {
	answer, err := c.query(ctx, "sns", "2010-03-31", "GetTopicAttributes", map[string]string{"TopicArn": topic})
	if err != nil {
		return nil, err
	}
	state := object{}
	for _, e := range objects(answer["Attributes"]) {
		state[text(e["key"])] = e["value"]
	}
	return state, nil
}

func readTopic(ctx context.Context, c *cloud, r *resource) (object, error) {
	state, err := topicAttributes(ctx, c, r.physical)
	if err != nil {
		return nil, err
	}
	state["TopicName"] = r.physical[strings.LastIndex(r.physical, ":")+1:]
	return state, nil
}

func readTopicPolicy(ctx context.Context, c *cloud, r *resource) (object, error) {
	topic, err := first(ctx, r, "Topics")
	if err != nil {
		return nil, err
	}
	state, err := topicAttributes(ctx, c, topic)
	return object{"PolicyDocument": state["Policy"]}, err
}

const iam = "2010-05-08"

func readRole(ctx context.Context, c *cloud, r *resource) (object, error) {
	answer, err := c.query(ctx, "iam", iam, "GetRole", map[string]string{"RoleName": r.physical})
	if err != nil {
		return nil, err
	}
	state, _ := answer["Role"].(object)
	if state["AssumeRolePolicyDocument"], err = url.QueryUnescape(text(state["AssumeRolePolicyDocument"])); err != nil {
		return nil, err
	}
	names, err := c.query(ctx, "iam", iam, "ListRolePolicies", map[string]string{"RoleName": r.physical})
	if err != nil {
		return nil, err
	}
	var policies []any
	list, _ := names["PolicyNames"].([]any)
	for _, name := range list {
		p, err := c.query(ctx, "iam", iam, "GetRolePolicy", map[string]string{"RoleName": r.physical, "PolicyName": text(name)})
		if err != nil {
			return nil, err
		}
		document, err := url.QueryUnescape(text(p["PolicyDocument"]))
		if err != nil {
			return nil, err
		}
		policies = append(policies, object{"PolicyName": name, "PolicyDocument": document})
	}
	state["Policies"] = policies
	return state, nil
}

func readLogGroup(ctx context.Context, c *cloud, r *resource) (object, error) {
	answer, err := c.json(ctx, "logs", "Logs_20140328.DescribeLogGroups", object{"logGroupNamePrefix": r.physical})
	if err != nil {
		return nil, err
	}
	for _, g := range objects(answer["logGroups"]) {
		if g["logGroupName"] == r.physical {
			return object{"LogGroupName": g["logGroupName"], "RetentionInDays": g["retentionInDays"]}, nil
		}
	}
	return nil, errMissing
}

// readStack has nothing to ask: what is in a nested stack is compared in its own
// right, with its parameters filled in.
func readStack(ctx context.Context, _ *cloud, r *resource) (object, error) {
	v, err := r.stack.resolved(ctx, r.properties)
	state, _ := v.(object)
	return state, err
}
