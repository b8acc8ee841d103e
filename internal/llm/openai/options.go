package openai

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
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

var errOptions = errors.New("openai: wrong option")

// check answers the endpoint or which option is wrong, without its value.
func (o *Options) check() (endpoint string, err error) {
	address, err := url.Parse(o.URL)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return "", fmt.Errorf("%w: URL must be an http or https address", errOptions)
	}
	if address.RawQuery != "" || address.Fragment != "" || address.User != nil {
		return "", fmt.Errorf("%w: URL must have no user, query or fragment", errOptions)
	}
	words := strings.Fields(o.Model)
	switch {
	case len(words) != 1 || words[0] != o.Model:
		return "", fmt.Errorf("%w: Model must be there and have no white space", errOptions)
	case strings.ContainsAny(o.Key, "\r\n\x00"):
		return "", fmt.Errorf("%w: Key has control characters", errOptions)
	}
	return address.JoinPath("chat", "completions").String(), nil
}

func (o *Options) setDefaults() {
	if o.Client == nil {
		o.Client = &http.Client{Timeout: timeLimit, CheckRedirect: stay}
	}
}

// stay answers the redirect itself instead of following it.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
