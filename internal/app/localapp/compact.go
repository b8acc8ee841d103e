package localapp

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"holdfast/internal/config"
	"holdfast/internal/store/boltstore"
)

// Compact writes the database file of the data folder anew, without what was
// deleted from it, and tells its size before and after. No server may run.
func Compact(c config.Config, out io.Writer) error {
	if c.Store != config.Bolt {
		return fmt.Errorf("HOLDFAST_STORE=%s has no file to compact", c.Store)
	}
	done, err := boltstore.Compact(c.Data)
	switch {
	case errors.Is(err, boltstore.ErrLocked):
		return fmt.Errorf("%w: stop the server, then compact", err)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no %s in the data folder %s", boltstore.FileName, c.Data)
	case err != nil:
		return explained(c, err)
	}
	_, err = fmt.Fprintf(out, "%s: %d bytes before, %d after\n", boltstore.FileName, done.Before, done.After)
	return err
}
