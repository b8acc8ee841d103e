package main

import (
	"os"
	"path/filepath"

	"holdfast/internal/embed/static"
	"holdfast/internal/routes"
)

// modelFolder is where the repository keeps the local embedding model.
const modelFolder = "internal/embed/static"

// embeds tells whether a function's needs let it embed text.
func embeds(function string) bool {
	for _, r := range routes.All() {
		if r.ID == function {
			return r.Needs.Has(routes.Embed)
		}
	}
	for _, w := range routes.Workers() {
		if w.ID == function {
			return w.Needs.Has(routes.Embed)
		}
	}
	return false
}

// copyModel puts the model's files into a function's folder.
func copyModel(folder string) error {
	for _, name := range []string{static.TableName, static.PiecesName} {
		content, err := os.ReadFile(filepath.Join(modelFolder, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
