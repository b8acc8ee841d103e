package plan

// Table is the one DynamoDB table; internal/store/dynamo says what its attributes
// mean.
type Table struct {
	Name       string
	PK, SK     string
	TTL        string
	Index      Index
	StreamView string
	BackupDays int // to which it can be restored
	Protected  bool
	Retained   bool // kept when its stack is destroyed
	OwnKey     bool
}

// Index is a global secondary index that holds whole items.
type Index struct{ Name, PK, SK string }

// streamView is what the stream carries: the relay's filter looks at an item's
// kind, which keys alone do not show. Images of other rows stay in the stream, for
// a day and encrypted as the table is; no function is handed them.
const streamView = "NEW_IMAGE"

func (p Plan) table(s Settings) Table {
	return Table{
		Name: p.Prefix, PK: "pk", SK: "sk", TTL: "ttl",
		Index:      Index{Name: "due", PK: "due_pk", SK: "due_sk"},
		StreamView: streamView, BackupDays: s.BackupDays,
		Protected: s.Protect && !s.AllowDestroy, Retained: s.Protect, OwnKey: s.OwnKey,
	}
}

// ARN is the table's.
func (t Table) ARN() string { return arn("dynamodb", "table/"+t.Name) }

// IndexARN is the due index's.
func (t Table) IndexARN() string { return t.ARN() + "/index/" + t.Index.Name }

// rootKeyCharacters is the length of a generated root key: 64 letters and digits
// are 381 bits.
const rootKeyCharacters = 64

// Secret holds the root key, which is made at the first deployment.
type Secret struct {
	Characters int
}

// Topic is where alarms go.
type Topic struct {
	Name  string
	Email string `json:",omitempty"`
}

// ARN is the topic's.
func (t Topic) ARN() string { return arn("sns", t.Name) }

// Domain is the search domain of the deployment's own.
type Domain struct {
	Name       string
	Version    string
	Instance   string
	Nodes      int
	Zones      int
	Managers   int    `json:",omitempty"`
	Manager    string `json:",omitempty"`
	GB         int
	FineAccess bool
	Master     string `json:",omitempty"`
}

func (p Plan) domain(s Settings) *Domain {
	if s.Search.Endpoint != "" {
		return nil
	}
	d := &Domain{
		Name: p.Prefix, Version: s.Search.Version, Instance: s.Search.Instance, Nodes: s.Search.Nodes, Zones: s.Search.Zones,
		GB: s.Search.GB, FineAccess: s.Search.FineAccess, Master: s.Search.Master,
	}
	if s.Search.Managers > 0 {
		d.Managers, d.Manager = s.Search.Managers, s.Search.Manager
	}
	return d
}

// ARN is the domain's.
func (d Domain) ARN() string { return arn("es", "domain/"+d.Name) }
