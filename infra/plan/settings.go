package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Settings are what an operator decides about a deployment. They are given to CDK
// as context, name=value; the tag of a field is its name.
type Settings struct {
	Stage        string `context:"stage"`
	Functions    string `context:"functions"` // folder of the built functions
	Arch         string `context:"arch"`
	Reserve      bool   `context:"reserve"`
	LogLevel     string `context:"logLevel"`
	LogDays      int    `context:"logDays"`
	AllowDestroy bool   `context:"allowDestroy"`

	KeyPerMinute    int      `context:"keyPerMinute"`
	TenantPerMinute int      `context:"tenantPerMinute"`
	ThrottleRate    int      `context:"throttleRate"`
	ThrottleBurst   int      `context:"throttleBurst"`
	CORS            []string `context:"cors"`

	Protect    bool `context:"protect"` // the table against deletion, and kept when its stack goes
	BackupDays int  `context:"backupDays"`
	OwnKey     bool `context:"ownKey"`

	Search     Search
	Embed      Embed
	LLM        LLM
	Alarms     string `context:"alarmEmail"`
	ShortTimes bool   `context:"shortTimes"`
}

// Search says where the index is: at Endpoint, or in a domain of the deployment's
// own when that is empty.
type Search struct {
	Endpoint   string `context:"searchEndpoint"`
	DomainARN  string `context:"searchDomainArn"` // of the domain behind Endpoint; empty: it is none of AWS
	Version    string `context:"searchVersion"`
	Instance   string `context:"searchInstance"`
	Nodes      int    `context:"searchNodes"`
	Zones      int    `context:"searchZones"`
	Managers   int    `context:"searchManagers"` // dedicated cluster managers
	Manager    string `context:"searchManagerInstance"`
	GB         int    `context:"searchGB"` // of each node's disk
	FineAccess bool   `context:"searchFineAccess"`
	Master     string `context:"searchMasterArn"` // who may map roles; needed with FineAccess
}

// Embed names the embedding model.
type Embed struct {
	Engine    string `context:"embed"`
	URL       string `context:"embedUrl"`
	Model     string `context:"embedModel"`
	Dimension int    `context:"embedDimension"`
	Secret    string `context:"embedSecret"` // name or ARN of the secret with the model's key
	Wait      int    `context:"embedWait"`   // milliseconds; 0: not given
}

// LLM names the language model.
type LLM struct {
	Engine string `context:"llm"`
	URL    string `context:"llmUrl"`
	Model  string `context:"llmModel"`
	Secret string `context:"llmSecret"` // name or ARN of the secret with the model's key
}

// Load reads the settings. Lookup answers a context value; names are those of all
// there are. What is wrong is told at once, by name and never with its value. CDK's
// own names, which hold a colon or begin with an at sign, are passed over.
func Load(lookup func(name string) (string, bool), names []string) (Settings, error) {
	stage, _ := lookup("stage")
	if stage == "" {
		stage = defaultStage
	}
	var s Settings
	var wrong []error
	for _, o := range options {
		value, _ := lookup(o.Name)
		if value == "" {
			value = o.preset(stage)
		}
		if rule := o.set(&s, value); rule != "" {
			wrong = append(wrong, fmt.Errorf("context %s %s", o.Name, rule))
		}
	}
	wrong = append(wrong, unknown(names)...)
	wrong = append(wrong, s.together()...)
	return s, errors.Join(wrong...)
}

// FromMap is Load from a map.
func FromMap(values map[string]string) (Settings, error) {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	return Load(func(name string) (string, bool) { v, ok := values[name]; return v, ok }, names)
}

func unknown(names []string) []error {
	var wrong []error
	for _, name := range slices.Sorted(slices.Values(names)) {
		known := slices.ContainsFunc(options, func(o Option) bool { return o.Name == name })
		if !known && !strings.HasPrefix(name, "@") && !strings.Contains(name, ":") {
			wrong = append(wrong, fmt.Errorf("context %.80s is no setting", name))
		}
	}
	return wrong
}

// together checks what settings ask of each other.
func (s Settings) together() []error {
	var wrong []error
	refuse := func(broken bool, rule string) {
		if broken {
			wrong = append(wrong, errors.New("context "+rule))
		}
	}
	refuse(s.Search.FineAccess && s.Search.Master == "", "searchMasterArn is needed with searchFineAccess")
	refuse(s.Search.DomainARN != "" && s.Search.Endpoint == "", "searchEndpoint is needed with searchDomainArn")
	refuse(s.Search.Zones > s.Search.Nodes, "searchZones must not be more than searchNodes")
	refuse(s.Search.Zones > 1 && s.Search.Nodes%s.Search.Zones != 0, "searchNodes must be a multiple of searchZones")
	refuse(s.Embed.Engine == "openai" && (s.Embed.URL == "" || s.Embed.Model == "" || s.Embed.Dimension == 0),
		"embedUrl, embedModel and embedDimension are needed with embed=openai")
	refuse(s.LLM.Engine == "openai" && (s.LLM.URL == "" || s.LLM.Model == ""), "llmUrl and llmModel are needed with llm=openai")
	refuse(s.LLM.Engine == "bedrock" && s.LLM.Model == "", "llmModel is needed with llm=bedrock")
	refuse(s.Stage == production && s.ShortTimes, "shortTimes is not for the stage prod")
	return wrong
}
