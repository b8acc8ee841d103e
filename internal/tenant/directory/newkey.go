package directory

import (
	"slices"
	"time"

	"holdfast/internal/apikey"
	"holdfast/internal/capability"
)

// NewKey says what a key is to be (T.33, T.35). Nil members were left out.
type NewKey struct {
	Kind         string // apikey.Agent or apikey.Person
	Name         *string
	Role         *string  // persons only; a person's key without role and capabilities has role integration
	Capabilities []string // an agent's key without has those of capability.AgentDefault
	Workspaces   []string // nil: all of the tenant
	SourceID     *string  // agents only; made when left out
	Vendor       *string  // agents only
	Purposes     []string // agents only
	ExpiresAt    *time.Time
}

// principal answers the key that is asked for, or the rules that are broken.
// Whether its workspaces exist and its time lies ahead is asked in the commit.
func (n NewKey) principal() (apikey.Principal, error) {
	var broken problems
	p := apikey.Principal{Kind: n.Kind, Name: text(n.Name), Purposes: []string{}}
	broken.when(n.Kind != apikey.Agent && n.Kind != apikey.Person, "/kind", "must be agent or person")
	if n.Name != nil {
		broken.label("/name", *n.Name, MaxName)
	}
	n.rights(&p, &broken)
	n.agent(&p, &broken)
	n.places(&p, &broken)
	if n.ExpiresAt != nil {
		at := n.ExpiresAt.UTC().Truncate(time.Millisecond)
		p.ExpiresAt = &at
	}
	return p, broken.err()
}

// rights sets role and capabilities.
func (n NewKey) rights(p *apikey.Principal, broken *problems) {
	switch {
	case n.Role != nil && n.Kind == apikey.Agent:
		broken.add("/role", "must be left out: only a person's key has a role")
		return
	case n.Role != nil && n.Capabilities != nil:
		broken.add("/capabilities", "must be left out where a role is given, which has its own")
		return
	case n.Capabilities != nil:
		p.Capabilities = n.named(broken)
		return
	case n.Kind == apikey.Agent:
		p.Capabilities = capability.AgentDefault()
		return
	}
	p.Role = string(capability.RoleIntegration)
	if n.Role != nil {
		p.Role = *n.Role
	}
	all, known := capability.Of(p.Role)
	broken.when(!known, "/role", "must be integration or admin")
	p.Capabilities = all
}

// named answers the capabilities that are asked for, in the order of T.35 and
// each once.
func (n NewKey) named(broken *problems) []capability.Name {
	broken.when(len(n.Capabilities) == 0, "/capabilities", "must name at least one capability, or be left out")
	for i, name := range n.Capabilities {
		broken.when(!capability.Known(name), at("/capabilities", i), "must be a known capability")
	}
	return slices.DeleteFunc(capability.All(), func(c capability.Name) bool {
		return !slices.Contains(n.Capabilities, string(c))
	})
}

// agent sets what only agents' keys have.
func (n NewKey) agent(p *apikey.Principal, broken *problems) {
	if n.Kind == apikey.Person {
		const rule = "must be left out: only an agent's key has it"
		broken.when(n.SourceID != nil, "/sourceId", rule)
		broken.when(n.Vendor != nil, "/vendor", rule)
		broken.when(n.Purposes != nil, "/purposes", rule)
		return
	}
	if n.SourceID != nil {
		broken.label("/sourceId", *n.SourceID, MaxLabel)
	}
	if n.Vendor != nil {
		broken.label("/vendor", *n.Vendor, MaxLabel)
	}
	broken.when(len(n.Purposes) > MaxPurposes, "/purposes", "must have at most 20 elements")
	for i, purpose := range n.Purposes {
		broken.label(at("/purposes", i), purpose, MaxPurpose)
	}
	p.SourceID, p.Vendor = text(n.SourceID), text(n.Vendor)
	p.Purposes = append(p.Purposes, n.Purposes...)
}

// places sets the workspaces.
func (n NewKey) places(p *apikey.Principal, broken *problems) {
	if n.Workspaces == nil {
		return
	}
	if count := len(n.Workspaces); count == 0 || count > MaxKeySpace {
		broken.add("/workspaces", "must name 1 to 100 workspaces, or be null for all of the tenant")
		return
	}
	for i, id := range n.Workspaces {
		broken.when(slices.Contains(n.Workspaces[:i], id), at("/workspaces", i), "must not be named twice")
	}
	p.Workspaces = append([]string{}, n.Workspaces...)
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
