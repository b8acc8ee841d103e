package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"time"
)

// patience bounds one start.
const patience = 20 * time.Second

// rootKey is what the secret holds.
const rootKey = "root-key-of-the-cold-start-measurement-01"

// platform is what a function talks to: the runtime interface, and AWS.
type platform struct {
	runtime, aws *http.Server
	runtimeAddr  string
	awsURL       string
	asked        chan time.Time // when a function asked for its first event
	failed       chan string    // what a function said of a failed start
}

func newPlatform() (*platform, error) {
	p := &platform{asked: make(chan time.Time), failed: make(chan string, 1)}
	calls := http.NewServeMux()
	calls.HandleFunc("GET /2018-06-01/runtime/invocation/next", p.next)
	calls.HandleFunc("POST /2018-06-01/runtime/init/error", p.initError)
	var err error
	if p.runtime, p.runtimeAddr, err = serve(calls); err != nil {
		return nil, err
	}
	if p.aws, p.awsURL, err = serve(http.HandlerFunc(secret)); err != nil {
		p.close()
		return nil, err
	}
	p.awsURL = "http://" + p.awsURL
	return p, nil
}

// serve serves on a free port of loopback.
func serve(h http.Handler) (*http.Server, string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", err
	}
	s := &http.Server{Handler: h, ReadHeaderTimeout: patience}
	go func() { _ = s.Serve(l) }() // until close
	return s, l.Addr().String(), nil
}

func (p *platform) close() {
	for _, s := range []*http.Server{p.runtime, p.aws} {
		if s != nil {
			_ = s.Close() // the process ends
		}
	}
}

// next notes the time and holds the function: there is no event.
func (p *platform) next(_ http.ResponseWriter, r *http.Request) {
	select {
	case p.asked <- time.Now():
		<-r.Context().Done()
	case <-r.Context().Done():
	}
}

func (p *platform) initError(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // what there is
	w.WriteHeader(http.StatusAccepted)
	p.failed <- string(body)
}

// secret answers the one call of AWS that belongs to a start; any other is refused.
func secret(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("X-Amz-Target") != "secretsmanager.GetSecretValue" {
		w.WriteHeader(http.StatusNotImplemented)
		return
	}
	_, _ = fmt.Fprintf(w, `{"SecretString":%q}`, rootKey) // the function tells if it is lost
}

// settings are a function's environment: as it is deployed, or over embedded engines.
func (p *platform) settings(engines, data string) []string {
	env := []string{
		"AWS_LAMBDA_RUNTIME_API=" + p.runtimeAddr, "AWS_LAMBDA_FUNCTION_NAME=measured", "AWS_LAMBDA_FUNCTION_MEMORY_SIZE=512",
		"AWS_REGION=eu-central-1", "AWS_ACCESS_KEY_ID=nobody", "AWS_SECRET_ACCESS_KEY=nothing", "AWS_ENDPOINT_URL=" + p.awsURL,
	}
	if engines == "embedded" {
		return append(env, "HOLDFAST_DATA="+data, "HOLDFAST_ROOT_KEY="+rootKey)
	}
	for _, queue := range []string{"INDEX", "EMBED", "ERASE", "SEAL"} {
		env = append(env, "HOLDFAST_QUEUE_"+queue+"="+p.awsURL+"/000000000000/"+queue)
	}
	return append(env, "HOLDFAST_STORE=dynamodb", "HOLDFAST_QUEUE=sqs", "HOLDFAST_SEARCH=opensearch", "HOLDFAST_EMBED=static",
		"HOLDFAST_TABLE=memories", "HOLDFAST_OPENSEARCH_URL=https://search.eu-central-1.es.amazonaws.com", "HOLDFAST_ROOT_KEY_SECRET=root-key")
}

// start starts a function once and answers how long it took to ask for an event.
func (p *platform) start(ctx context.Context, binary string, env []string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c := exec.CommandContext(ctx, binary)
	var said bytes.Buffer
	c.Env, c.Stdout, c.Stderr = env, &said, &said
	before := time.Now()
	if err := c.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case at := <-p.asked:
		return at.Sub(before), kill(c, ended)
	case text := <-p.failed:
		return 0, errors.Join(errors.New(text), kill(c, ended))
	case err := <-ended:
		return 0, fmt.Errorf("it ended: %w\n%s", errors.Join(err, ctx.Err()), &said)
	}
}

// kill ends a process and waits until it is gone.
func kill(c *exec.Cmd, ended <-chan error) error {
	err := c.Process.Kill()
	var killed *exec.ExitError
	if end := <-ended; !errors.As(end, &killed) {
		return errors.Join(err, end)
	}
	return err
}
