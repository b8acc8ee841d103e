package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"
)

func readFunction(ctx context.Context, c *cloud, r *resource) (object, error) {
	path := "/2015-03-31/functions/" + url.PathEscape(r.physical)
	answer, err := c.rest(ctx, "lambda", "GET", path, nil)
	if err != nil {
		return nil, err
	}
	state, _ := answer["Configuration"].(object)
	if s := text(state["State"]); s != "Active" {
		return nil, fmt.Errorf("the function is %s", s)
	}
	reserved, err := c.rest(ctx, "lambda", "GET", "/2019-09-30/functions/"+url.PathEscape(r.physical)+"/concurrency", nil)
	if err != nil {
		return nil, err
	}
	state["ReservedConcurrentExecutions"] = reserved["ReservedConcurrentExecutions"]
	return state, nil
}

// readPermission finds the statement of the function's policy for a service and a
// source: a statement's name is made up.
func readPermission(ctx context.Context, c *cloud, r *resource) (object, error) {
	v, err := r.stack.resolved(ctx, r.properties)
	if err != nil {
		return nil, err
	}
	want, _ := v.(object)
	answer, err := c.rest(ctx, "lambda", "GET", "/2015-03-31/functions/"+url.PathEscape(text(want["FunctionName"]))+"/policy", nil)
	if err != nil {
		return nil, err
	}
	policy, _ := parsed(answer["Policy"]).(object)
	for _, s := range objects(policy["Statement"]) {
		state := permission(s)
		if state["Principal"] == want["Principal"] && state["SourceArn"] == want["SourceArn"] {
			return state, nil
		}
	}
	return nil, errMissing
}

func permission(statement object) object {
	state := object{"Action": statement["Action"], "FunctionName": last(text(statement["Resource"]), ":")}
	if p, ok := statement["Principal"].(object); ok {
		state["Principal"] = p["Service"]
	}
	if condition, ok := statement["Condition"].(object); ok {
		if like, ok := condition["ArnLike"].(object); ok {
			state["SourceArn"] = like["AWS:SourceArn"]
		}
	}
	return state
}

func last(s, separator string) string { return s[strings.LastIndex(s, separator)+1:] }

func readSource(ctx context.Context, c *cloud, r *resource) (object, error) {
	state, err := c.rest(ctx, "lambda", "GET", "/2015-03-31/event-source-mappings/"+url.PathEscape(r.physical), nil)
	if err != nil {
		return nil, err
	}
	if s := text(state["State"]); s != "Enabled" {
		return nil, fmt.Errorf("the source is %s", s)
	}
	state["FunctionName"] = last(text(state["FunctionArn"]), ":")
	return state, nil
}

func readRule(ctx context.Context, c *cloud, r *resource) (object, error) {
	state, err := c.json(ctx, "events", "AWSEvents.DescribeRule", object{"Name": r.physical})
	if err != nil {
		return nil, err
	}
	targets, err := c.json(ctx, "events", "AWSEvents.ListTargetsByRule", object{"Rule": r.physical})
	if err != nil {
		return nil, err
	}
	state["Targets"] = targets["Targets"]
	return state, nil
}

const cloudWatch = "GraniteServiceVersion20100801."

func readAlarm(ctx context.Context, c *cloud, r *resource) (object, error) {
	answer, err := c.json(ctx, "monitoring", cloudWatch+"DescribeAlarms", object{"AlarmNames": []any{r.physical}})
	if err != nil {
		return nil, err
	}
	if all := objects(answer["MetricAlarms"]); len(all) == 1 {
		return all[0], nil
	}
	return nil, errMissing
}

func readDashboard(ctx context.Context, c *cloud, r *resource) (object, error) {
	state, err := c.json(ctx, "monitoring", cloudWatch+"GetDashboard", object{"DashboardName": r.physical})
	if err != nil {
		return nil, err
	}
	state["DashboardName"] = last(text(state["DashboardArn"]), "/")
	return state, nil
}
