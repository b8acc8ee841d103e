package main

import (
	"context"
	"net/url"
)

// repair sets one property of a resource as the template wants it.
type repair func(ctx context.Context, c *cloud, r *resource, want any) error

// repairs is the list of what MiniStack 1.5.33 is known to drop from a template,
// with the service's own call that sets it. Nothing else is put right.
var repairs = map[string]repair{
	"AWS::DynamoDB::Table.TimeToLiveSpecification":          updateTimeToLive,
	"AWS::DynamoDB::Table.PointInTimeRecoverySpecification": updateContinuousBackups,
	"AWS::ApiGatewayV2::Api.CorsConfiguration":              updateAPI,
	"AWS::Lambda::Function.ReservedConcurrentExecutions":    putFunctionConcurrency,
}

func updateTimeToLive(ctx context.Context, c *cloud, r *resource, want any) error {
	_, err := c.json(ctx, "dynamodb", dynamo+"UpdateTimeToLive", object{"TableName": r.physical, "TimeToLiveSpecification": want})
	return err
}

func updateContinuousBackups(ctx context.Context, c *cloud, r *resource, want any) error {
	_, err := c.json(ctx, "dynamodb", dynamo+"UpdateContinuousBackups", object{"TableName": r.physical, "PointInTimeRecoverySpecification": want})
	return err
}

func updateAPI(ctx context.Context, c *cloud, r *resource, want any) error {
	_, err := c.rest(ctx, "apigateway", "PATCH", "/v2/apis/"+url.PathEscape(r.physical), object{"corsConfiguration": lower(want)})
	return err
}

func putFunctionConcurrency(ctx context.Context, c *cloud, r *resource, want any) error {
	_, err := c.rest(ctx, "lambda", "PUT", "/2017-10-31/functions/"+url.PathEscape(r.physical)+"/concurrency",
		object{"ReservedConcurrentExecutions": want})
	return err
}
