package opensearch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/opensearch-project/opensearch-go/v4"

	"holdfast/internal/clock"
	"holdfast/internal/search"
)

// Profile is an embedding profile whose vectors the index keeps.
type Profile struct {
	Name      string
	Dimension int
}

// Names of the index and its alias where Config says nothing.
const (
	DefaultIndex = "mem-v4" // the number is the layout's
	DefaultAlias = "mem"
)

// Config says where the domain is and how the index is made there.
type Config struct {
	URL      string // of the domain, http or https
	Index    string
	Alias    string // of the index, for people and tools: requests name the index
	Profiles []Profile
	Shards   int           // of an index that is made; 0: 1
	Replicas int           // of an index that is made
	Refresh  time.Duration // how long written documents wait to be searchable; 0: 1 s
	Timeout  time.Duration // of one request; 0: 30 s
	// Patience is how long the engine works on the lexical arm before that arm is
	// degraded and the other answered alone; 0: 2 s.
	Patience time.Duration
	// Nearest is the same for the semantic arm, and how long the lexical arm waits for
	// it; 0: 1 s.
	Nearest time.Duration

	// Credentials and Region, both or none, sign requests for a domain on AWS.
	Credentials aws.CredentialsProvider
	Region      string

	Transport http.RoundTripper // nil: a pool of connections of its own

	most int64 // bytes that are read of an answer; 0: maxAnswer
}

// engine is an index of the domain, and how it is asked.
type engine struct {
	client   *opensearch.Client
	index    string
	alias    string
	config   Config
	timeout  time.Duration
	nearest  time.Duration
	patience string
}

// newEngine makes one with these names where the Config says none.
func newEngine(c Config, index, alias string) (engine, error) {
	if u, err := url.Parse(c.URL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return engine{}, errors.New("search/opensearch: the URL of the domain is not one of http or https")
	}
	client, err := newClient(c)
	return engine{
		client: client, config: c, index: cmp.Or(c.Index, index), alias: cmp.Or(c.Alias, alias),
		timeout: cmp.Or(c.Timeout, 30*time.Second), nearest: cmp.Or(c.Nearest, time.Second), patience: millis(cmp.Or(c.Patience, 2*time.Second)),
	}, err
}

// Index is the adapter of the port search. It is safe for concurrent use.
type Index struct {
	engine
	dimensions map[string]int // by profile
	large      large
	wait       func(ctx context.Context, d time.Duration) error
}

var _ search.Index = (*Index)(nil)

// New makes the adapter without asking the domain anything; Check and Ensure do.
func New(c Config) (*Index, error) {
	e, err := newEngine(c, DefaultIndex, DefaultAlias)
	if err != nil {
		return nil, err
	}
	x := &Index{engine: e, dimensions: map[string]int{}, wait: clock.Pause}
	for _, p := range c.Profiles {
		if known, twice := x.dimensions[p.Name]; p.Name == "" || p.Dimension <= 0 || twice && known != p.Dimension {
			return nil, fmt.Errorf("search/opensearch: embedding profile %q has no name, no dimension or two", p.Name)
		}
		x.dimensions[p.Name] = p.Dimension
	}
	return x, nil
}

// Close ends what the client runs beside requests.
func (x *engine) Close() error { return x.client.Close() }

// millis writes a duration as the engine reads it.
func millis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) + "ms" }
