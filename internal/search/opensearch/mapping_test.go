package opensearch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"holdfast/internal/search"
)

// schema is the part of an engine that keeps mappings.
type schema struct {
	mapping  object // nil: no index
	requests []string
	bodies   map[string]map[string]any
}

func (s *schema) answer(r *http.Request, body []byte) (int, string) {
	key := r.Method + " " + r.URL.Path
	s.requests = append(s.requests, key)
	var parsed map[string]any
	decode(body, &parsed)
	if s.bodies == nil {
		s.bodies = map[string]map[string]any{}
	}
	s.bodies[key] = parsed
	switch key {
	case "PUT /mem-v4":
		if s.mapping != nil {
			return http.StatusBadRequest, `{"error":{"type":"resource_already_exists_exception"},"status":400}`
		}
		s.mapping, _ = parsed["mappings"].(map[string]any)
	case "GET /mem-v4/_mapping":
		if s.mapping == nil {
			return http.StatusNotFound, `{"error":{"type":"index_not_found_exception"},"status":404}`
		}
		return http.StatusOK, string(encode(object{"mem-v4": object{"mappings": s.mapping}}))
	}
	return http.StatusOK, `{"acknowledged":true}`
}

func profiles(list ...Profile) func(*Config) { return func(c *Config) { c.Profiles = list } }

func TestAnAbsentIndexIsMadeByEnsureOnly(t *testing.T) {
	s := &schema{}
	x := adapter(t, answering(s.answer), func(c *Config) { c.Shards, c.Replicas, c.Refresh = 3, 2, 250*time.Millisecond })
	if err := x.Check(t.Context()); !errors.Is(err, search.ErrUnavailable) {
		t.Errorf("check: %v", err)
	}
	if s.mapping != nil {
		t.Fatal("a check made the index")
	}
	if err := x.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := x.Check(t.Context()); err != nil {
		t.Errorf("check: %v", err)
	}
	made := s.bodies["PUT /mem-v4"]
	for _, part := range []string{
		`"dynamic":"strict"`, `"_routing":{"required":true}`, `"aliases":{"mem":{}}`, `"engine":"lucene"`, `"dimension":4`,
		`"space_type":"cosinesimil"`, `"number_of_shards":3`, `"number_of_replicas":2`, `"refresh_interval":"250ms"`, `"gc_deletes":"60s"`,
	} {
		if !strings.Contains(string(encode(made)), part) {
			t.Errorf("the index has no %s", part)
		}
	}
	template := s.bodies["PUT /_index_template/mem"]
	if fmt.Sprint(template["index_patterns"]) != "[mem-v*]" {
		t.Errorf("template for %v", template["index_patterns"])
	}
	if err := x.Ensure(t.Context()); err != nil {
		t.Errorf("the second time: %v", err)
	}
}

func TestAnIndexWithAnotherDimensionIsRefusedAndBothAreNamed(t *testing.T) {
	s := &schema{}
	if err := adapter(t, answering(s.answer)).Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	x := adapter(t, answering(s.answer), profiles(Profile{"p-4", 8}))
	for name, err := range map[string]error{"ensure": x.Ensure(t.Context()), "check": x.Check(t.Context()), "fits": x.Fits(t.Context())} {
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, part := range []string{"mem-v4", "p-4", "4 dimensions", "has 8"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v does not name %q", name, err, part)
			}
		}
	}
}

func TestASearcherStartsWithoutAnIndexAndWithoutADomain(t *testing.T) {
	if err := adapter(t, answering((&schema{}).answer)).Fits(t.Context()); err != nil {
		t.Errorf("an index that is not there yet: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := adapter(t, answering((&schema{}).answer)).Fits(ctx); err != nil {
		t.Errorf("a domain that does not answer: %v", err)
	}
}

func TestANewProfileGetsItsField(t *testing.T) {
	s := &schema{}
	if err := adapter(t, answering(s.answer)).Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	x := adapter(t, answering(s.answer), profiles(Profile{"p-4", 4}, Profile{"q/6", 6}))
	if err := x.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "q/6") {
		t.Errorf("check: %v", err)
	}
	if err := x.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	if body := string(encode(s.bodies["PUT /mem-v4/_mapping"])); !strings.Contains(body, `"q_2f6"`) || !strings.Contains(body, `"dimension":6`) {
		t.Errorf("mapping %s", body)
	}
}

func TestAnotherLayoutIsRefused(t *testing.T) {
	for _, other := range []int{layout - 1, layout + 1} {
		s := &schema{mapping: object{"_meta": object{"layout": other}}}
		x := adapter(t, answering(s.answer))
		for _, err := range []error{x.Ensure(t.Context()), x.Check(t.Context()), x.Fits(t.Context())} {
			if !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), "layout") {
				t.Errorf("layout %d: %v", other, err)
			}
		}
	}
}

func TestEnsureFailsWithTheDomain(t *testing.T) {
	for _, failing := range []string{"PUT /_index_template/mem", "PUT /mem-v4", "GET /mem-v4/_mapping", "PUT /mem-v4/_mapping"} {
		s := &schema{}
		if strings.HasSuffix(failing, "PUT /mem-v4/_mapping") {
			s.mapping = object{"_meta": object{"layout": json.Number(strconv.Itoa(layout))}}
		}
		x := adapter(t, answering(func(r *http.Request, body []byte) (int, string) {
			if r.Method+" "+r.URL.Path == failing {
				return http.StatusServiceUnavailable, ""
			}
			return s.answer(r, body)
		}))
		if err := x.Ensure(t.Context()); !errors.Is(err, search.ErrUnavailable) {
			t.Errorf("%s: %v", failing, err)
		}
	}
}

func TestConfigurationsThatCannotBe(t *testing.T) {
	good := Config{URL: "https://domain.example", Profiles: []Profile{{"p", 4}}}
	for name, change := range map[string]func(*Config){
		"no URL":         func(c *Config) { c.URL = "" },
		"another scheme": func(c *Config) { c.URL = "ftp://domain.example" },
		"no host":        func(c *Config) { c.URL = "https://" },
		"no name":        func(c *Config) { c.Profiles = []Profile{{"", 4}} },
		"no dimension":   func(c *Config) { c.Profiles = []Profile{{"p", 0}} },
		"two dimensions": func(c *Config) { c.Profiles = []Profile{{"p", 4}, {"p", 5}} },
		"no region":      func(c *Config) { c.Credentials = keys },
	} {
		c := good
		change(&c)
		if _, err := New(c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	x, err := New(good)
	if err != nil || x.index != DefaultIndex || x.alias != DefaultAlias {
		t.Errorf("%+v, %v", x, err)
	}
}

func TestFamiliesOfIndexes(t *testing.T) {
	for index, want := range map[string]string{"mem-v1": "mem mem-v*", "mem-v12": "mem mem-v*", "a-v2-v3": "a-v2 a-v2-v*", "plain": "plain plain"} {
		x := adapter(t, nil, func(c *Config) { c.Index = index })
		if got := x.family() + " " + x.pattern(); got != want {
			t.Errorf("%s: %s", index, got)
		}
	}
}
