package archtest

import (
	"go/ast"
)

// lines finds attributes of log lines that hold an error's whole text, or the error:
// those of parsers and clients repeat what they read.
func lines(p pkg) []string {
	var out []string
	for _, f := range p.files {
		if f.test {
			continue
		}
		names := importNames(f.tree)
		ast.Inspect(f.tree, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if !ok || len(c.Args) != 2 {
				return true
			}
			s, ok := c.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := s.X.(*ast.Ident); ok && names[x.Name] == "log/slog" && wholeError(c.Args[1]) {
				out = append(out, f.at(p, s)+" logs an error's text: say errs.Describe(err)")
			}
			return true
		})
	}
	return out
}

// wholeError tells err and x.Error().
func wholeError(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "err"
	case *ast.CallExpr:
		s, ok := e.Fun.(*ast.SelectorExpr)
		return ok && s.Sel.Name == "Error" && len(e.Args) == 0
	}
	return false
}
