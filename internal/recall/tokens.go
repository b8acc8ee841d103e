package recall

import "unicode/utf8"

// Tokenizer is the name of the token count (T.58).
const Tokenizer = "chars4"

// Tokens counts a text: code points divided by 4, rounded up.
func Tokens(text string) int { return tokensOf(utf8.RuneCountInString(text)) }

func tokensOf(runes int) int { return (runes + 3) / 4 }
