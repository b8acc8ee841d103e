package screen

import (
	"strings"
	"testing"
)

// plain is ordinary prose of some 200 characters.
const plain = "We met at the harbour on Sunday and walked along the old wall until it rained. Jonas had brought bread, " +
	"two kinds of cheese and a map from 1962 that shows every mill. Shall we do the second part in April, after the exams?"

func BenchmarkCheck200(b *testing.B)   { benchmark(b, plain[:200]) }
func BenchmarkCheck16000(b *testing.B) { benchmark(b, strings.Repeat(plain+"\n", 80)[:16000]) }

func BenchmarkCheck16000CJK(b *testing.B) {
	benchmark(b, string([]rune(strings.Repeat("我们星期天在港口见面，沿着旧城墙散步，直到下雨。约纳斯带来了面包和奶酪。", 500))[:16000]))
}

func benchmark(b *testing.B, text string) {
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if !Check(text).Clean() {
			b.Fatal("the text is clean")
		}
	}
}
