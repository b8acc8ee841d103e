package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// stack is a template and what became of it.
type stack struct {
	cloud      *cloud
	name       string // or ARN
	id         string
	parameters object
	resources  map[string]*resource
	exports    map[string]string
}

// resource is one of a stack's.
type resource struct {
	stack      *stack
	logical    string
	kind       string
	properties object
	physical   string
}

func (r *resource) path() string { return r.stack.name + "/" + r.logical }

func (s *stack) ordered() []*resource {
	var out []*resource
	for _, name := range sortedKeys(s.resources) {
		out = append(out, s.resources[name])
	}
	return out
}

// load reads the stacks of a folder, nested ones too, and asks for their resources.
func load(ctx context.Context, c *cloud, folder string) ([]*stack, error) {
	var manifest struct {
		Artifacts map[string]struct {
			Type       string
			Properties struct {
				TemplateFile, StackName string
			}
		}
	}
	if err := readJSON(filepath.Join(folder, "manifest.json"), &manifest); err != nil {
		return nil, err
	}
	exports, err := exportsOf(ctx, c)
	if err != nil {
		return nil, err
	}
	l := loader{cloud: c, folder: folder, exports: exports, assets: map[string]string{}}
	for _, id := range sortedKeys(manifest.Artifacts) {
		if strings.HasSuffix(id, ".assets") {
			if err := l.readAssets(id + ".json"); err != nil {
				return nil, err
			}
		}
	}
	for _, id := range sortedKeys(manifest.Artifacts) {
		a := manifest.Artifacts[id]
		if a.Type != "aws:cloudformation:stack" {
			continue
		}
		name := a.Properties.StackName
		if name == "" {
			name = id
		}
		if err := l.add(ctx, name, a.Properties.TemplateFile, object{}); err != nil {
			return nil, fmt.Errorf("stack %s: %w", name, err)
		}
	}
	if len(l.stacks) == 0 {
		return nil, errors.New("there are no stacks in " + folder)
	}
	return l.stacks, nil
}

// loader gathers stacks.
type loader struct {
	cloud   *cloud
	folder  string
	exports map[string]string
	assets  map[string]string // files by the name under which they were uploaded
	stacks  []*stack
}

func (l *loader) readAssets(file string) error {
	var assets struct {
		Files map[string]struct {
			Source       struct{ Path string }
			Destinations map[string]struct{ ObjectKey string }
		}
	}
	if err := readJSON(filepath.Join(l.folder, file), &assets); err != nil {
		return err
	}
	for _, f := range assets.Files {
		for _, d := range f.Destinations {
			l.assets[d.ObjectKey] = f.Source.Path
		}
	}
	return nil
}

func (l *loader) add(ctx context.Context, name, file string, parameters object) error {
	var t struct {
		Parameters map[string]struct{ Default any }
		Resources  map[string]struct {
			Type       string
			Properties object
		}
	}
	if err := readJSON(filepath.Join(l.folder, file), &t); err != nil {
		return err
	}
	s := &stack{cloud: l.cloud, name: name, parameters: object{}, resources: map[string]*resource{}, exports: l.exports}
	for p, d := range t.Parameters {
		s.parameters[p] = d.Default
	}
	for p, v := range parameters {
		s.parameters[p] = v
	}
	for logical, r := range t.Resources {
		s.resources[logical] = &resource{stack: s, logical: logical, kind: r.Type, properties: r.Properties}
	}
	if err := s.locate(ctx); err != nil {
		return err
	}
	l.stacks = append(l.stacks, s)
	return l.nested(ctx, s)
}

// nested adds the stacks inside a stack.
func (l *loader) nested(ctx context.Context, s *stack) error {
	for _, r := range s.ordered() {
		if r.kind != "AWS::CloudFormation::Stack" {
			continue
		}
		v, err := s.resolved(ctx, r.properties)
		if err != nil {
			return err
		}
		properties := v.(object)
		address := text(properties["TemplateURL"])
		file, known := l.assets[address[strings.LastIndex(address, "/")+1:]]
		if !known {
			return fmt.Errorf("%s: its template is not in the folder", r.logical)
		}
		parameters, _ := properties["Parameters"].(object)
		if err := l.add(ctx, r.physical, file, parameters); err != nil {
			return fmt.Errorf("%s: %w", r.logical, err)
		}
	}
	return nil
}

const cloudFormation = "2010-05-15"

// locate asks what the stack's resources are called.
func (s *stack) locate(ctx context.Context) error {
	described, err := s.cloud.query(ctx, "cloudformation", cloudFormation, "DescribeStacks", map[string]string{"StackName": s.name})
	if err != nil {
		return err
	}
	all := objects(described["Stacks"])
	if len(all) != 1 || !strings.HasSuffix(text(all[0]["StackStatus"]), "_COMPLETE") || strings.Contains(text(all[0]["StackStatus"]), "ROLLBACK") {
		return fmt.Errorf("is not complete: %v", described)
	}
	s.id = text(all[0]["StackId"])
	in := map[string]string{"StackName": s.name}
	for more := true; more; {
		answer, err := s.cloud.query(ctx, "cloudformation", cloudFormation, "ListStackResources", in)
		if err != nil {
			return err
		}
		for _, o := range objects(answer["StackResourceSummaries"]) {
			r := s.resources[text(o["LogicalResourceId"])]
			if r == nil {
				return fmt.Errorf("%s is there and not in the template", text(o["LogicalResourceId"]))
			}
			r.physical = text(o["PhysicalResourceId"])
		}
		in["NextToken"] = text(answer["NextToken"])
		more = in["NextToken"] != ""
	}
	for _, r := range s.ordered() {
		if r.physical == "" {
			return fmt.Errorf("%s is in the template and not there", r.logical)
		}
	}
	return nil
}

func exportsOf(ctx context.Context, c *cloud) (map[string]string, error) {
	out, in := map[string]string{}, map[string]string{}
	for more := true; more; {
		answer, err := c.query(ctx, "cloudformation", cloudFormation, "ListExports", in)
		if err != nil {
			return nil, err
		}
		for _, e := range objects(answer["Exports"]) {
			out[text(e["Name"])] = text(e["Value"])
		}
		in["NextToken"] = text(answer["NextToken"])
		more = in["NextToken"] != ""
	}
	return out, nil
}

func readJSON(path string, into any) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
