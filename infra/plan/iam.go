package plan

import (
	"slices"
	"strings"

	"holdfast/internal/config"
	"holdfast/internal/routes"
)

// Statement allows actions on resources.
type Statement struct {
	Actions   []string
	Resources []string
	Via       []string `json:",omitempty"` // the services through which a key may be used
	Reason    string   `json:",omitempty"` // why there is a wildcard
}

// logs lets a function write its own log lines.
func (p Plan) logs(f Function) Statement {
	return Statement{
		Actions:   []string{"logs:CreateLogStream", "logs:PutLogEvents"},
		Resources: []string{arn("logs", "log-group:"+f.LogGroup+":*")},
		Reason:    "Lambda names the streams of the function's own log group",
	}
}

// reading and writing tell what a function does with the index.
const (
	reading = false
	writing = true
)

// needs are the permissions of what a route or worker declares that it needs.
func (p Plan) needs(s Settings, n routes.Need, writes bool) []Statement {
	var out []Statement
	if n.Has(routes.Read) {
		out = append(out, Statement{Actions: []string{"dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query"}, Resources: []string{p.Table.ARN()}})
	}
	if n.Has(routes.Write) {
		out = append(out, Statement{
			Actions:   []string{"dynamodb:ConditionCheckItem", "dynamodb:DeleteItem", "dynamodb:PutItem", "dynamodb:UpdateItem"},
			Resources: []string{p.Table.ARN()},
		})
	}
	if n.Has(routes.Read) || n.Has(routes.Write) {
		out = append(out, p.key("dynamodb")...)
	}
	if n.Has(routes.Search) {
		out = append(out, p.search(s, writes)...)
	}
	if n.Has(routes.Queue) {
		out = append(out, Statement{Actions: []string{"sqs:SendMessage"}, Resources: p.queueARNs()})
	}
	if n.Has(routes.Embed) && s.Embed.Engine == config.Bedrock {
		out = append(out, invoke(s.Embed.model()))
	}
	if n.Has(routes.LLM) && s.LLM.Engine == config.Bedrock {
		out = append(out, invoke(s.LLM.Model))
	}
	return out
}

// due lets a worker walk the due index.
func (p Plan) due() Statement {
	return Statement{Actions: []string{"dynamodb:Query"}, Resources: []string{p.Table.IndexARN()}}
}

// key lets a service use the account's own key on behalf of a function; the actions
// are those of the service's documentation
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html),
// without the wildcards.
func (p Plan) key(service string) []Statement {
	if !p.Table.OwnKey {
		return nil
	}
	actions := []string{"kms:Decrypt", "kms:DescribeKey"}
	if service == "dynamodb" {
		actions = append(actions, "kms:Encrypt", "kms:GenerateDataKey", "kms:ReEncryptFrom", "kms:ReEncryptTo")
	}
	return []Statement{{Actions: actions, Resources: []string{TableKey.String()}, Via: []string{service + ".${AWS::Region}.${AWS::URLSuffix}"}}}
}

// secret lets a function read the root key: those that authenticate callers.
func (p Plan) secret() []Statement {
	read := Statement{Actions: []string{"secretsmanager:GetSecretValue"}, Resources: []string{RootSecret.String()}}
	return append([]Statement{read}, p.key("secretsmanager")...)
}

// search lets a function talk to the index. One that only searches may not put and
// delete.
func (p Plan) search(s Settings, writes bool) []Statement {
	domain := s.Search.DomainARN
	if p.Domain != nil {
		domain = p.Domain.ARN()
	}
	if domain == "" {
		return nil // not one of AWS: no permission of AWS opens it
	}
	actions := []string{"es:ESHttpGet", "es:ESHttpHead", "es:ESHttpPost"}
	if writes {
		actions = append(actions, "es:ESHttpDelete", "es:ESHttpPut")
	}
	return []Statement{{
		Actions: actions, Resources: []string{domain + "/*"},
		Reason: "requests are addressed to paths below the domain, one an index and a verb",
	}}
}

func (p Plan) queueARNs() []string {
	var out []string
	for _, q := range p.Queues {
		if q.Name != "" {
			out = append(out, q.ARN())
		}
	}
	return out
}

// consume lets a worker take messages off its queue.
func (p Plan) consume(queue string) Statement {
	return Statement{
		Actions:   []string{"sqs:ChangeMessageVisibility", "sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"},
		Resources: []string{p.Queue(queue).ARN()},
	}
}

// follow lets a worker read the table's stream, and Lambda leave what it gives up.
func (p Plan) follow() []Statement {
	return append([]Statement{
		{
			Actions:   []string{"dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator", "dynamodb:ListStreams"},
			Resources: []string{TableStream.String()},
		},
		{Actions: []string{"sqs:SendMessage"}, Resources: []string{p.Queue(streamQueue).DeadARN()}},
	}, p.key("dynamodb")...)
}

// invoke lets a function ask one model of Bedrock. Through an inference profile it
// needs the profile and the model behind it
// (https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-prereq.html).
func invoke(model string) Statement {
	out := Statement{Actions: []string{"bedrock:InvokeModel"}, Resources: []string{modelARN(model)}}
	if behind, ok := behindProfile(model); ok {
		out.Resources = append(out.Resources, "arn:${AWS::Partition}:bedrock:*::foundation-model/"+behind)
		out.Reason = "an inference profile chooses the Region in which its one model is asked"
	}
	return out
}

// modelARN is the ARN of a model of Bedrock or of an inference profile; one that is an
// ARN already stays as it is.
func modelARN(model string) string {
	if strings.HasPrefix(model, "arn:") {
		return model
	}
	if _, ok := behindProfile(model); ok {
		return arn("bedrock", "inference-profile/"+model)
	}
	return "arn:${AWS::Partition}:bedrock:${AWS::Region}::foundation-model/" + model
}

// areas begin the ids of Bedrock's own inference profiles.
var areas = []string{"us", "us-gov", "eu", "apac", "jp", "au", "ca", "global"}

// behindProfile answers the model behind an inference profile of Bedrock's own, by the
// profile's id or ARN; false for all else.
func behindProfile(model string) (string, bool) {
	id := model
	if strings.HasPrefix(model, "arn:") {
		_, id, _ = strings.Cut(model, ":inference-profile/")
	}
	area, behind, _ := strings.Cut(id, ".")
	return behind, slices.Contains(areas, area) && behind != ""
}
