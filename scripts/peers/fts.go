package main

import (
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"unicode"

	_ "modernc.org/sqlite" // the driver "sqlite", with FTS5
)

type ftsIndex struct {
	db   *sql.DB
	find *sql.Stmt
}

// openFTS makes an FTS5 table in a database file: words by unicode61 (letters and
// digits, lower case, diacritics out), Porter stems, no stop words. All texts are one
// transaction; SQLite's settings are its own. The rank is FTS5's own, which is bm25()
// with k1 1.2 and b .75.
func openFTS(folder string, texts []string) (index, error) {
	db, err := sql.Open("sqlite", filepath.Join(folder, "fts.db"))
	if err != nil {
		return nil, err
	}
	if err := fillFTS(db, texts); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	find, err := db.Prepare(`SELECT rowid FROM items WHERE items MATCH ? ORDER BY rank LIMIT ?`)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return ftsIndex{db, find}, nil
}

func fillFTS(db *sql.DB, texts []string) error {
	if _, err := db.Exec(`CREATE VIRTUAL TABLE items USING fts5(text, tokenize = 'porter unicode61')`); err != nil {
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	for i, text := range texts {
		if _, err := tx.Exec(`INSERT INTO items (rowid, text) VALUES (?, ?)`, i, text); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	return tx.Commit()
}

func (x ftsIndex) search(query string, n int) (found []int, err error) {
	words := anyWord(query)
	if words == "" {
		return nil, nil
	}
	rows, err := x.find.Query(words, n)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var at int
		if err := rows.Scan(&at); err != nil {
			return nil, err
		}
		found = append(found, at)
	}
	return found, rows.Err()
}

// anyWord is the FTS5 expression for any of a text's words. Each is quoted, so that it
// is a word even where it reads like an operator; it is cut where unicode61 would cut
// it, since a string of several words would have to match as a phrase.
func anyWord(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M) })
	for i, word := range words {
		words[i] = `"` + word + `"`
	}
	return strings.Join(words, " OR ")
}

func (x ftsIndex) close() error { return errors.Join(x.find.Close(), x.db.Close()) }
