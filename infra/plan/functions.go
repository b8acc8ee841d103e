package plan

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"holdfast/internal/config"
	"holdfast/internal/routes"
)

// function is what all functions have in common.
func (p Plan) function(id, stack, summary string, timeout time.Duration, memory int) Function {
	name := p.Prefix + "-" + id
	return Function{
		ID: id, Name: name, Stack: stack, Summary: summary, LogGroup: "/aws/lambda/" + name,
		Seconds: int(timeout / time.Second), MemoryMB: memory,
	}
}

func (p Plan) route(s Settings, r routes.Route) Function {
	f := p.function(r.ID, string(r.Family), r.Summary, r.Timeout, r.MemoryMB)
	f.Route = routeTrigger(r)
	f.Allow = append(f.Allow, p.logs(f))
	f.Allow = append(f.Allow, p.needs(s, r.Needs, reading)...)
	if r.Access != routes.Open {
		f.Allow = append(f.Allow, p.secret()...)
	}
	f.Alarms = p.functionAlarms(f)
	return f
}

// Fallback is the function that answers what no route takes (T.54): not found, or
// a method that is not allowed. It needs nothing but the table of routes.
const Fallback = "fallback"

func (p Plan) fallback(_ Settings) Function {
	f := p.function(Fallback, APIStack, "Answers what no route takes", 5*time.Second, 256)
	f.Route = &RouteTrigger{
		Key: defaultKey, TimeoutMS: f.Seconds*1000 + gatewayGrace,
		Source: arn("execute-api", APIID.String()+"/*"), Reason: "any method and path of this one API",
	}
	f.Allow = []Statement{p.logs(f)}
	f.Alarms = p.functionAlarms(f)
	return f
}

// The times of a test: everything that waits waits less.
const (
	shortTimeout = 15 * time.Second
	shortTries   = 3
)

// shorten gives a worker the times of a test, where they are asked for.
func shorten(s Settings, w routes.Worker) routes.Worker {
	if s.ShortTimes {
		w.Timeout, w.Tries = min(w.Timeout, shortTimeout), min(w.Tries, shortTries)
		w.Visibility = w.Timeout
	}
	return w
}

func (p Plan) worker(s Settings, w routes.Worker) (Function, error) {
	w = shorten(s, w)
	f := p.function(w.ID, WorkStack, w.Summary, w.Timeout, w.MemoryMB)
	f.Allow = append(f.Allow, p.logs(f))
	f.Allow = append(f.Allow, p.needs(s, w.Needs, writing)...)
	if walksDue(w) {
		f.Allow = append(f.Allow, p.due())
	}
	if w.Queue != "" {
		f.Queue = &QueueTrigger{Queue: w.Queue, Batch: w.Batch, MaxConcurrency: max(w.Concurrency, leastConcurrency)}
		f.Allow = append(f.Allow, p.consume(w.Queue))
	}
	var err error
	switch w.Trigger {
	case routes.OnQueue:
	case routes.OnStream:
		f.Stream = p.stream(s, w)
		f.Allow = append(f.Allow, p.follow()...)
	case routes.OnSchedule:
		f.Schedule, err = schedule(w)
	default:
		err = fmt.Errorf("plan: %s has the trigger %q, which is none", w.ID, w.Trigger)
	}
	if s.Reserve {
		f.Reserved = reserved(w)
	}
	f.Alarms = p.functionAlarms(f)
	return f, err
}

// walksDue tells the workers that read the due index: the sweep, and whoever seals
// receipts.
func walksDue(w routes.Worker) bool {
	return w.Trigger == routes.OnSchedule || w.ID == routes.WorkerSeal.ID
}

// leastConcurrency is the least that a queue's trigger can be held to.
const leastConcurrency = 2

// reserved is the concurrency that is set aside for a worker. One that only the
// clock starts runs once at a time, so that two sweeps never meet.
func reserved(w routes.Worker) int {
	if w.Trigger == routes.OnSchedule && w.Queue == "" {
		return 1
	}
	return max(w.Concurrency, leastConcurrency)
}

// ScheduleTrigger starts a function at a fixed rate. A run that fails is not tried
// again: the next one does the same.
type ScheduleTrigger struct{ Expression string }

func schedule(w routes.Worker) (*ScheduleTrigger, error) {
	minutes := int(w.Every / time.Minute)
	if w.Every < shortestSource || w.Every%time.Minute != 0 {
		return nil, errors.New("plan: " + w.ID + " must run every few whole minutes")
	}
	unit := "minutes"
	if minutes == 1 {
		unit = "minute"
	}
	return &ScheduleTrigger{Expression: "rate(" + strconv.Itoa(minutes) + " " + unit + ")"}, nil
}

// env is what every function is told. None of it is secret: what a function may
// not use is kept from it by its permissions.
func (p Plan) env(s Settings) map[string]string {
	env := map[string]string{
		"HOLDFAST_STORE": config.DynamoDB, "HOLDFAST_QUEUE": config.SQS, "HOLDFAST_SEARCH": config.OpenSearch,
		"HOLDFAST_TABLE": p.Table.Name, "HOLDFAST_OPENSEARCH_URL": s.Search.Endpoint,
		"HOLDFAST_ROOT_KEY_SECRET":        RootSecret.String(),
		"HOLDFAST_LOG_LEVEL":              s.LogLevel,
		"HOLDFAST_RATE_KEY_PER_MINUTE":    strconv.Itoa(s.KeyPerMinute),
		"HOLDFAST_RATE_TENANT_PER_MINUTE": strconv.Itoa(s.TenantPerMinute),
	}
	if p.Domain != nil {
		env["HOLDFAST_OPENSEARCH_URL"] = SearchEndpoint.String()
	}
	for _, q := range p.Queues {
		if q.Name != "" {
			env["HOLDFAST_QUEUE_"+strings.ToUpper(q.ID)] = QueueURL(q.ID).String()
		}
	}
	s.Embed.env(env)
	s.LLM.env(env)
	return env
}

func (e Embed) env(env map[string]string) {
	env["HOLDFAST_EMBED"] = e.Engine
	set(env, "HOLDFAST_EMBED_URL", e.URL)
	set(env, "HOLDFAST_EMBED_MODEL", e.model())
	if e.Dimension > 0 {
		set(env, "HOLDFAST_EMBED_DIMENSION", strconv.Itoa(e.Dimension))
	}
	set(env, "HOLDFAST_EMBED_KEY", resolved(e.Secret))
	if e.Wait > 0 {
		set(env, "HOLDFAST_EMBED_WAIT", strconv.Itoa(e.Wait))
	}
}

func (l LLM) env(env map[string]string) {
	env["HOLDFAST_LLM"] = l.Engine
	set(env, "HOLDFAST_LLM_URL", l.URL)
	set(env, "HOLDFAST_LLM_MODEL", l.Model)
	set(env, "HOLDFAST_LLM_KEY", resolved(l.Secret))
}

// set adds a variable that has a value.
func set(env map[string]string, name, value string) {
	if value != "" {
		env[name] = value
	}
}

// resolved is a secret's value, which CloudFormation reads when it deploys; empty:
// there is no secret.
func resolved(secret string) string {
	if secret == "" {
		return ""
	}
	return "{{resolve:secretsmanager:" + secret + "}}"
}

// model is the name that was given, or Bedrock's default.
func (e Embed) model() string {
	if e.Engine == config.Bedrock && e.Model == "" {
		return titan
	}
	return e.Model
}
