//go:build infra

package main

import (
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
	"github.com/cdklabs/cdk-nag-go/cdknag/v2"

	"holdfast/infra/plan"
)

// renderer turns the plan into constructs. Refs are what the stacks that are there
// already answer for the plan's references.
type renderer struct {
	plan   plan.Plan
	folder string // of the built functions
	refs   map[plan.Ref]*string
	queues map[string]awssqs.CfnQueue // by name, dead-letter queues too
	stacks map[string]awscdk.Stack    // by the plan's names
}

func newRenderer(p plan.Plan, folder string) *renderer {
	return &renderer{plan: p, folder: folder, refs: map[plan.Ref]*string{}, queues: map[string]awssqs.CfnQueue{}, stacks: map[string]awscdk.Stack{}}
}

// object is a value of CloudFormation.
type object = map[string]any

// render makes the stacks in the order in which they are deployed: each stands on
// those before it.
func (r *renderer) render(app awscdk.App) {
	var before awscdk.Stack
	for _, s := range []struct {
		name, what string
		fill       func(awscdk.Stack)
	}{
		{plan.DataStack, "table and root key", r.dataStack},
		{plan.SearchStack, "search domain", r.searchStack},
		{plan.WorkStack, "queues, workers, alarms", r.workStack},
		{plan.APIStack, "HTTP API and its routes", r.apiStack},
	} {
		if s.name == plan.SearchStack && r.plan.Domain == nil {
			continue
		}
		stack := r.stack(app, s.name, s.what)
		s.fill(stack)
		if before != nil {
			stack.AddStackDependency(before, nil)
		}
		r.stacks[s.name], before = stack, stack
	}
	awscdk.Aspects_Of(app).Add(cdknag.NewAwsSolutionsChecks(&cdknag.NagPackProps{Verbose: jsii.Bool(true)}), nil)
}

func (r *renderer) stack(app awscdk.App, name, what string) awscdk.Stack {
	id := r.plan.Prefix + "-" + name
	return awscdk.NewStack(app, jsii.String(id), &awscdk.StackProps{
		StackName: jsii.String(id), Description: jsii.String("Holdfast " + r.plan.Stage + ": " + what),
		TerminationProtection: jsii.Bool(r.plan.Protected),
		Tags:                  &map[string]*string{"service": jsii.String("holdfast"), "stage": jsii.String(r.plan.Stage)},
	})
}

// text is a text of the plan, with its references filled in when the stack is
// deployed.
func (r *renderer) text(s string) *string {
	if !strings.Contains(s, "${") {
		return jsii.String(s)
	}
	used := map[string]*string{}
	for ref, value := range r.refs {
		if strings.Contains(s, ref.String()) {
			if s == ref.String() {
				return value
			}
			used[string(ref)] = value
		}
	}
	if len(used) == 0 {
		return awscdk.Fn_Sub(jsii.String(s), nil)
	}
	return awscdk.Fn_Sub(jsii.String(s), &used)
}

func (r *renderer) texts(all []string) *[]*string {
	var out []*string
	for _, s := range all {
		out = append(out, r.text(s))
	}
	return &out
}

// policy is a document of statements.
func policy(statements ...any) object {
	return object{"Version": "2012-10-17", "Statement": statements}
}

// statement is one of the plan's as IAM reads it.
func (r *renderer) statement(s plan.Statement) object {
	out := object{"Effect": "Allow", "Action": s.Actions, "Resource": r.texts(s.Resources)}
	if len(s.Via) > 0 {
		out["Condition"] = object{"StringEquals": object{"kms:ViaService": r.texts(s.Via)}}
	}
	return out
}

// overTLS refuses what does not come encrypted.
func overTLS(actions string, resource *string) object {
	return object{"Effect": "Deny", "Principal": "*", "Action": actions, "Resource": resource,
		"Condition": object{"Bool": object{"aws:SecureTransport": "false"}}}
}

// camel makes a construct's id of a kebab-case one.
func camel(id string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(id, "-") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// output is a value that a deployment prints.
func output(scope constructs.Construct, name, what string, value *string) {
	awscdk.NewCfnOutput(scope, jsii.String(name), &awscdk.CfnOutputProps{Description: jsii.String(what), Value: value})
}

// accept records why a rule of AwsSolutions does not hold for a construct; findings
// are those it is accepted for, none: the whole rule.
func accept(c constructs.IConstruct, rule, reason string, findings ...string) {
	s := &cdknag.NagPackSuppression{Id: jsii.String(rule), Reason: jsii.String(reason)}
	if len(findings) > 0 {
		var to []any
		for _, f := range findings {
			to = append(to, f)
		}
		s.AppliesTo = &to
	}
	cdknag.NagSuppressions_AddResourceSuppressions(c, &[]*cdknag.NagPackSuppression{s}, nil)
}

// acceptWildcards records the plan's reasons for its wildcards.
func acceptWildcards(c constructs.IConstruct, statements []plan.Statement) {
	for _, s := range statements {
		for _, resource := range s.Resources {
			if strings.Contains(resource, "*") {
				accept(c, "AwsSolutions-IAM5", s.Reason, "Resource::"+angled(resource))
			}
		}
	}
}

// angled is a text's form in the findings of cdk-nag, which writes ${X} as <X>.
func angled(s string) string {
	return strings.NewReplacer("${", "<", "}", ">").Replace(s)
}
