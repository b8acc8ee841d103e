package plan

// Stack is a CloudFormation stack and the number of its resources.
type Stack struct {
	Name      string
	Nested    bool `json:",omitempty"` // inside the stack api
	Resources int
}

// functionResources are what every function has: itself, its role, its log group.
const functionResources = 3

// routeResources connect a function to the API: integration, route, permission.
const routeResources = 3

func (p Plan) stacks() []Stack {
	out := []Stack{{Name: DataStack, Resources: p.dataResources()}}
	if p.Domain != nil {
		out = append(out, Stack{Name: SearchStack, Resources: 1})
	}
	out = append(out, Stack{Name: WorkStack, Resources: p.workResources()})
	families := p.Families()
	api := 4 + len(families) // API, stage, log group, dashboard
	for _, a := range p.Alarms {
		if a.Stack == APIStack {
			api++
		}
	}
	out = append(out, Stack{Name: APIStack, Resources: api + p.functionsOf(APIStack)})
	for _, family := range families {
		out = append(out, Stack{Name: family, Nested: true, Resources: p.functionsOf(family)})
	}
	return out
}

func (p Plan) dataResources() int {
	n := 2 // table, secret
	if p.Table.OwnKey {
		n += 2 // key, alias
	}
	return n
}

func (p Plan) workResources() int {
	n := 2 // topic, its policy
	if p.Topic.Email != "" {
		n++
	}
	for _, q := range p.Queues {
		n += 2 + len(q.Alarms) // dead-letter queue, its policy
		if q.Name != "" {
			n += 2
		}
	}
	for _, a := range p.Alarms {
		if a.Stack == WorkStack {
			n++
		}
	}
	return n + p.functionsOf(WorkStack)
}

// functionsOf counts the resources of a stack's functions and their triggers.
func (p Plan) functionsOf(stack string) int {
	n := 0
	for _, f := range p.Of(stack) {
		n += functionResources + len(f.Alarms)
		if f.Route != nil {
			n += routeResources
		}
		if f.Schedule != nil {
			n += 2 // rule, permission
		}
		for _, source := range []bool{f.Queue != nil, f.Stream != nil} {
			if source {
				n++
			}
		}
	}
	return n
}
