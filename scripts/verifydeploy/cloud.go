package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// object is a JSON object.
type object = map[string]any

// cloud calls the services of an emulator. It names the service as a signature
// would but signs nothing: emulators do not check, and AWS would refuse.
type cloud struct {
	endpoint, region string
	client           *http.Client
}

func newCloud(endpoint, region string) *cloud {
	transport := &http.Transport{Proxy: nil} // straight to the emulator
	return &cloud{endpoint: strings.TrimRight(endpoint, "/"), region: region, client: &http.Client{Timeout: 30 * time.Second, Transport: transport}}
}

// json calls an operation of the protocols AWS JSON 1.0 and 1.1.
func (c *cloud) json(ctx context.Context, service, target string, in object) (object, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	return c.decoded(c.send(ctx, service, http.MethodPost, "/", "application/x-amz-json-1.1", target, body))
}

// rest calls an operation of the protocol REST JSON; in is nil for none.
func (c *cloud) rest(ctx context.Context, service, method, path string, in object) (object, error) {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return nil, err
		}
	}
	return c.decoded(c.send(ctx, service, method, path, "application/json", "", body))
}

func (c *cloud) decoded(raw []byte, err error) (object, error) {
	if err != nil || len(bytes.TrimSpace(raw)) == 0 {
		return object{}, err
	}
	out := object{}
	return out, json.Unmarshal(raw, &out)
}

// query calls an operation of the protocol Query, which answers XML, here as
// objects; what AWS calls member or entry makes a list.
func (c *cloud) query(ctx context.Context, service, version, action string, in map[string]string) (object, error) {
	form := url.Values{"Action": {action}, "Version": {version}}
	for name, value := range in {
		form.Set(name, value)
	}
	raw, err := c.send(ctx, service, http.MethodPost, "/", "application/x-www-form-urlencoded", "", []byte(form.Encode()))
	if err != nil {
		return nil, err
	}
	top, err := decodeXML(raw)
	if err != nil {
		return nil, err
	}
	result, ok := top[action+"Result"].(object)
	if !ok {
		return nil, fmt.Errorf("%s answered no result", action)
	}
	return result, nil
}

// errMissing: what was asked for is not there.
var errMissing = errors.New("is not there")

func (c *cloud) send(ctx context.Context, service, method, path, contentType, target string, body []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.endpoint+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=test/20260101/"+c.region+"/"+service+"/aws4_request, SignedHeaders=host, Signature=none")
	if target != "" {
		r.Header.Set("X-Amz-Target", target)
	}
	answer, err := c.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(answer.Body, 16<<20))
	switch {
	case err != nil:
		return nil, err
	case answer.StatusCode == http.StatusNotFound, strings.Contains(string(raw), "NotFound"), strings.Contains(string(raw), "NonExistent"):
		if answer.StatusCode >= 400 {
			return nil, errMissing
		}
	case answer.StatusCode >= 400:
		return nil, fmt.Errorf("%s %s%s answered %d: %.300s", service, target, path, answer.StatusCode, raw)
	}
	return raw, nil
}

// decodeXML reads a document into objects, lists and texts.
func decodeXML(raw []byte) (object, error) {
	d := xml.NewDecoder(bytes.NewReader(raw))
	for {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		if _, ok := token.(xml.StartElement); ok {
			v, err := element(d)
			top, isObject := v.(object)
			if err == nil && !isObject {
				err = errors.New("the answer has no members")
			}
			return top, err
		}
	}
}

// element reads up to the end of the element that has begun.
func element(d *xml.Decoder) (any, error) {
	var list []any
	members, text := object{}, ""
	for {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			v, err := element(d)
			if err != nil {
				return nil, err
			}
			if name := token.Name.Local; name == "member" || name == "entry" {
				list = append(list, v)
			} else {
				members[name] = v
			}
		case xml.CharData:
			text += string(token)
		case xml.EndElement:
			switch {
			case list != nil:
				return list, nil
			case len(members) > 0:
				return members, nil
			}
			return strings.TrimSpace(text), nil
		}
	}
}

// text is a value that should be a text.
func text(v any) string {
	s, ok := v.(string)
	if !ok && v != nil {
		return fmt.Sprint(v)
	}
	return s
}

// objects is a value that should be a list of objects.
func objects(v any) []object {
	var out []object
	list, _ := v.([]any)
	for _, o := range list {
		if o, ok := o.(object); ok {
			out = append(out, o)
		}
	}
	return out
}
