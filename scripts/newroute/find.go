package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
)

// variables maps the ids of routes and workers to the names of their variables. An
// id is the first text in a variable's value.
func variables(folder string) (map[string]string, error) {
	out := make(map[string]string)
	err := eachFile(folder, func(_ string, f *ast.File) {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				for i, name := range v.Names {
					if i < len(v.Values) && name.IsExported() {
						if id := firstText(v.Values[i]); id != "" {
							out[id] = name.Name
						}
					}
				}
			}
		}
	})
	return out, err
}

func firstText(n ast.Node) string {
	text := ""
	ast.Inspect(n, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && text == "" {
			if unquoted, err := strconv.Unquote(l.Value); err == nil {
				text = unquoted
			}
		}
		return text == ""
	})
	return text
}

// constructor is a function that makes an endpoint.
type constructor struct {
	Import, Package, Name string
}

// findConstructors maps the names of route variables to their constructors. One
// that names no route itself is looked up in the functions of its package that it
// calls.
func findConstructors(folder string) (map[string]constructor, error) {
	functions := make(map[string][]string) // package and function → routes named
	made := make(map[constructor]*ast.FuncDecl)
	err := eachFile(folder, func(path string, f *ast.File) {
		dir := filepath.ToSlash(filepath.Dir(path))
		at := "holdfast/internal" + strings.TrimPrefix(dir, filepath.ToSlash(folder))
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || fn.Body == nil {
				continue
			}
			functions[at+" "+fn.Name.Name] = routesIn(fn.Body)
			if fn.Name.IsExported() && answersEndpoint(fn) {
				made[constructor{at, f.Name.Name, fn.Name.Name}] = fn
			}
		}
	})
	out := make(map[string]constructor)
	for c, fn := range made {
		named := functions[c.Import+" "+c.Name]
		if len(named) == 0 {
			for _, called := range calledIn(fn.Body) {
				named = append(named, functions[c.Import+" "+called]...)
			}
		}
		for _, route := range named {
			out[route] = c
		}
	}
	return out, err
}

// calledIn lists the functions of its own package that a function calls.
func calledIn(body *ast.BlockStmt) []string {
	var out []string
	ast.Inspect(body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if name, ok := c.Fun.(*ast.Ident); ok {
				out = append(out, name.Name)
			}
		}
		return true
	})
	return out
}

func answersEndpoint(fn *ast.FuncDecl) bool {
	if fn.Type.Results == nil || len(fn.Type.Results.List) != 1 || len(fn.Type.Params.List) != 1 {
		return false
	}
	return selects(fn.Type.Results.List[0].Type, "httpapi", "Endpoint") && selects(fn.Type.Params.List[0].Type, "httpapi", "Deps")
}

func selects(e ast.Expr, pkg, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == pkg
}

// routesIn lists the route variables that a function names.
func routesIn(body *ast.BlockStmt) []string {
	var out []string
	ast.Inspect(body, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && selects(s, "routes", s.Sel.Name) {
			out = append(out, s.Sel.Name)
		}
		return true
	})
	return out
}

// eachFile parses the Go files below a folder but for tests.
func eachFile(folder string, visit func(path string, f *ast.File)) error {
	return filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err == nil {
			visit(path, f)
		}
		return err
	})
}
