// Command deployed prints how to reach a deployment, one NAME=value a line: its
// address, the Host header to send with it (an emulator tells APIs apart by it)
// and the root key, read from the deployment's secret.
//
//	env $(go run ./scripts/deployed -endpoint http://127.0.0.1:4566) …
//
// With -serve it passes calls on to the deployment from an address of this machine,
// for callers that cannot send the Host header.
//
// It reads the outputs that scripts/cdk leaves in cdk.out.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"time"

	"holdfast/internal/awsconf"
	"holdfast/internal/awsconf/chain"
)

func main() {
	outputs := flag.String("outputs", "cdk.out/outputs.json", "outputs of the deployment")
	stage := flag.String("stage", "test", "stage of the deployment")
	endpoint := flag.String("endpoint", "", "address of an emulator; empty: AWS")
	serve := flag.String("serve", "", "address to pass calls on from, such as 127.0.0.1:8091")
	flag.Parse()
	if err := run(context.Background(), *outputs, *stage, *endpoint, *serve); err != nil {
		fmt.Fprintln(os.Stderr, "deployed:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, outputs, stage, endpoint, serve string) error {
	raw, err := os.ReadFile(outputs)
	if err != nil {
		return err
	}
	var stacks map[string]map[string]string
	if err := json.Unmarshal(raw, &stacks); err != nil {
		return fmt.Errorf("%s: %w", outputs, err)
	}
	api := stacks["holdfast-"+stage+"-api"]["Endpoint"]
	secret := stacks["holdfast-"+stage+"-data"]["RootKeySecret"]
	if api == "" || secret == "" {
		return fmt.Errorf("%s has no deployment of stage %s", outputs, stage)
	}
	base, host, err := address(api, endpoint)
	if err != nil {
		return err
	}
	if serve != "" {
		return passOn(base, host, serve)
	}
	key, err := rootKey(ctx, secret, endpoint)
	if err != nil {
		return err
	}
	fmt.Printf("DEPLOYED_BASE=%s\nDEPLOYED_HOST=%s\nDEPLOYED_KEY=%s\n", base, host, key)
	return nil
}

// passOn serves until the process is ended.
func passOn(base, host, serve string) error {
	target, err := url.Parse(base)
	if err != nil {
		return err
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = host
	}}
	server := http.Server{Addr: serve, Handler: proxy, ReadHeaderTimeout: 10 * time.Second}
	return server.ListenAndServe()
}

// address is where to call and the Host to send.
func address(api, endpoint string) (base, host string, err error) {
	u, err := url.Parse(api)
	if err != nil {
		return "", "", err
	}
	if endpoint == "" {
		return strings.TrimSuffix(api, "/"), u.Host, nil
	}
	e, err := url.Parse(endpoint)
	if err != nil {
		return "", "", err
	}
	id, _, _ := strings.Cut(u.Host, ".")
	return endpoint, id + ".execute-api.localhost:" + e.Port(), nil
}

// emulatedRegion is where scripts/cdk deploys on an emulator.
const emulatedRegion = "us-east-1"

func rootKey(ctx context.Context, secret, endpoint string) (string, error) {
	lookup, fallback := awsconf.Lookup(os.LookupEnv), awsconf.Fallback(chain.Credentials)
	if endpoint != "" {
		emulated := map[string]string{"AWS_REGION": emulatedRegion, "AWS_ACCESS_KEY_ID": "test",
			"AWS_SECRET_ACCESS_KEY": "test", "AWS_ENDPOINT_URL": endpoint}
		lookup = func(name string) (string, bool) { v, ok := emulated[name]; return v, ok }
	}
	c, err := awsconf.Load(ctx, lookup, fallback)
	if err != nil {
		return "", err
	}
	return awsconf.Secret(ctx, c, secret)
}
