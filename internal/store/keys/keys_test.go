package keys_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/ids"
	"holdfast/internal/store"
	"holdfast/internal/store/keys"
	"holdfast/internal/tenant"
)

const (
	tenantID    = "01890000-0000-7000-8000-00000000000a"
	workspaceID = "01890000-0000-7000-8000-00000000000b"
	itemID      = "01890000-0000-7000-8000-00000000000c"
	otherID     = "01890000-0000-7000-8000-00000000000d"
	mac         = "9f86d081884c7d659a2feaa0c55ad015"
	factID      = "m_04i4000000s08800000000000c"
)

var (
	scope = tenant.Grant(tenantID, workspaceID)
	at    = time.Date(2031, 7, 4, 23, 59, 0, 0, time.FixedZone("west", -2*3600)) // the 5th, 1 o'clock, in UTC
)

// golden is the shape of every key, P standing for the scope.
var golden = []struct {
	builder string
	key     store.Key
	pk, sk  string
}{
	{"Tenant", keys.Tenant(tenantID), "T#" + tenantID, "META"},
	{"TenantPK", store.Key{PK: keys.TenantPK(tenantID)}, "T#" + tenantID, ""},
	{"TenantWorkspace", keys.TenantWorkspace(tenantID, workspaceID), "T#" + tenantID, "W#" + workspaceID},
	{"TenantKey", keys.TenantKey(tenantID, "kid7"), "T#" + tenantID, "K#kid7"},
	{"TenantMemory", keys.TenantMemory(tenantID, itemID), "T#" + tenantID, "TM#" + itemID},
	{"TenantFloor", keys.TenantFloor(tenantID, itemID), "T#" + tenantID, "TF#" + itemID},
	{"APIKey", keys.APIKey("kid7"), "K#kid7", "KEY"},
	{"Head", keys.Head(scope), "P", "SEQ"},
	{"Head", keys.Head(scope.Own()), tenantID + "#own", "SEQ"},
	{"Cursor", keys.Cursor(scope, "index"), "P", "CUR#index"},
	{"IndexMark", keys.IndexMark(scope), "P", "MARK#index"},
	{"WebhookMark", keys.WebhookMark(scope), "P", "MARK#events"},
	{"Webhook", keys.Webhook(scope, itemID), "P#WH", itemID},
	{"WebhookPK", store.Key{PK: keys.WebhookPK(scope)}, "P#WH", ""},
	{"WebhookLane", keys.WebhookLane(scope, itemID), "P#WL", itemID},
	{"WebhookLanePK", store.Key{PK: keys.WebhookLanePK(scope)}, "P#WL", ""},
	{"Delivery", keys.Delivery(scope, itemID, otherID), "P#WD#" + itemID, otherID},
	{"DeliveryPK", store.Key{PK: keys.DeliveryPK(scope, itemID)}, "P#WD#" + itemID, ""},
	{"DeliveryDue", keys.DeliveryDue(scope, itemID, at, otherID), "P#WQ#" + itemID, "0001940983140000#" + otherID},
	{"DeliveryDuePK", store.Key{PK: keys.DeliveryDuePK(scope, itemID)}, "P#WQ#" + itemID, ""},
	{"Secret", keys.Secret(scope), "P", "SECRET"},
	{"Log", keys.Log(scope, 0), "P#LOG#0000000000000000", "0000000000000000"},
	{"Log", keys.Log(scope, 999), "P#LOG#0000000000000000", "0000000000000999"},
	{"Log", keys.Log(scope, 1000), "P#LOG#0000000000000001", "0000000000001000"},
	{"Log", keys.Log(scope, 12_345_678), "P#LOG#0000000000012345", "0000000012345678"},
	{"LogPK", store.Key{PK: keys.LogPK(scope, 7)}, "P#LOG#0000000000000007", ""},
	{"Operation", keys.Operation(scope, itemID), "P#O#" + itemID, "OP"},
	{"Receipt", keys.Receipt(scope, at, itemID), "P#RC#2031070501", itemID},
	{"ReceiptPK", store.Key{PK: keys.ReceiptPK(scope, at)}, "P#RC#2031070501", ""},
	{"Idempotency", keys.Idempotency(scope, mac), "P#I#" + mac, "IDEM"},
	{"Job", keys.Job(scope, itemID), "P#J", itemID},
	{"JobPK", store.Key{PK: keys.JobPK(scope)}, "P#J", ""},
	{"MemoryPK", store.Key{PK: keys.MemoryPK(scope, itemID)}, "P#M#" + itemID, ""},
	{"Memory", keys.Memory(scope, itemID), "P#M#" + itemID, "HEAD"},
	{"MemoryVersion", keys.MemoryVersion(scope, itemID, 3), "P#M#" + itemID, "V#0000000000000003"},
	{"MemoryVector", keys.MemoryVector(scope, itemID, "static-1"), "P#M#" + itemID, "EMB#static-1"},
	{"Derived", keys.Derived(scope, itemID, otherID), "P#M#" + itemID, "DER#" + otherID},
	{"Superseded", keys.Superseded(scope, itemID, otherID), "P#M#" + itemID, "SUP#" + otherID},
	{"Suggested", keys.Suggested(scope, itemID, mac, 3, otherID), "P#M#" + itemID, "SUG#" + mac + "#0000000000000003#" + otherID},
	{"RunPK", store.Key{PK: keys.RunPK(scope, mac)}, "P#R#" + mac, ""},
	{"RunEntry", keys.RunEntry(scope, mac, itemID), "P#R#" + mac, "E#" + itemID},
	{"MemoryList", keys.MemoryList(scope, at, itemID), "P#ML#203107", itemID},
	{"MemoryListPK", store.Key{PK: keys.MemoryListPK(scope, at)}, "P#ML#203107", ""},
	{"RunHead", keys.RunHead(scope, mac), "P#R#" + mac, "HEAD"},
	{"RunStretch", keys.RunStretch(scope, mac, 3), "P#R#" + mac, "S#0000000000000003"},
	{"RunSuggestionPrefix", store.Key{PK: keys.RunPK(scope, mac), SK: keys.RunSuggestionPrefix(3)}, "P#R#" + mac, "S#0000000000000003#"},
	{"RunSuggestion", keys.RunSuggestion(scope, mac, 3, itemID), "P#R#" + mac, "S#0000000000000003#" + itemID},
	{"RunTouch", keys.RunTouch(scope, mac), "P#R#" + mac, "TOUCH"},
	{"RunEdits", keys.RunEdits(scope, mac), "P#R#" + mac, "EDITS"},
	{"RunStagedPrefix", store.Key{PK: keys.RunPK(scope, mac), SK: keys.RunStagedPrefix(3, "")}, "P#R#" + mac, "W#0000000000000003#"},
	{"RunStaged", keys.RunStaged(scope, mac, 3, "g", "A"), "P#R#" + mac, "W#0000000000000003#g#A"},
	{"ModelTokens", keys.ModelTokens(scope, at), "P#MT", "203107"},
	{"Quarantined", keys.Quarantined(scope, itemID), "P#Q", itemID},
	{"QuarantinePK", store.Key{PK: keys.QuarantinePK(scope)}, "P#Q", ""},
	{"Subject", keys.Subject(scope, mac, "M", itemID), "P#S#" + mac, "M#" + itemID},
	{"SubjectPK", store.Key{PK: keys.SubjectPK(scope, mac)}, "P#S#" + mac, ""},
	{"Duplicate", keys.Duplicate(scope, mac), "P#DUP#" + mac, "DUP"},
	{"Attribute", keys.Attribute(scope, mac), "P#AT#" + mac, "AT"},
	{"Claim", keys.Claim(scope, mac), "P#CL#" + mac, "CL"},
	{"Rejected", keys.Rejected(scope, mac), "P#TB#" + mac, "TB"},
	{"Rejections", keys.Rejections(scope), "P", "REJ"},
	{"RunToken", keys.RunToken(itemID), "RT#" + itemID, "RUN"},
	{"FactPK", store.Key{PK: keys.FactPK(scope, factID)}, "P#F#" + factID, ""},
	{"Fact", keys.Fact(scope, factID), "P#F#" + factID, "HEAD"},
	{"FactVersion", keys.FactVersion(scope, factID, 3), "P#F#" + factID, "V#0000000000000003"},
	{"FactListPK", store.Key{PK: keys.FactListPK(scope, mac)}, "P#FL#" + mac, ""},
	{"FactList", keys.FactList(scope, mac, at, factID), "P#FL#" + mac, "0001940983140000#" + factID},
	{"FactUserPK", store.Key{PK: keys.FactUserPK(scope, mac)}, "P#FU#" + mac, ""},
	{"FactUser", keys.FactUser(scope, mac, "ab"), "P#FU#" + mac, "ab"},
	{"FactKey", keys.FactKey(scope, itemID, mac), "P#FK#" + itemID, mac},
	{"FactCountPK", store.Key{PK: keys.FactCountPK(scope, mac)}, "P#FC#" + mac, ""},
	{"FactCount", keys.FactCount(scope, mac, 7), "P#FC#" + mac, "7"},
	{"FactAgentPK", store.Key{PK: keys.FactAgentPK(scope)}, "P#FA", ""},
	{"FactAgent", keys.FactAgent(scope, mac), "P#FA", mac},
	{"Erasure", keys.Erasure(scope, itemID), "P#X#" + itemID, "HEAD"},
	{"ErasurePK", store.Key{PK: keys.ErasurePK(scope, itemID)}, "P#X#" + itemID, ""},
	{"ErasureStep", keys.ErasureStep(scope, itemID, 0), "P#X#" + itemID, "STEP#00"},
	{"ErasureStep", keys.ErasureStep(scope, itemID, 42), "P#X#" + itemID, "STEP#42"},
	{"ErasureStep", keys.ErasureStep(scope, itemID, 100), "P#X#" + itemID, "STEP#100"},
	{"Canary", keys.Canary(scope, itemID), "P#CAN", itemID},
	{"CanaryPK", store.Key{PK: keys.CanaryPK(scope)}, "P#CAN", ""},
}

func TestTheShapeOfEveryKey(t *testing.T) {
	for _, g := range golden {
		pk := g.pk
		if rest, scoped := strings.CutPrefix(pk, "P"); scoped {
			pk = tenantID + "#" + workspaceID + rest
		}
		if g.key.PK != pk || g.key.SK != g.sk {
			t.Errorf("%s: %s / %s, not %s / %s", g.builder, g.key.PK, g.key.SK, pk, g.sk)
		}
		if g.sk != "" && g.key.Validate() != nil {
			t.Errorf("%s: %v", g.builder, g.key.Validate())
		}
	}
}

// TestEveryBuilderHasAShape reads the package's source, so that a new builder
// cannot come without an example.
func TestEveryBuilderHasAShape(t *testing.T) {
	var decls []ast.Decl
	for _, name := range []string{"keys.go", "fact.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		decls = append(decls, file.Decls...)
	}
	others := []string{"Number", "Hash", "MemoryOf", "ScopeOf", "FactOf", "FactPlace", "FactPlaceOf"}
	builders := 0
	for _, decl := range decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || !fn.Name.IsExported() || slices.Contains(others, fn.Name.Name) {
			continue
		}
		builders++
		if !slices.ContainsFunc(golden, func(g struct {
			builder string
			key     store.Key
			pk, sk  string
		}) bool {
			return g.builder == fn.Name.Name
		}) {
			t.Errorf("no shape of %s", fn.Name.Name)
		}
	}
	if builders < 30 {
		t.Fatalf("only %d builders were found", builders)
	}
}

func TestEveryKeyOfAScopeNamesIt(t *testing.T) {
	for _, g := range golden {
		got, ok := keys.ScopeOf(g.key)
		scoped := strings.HasPrefix(g.pk, "P")
		own := strings.HasSuffix(g.pk, "#own")
		if ok != (scoped || own) || scoped && got != scope || own && got != scope.Own() {
			t.Errorf("%s: scope %v, %v", g.builder, got, ok)
		}
		_, id, ok := keys.MemoryOf(g.key)
		if of := strings.HasPrefix(g.pk, "P#M#"); ok != of || of && id != itemID {
			t.Errorf("%s: memory %q, %v", g.builder, id, ok)
		}
		_, id, ok = keys.FactOf(g.key)
		if of := strings.HasPrefix(g.pk, "P#F#"); ok != of || of && id != factID {
			t.Errorf("%s: fact %q, %v", g.builder, id, ok)
		}
	}
	for _, pk := range []string{"", "#", "T#t#M#m", "t#w#M#m", tenantID, tenantID + "#w#M", tenantID + "#w#M#a#b"} {
		if _, id, ok := keys.MemoryOf(store.Key{PK: pk, SK: "HEAD"}); ok {
			t.Errorf("%s is taken for the memory %q", pk, id)
		}
	}
}

// TestTheGoldenKeysDoNotCollide: no two builders answer one key for the ids above.
func TestTheGoldenKeysDoNotCollide(t *testing.T) {
	seen := map[store.Key]string{}
	for _, g := range golden {
		if other, twice := seen[g.key]; twice && g.sk != "" {
			t.Errorf("%s and %s are one key", g.builder, other)
		}
		seen[g.key] = g.builder
	}
}

// call builds one key from inputs that stand for ids, tags and hashes.
type call struct {
	name  string
	key   func(s tenant.Scope, a, b string, n int64) store.Key
	input func(a, b string, n int64) any // what of the inputs the key is made of
}

func onlyA(a, _ string, _ int64) any        { return a }
func bothAB(a, b string, _ int64) any       { return [2]string{a, b} }
func aAndN(a, _ string, n int64) any        { return [2]any{a, n} }
func month(at int64) time.Time              { return time.UnixMilli(at & (1<<45 - 1)).UTC() }
func aAndMonth(a, _ string, n int64) any    { return [2]any{a, month(n).Format("200601")} }
func aAndHour(a, _ string, n int64) any     { return [2]any{a, month(n).Format("2006010215")} }
func nothing(_, _ string, _ int64) any      { return nil }
func step(n int64) int                      { return int(n & 0xffff) }
func aAndStep(a, _ string, n int64) any     { return [2]any{a, step(n)} }
func positive(n int64) int64                { return n & (1<<53 - 1) }
func onlyPositive(_, _ string, n int64) any { return positive(n) }

// calls are the builders that take a scope.
var calls = []call{
	{"Head", func(s tenant.Scope, _, _ string, _ int64) store.Key { return keys.Head(s) }, nothing},
	{"Cursor", func(s tenant.Scope, a, _ string, _ int64) store.Key { return keys.Cursor(s, a) }, onlyA},
	{"IndexMark", func(s tenant.Scope, _, _ string, _ int64) store.Key { return keys.IndexMark(s) }, nothing},
	{"WebhookMark", func(s tenant.Scope, _, _ string, _ int64) store.Key { return keys.WebhookMark(s) }, nothing},
	{"Webhook", func(s tenant.Scope, a, _ string, _ int64) store.Key { return keys.Webhook(s, a) }, onlyA},
	{"WebhookLane", func(s tenant.Scope, a, _ string, _ int64) store.Key { return keys.WebhookLane(s, a) }, onlyA},
	{"Delivery", func(s tenant.Scope, a, b string, _ int64) store.Key { return keys.Delivery(s, keys.Hash(a), b) }, bothAB},
	{"Secret", func(s tenant.Scope, _, _ string, _ int64) store.Key { return keys.Secret(s) }, nothing},
	{"Log", func(s tenant.Scope, _, _ string, n int64) store.Key { return keys.Log(s, positive(n)) }, onlyPositive},
	{"Operation", func(s tenant.Scope, a, _ string, _ int64) store.Key { return keys.Operation(s, a) }, onlyA},
	{"Receipt", func(s tenant.Scope, a, _ string, n int64) store.Key { return keys.Receipt(s, month(n), a) }, aAndHour},
	{"Idempotency", func(s tenant.Scope, a, _ string, _ int64) store.Key { return keys.Idempotency(s, a) }, onlyA},
	{"Job", func(s tenant.Scope, a, _ string, _ int64) store.Key { return keys.Job(s, a) }, onlyA},
	{"Memory", func(s tenant.Scope, a, _ string, _ int64) store.Key { return keys.Memory(s, a) }, onlyA},
	{"MemoryVersion", func(s tenant.Scope, a, _ string, n int64) store.Key { return keys.MemoryVersion(s, a, n) }, aAndN},
	{"MemoryVector", func(s tenant.Scope, a, b string, _ int64) store.Key { return keys.MemoryVector(s, a, b) }, bothAB},
	{"Derived", func(s tenant.Scope, a, b string, _ int64) store.Key { return keys.Derived(s, a, b) }, bothAB},
	{"Superseded", func(s tenant.Scope, a, b string, _ int64) store.Key { return keys.Superseded(s, a, b) }, bothAB},
	{"MemoryList", func(s tenant.Scope, a, _ string, n int64) store.Key { return keys.MemoryList(s, month(n), a) }, aAndMonth},
	{"Quarantined", func(s tenant.Scope, a, _ string, _ int64) store.Key { return keys.Quarantined(s, a) }, onlyA},
	{"Subject", func(s tenant.Scope, a, b string, _ int64) store.Key { return keys.Subject(s, keys.Hash(a), "M", b) }, bothAB},
	{"Duplicate", func(s tenant.Scope, a, _ string, _ int64) store.Key { return keys.Duplicate(s, a) }, onlyA},
	{"Attribute", func(s tenant.Scope, a, _ string, _ int64) store.Key { return keys.Attribute(s, a) }, onlyA},
	{"Rejected", func(s tenant.Scope, a, _ string, _ int64) store.Key { return keys.Rejected(s, a) }, onlyA},
	{"Rejections", func(s tenant.Scope, _, _ string, _ int64) store.Key { return keys.Rejections(s) }, nothing},
	{"Fact", func(s tenant.Scope, a, _ string, _ int64) store.Key { return keys.Fact(s, a) }, onlyA},
	{"FactVersion", func(s tenant.Scope, a, _ string, n int64) store.Key { return keys.FactVersion(s, a, n) }, aAndN},
	{"FactList", func(s tenant.Scope, a, b string, n int64) store.Key { return keys.FactList(s, a, month(n), b) },
		func(a, b string, n int64) any { return [3]any{a, b, month(n).UnixMilli()} }},
	{"FactUser", func(s tenant.Scope, a, b string, _ int64) store.Key { return keys.FactUser(s, a, b) }, bothAB},
	{"FactKey", func(s tenant.Scope, a, b string, _ int64) store.Key { return keys.FactKey(s, a, b) }, bothAB},
	{"FactCount", func(s tenant.Scope, a, _ string, n int64) store.Key { return keys.FactCount(s, a, step(n)) }, aAndStep},
	{"FactAgent", func(s tenant.Scope, a, _ string, _ int64) store.Key { return keys.FactAgent(s, a) }, onlyA},
	{"Erasure", func(s tenant.Scope, a, _ string, _ int64) store.Key { return keys.Erasure(s, a) }, onlyA},
	{"ErasureStep", func(s tenant.Scope, a, _ string, n int64) store.Key { return keys.ErasureStep(s, a, step(n)) }, aAndStep},
}

// FuzzDifferentInputsAreDifferentKeys builds all keys for two sets of inputs:
// equal keys come from one builder and equal inputs only, whatever the ids hold.
func FuzzDifferentInputsAreDifferentKeys(f *testing.F) {
	f.Add("a", "b", int64(1), "a", "b", int64(2), uint8(0), uint8(1))
	f.Add("a#V#0000000000000001", "", int64(1), "a", "", int64(1), uint8(9), uint8(10))
	f.Add("index", "", int64(0), "index", "", int64(0), uint8(1), uint8(2))
	f.Add("a", "b#c", int64(200), "a#b", "c", int64(100), uint8(20), uint8(20))
	f.Add("x", "y", int64(-1), "x", "y", int64(1), uint8(10), uint8(10))
	f.Fuzz(func(t *testing.T, a1, b1 string, n1 int64, a2, b2 string, n2 int64, which1, which2 uint8) {
		one, two := calls[int(which1)%len(calls)], calls[int(which2)%len(calls)]
		k1, k2 := one.key(scope, a1, b1, n1), two.key(scope, a2, b2, n2)
		same := one.name == two.name && one.input(a1, b1, n1) == two.input(a2, b2, n2)
		if (k1 == k2) != same {
			t.Errorf("%s(%q, %q, %d) and %s(%q, %q, %d) are %v and %v", one.name, a1, b1, n1, two.name, a2, b2, n2, k1, k2)
		}
	})
}

// FuzzAMemorysKeyNamesItsScopeAndID: parsing undoes building for ids.
func FuzzAMemorysKeyNamesItsScopeAndID(f *testing.F) {
	f.Add(tenantID, workspaceID, itemID)
	f.Add(itemID, "own", otherID)
	f.Fuzz(func(t *testing.T, tenantID, workspaceID, id string) {
		if !ids.Valid(tenantID) || !ids.Valid(workspaceID) && workspaceID != tenant.PlatformWorkspace || !ids.Valid(id) {
			return
		}
		s := tenant.Grant(tenantID, workspaceID)
		for _, key := range []store.Key{keys.Memory(s, id), keys.MemoryVersion(s, id, 1), keys.MemoryVector(s, id, "p"), keys.Derived(s, id, id)} {
			if gotScope, gotID, ok := keys.MemoryOf(key); !ok || gotScope != s || gotID != id {
				t.Errorf("%v names %v and %q, %v", key, gotScope, gotID, ok)
			}
		}
		for _, call := range calls {
			if got, ok := keys.ScopeOf(call.key(s, id, id, 5)); !ok || got != s {
				t.Errorf("%s names %v, %v", call.name, got, ok)
			}
		}
	})
}

// FuzzParsersTakeAnything: what a parser accepts, building gives back.
func FuzzParsersTakeAnything(f *testing.F) {
	f.Add(tenantID + "#" + workspaceID + "#M#" + itemID)
	f.Add("####")
	f.Add("")
	f.Fuzz(func(t *testing.T, pk string) {
		s, id, ok := keys.MemoryOf(store.Key{PK: pk, SK: "HEAD"})
		if ok && keys.MemoryPK(s, id) != pk {
			t.Errorf("%q was parsed as %v and %q", pk, s, id)
		}
		s, id, ok = keys.FactOf(store.Key{PK: pk, SK: "HEAD"})
		if ok && keys.FactPK(s, id) != pk {
			t.Errorf("%q was parsed as %v and %q", pk, s, id)
		}
		if s, ok := keys.ScopeOf(store.Key{PK: pk, SK: "x"}); ok && !strings.HasPrefix(pk, keys.Head(s).PK) {
			t.Errorf("%q was parsed as of %v", pk, s)
		}
	})
}

// FuzzAFactsKeyNamesItsScopeAndID: parsing undoes building for ids.
func FuzzAFactsKeyNamesItsScopeAndID(f *testing.F) {
	f.Add(factID, int64(1))
	f.Add("", int64(0))
	f.Fuzz(func(t *testing.T, id string, n int64) {
		if strings.Contains(id, "#") {
			return
		}
		for _, key := range []store.Key{keys.Fact(scope, id), keys.FactVersion(scope, id, 1)} {
			if gotScope, gotID, ok := keys.FactOf(key); !ok || gotScope != scope || gotID != id {
				t.Errorf("%v names %v and %q, %v", key, gotScope, gotID, ok)
			}
		}
		if got, ok := keys.FactPlaceOf(keys.FactPlace(month(n), id)); ok != (id != "") || got != id {
			t.Errorf("the place of %q is of %q, %v", id, got, ok)
		}
	})
}

func FuzzNumberKeepsTheOrder(f *testing.F) {
	for _, pair := range [][2]int64{{0, 1}, {9, 10}, {999, 1000}, {1e15, 1e16 - 1}, {-1, 1}, {1e16, 1}} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, a, b int64) {
		x, y := keys.Number(a), keys.Number(b)
		if (x == y) != (a == b) {
			t.Fatalf("%d and %d are %s and %s", a, b, x, y)
		}
		inRange := func(n int64) bool { return n >= 0 && n < 1e16 }
		if inRange(a) && inRange(b) && (x < y) != (a < b) {
			t.Errorf("%d and %d do not sort as %s and %s", a, b, x, y)
		}
		if inRange(a) && len(x) != 16 {
			t.Errorf("%d has %d digits", a, len(x))
		}
	})
}

func FuzzHashTellsPartsApart(f *testing.F) {
	f.Add("ab", "c", "a", "bc")
	f.Add("", "1:a", "1:a", "")
	f.Add("1:", "a", "1", ":a")
	f.Fuzz(func(t *testing.T, a1, b1, a2, b2 string) {
		same := a1 == a2 && b1 == b2
		if (keys.Hash(a1, b1) == keys.Hash(a2, b2)) != same {
			t.Errorf("%q, %q and %q, %q", a1, b1, a2, b2)
		}
		if keys.Hash(a1+b1) == keys.Hash(a1, b1) {
			t.Errorf("%q, %q is as its join", a1, b1)
		}
	})
}
