package localapp

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
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
		key, err = checkedKey(path, raw)
		return key, path, false, err
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

// checkedKey holds the content of the file to the rule of the setting.
func checkedKey(path string, raw []byte) (string, error) {
	const name = "HOLDFAST_ROOT_KEY"
	key := strings.TrimSpace(string(raw))
	_, err := config.FromEnviron([]string{name + "=" + key})
	if key == "" {
		err = errors.New("is empty")
	}
	if err != nil {
		return "", fmt.Errorf("the root key in %s %s: put the old key back, or remove the file, and the next start makes a new root key",
			path, strings.TrimPrefix(err.Error(), name+" "))
	}
	return key, nil
}

// ownerOnly is the mode of a file with a secret in it.
const ownerOnly = 0o600

// ownersOnly makes files with secrets that others may use too, such as copies from
// a backup, their owner's only, and answers a warning for each. One whose mode cannot
// be changed, such as a mounted secret's, is used all the same.
func ownersOnly(folder string) (warnings []string) {
	if runtime.GOOS == "windows" { // where modes say nothing
		return nil
	}
	for _, name := range []string{rootKeyFile, demoFile} {
		path := filepath.Join(folder, name)
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&^ownerOnly == 0 {
			continue // whoever reads it tells what is wrong
		}
		warning := fmt.Sprintf("others could use %s until now: replace the key in it if somebody did", path)
		if err := os.Chmod(path, ownerOnly); err != nil {
			warning = fmt.Sprintf("others can use %s: give it mode 0600", path)
		}
		warnings = append(warnings, warning)
	}
	return warnings
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
