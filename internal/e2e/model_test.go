package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"holdfast/internal/e2e/process"
)

// deployed builds a program the way a deployment does: the local embedding model is
// no part of it but lies in the folder beside it, if at all.
func deployed(t *testing.T, pkg string, model bool) string {
	t.Helper()
	at := t.TempDir()
	program, err := process.Build(t.Context(), pkg, at, "-tags=tablefile")
	if err != nil {
		t.Fatal(err)
	}
	if !model {
		return program
	}
	for _, name := range []string{"table.bin", "pieces.txt"} {
		content, err := os.ReadFile(filepath.Join("../embed/static", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(at, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return program
}

func TestAServerWithoutItsEmbeddingModelDoesNotStart(t *testing.T) {
	o := options(folder(t))
	o.Binary = deployed(t, "holdfast/scripts/local", false)
	refuses(t, o, "table.bin")
}

// Without the model an append is kept all the same: its vector is a job that is left.
func TestAFunctionServesWithItsEmbeddingModelBesideItAndWithout(t *testing.T) {
	sample, err := os.ReadFile("../../events/memory-append.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, model := range []bool{true, false} {
		data := folder(t)
		s := start(t, options(data))
		place := s.place(t)
		if code := s.stop(t); code != 0 {
			t.Fatalf("exit code %d", code)
		}
		api := newLambdaRuntime(t)
		o := options(data, "AWS_LAMBDA_RUNTIME_API="+strings.TrimPrefix(api.URL, "http://"))
		o.Binary = deployed(t, "holdfast/functions/memory-append", model)
		p, err := process.Start(o)
		if err != nil {
			t.Fatal(err)
		}
		a := api.invoke(t, p, theirs(t, sample, place))
		output := p.Output()
		if err := p.Close(); err != nil {
			t.Log(err) // it was killed
		}
		if a.StatusCode != http.StatusOK {
			t.Errorf("model %v: %+v", model, a)
		}
		if strings.Contains(output, "embedding model") == model {
			t.Errorf("model %v: log %s", model, output)
		}
	}
}
