//go:build infra

package main

import (
	"path/filepath"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3assets"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"holdfast/infra/plan"
)

// function makes a function with its role, its log group and its alarms.
func (r *renderer) function(stack constructs.Construct, f plan.Function) awslambda.CfnFunction {
	id := camel(f.ID)
	code := awss3assets.NewAsset(stack, jsii.String(id+"Code"), &awss3assets.AssetProps{Path: jsii.String(filepath.Join(r.folder, f.ID))})
	logs := r.logGroup(stack, id+"Log", f.LogGroup)
	props := &awslambda.CfnFunctionProps{
		FunctionName: jsii.String(f.Name), Description: jsii.String(f.Summary),
		Code:    &awslambda.CfnFunction_CodeProperty{S3Bucket: code.S3BucketName(), S3Key: code.S3ObjectKey()},
		Runtime: jsii.String("provided.al2023"), Handler: jsii.String("bootstrap"), Architectures: jsii.Strings(r.plan.Arch),
		MemorySize: jsii.Number(float64(f.MemoryMB)), Timeout: jsii.Number(float64(f.Seconds)),
		Role:          r.role(stack, id+"Role", f).AttrArn(),
		Environment:   &awslambda.CfnFunction_EnvironmentProperty{Variables: r.env()},
		LoggingConfig: &awslambda.CfnFunction_LoggingConfigProperty{LogGroup: logs.Ref()},
	}
	if f.Reserved > 0 {
		props.ReservedConcurrentExecutions = jsii.Number(float64(f.Reserved))
	}
	function := awslambda.NewCfnFunction(stack, jsii.String(id), props)
	for _, a := range f.Alarms {
		r.alarm(stack, a)
	}
	return function
}

func (r *renderer) env() *map[string]*string {
	out := map[string]*string{}
	for name, value := range r.plan.Env {
		out[name] = r.text(value)
	}
	return &out
}

func (r *renderer) logGroup(stack constructs.Construct, id, name string) awslogs.CfnLogGroup {
	group := awslogs.NewCfnLogGroup(stack, jsii.String(id), &awslogs.CfnLogGroupProps{
		LogGroupName: jsii.String(name), RetentionInDays: jsii.Number(float64(r.plan.LogDays)),
	})
	group.ApplyRemovalPolicy(awscdk.RemovalPolicy_DESTROY, nil)
	return group
}

func (r *renderer) role(stack constructs.Construct, id string, f plan.Function) awsiam.CfnRole {
	var allow []any
	for _, s := range f.Allow {
		allow = append(allow, r.statement(s))
	}
	role := awsiam.NewCfnRole(stack, jsii.String(id), &awsiam.CfnRoleProps{
		Description: jsii.String("What " + f.Name + " may do"),
		AssumeRolePolicyDocument: policy(object{
			"Effect": "Allow", "Principal": object{"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole",
		}),
		Policies: []any{&awsiam.CfnRole_PolicyProperty{PolicyName: jsii.String("allow"), PolicyDocument: policy(allow...)}},
	})
	acceptWildcards(role, f.Allow)
	return role
}

// permit lets a service call a function on behalf of a source.
func permit(stack constructs.Construct, id, service string, function awslambda.CfnFunction, source *string) {
	awslambda.NewCfnPermission(stack, jsii.String(id), &awslambda.CfnPermissionProps{
		Action: jsii.String("lambda:InvokeFunction"), FunctionName: function.Ref(), Principal: jsii.String(service), SourceArn: source,
	})
}

func (r *renderer) alarm(stack constructs.Construct, a plan.Alarm) {
	var dimensions []any
	for _, name := range sorted(a.Dimensions) {
		dimensions = append(dimensions, &awscloudwatch.CfnAlarm_DimensionProperty{Name: jsii.String(name), Value: r.text(a.Dimensions[name])})
	}
	compare := "GreaterThanOrEqualToThreshold"
	if a.Below {
		compare = "LessThanOrEqualToThreshold"
	}
	tell := []any{r.text(r.plan.Topic.ARN())}
	awscloudwatch.NewCfnAlarm(stack, jsii.String(camel(a.ID)+"Alarm"), &awscloudwatch.CfnAlarmProps{
		AlarmName: jsii.String(a.Name), AlarmDescription: jsii.String(a.Meaning),
		Namespace: jsii.String(a.Namespace), MetricName: jsii.String(a.Metric), Dimensions: dimensions, Statistic: jsii.String(a.Statistic),
		Period: jsii.Number(float64(a.Period)), EvaluationPeriods: jsii.Number(float64(a.Periods)),
		Threshold: jsii.Number(a.Threshold), ComparisonOperator: jsii.String(compare), TreatMissingData: jsii.String("notBreaching"),
		AlarmActions: &tell, OkActions: &tell,
	})
}
