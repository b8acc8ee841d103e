// Package screen tells whether a text that enters the memory looks like an
// injected order, an attempt to carry data out, a hidden payload or a secret
// (S0.18, R0.39, R0.70, R0.87, T.27).
//
// Everything it looks for is one row of the table in rules.go: a reason code,
// its meaning, how it is found, texts that it must catch and texts that it must
// leave alone. The rest of the package is how a row finds: phrases over classes
// of words (phrase.go, words.go), single characters (hidden.go), markers of chat
// formats (markers.go, turns.go), links (links.go), secrets (secrets.go,
// assignment.go, statement.go), text inside text (encoded.go, escapes.go,
// readings.go, separators.go) and the kind of document around a phrase (mail.go).
//
// Invariants: Check is pure, deterministic, safe for concurrent use and linear
// in the length of the text; it reads nothing but its argument. Spans are byte
// offsets into that argument. The package imports the standard library only.
package screen
