package static

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"holdfast/internal/embed"
)

// beside makes a folder with both files, and damages one of them.
func beside(t *testing.T, name string, damage func([]byte) []byte) string {
	t.Helper()
	folder := t.TempDir()
	for _, file := range []string{TableName, PiecesName} {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if file == name {
			content = damage(content)
		}
		if err := os.WriteFile(filepath.Join(folder, file), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func over(folder string) *Embedder {
	return &Embedder{func() (*table, error) { return read(func() (string, string, error) { return readFolder(folder) }) }}
}

func TestFilesBesideTheProgramAreTheBuiltInOnes(t *testing.T) {
	embedder := over(beside(t, "", nil))
	if embed.Cosine(one(t, embedder, benchText), one(t, fresh(t), benchText)) < 1-1e-6 {
		t.Error("other vectors")
	}
}

func TestDamagedFilesAreAnErrorOfEmbed(t *testing.T) {
	half := func(content []byte) []byte { return content[:len(content)/2] }
	flipped := func(content []byte) []byte { content[len(content)/2] ^= 1; return content }
	for name, folder := range map[string]string{
		"table half": beside(t, TableName, half), "table flipped": beside(t, TableName, flipped),
		"pieces half": beside(t, PiecesName, half), "pieces flipped": beside(t, PiecesName, flipped),
	} {
		refuses(t, name, over(folder), errDamaged)
	}
}

func TestMissingFilesAreAnErrorOfEmbed(t *testing.T) {
	for _, name := range []string{TableName, PiecesName} {
		folder := beside(t, "", nil)
		if err := os.Remove(filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
		refuses(t, name, over(folder), fs.ErrNotExist)
	}
}

// refuses asks an embedder that cannot load: it names itself all the same.
func refuses(t *testing.T, name string, embedder *Embedder, want error) {
	t.Helper()
	vectors, err := embedder.Embed(t.Context(), []string{"a lamp"})
	if vectors != nil || !errors.Is(err, embed.ErrUnavailable) || !errors.Is(err, want) {
		t.Errorf("%s: %v, %v", name, vectors, err)
	}
	if err := embedder.Load(); !errors.Is(err, embed.ErrUnavailable) || !errors.Is(err, want) {
		t.Errorf("%s: Load answers %v", name, err)
	}
	if embedder.Profile() != New().Profile() {
		t.Errorf("%s: another profile", name)
	}
}
