// Command newroute writes what a new route or worker needs beside its entry in the
// table (internal/routes) and its endpoint: the main of its function and a sample
// event. It writes what is missing and leaves alone what is there.
//
//	go run ./scripts/newroute
//
// It finds the constructor of a route by reading internal/httpapi: the exported
// function that answers an httpapi.Endpoint and names the route.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"text/template"

	"holdfast/internal/routes"
)

func main() {
	if err := run(".", ".", os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "newroute:", err)
		os.Exit(1)
	}
}

// run reads the module at root, writes below out and says what it wrote.
func run(root, out string, said io.Writer) error {
	names, err := variables(filepath.Join(root, "internal", "routes"))
	if err != nil {
		return err
	}
	constructors, err := findConstructors(filepath.Join(root, "internal"))
	if err != nil {
		return err
	}
	var problems []error
	for _, r := range routes.All() {
		if r.LocalOnly {
			continue
		}
		c, ok := constructors[names[r.ID]]
		if !ok {
			problems = append(problems, fmt.Errorf("no constructor names routes.%s", names[r.ID]))
			continue
		}
		m := mainFile{ID: r.ID, Summary: r.Summary, Variable: names[r.ID], Import: c.Import, Package: c.Package, Constructor: c.Name}
		problems = append(problems, writeMissing(out, said, r.ID, routeMain, m, routeEvent(r)))
	}
	for _, w := range routes.Workers() {
		m := mainFile{ID: w.ID, Summary: w.Summary, Variable: names[w.ID]}
		problems = append(problems, writeMissing(out, said, w.ID, workerMain, m, workerEvent(w)))
	}
	problems = append(problems, write(said, filepath.Join(out, "functions", "fallback", "main.go"), []byte(fallbackMain)))
	return errors.Join(problems...)
}

type mainFile struct {
	ID, Summary, Variable, Import, Package, Constructor string
}

var routeMain = template.Must(template.New("route").Parse(`// Command {{.ID}} is the Lambda function of one route: {{.Summary}}.
package main

import (
	"holdfast/internal/app/awsapp"
	"{{.Import}}"
	"holdfast/internal/routes"
)

func main() { awsapp.Serve(routes.{{.Variable}}, {{.Package}}.{{.Constructor}}) }
`))

var workerMain = template.Must(template.New("worker").Parse(`// Command {{.ID}} is the Lambda function of one worker: {{.Summary}}.
package main

import (
	"holdfast/internal/app/awsapp"
	"holdfast/internal/routes"
)

func main() { awsapp.Work(routes.{{.Variable}}) }
`))

// fallbackMain is the one function that belongs to no route: it stands behind
// $default (T.54).
const fallbackMain = `// Command fallback is the Lambda function that answers what no route takes.
package main

import "holdfast/internal/app/awsapp"

func main() { awsapp.Fallback() }
`

func writeMissing(out string, said io.Writer, id string, t *template.Template, m mainFile, event []byte) error {
	var text bytes.Buffer
	if err := t.Execute(&text, m); err != nil {
		return err
	}
	if err := write(said, filepath.Join(out, "functions", id, "main.go"), text.Bytes()); err != nil {
		return err
	}
	return write(said, filepath.Join(out, "events", id+".json"), event)
}

// write makes a file that does not exist yet.
func write(said io.Writer, path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintln(said, "wrote", path)
	return err
}
