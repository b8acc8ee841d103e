package offline

import (
	"strings"

	"holdfast/internal/extract/prose"
)

// greetings begin short sentences that say nothing to keep.
var greetings = newPhrases("morning", "good morning", "good afternoon", "good evening", "good night", "bye", "goodbye", "cheers",
	"olá", "oi", "bom dia", "boa tarde", "boa noite", "obrigado", "obrigada", "muito obrigado", "muito obrigada",
	"tudo bem", "de nada", "até logo", "até amanhã", "que bom", "hallo", "guten morgen", "guten tag", "guten abend", "danke",
	"vielen dank", "bitte", "tschüss", "auf wiedersehen", "bis bald", "bis morgen", "bonjour", "bonsoir", "salut", "merci",
	"au revoir", "de rien", "à bientôt", "hola", "buenos días", "buenas tardes", "buenas noches", "gracias", "muchas gracias",
	"adiós", "hasta luego", "vale", "ciao", "buongiorno", "buonasera", "grazie", "arrivederci", "prego", "cześć", "dzień dobry",
	"dziękuję", "do widzenia", "dobry wieczór", "привет", "здравствуйте", "спасибо", "большое спасибо", "пока", "до свидания",
	"доброе утро", "добрый день", "добрый вечер", "مرحبا", "شكرا", "السلام عليكم", "صباح الخير", "مساء الخير", "مع السلامة",
	"नमस्ते", "धन्यवाद", "शुक्रिया", "merhaba", "teşekkürler", "teşekkür ederim", "günaydın", "hej", "tack", "god morgon", "takk",
	"tak", "dank je", "dank u", "goedemorgen", "안녕하세요", "감사합니다", "안녕", "고마워요", "dobrý den", "děkuji", "ahoj")

// denseGreetings are those of scripts that do not part words.
var denseGreetings = []string{"你好", "您好", "谢谢", "謝謝", "再见", "早上好", "晚上好", "晚安", "不客气", "好的", "こんにちは", "こんばんは",
	"おはよう", "ありがとう", "さようなら", "よろしく", "お疲れ", "はい", "いいえ", "สวัสดี", "ขอบคุณ"}

// greets tells whether a sentence is no more than a greeting or thanks.
func (s sentence) greets() bool {
	if len(s.low) == 0 {
		return false
	}
	if n := greetings.at(s.low, 0); n > 0 && len(s.low) <= n+2 {
		return true
	}
	for _, greeting := range denseGreetings {
		if strings.HasPrefix(s.text, greeting) && prose.WordRunes(s.text) <= prose.WordRunes(greeting)+5 {
			return true
		}
	}
	return false
}
