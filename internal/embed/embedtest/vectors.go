package embedtest

import "math"

func profileNames(w *world) {
	profile := w.embedder.Profile()
	if profile.Model == "" || profile.Dimension < 1 || profile.Version < 1 {
		w.Fatalf("profile %+v", profile)
	}
}

func profileStays(w *world) {
	before := w.embedder.Profile()
	w.embed(texts...)
	if after := w.embedder.Profile(); after != before {
		w.Fatalf("profile was %+v, is %+v", before, after)
	}
}

func profileRange(w *world) {
	profile := w.embedder.Profile()
	if profile.LexicalShare < 0 || profile.LexicalShare > 1 {
		w.Errorf("lexical share %v", profile.LexicalShare)
	}
	if profile.Floor < -1 || profile.Floor >= 1 {
		w.Errorf("floor %v", profile.Floor)
	}
}

func inOrder(w *world) {
	together := w.embed(texts...)
	for i, text := range texts {
		alone := w.embed(text)[0]
		for j, vector := range together {
			if same := near(alone, vector); same != (i == j) {
				w.Errorf("text %d has the vector of place %d: %v", i, j, same)
			}
		}
	}
}

func repeated(w *world) {
	vectors := w.embed(texts[0], texts[1], texts[0])
	if !near(vectors[0], vectors[2]) {
		w.Error("the vectors of the same text differ within a batch")
	}
}

func dimension(w *world) {
	for i, vector := range w.embed(append([]string{""}, texts...)...) {
		if len(vector) != w.embedder.Profile().Dimension {
			w.Errorf("vector %d has dimension %d", i, len(vector))
		}
	}
}

func unitLength(w *world) {
	for i, vector := range w.embed(texts...) {
		if length := length(vector); math.Abs(length-1) > 1e-5 {
			w.Errorf("vector %d has length %v", i, length)
		}
	}
}

func nothingToEmbed(w *world) {
	vectors := w.embed("", texts[0], " \t\r\n ")
	if length(vectors[0]) != 0 || length(vectors[2]) != 0 {
		w.Error("an empty text has a direction")
	}
	if length(vectors[1]) == 0 {
		w.Error("the text between empty ones has none")
	}
}

func onlyEmpty(w *world) {
	for i, vector := range w.embed("", "\n") {
		if length(vector) != 0 {
			w.Errorf("vector %d has a direction", i)
		}
	}
}

func sameText(w *world) {
	if !near(w.embed(texts[0])[0], w.embed(texts[0])[0]) {
		w.Error("the vectors of two calls differ")
	}
}
