package fact

import (
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"testing"
	"time"

	"holdfast/internal/store"
	"holdfast/internal/store/keys"
)

var update = flag.Bool("update", false, "rewrite golden files")

const factID = "m_06eahetq4do018pra3ca6707m0"

// whole is a fact with every member set.
func whole() *Fact {
	at := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	return &Fact{
		ID: factID, Space: OfAgent("desk").Hash(),
		Edition: Edition{Version: 3, Path: Path{"users/anna/straße/"}, Text: "The <lamp> & the rope.\n", Tags: []string{"b", "a"},
			Confidence: ptr(0.25), UpdatedAt: at.Add(1500 * time.Millisecond), Source: Source{RunID: "run", WrittenBy: Model}},
		CreatedAt: at, Quarantined: true, Generation: 2, Bytes: 77, Salt: []byte{1, 2, 3}, Revision: 9,
	}
}

func golden(t *testing.T, name string, got []byte) []byte {
	t.Helper()
	path := "testdata/" + name
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("written\n%s\nwant\n%s", got, want)
	}
	return want
}

// A golden is what a format of the rows looks like for ever.
func TestHeadRowsOfFormat1AreRead(t *testing.T) {
	item, err := headItem(scope, whole())
	if err != nil {
		t.Fatal(err)
	}
	item.Attrs[attrDoc] = store.B(golden(t, "head_v1.json", item.Attrs.Bytes(attrDoc)))
	read, err := Decode(item)
	if err != nil || !reflect.DeepEqual(read, whole()) {
		t.Errorf("read %+v, %v", read, err)
	}
	if item.Attrs.Int(attrVersion) != 3 || item.Attrs.Int(attrRevision) != 9 || item.Attrs.Text(attrSpace) != whole().Space {
		t.Errorf("attributes %v", item.Attrs)
	}
}

func TestVersionRowsOfFormat1AreRead(t *testing.T) {
	item, err := versionItem(scope, factID, whole().Edition)
	if err != nil {
		t.Fatal(err)
	}
	item.Attrs[attrDoc] = store.B(golden(t, "version_v1.json", item.Attrs.Bytes(attrDoc)))
	read, err := decodeVersion(item)
	if err != nil || !reflect.DeepEqual(read, whole().Edition) {
		t.Errorf("read %+v, %v", read, err)
	}
}

func TestT18TheCanonicalFormNeverChanges(t *testing.T) {
	text, err := whole().Canonical()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "canonical_v1.json", text)
}

func TestR332ATombstoneKeepsItsPlaceAndNothingElse(t *testing.T) {
	stone := whole().tombstone()
	stone.Revision = 10
	item, err := headItem(scope, stone)
	if err != nil {
		t.Fatal(err)
	}
	read, err := Decode(item)
	if err != nil || !reflect.DeepEqual(read, stone) || len(item.Attrs) != 5 {
		t.Errorf("read %+v of %v, %v", read, item.Attrs, err)
	}
	if keys.FactPlace(read.UpdatedAt, read.ID) != keys.FactPlace(whole().UpdatedAt, factID) {
		t.Error("another place")
	}
}

func TestBrokenRowsAreErrors(t *testing.T) {
	item, err := headItem(scope, whole())
	if err != nil {
		t.Fatal(err)
	}
	for name, doc := range map[string]string{"none": "", "no JSON": "{", "another format": `{"f":2}`, "a bad path": `{"f":1,"path":"a//b"}`} {
		item.Attrs[attrDoc] = store.B([]byte(doc))
		if f, err := Decode(item); err == nil {
			t.Errorf("%s: %+v", name, f)
		}
		if e, err := decodeVersion(item); err == nil && name != "another format" {
			t.Errorf("%s: %+v", name, e)
		}
		if d, ok, err := Rebuild(item); err == nil {
			t.Errorf("%s: %+v, %v", name, d, ok)
		}
	}
	item.Key = keys.Memory(scope, factID)
	if f, err := Decode(item); err == nil {
		t.Errorf("another family's row: %+v", f)
	}
}

func TestEveryMemberOfTheGoldenIsSet(t *testing.T) {
	var check func(path string, v reflect.Value)
	check = func(path string, v reflect.Value) {
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if !v.IsValid() || v.IsZero() {
			t.Errorf("%s is empty: the golden does not hold it", path)
			return
		}
		if v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[time.Time]() && v.Type() != reflect.TypeFor[Path]() {
			for i := range v.NumField() {
				if name := v.Type().Field(i).Name; name != "Deleted" {
					check(path+"."+name, v.Field(i))
				}
			}
		}
	}
	check("Fact", reflect.ValueOf(whole()))
}

// FuzzRows: whatever a fact holds comes back.
func FuzzRows(f *testing.F) {
	f.Add("a/b", "text", "tag", 0.5, int64(7), int64(1))
	f.Add("users/x/", "\u2028<&>\"", "", 0.0, int64(0), int64(0))
	f.Fuzz(func(t *testing.T, path, text, tag string, degree float64, millis, generation int64) {
		p, err := ParsePath(path)
		var rules faults
		rules.text(&text)
		rules.confidence(Given(degree))
		if err != nil || rules.err() != nil {
			return
		}
		want := whole()
		want.Path, want.Text, want.Confidence, want.Generation = p, text, &degree, generation
		want.UpdatedAt = time.UnixMilli(millis & (1<<45 - 1)).UTC()
		if want.Tags = rules.tagList([]string{tag}); want.Tags != nil && decodeRow(listRow(want)).tags[0] != tag {
			t.Errorf("the list's row has tags %q of %q", decodeRow(listRow(want)).tags, tag)
		}
		item, err := headItem(scope, want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(item)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v, %v", got, want, err)
		}
		if r := decodeRow(listRow(want)); r.path != p || r.id != want.ID || r.generation != max(generation, 0) {
			t.Errorf("row %+v", r)
		}
	})
}

// listRow is a fact's row in the list of all.
func listRow(f *Fact) store.Item {
	return f.places(scope)[keys.FactList(scope, listOfAll(f.Space), f.UpdatedAt, f.ID)]
}

func TestPathsAsJSON(t *testing.T) {
	for _, text := range []string{`"a/b/"`, `""`} {
		var p Path
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			t.Fatal(err)
		}
		if again, err := json.Marshal(p); err != nil || string(again) != text {
			t.Errorf("%s became %s, %v", text, again, err)
		}
	}
}
