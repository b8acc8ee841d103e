package localapp

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"holdfast/internal/config"
)

// rootKeyFile holds a root key that was made here, readable by its owner only.
const rootKeyFile = "root.key"

// rootKey answers the root key and where it comes from: the setting, the file of
// an earlier start, or a new file. made tells the last, when it is printed once.
func rootKey(c config.Config) (key, place string, made bool, err error) {
	if key := c.RootKey.Reveal(); key != "" {
		return key, "HOLDFAST_ROOT_KEY", false, nil
	}
	path := filepath.Join(c.Data, rootKeyFile)
	raw, err := os.ReadFile(path)
	if err == nil {
		return strings.TrimSpace(string(raw)), path, false, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", "", false, fmt.Errorf("the root key cannot be read: %w", err)
	}
	key = "holdfast_root_" + rand.Text() + rand.Text()
	if err := writeSecret(path, []byte(key+"\n")); err != nil {
		return "", "", false, fmt.Errorf("the root key cannot be kept: %w", err)
	}
	return key, path, true, nil
}

// writeSecret writes a file that only its owner may read, whole or not at all.
func writeSecret(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".new-*") // made with mode 0600
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	err = errors.Join(err, file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
