package screen

// characterRules catch characters by which a text shows other than it is (R0.70,
// R0.87).
var characterRules = []rule{
	{
		code: "hidden_characters", means: "characters that cannot be seen, where nothing needs them",
		find: scan(findHidden),
		hits: []string{
			"zero\u200bwidth", "word\u2060joiner", "late mark \ufeff here", "bell \x07 rings", "ANSI \x1b[31mred\x1b[0m",
			"next\u0085line", "a\u200db", "tab\u200c\u200d\u200c\u200dbits", "pay\u00adpal", "two \u00ad alone",
			"tag \U000e0041\U000e0042 text", "\U0001f3f4\U000e0075\U000e0073\U000e007f no flag of ours", "x\ufe01\ufe02\ufe01",
			"ghost\u3164filler", "left\u200emark in English", "annotated\ufff9text",
		},
		misses: []string{
			"tab\tline\r\nand more\n", "\ufeffstarts with a byte order mark", "Family 👨\u200d👩\u200d👧 and a nurse 👩🏽\u200d⚕\ufe0f met.",
			"❤\ufe0f\u200d🔥 and 1\ufe0f⃣ and ☀\ufe0f and ©\ufe0f", "می\u200cخواهم بروم", "क्\u200dष और र्\u200dय", "ශ්\u200dරී ලංකා", "\u200fשלום\u200e (Tel Aviv)",
			"England 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f won", "Donaudampf\u00adschifffahrt", "葛\U000e0100城市", "no-break\u00a0space and thin\u2009space",
			"مرحبا بالعالم", "שלום עולם", "ﷺ", "e\u0301a\u0308", "日本語　全角",
			"សួស្តី\u200bពិភពលោក",
		},
	},
	{
		code: "bidi_characters", means: "characters that turn the direction of what follows",
		find: scan(findBidi),
		hits: []string{
			"report\u202egpj.exe", "a\u2066b\u2069c", "x\u202ay\u202c", "שלום \u2067עולם\u2069",
		},
		misses: []string{"שלום עולם, 12 שקלים", "النص العربي فقط"},
	},
}
