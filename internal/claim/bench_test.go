package claim

import "testing"

func BenchmarkRead(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"claim", "The retry limit was raised from 3 to 5."},
		{"none", "The nightly build of the release branch takes artefacts out of the shared cache and puts them into a bucket."},
		{"long", "We met in the morning, walked along the river, and had lunch in a small place with a view of the old bridge; the soup was good. " +
			"Later it rained and nobody had brought an umbrella along."},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				Read(c.text)
			}
		})
	}
}
