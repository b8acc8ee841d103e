// Package client is a small caller of the HTTP interface for black-box tests and
// measurements: JSON in and out, one key, no knowledge of the service's inside. It
// imports the standard library only.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// Client calls one service with one key.
type Client struct {
	Base string
	Host string       // header to send instead of Base's; empty: Base's
	Key  string       // empty: no Authorization header
	HTTP *http.Client // nil: http.DefaultClient
}

// With is the same service with another key.
func (c Client) With(key string) Client { c.Key = key; return c }

// Answer is what came back.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Header is a request header.
type Header struct{ Name, Value string }

// Call sends a request; a nil body sends none. Only a failed exchange is an error:
// look at Status, or use Do.
func (c Client) Call(ctx context.Context, method, path string, body any, headers ...Header) (Answer, error) {
	var reader io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return Answer{}, err
		}
		reader = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.Base+path, reader)
	if err != nil {
		return Answer{}, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.Key)
	}
	if c.Host != "" {
		req.Host = c.Host
	}
	for _, h := range headers {
		req.Header.Set(h.Name, h.Value)
	}
	return c.exchange(req)
}

func (c Client) exchange(req *http.Request) (Answer, error) {
	caller := c.HTTP
	if caller == nil {
		caller = http.DefaultClient
	}
	res, err := caller.Do(req)
	if err != nil {
		return Answer{}, err
	}
	text, err := io.ReadAll(res.Body)
	if closeErr := res.Body.Close(); err == nil {
		err = closeErr
	}
	return Answer{Status: res.StatusCode, Header: res.Header, Body: text}, err
}

// Do calls, expects a success and reads the answer into out (nil: not read).
func (c Client) Do(ctx context.Context, method, path string, body, out any, headers ...Header) error {
	a, err := c.Call(ctx, method, path, body, headers...)
	if err != nil {
		return err
	}
	if a.Status < 200 || a.Status > 299 {
		return fmt.Errorf("%s %s: status %d: %s", method, path, a.Status, a.Body)
	}
	if out == nil {
		return nil
	}
	return a.Into(out)
}

// Into reads the body as JSON.
func (a Answer) Into(out any) error {
	if err := json.Unmarshal(a.Body, out); err != nil {
		return fmt.Errorf("answer is no JSON of the wanted shape: %w: %s", err, a.Body)
	}
	return nil
}

// Tenant is an organization with its admin's client.
type Tenant struct {
	ID    string
	Admin Client
}

// NewTenant makes a tenant with the root key that c carries.
func (c Client) NewTenant(ctx context.Context, name string) (Tenant, error) {
	var made struct{ TenantID, AdminKey string }
	if err := c.Do(ctx, http.MethodPost, "/v1/admin/tenants", map[string]any{"name": name}, &made); err != nil {
		return Tenant{}, err
	}
	return Tenant{ID: made.TenantID, Admin: c.With(made.AdminKey)}, nil
}

// Workspace makes a workspace and answers its id.
func (t Tenant) Workspace(ctx context.Context, name string) (string, error) {
	var made struct{ WorkspaceID string }
	err := t.Admin.Do(ctx, http.MethodPost, "/v1/admin/workspaces", map[string]any{"name": name}, &made)
	return made.WorkspaceID, err
}

// Agent makes an agent's key for workspaces (none: all) with the capabilities that
// an agent has by default and answers its client.
func (t Tenant) Agent(ctx context.Context, workspaces ...string) (Client, error) {
	body := map[string]any{"kind": "agent"}
	if len(workspaces) > 0 {
		body["workspaces"] = workspaces
	}
	var made struct{ Key string }
	if err := t.Admin.Do(ctx, http.MethodPost, "/v1/admin/keys", body, &made); err != nil {
		return Client{}, err
	}
	return t.Admin.With(made.Key), nil
}
