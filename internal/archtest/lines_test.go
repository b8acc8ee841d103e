package archtest

import (
	"go/ast"
)

// lines finds attributes of log lines that hold an error's whole text, or the error:
// those of parsers and clients repeat what they read.
func lines(p pkg) []string {
	var out []string
	eachCall(p, func(f file, of string, s *ast.SelectorExpr, args []ast.Expr) {
		if of == "log/slog" && len(args) == 2 && wholeError(args[1]) {
			out = append(out, f.at(p, s)+" logs an error's text: say errs.Describe(err)")
		}
	})
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
