package plan

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"holdfast/internal/routes"
)

// The stacks.
const (
	DataStack   = "data"
	SearchStack = "search"
	WorkStack   = "work"
	APIStack    = "api"
)

// Plan is a deployment.
type Plan struct {
	Stage     string
	Prefix    string // begins the name of every resource
	Protected bool   // the stacks refuse to be destroyed
	Table     Table
	Secret    Secret
	Domain    *Domain `json:",omitempty"` // nil: the index is elsewhere
	Topic     Topic
	API       API
	Queues    []Queue
	Env       map[string]string // settings of every function, by the names of internal/config
	Functions []Function
	Alarms    []Alarm // those that belong to no single function or queue
	LogDays   int
	Arch      string // as Lambda spells it
	Stacks    []Stack
}

// Function is one Lambda function.
type Function struct {
	ID       string // its folder in functions/
	Name     string
	Stack    string
	Summary  string
	Seconds  int
	MemoryMB int
	Reserved int `json:",omitempty"` // concurrency; 0: none of its own
	LogGroup string
	Allow    []Statement
	Route    *RouteTrigger    `json:",omitempty"`
	Queue    *QueueTrigger    `json:",omitempty"`
	Stream   *StreamTrigger   `json:",omitempty"`
	Schedule *ScheduleTrigger `json:",omitempty"`
	Alarms   []Alarm
}

// Build makes the plan of all routes and workers of the service.
func Build(s Settings) (Plan, error) { return build(s, routes.All(), routes.Workers()) }

func build(s Settings, table []routes.Route, workers []routes.Worker) (Plan, error) {
	p := Plan{
		Stage: s.Stage, Prefix: "holdfast-" + s.Stage, Protected: s.Stage == production && !s.AllowDestroy,
		LogDays: s.LogDays, Arch: architectures[s.Arch],
	}
	p.Table = p.table(s)
	p.Secret = Secret{Characters: rootKeyCharacters}
	p.Domain = p.domain(s)
	p.Topic = Topic{Name: p.Prefix + "-alarms", Email: s.Alarms}
	p.API = p.api(s, table)
	p.Queues = p.queues(s, workers)
	p.Env = p.env(s)
	var failures []error
	for _, r := range table {
		if !r.LocalOnly {
			p.Functions = append(p.Functions, p.route(s, r))
		}
	}
	p.Functions = append(p.Functions, p.fallback(s))
	for _, w := range workers {
		f, err := p.worker(s, w)
		p.Functions, failures = append(p.Functions, f), append(failures, err)
	}
	p.Alarms = p.alarms(s)
	p.Stacks = p.stacks()
	return p, errors.Join(append(failures, p.check()...)...)
}

// architectures are Lambda's names of the processors that Go calls so.
var architectures = map[string]string{"arm64": "arm64", "amd64": "x86_64"}

// Of lists the functions of a stack.
func (p Plan) Of(stack string) []Function {
	var out []Function
	for _, f := range p.Functions {
		if f.Stack == stack {
			out = append(out, f)
		}
	}
	return out
}

// Families lists the stacks that hold the routes, in the order of the table.
func (p Plan) Families() []string {
	var out []string
	for _, f := range p.Functions {
		if f.Route != nil && f.Stack != APIStack && !slices.Contains(out, f.Stack) {
			out = append(out, f.Stack)
		}
	}
	return out
}

// The limits that AWS sets (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html,
// https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html).
const (
	maxName        = 64      // characters of a function's name
	maxEnv         = 4 << 10 // bytes of a function's settings
	maxRouteTime   = 29 * time.Second
	maxRoutes      = 300
	maxStack       = 450 // resources; AWS takes 500
	maxDomainName  = 28
	shortestSource = time.Minute // of a schedule
)

// check finds what AWS would refuse, before a deployment does.
func (p Plan) check() []error {
	var wrong []error
	seen := map[string]bool{}
	routed := 0
	for _, f := range p.Functions {
		if seen[f.ID] {
			wrong = append(wrong, fmt.Errorf("plan: %s is there twice", f.ID))
		}
		seen[f.ID] = true
		if len(f.Name) > maxName {
			wrong = append(wrong, fmt.Errorf("plan: the name of %s is longer than %d characters", f.ID, maxName))
		}
		if f.Route != nil {
			routed++
		}
		if f.Route != nil && f.Seconds > int(maxRouteTime.Seconds()) {
			wrong = append(wrong, fmt.Errorf("plan: %s may run longer than %s", f.ID, maxRouteTime))
		}
	}
	if routed > maxRoutes {
		wrong = append(wrong, fmt.Errorf("plan: %d routes, and an HTTP API takes %d", routed, maxRoutes))
	}
	if size := envSize(p.Env); size > maxEnv {
		wrong = append(wrong, fmt.Errorf("plan: the settings of a function are %d bytes, and Lambda takes %d", size, maxEnv))
	}
	for _, s := range p.Stacks {
		if s.Resources >= maxStack {
			wrong = append(wrong, fmt.Errorf("plan: stack %s has %d resources, and must stay below %d", s.Name, s.Resources, maxStack))
		}
	}
	if p.Domain != nil && len(p.Domain.Name) > maxDomainName {
		wrong = append(wrong, fmt.Errorf("plan: the search domain's name is longer than %d characters", maxDomainName))
	}
	return wrong
}

func envSize(env map[string]string) int {
	size := 0
	for name, value := range env {
		size += len(name) + len(value)
	}
	return size
}
