package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

// resolved fills in the functions of CloudFormation that the templates use.
func (s *stack) resolved(ctx context.Context, v any) (any, error) {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			var err error
			if out[i], err = s.resolved(ctx, v[i]); err != nil {
				return nil, err
			}
		}
		return out, nil
	case object:
		if len(v) == 1 {
			for name, argument := range v {
				if name == "Ref" || strings.HasPrefix(name, "Fn::") {
					return s.function(ctx, name, argument)
				}
			}
		}
		out := object{}
		for name, value := range v {
			var err error
			if out[name], err = s.resolved(ctx, value); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return v, nil
}

func (s *stack) function(ctx context.Context, name string, argument any) (any, error) {
	switch name {
	case "Ref":
		return s.ref(text(argument))
	case "Fn::GetAtt":
		path, _ := argument.([]any)
		if len(path) != 2 {
			return nil, fmt.Errorf("Fn::GetAtt of %v", argument)
		}
		return s.attribute(ctx, text(path[0]), text(path[1]))
	case "Fn::ImportValue":
		value, known := s.exports[text(argument)]
		if !known {
			return nil, fmt.Errorf("nobody exports %s", text(argument))
		}
		return value, nil
	case "Fn::Join":
		return s.join(ctx, argument)
	case "Fn::Sub":
		return s.sub(ctx, argument)
	}
	return nil, fmt.Errorf("nobody resolves %s", name)
}

// account is that of emulators.
const account = "000000000000"

func (s *stack) ref(name string) (any, error) {
	switch name {
	case "AWS::Region":
		return s.cloud.region, nil
	case "AWS::AccountId":
		return account, nil
	case "AWS::Partition":
		return "aws", nil
	case "AWS::URLSuffix":
		return "amazonaws.com", nil
	case "AWS::StackId":
		return s.id, nil
	}
	if r, ok := s.resources[name]; ok {
		return r.physical, nil
	}
	if p, ok := s.parameters[name]; ok {
		return p, nil
	}
	return nil, fmt.Errorf("%s is no resource and no parameter", name)
}

func (s *stack) join(ctx context.Context, argument any) (any, error) {
	parts, _ := argument.([]any)
	if len(parts) != 2 {
		return nil, fmt.Errorf("Fn::Join of %v", argument)
	}
	v, err := s.resolved(ctx, parts[1])
	if err != nil {
		return nil, err
	}
	var out []string
	list, _ := v.([]any)
	for _, p := range list {
		out = append(out, text(p))
	}
	return strings.Join(out, text(parts[0])), nil
}

var variable = regexp.MustCompile(`\$\{([^}!]+)\}`)

func (s *stack) sub(ctx context.Context, argument any) (any, error) {
	pattern, variables := text(argument), object{}
	if parts, ok := argument.([]any); ok && len(parts) == 2 {
		v, err := s.resolved(ctx, parts[1])
		if err != nil {
			return nil, err
		}
		pattern = text(parts[0])
		variables, _ = v.(object)
	}
	var failed error
	out := variable.ReplaceAllStringFunc(pattern, func(found string) string {
		name := found[2 : len(found)-1]
		if v, ok := variables[name]; ok {
			return text(v)
		}
		v, err := s.named(ctx, name)
		if err != nil {
			failed = err
		}
		return text(v)
	})
	return out, failed
}

// named is what ${Name} or ${Name.Attribute} stands for.
func (s *stack) named(ctx context.Context, name string) (any, error) {
	if logical, attribute, dotted := strings.Cut(name, "."); dotted && s.resources[logical] != nil {
		return s.attribute(ctx, logical, attribute)
	}
	return s.ref(name)
}

// attribute answers what Fn::GetAtt does for the kinds that the templates ask.
func (s *stack) attribute(ctx context.Context, logical, name string) (any, error) {
	r, ok := s.resources[logical]
	if !ok {
		return nil, fmt.Errorf("%s is no resource", logical)
	}
	arn := func(service, resource string) string {
		return "arn:aws:" + service + ":" + s.cloud.region + ":" + account + ":" + resource
	}
	switch r.kind + "." + name {
	case "AWS::SQS::Queue.Arn":
		return arn("sqs", r.physical[strings.LastIndex(r.physical, "/")+1:]), nil
	case "AWS::Lambda::Function.Arn":
		return arn("lambda", "function:"+r.physical), nil
	case "AWS::Events::Rule.Arn":
		return arn("events", "rule/"+r.physical), nil
	case "AWS::Logs::LogGroup.Arn":
		return arn("logs", "log-group:"+r.physical+":*"), nil
	case "AWS::IAM::Role.Arn":
		return "arn:aws:iam::" + account + ":role/" + r.physical, nil
	case "AWS::DynamoDB::Table.StreamArn":
		table, err := s.cloud.json(ctx, "dynamodb", "DynamoDB_20120810.DescribeTable", object{"TableName": r.physical})
		if err != nil {
			return nil, err
		}
		described, _ := table["Table"].(object)
		return described["LatestStreamArn"], nil
	}
	return nil, fmt.Errorf("nobody knows the attribute %s of a %s", name, r.kind)
}
