package archtest

import (
	"fmt"
	"go/ast"
	"path"
	"strconv"
	"strings"
)

// call reserves a function of a package; Name may be a pattern.
type call struct {
	Of    string   // package: ours relative to the module, or a standard one
	Name  string   // of the function
	By    []string // who may use it
	Tests bool     // the rule holds in test files as well
	Why   string
}

// uses finds reserved functions, called or passed on, where they may not be.
func uses(p pkg) []string {
	var out []string
	for _, f := range p.files {
		names := importNames(f.tree)
		ast.Inspect(f.tree, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := s.X.(*ast.Ident); ok && names[x.Name] != "" {
				out = append(out, forbidden(p, f, s, names[x.Name])...)
			}
			return true
		})
	}
	return out
}

func forbidden(p pkg, f file, s *ast.SelectorExpr, of string) []string {
	var out []string
	for _, c := range calls {
		fits, err := path.Match(c.Name, s.Sel.Name)
		if err != nil || !fits || of != c.Of || matches(p.name(), c.By) || f.test && !c.Tests {
			continue
		}
		out = append(out, fmt.Sprintf("%s uses %s.%s: %s", f.at(p, s), path.Base(of), s.Sel.Name, c.Why))
	}
	return out
}

// commits finds calls of a method Commit that takes arguments, which is the
// store's: a bbolt transaction's takes none, ledger.Commit is a function of a
// package, and a field named Commit is not called.
func commits(p pkg) []string {
	if matches(p.name(), committers) || layerOf(p.name()) == "adapters" || layerOf(p.name()) == "suites" {
		return nil
	}
	var out []string
	eachCall(p, func(f file, of string, s *ast.SelectorExpr, args []ast.Expr) {
		if of == "" && s.Sel.Name == "Commit" && len(args) > 0 {
			out = append(out, f.at(p, s)+" commits to the store: mutations go through internal/commit")
		}
	})
	return out
}

// eachCall calls see with each call of something by a selector outside of test files, and
// the imported package that it is of; empty: none.
func eachCall(p pkg, see func(f file, of string, s *ast.SelectorExpr, args []ast.Expr)) {
	for _, f := range p.files {
		if f.test {
			continue
		}
		names := importNames(f.tree)
		ast.Inspect(f.tree, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if s, ok := c.Fun.(*ast.SelectorExpr); ok {
				x, _ := s.X.(*ast.Ident)
				of := ""
				if x != nil {
					of = names[x.Name]
				}
				see(f, of, s, c.Args)
			}
			return true
		})
	}
}

// importNames maps the names by which a file knows its imports to their paths,
// ours relative to the module.
func importNames(tree *ast.File) map[string]string {
	out := make(map[string]string, len(tree.Imports))
	for _, i := range tree.Imports {
		full, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(full)
		if i.Name != nil {
			name = i.Name.Name
		}
		out[name] = strings.TrimPrefix(full, module)
	}
	return out
}

func (f file) at(p pkg, n ast.Node) string {
	return fmt.Sprintf("%s/%s:%d", p.name(), f.name, f.set.Position(n.Pos()).Line)
}
