//go:build infra

package main

import (
	"maps"
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/jsii-runtime-go"

	"holdfast/infra/plan"
)

// workStack holds what happens behind the answers: queues, the functions they,
// the stream and the clock start, and what watches over them.
func (r *renderer) workStack(stack awscdk.Stack) {
	r.topic(stack)
	for _, q := range r.plan.Queues {
		r.queue(stack, q)
	}
	for _, f := range r.plan.Of(plan.WorkStack) {
		function := r.function(stack, f)
		id := camel(f.ID)
		if f.Queue != nil {
			r.fromQueue(stack, id, f, function)
		}
		if f.Stream != nil {
			r.fromStream(stack, id, f, function)
		}
		if f.Schedule != nil {
			r.fromClock(stack, id, f, function)
		}
	}
	for _, a := range r.plan.Alarms {
		if a.Stack == plan.WorkStack {
			r.alarm(stack, a)
		}
	}
}

func (r *renderer) topic(stack awscdk.Stack) {
	t := r.plan.Topic
	topic := awssns.NewCfnTopic(stack, jsii.String("Alarms"), &awssns.CfnTopicProps{TopicName: jsii.String(t.Name)})
	awssns.NewCfnTopicPolicy(stack, jsii.String("AlarmsPolicy"), &awssns.CfnTopicPolicyProps{
		Topics: &[]*string{topic.Ref()},
		PolicyDocument: policy(
			object{"Effect": "Allow", "Principal": object{"Service": "cloudwatch.amazonaws.com"}, "Action": "sns:Publish", "Resource": topic.Ref(),
				"Condition": object{"StringEquals": object{"aws:SourceAccount": r.text("${AWS::AccountId}")}}},
			overTLS("sns:Publish", topic.Ref())),
	})
	if t.Email != "" {
		awssns.NewCfnSubscription(stack, jsii.String("AlarmsByMail"), &awssns.CfnSubscriptionProps{
			TopicArn: topic.Ref(), Protocol: jsii.String("email"), Endpoint: jsii.String(t.Email),
		})
	}
}

const secondsOfDay = 24 * 60 * 60

// queue makes a queue and, before it, the one for what it gives up.
func (r *renderer) queue(stack awscdk.Stack, q plan.Queue) {
	id := "Queue" + camel(q.ID)
	dead := awssqs.NewCfnQueue(stack, jsii.String(id+"Dead"), &awssqs.CfnQueueProps{
		QueueName: jsii.String(q.DeadName), MessageRetentionPeriod: jsii.Number(plan.KeepDeadDays * secondsOfDay), SqsManagedSseEnabled: jsii.Bool(true),
	})
	r.queues[q.DeadName] = dead
	accept(dead, "AwsSolutions-SQS3", "It is the dead-letter queue itself")
	guard(stack, id+"DeadPolicy", dead)
	for _, a := range q.Alarms {
		r.alarm(stack, a)
	}
	if q.Name == "" {
		return
	}
	queue := awssqs.NewCfnQueue(stack, jsii.String(id), &awssqs.CfnQueueProps{
		QueueName: jsii.String(q.Name), VisibilityTimeout: jsii.Number(float64(q.Visibility)),
		MessageRetentionPeriod: jsii.Number(plan.KeepDays * secondsOfDay), SqsManagedSseEnabled: jsii.Bool(true),
		RedrivePolicy: object{"deadLetterTargetArn": dead.AttrArn(), "maxReceiveCount": q.Tries},
	})
	guard(stack, id+"Policy", queue)
	r.queues[q.Name] = queue
	r.refs[plan.QueueURL(q.ID)] = queue.Ref()
}

// arn is the ARN of a queue that is there already, or of its dead-letter queue.
func (r *renderer) arn(id string, dead bool) *string {
	q := r.plan.Queue(id)
	if dead {
		return r.queues[q.DeadName].AttrArn()
	}
	return r.queues[q.Name].AttrArn()
}

func guard(stack awscdk.Stack, id string, queue awssqs.CfnQueue) {
	awssqs.NewCfnQueuePolicy(stack, jsii.String(id), &awssqs.CfnQueuePolicyProps{
		Queues: &[]*string{queue.Ref()}, PolicyDocument: policy(overTLS("sqs:*", queue.AttrArn())),
	})
}

// partial lets a function answer which messages of a batch failed.
var partial = jsii.Strings("ReportBatchItemFailures")

func (r *renderer) fromQueue(stack awscdk.Stack, id string, f plan.Function, function awslambda.CfnFunction) {
	awslambda.NewCfnEventSourceMapping(stack, jsii.String(id+"Source"), &awslambda.CfnEventSourceMappingProps{
		FunctionName: function.Ref(), EventSourceArn: r.arn(f.Queue.Queue, false), BatchSize: jsii.Number(float64(f.Queue.Batch)),
		FunctionResponseTypes: partial,
		ScalingConfig:         &awslambda.CfnEventSourceMapping_ScalingConfigProperty{MaximumConcurrency: jsii.Number(float64(f.Queue.MaxConcurrency))},
	})
}

func (r *renderer) fromStream(stack awscdk.Stack, id string, f plan.Function, function awslambda.CfnFunction) {
	var filters []any
	for _, pattern := range f.Stream.Filters {
		filters = append(filters, &awslambda.CfnEventSourceMapping_FilterProperty{Pattern: jsii.String(pattern)})
	}
	awslambda.NewCfnEventSourceMapping(stack, jsii.String(id+"Source"), &awslambda.CfnEventSourceMappingProps{
		FunctionName: function.Ref(), EventSourceArn: r.refs[plan.TableStream], StartingPosition: jsii.String("TRIM_HORIZON"),
		BatchSize: jsii.Number(float64(f.Stream.Batch)), ParallelizationFactor: jsii.Number(float64(f.Stream.Parallel)),
		MaximumRetryAttempts:       jsii.Number(float64(f.Stream.Retries)),
		MaximumRecordAgeInSeconds:  jsii.Number(float64(f.Stream.MaxAge)),
		BisectBatchOnFunctionError: jsii.Bool(true), FunctionResponseTypes: partial,
		FilterCriteria: &awslambda.CfnEventSourceMapping_FilterCriteriaProperty{Filters: filters},
		DestinationConfig: &awslambda.CfnEventSourceMapping_DestinationConfigProperty{
			OnFailure: &awslambda.CfnEventSourceMapping_OnFailureProperty{Destination: r.arn(f.Stream.Dead, true)},
		},
	})
}

// fromClock starts a function at its rate. A start that fails is not made up for:
// the next one does the same work.
func (r *renderer) fromClock(stack awscdk.Stack, id string, f plan.Function, function awslambda.CfnFunction) {
	rule := awsevents.NewCfnRule(stack, jsii.String(id+"Schedule"), &awsevents.CfnRuleProps{
		Name: jsii.String(f.Name), Description: jsii.String(f.Summary), ScheduleExpression: jsii.String(f.Schedule.Expression), State: jsii.String("ENABLED"),
		Targets: []any{&awsevents.CfnRule_TargetProperty{
			Id: jsii.String("function"), Arn: function.AttrArn(),
			RetryPolicy: &awsevents.CfnRule_RetryPolicyProperty{MaximumRetryAttempts: jsii.Number(0), MaximumEventAgeInSeconds: jsii.Number(60)},
		}},
	})
	permit(stack, id+"Permission", "events.amazonaws.com", function, rule.AttrArn())
}

// sorted are a map's names in order, so that a template does not change by chance.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
