//go:build tablefile

package static

import (
	"os"
	"path/filepath"
)

// files answers the table and the pieces that lie beside the program.
func files() (file, pieces string, err error) {
	program, err := os.Executable()
	if err != nil {
		return "", "", err
	}
	return readFolder(filepath.Dir(program))
}
