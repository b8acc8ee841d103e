package openai

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"holdfast/internal/openaihttp"
)

// Options says whom to ask. URL and Model must be given.
type Options struct {
	URL   string // http or https, up to and without /chat/completions, such as https://host/v1
	Key   string // sent as bearer token; empty: none is sent
	Model string // as the address names it

	// Client makes the requests. The default allows 2 minutes for each and follows no
	// redirects, which would carry texts to addresses that nobody configured.
	Client *http.Client
}

// timeLimit bounds a request where the context does not: a long answer takes a minute.
const timeLimit = 2 * time.Minute

func (o *Options) setDefaults() {
	if o.Client == nil {
		o.Client = openaihttp.Client(timeLimit)
	}
}

// check says whether the model's name is one.
func (o *Options) check() error {
	if words := strings.Fields(o.Model); len(words) != 1 || words[0] != o.Model {
		return fmt.Errorf("%w: Model must be there and have no white space", openaihttp.ErrOption)
	}
	return nil
}
