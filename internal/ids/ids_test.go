package ids

import (
	"bytes"
	"regexp"
	"sync"
	"testing"
	"time"
)

var form = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

func TestT56IdsAreUUIDv7InTheOrderTheyWereMade(t *testing.T) {
	now := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	s := NewSource(func() time.Time { return now }, nil)
	last := ""
	for i := range 10_000 { // more than a millisecond's 4,096
		if i == 5000 {
			now = now.Add(-time.Hour) // the clock steps back
		}
		id := s.New()
		if !form.MatchString(id) || !Valid(id) {
			t.Fatalf("form of %s", id)
		}
		if id <= last {
			t.Fatalf("%s after %s", id, last)
		}
		last = id
	}
}

func TestIdsOfManyCallersAreDifferent(t *testing.T) {
	s := NewSource(time.Now, nil)
	var mu sync.Mutex
	seen := map[string]bool{}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 1000 {
				id := s.New()
				mu.Lock()
				seen[id] = true
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if len(seen) != 8000 {
		t.Fatalf("%d different ids", len(seen))
	}
}

func TestTimeIsTheIdsMillisecond(t *testing.T) {
	at := time.Date(2026, 5, 1, 9, 0, 0, 123_456_789, time.UTC)
	id := NewSource(func() time.Time { return at }, bytes.NewReader(make([]byte, 8))).New()
	got, ok := Time(id)
	if !ok || !got.Equal(at.Truncate(time.Millisecond)) {
		t.Fatalf("%s: %v, %v", id, got, ok)
	}
	for _, other := range []string{"", "none", "3b241101-e2bb-4255-8caf-4136c566a962"} {
		if _, ok := Time(other); ok {
			t.Errorf("%q has a time", other)
		}
	}
}

func TestADerivedIDIsAlwaysTheSameAndInTheOrderOfItsNumber(t *testing.T) {
	at := time.Date(2026, 5, 1, 9, 0, 0, 123_456_789, time.UTC)
	one := Derived(at, 7, "a", "bc")
	if one != Derived(at.Truncate(time.Millisecond), 7, "a", "bc") {
		t.Error("another id for the same")
	}
	if got, ok := Time(one); !ok || !got.Equal(at.Truncate(time.Millisecond)) {
		t.Errorf("%s is of %v", one, got)
	}
	for _, other := range []string{Derived(at, 7, "ab", "c"), Derived(at, 7, "a"), Derived(at, 7+4096, "a", "bc"), Derived(at.Add(time.Millisecond), 7, "a", "bc")} {
		if other == one || !Valid(other) {
			t.Errorf("%s of others", other)
		}
	}
	if Derived(at, 8, "a") < one || Derived(at.Add(time.Millisecond), 0, "a") < one {
		t.Error("order")
	}
}

func FuzzValidIsTheForm(f *testing.F) {
	f.Add("0198f3c2-6a00-7000-8000-00000000c0de")
	f.Add("0198F3C2-6A00-7000-8000-00000000C0DE")
	f.Add("0198f3c2-6a00-7000-8000-00000000c0d")
	uuid := regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\z`)
	f.Fuzz(func(t *testing.T, text string) {
		if Valid(text) != uuid.MatchString(text) {
			t.Fatalf("%q: %v", text, Valid(text))
		}
	})
}

func TestT56IdsOfFactsAreInTheOrderTheyWereMade(t *testing.T) {
	now := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	s := NewSource(func() time.Time { return now }, nil)
	last := ""
	for i := range 10_000 {
		if i%1000 == 0 {
			now = now.Add(time.Second)
		}
		id := s.NewFact()
		if !ValidFact(id) || len(id) != 28 || id <= last {
			t.Fatalf("%s after %s", id, last)
		}
		last = id
	}
}

func FuzzValidFact(f *testing.F) {
	for _, seed := range []string{"", "m_", "m_unknown", "m_00000000000000000000000000", "m_00000000000000000000000001", "x_00000000000000000000000000", "m_\n0000000000000000000000000"} {
		f.Add(seed)
	}
	form := regexp.MustCompile(`^m_[0-9a-v]{25}[048cgkos]$`)
	f.Fuzz(func(t *testing.T, text string) {
		if ValidFact(text) != (len(text) == 28 && form.MatchString(text)) {
			t.Errorf("%q: %v", text, ValidFact(text))
		}
	})
}
