//go:build !tablefile

package static

import _ "embed" // the table and its pieces

//go:embed table.bin
var tableFile string

//go:embed pieces.txt
var pieceFile string

// files answers the table and the pieces that the program carries.
func files() (file, pieces string, err error) { return tableFile, pieceFile, nil }
