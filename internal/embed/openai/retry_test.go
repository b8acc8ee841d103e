package openai

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"holdfast/internal/clock"
	"holdfast/internal/embed"
)

func TestWhatMayPassIsTriedAgain(t *testing.T) {
	for name, reply := range map[string]http.HandlerFunc{
		"429": status(429), "408": status(408), "500": status(500), "502": status(502),
		"503": status(503), "529": status(529), "cut body": cutOff,
		"hangs up": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		n := &naps{}
		d := newDouble(t, reply, reply)
		mustEmbed(t, embedderFor(t, optionsFor(d, n)), "text")
		if len(d.seen()) != 3 {
			t.Errorf("%s: asked %d times", name, len(d.seen()))
		}
		if want := []time.Duration{firstPause, 2 * firstPause}; !slices.Equal(n.taken, want) {
			t.Errorf("%s: pauses %v, want %v", name, n.taken, want)
		}
	}
}

func TestTriesAreUsedUp(t *testing.T) {
	for name, reply := range map[string]http.HandlerFunc{"429": status(429), "500": status(500), "cut body": cutOff} {
		d := newDouble(t, reply, reply, reply, reply)
		refused(t, name, embedderFor(t, optionsFor(d, &naps{})), embed.ErrUnavailable)
		if len(d.seen()) != 4 {
			t.Errorf("%s: asked %d times", name, len(d.seen()))
		}
	}
}

func TestRefusalsAreNotTriedAgain(t *testing.T) {
	for _, reply := range []http.HandlerFunc{
		status(400), status(401), status(403), status(404), status(413), status(422), status(204),
		status(302, "Location", "/elsewhere"), status(307, "Location", "http://127.0.0.1/elsewhere"),
	} {
		d := newDouble(t, reply)
		options := optionsFor(d, &naps{})
		options.Client = nil
		refused(t, "refusal", embedderFor(t, options), embed.ErrUnavailable)
		if len(d.seen()) != 1 {
			t.Errorf("asked %d times", len(d.seen()))
		}
	}
}

func TestAnAddressThatNobodyListensAtIsUnavailable(t *testing.T) {
	d := newDouble(t)
	d.Close()
	n := &naps{}
	refused(t, "closed", embedderFor(t, optionsFor(d, n)), embed.ErrUnavailable)
	if len(n.taken) != 3 {
		t.Errorf("pauses %v", n.taken)
	}
}

func TestRetryAfterIsHeeded(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"3": 3 * time.Second, "0": firstPause, "-1": firstPause, "soon": firstPause,
		"99999999999": firstPause, "Wed, 02 Jan 2030 03:04:06 GMT": firstPause,
	} {
		n := &naps{}
		mustEmbed(t, embedderFor(t, optionsFor(newDouble(t, status(429, "Retry-After", value)), n)), "text")
		if !slices.Equal(n.taken, []time.Duration{want}) {
			t.Errorf("Retry-After %q: pauses %v, want %v", value, n.taken, want)
		}
	}
}

func TestNoPauseBeyondTheDeadline(t *testing.T) {
	d, n := newDouble(t, status(429, "Retry-After", "60")), &naps{}
	ctx := deadline{context.Background(), testNow.Add(10 * time.Second)}
	_, err := embedderFor(t, optionsFor(d, n)).Embed(ctx, []string{"text"})
	if !errors.Is(err, embed.ErrUnavailable) || !strings.Contains(err.Error(), "429") || len(n.taken) != 0 || len(d.seen()) != 1 {
		t.Errorf("error %v, pauses %v, asked %d times", err, n.taken, len(d.seen()))
	}
}

// deadline is a context that says when it will end and does not end: the clock of
// the test stands still.
type deadline struct {
	context.Context
	at time.Time
}

func (d deadline) Deadline() (time.Time, bool) { return d.at, true }

func TestASlowAnswerEndsWithTheContext(t *testing.T) {
	d := newDouble(t, hangs)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	vectors, err := embedderFor(t, optionsFor(d, &naps{})).Embed(ctx, []string{"text"})
	if !errors.Is(err, embed.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) || vectors != nil {
		t.Errorf("%d vectors, error %v", len(vectors), err)
	}
	if len(d.seen()) > 1 {
		t.Errorf("asked %d times", len(d.seen()))
	}
}

func TestASlowTryIsTriedAgain(t *testing.T) {
	d := newDouble(t, hangs)
	options := optionsFor(d, &naps{})
	options.Client.Timeout = 200 * time.Millisecond
	options.Attempts = 50 // a machine may be too busy for some
	mustEmbed(t, embedderFor(t, options), "text")
	if len(d.seen()) < 2 {
		t.Errorf("asked %d times", len(d.seen()))
	}
}

func TestAContextThatEndsInAPause(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	options := optionsFor(newDouble(t, status(500)), &naps{})
	options.Sleep = func(ctx context.Context, _ time.Duration) error { cancel(); return ctx.Err() }
	_, err := embedderFor(t, options).Embed(ctx, []string{"text"})
	if !errors.Is(err, embed.ErrUnavailable) || !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestPausesGrowToTheLimitAndAreDrawnEvenly(t *testing.T) {
	n := &naps{}
	options := optionsFor(newDouble(t, slices.Repeat([]http.HandlerFunc{status(500)}, 9)...), n)
	options.Attempts = 10
	mustEmbed(t, embedderFor(t, options), "text")
	for i, pause := range n.taken {
		if want := min(longestPause, firstPause<<i); pause != want {
			t.Errorf("pause %d: %v, want %v", i, pause, want)
		}
	}
	for random, want := range map[byte]time.Duration{0: 0, 0x40: firstPause / 4, 0x80: firstPause / 2} {
		n := &naps{}
		options := optionsFor(newDouble(t, status(500)), n)
		options.Random = io.MultiReader(strings.NewReader(string([]byte{random, 0, 0, 0, 0, 0, 0, 0})))
		mustEmbed(t, embedderFor(t, options), "text")
		if n.taken[0] != want {
			t.Errorf("drawn %#x: %v, want %v", random, n.taken[0], want)
		}
	}
}

func TestNoRandomnessNoPause(t *testing.T) {
	options := optionsFor(newDouble(t, status(500)), &naps{})
	options.Random = strings.NewReader("")
	refused(t, "no randomness", embedderFor(t, options), embed.ErrUnavailable)
}

func TestAFailedBatchAnswersNoVectors(t *testing.T) {
	d := newDouble(t, sound, status(400))
	options := optionsFor(d, &naps{})
	options.BatchSize = 1
	refused(t, "second batch", embedderFor(t, options), embed.ErrUnavailable)
	if len(d.seen()) != 2 {
		t.Errorf("asked %d times", len(d.seen()))
	}
}

func TestSleepEndsWithTheTimerOrTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if err := clock.Pause(t.Context(), time.Hour); err != nil {
			t.Errorf("slept: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := clock.Pause(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("ended: %v", err)
		}
	})
}
