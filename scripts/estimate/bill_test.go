package main

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"holdfast/infra/plan"
)

// billOf is the bill of a deployment under a load, told by flags.
func billOf(t *testing.T, args ...string) []Line {
	t.Helper()
	load, settings, err := parse(args)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Build(settings)
	if err != nil {
		t.Fatal(err)
	}
	prices, err := readPrices()
	if err != nil {
		t.Fatal(err)
	}
	lines, err := bill(p, settings, load, prices)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func sum(lines []Line, fixed bool) float64 {
	total := 0.0
	for _, l := range lines {
		if l.Fixed == fixed {
			total += l.Cost()
		}
	}
	return total
}

var idle = []string{"-appends", "0", "-retrieves", "0", "-reads", "0", "-memories", "0"}

func TestNothingToDoCostsWhatIsFixed(t *testing.T) {
	lines := billOf(t, idle...)
	if got := sum(lines, byLoad); got != 0 {
		t.Errorf("no load costs %.2f", got)
	}
	if busy := billOf(t); sum(busy, fixed) != sum(lines, fixed) || sum(busy, byLoad) <= 0 {
		t.Errorf("fixed %.4f and %.4f", sum(busy, fixed), sum(lines, fixed))
	}
}

func TestTwiceTheLoadCostsTwiceAsMuch(t *testing.T) {
	one := sum(billOf(t, "-appends", "1000", "-retrieves", "2000", "-reads", "3000", "-memories", "4000"), byLoad)
	two := sum(billOf(t, "-appends", "2000", "-retrieves", "4000", "-reads", "6000", "-memories", "8000"), byLoad)
	if math.Abs(two-2*one) > 1e-9 {
		t.Errorf("%v and %v", one, two)
	}
}

// TestALineByHand is 1,000,000 retrieves' calls of the API and reads of the table.
func TestALineByHand(t *testing.T) {
	want := map[string]float64{"HTTP API": 1.00, "DynamoDB: reads": 87 * .125}
	for _, l := range billOf(t, "-appends", "0", "-retrieves", "1000000", "-reads", "0", "-memories", "0") {
		if cost, ok := want[l.What]; ok && math.Abs(l.Cost()-cost) > 1e-6 {
			t.Errorf("%s: %v, want %v", l.What, l.Cost(), cost)
		}
		delete(want, l.What)
	}
	if len(want) > 0 {
		t.Errorf("no lines %v", want)
	}
}

func TestDeploymentsDifferInPrice(t *testing.T) {
	small, production := billOf(t, idle...), billOf(t, append(idle, "-c", "stage=prod")...)
	elsewhere := billOf(t, append(idle, "-c", "searchEndpoint=https://s.example")...)
	if a, b, c := sum(elsewhere, fixed), sum(small, fixed), sum(production, fixed); a >= b || b >= c {
		t.Errorf("elsewhere %.2f, small %.2f, production %.2f", a, b, c)
	}
}

func TestPricesHaveDateRegionAndSources(t *testing.T) {
	p, err := readPrices()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := time.Parse(time.DateOnly, p.Date); err != nil || p.Region == "" || p.Currency == "" || p.Note == "" {
		t.Errorf("%+v, %v", p, err)
	}
	for name, price := range p.Prices {
		if price.Value <= 0 || price.Unit == "" || !strings.HasPrefix(price.Source, "https://aws.amazon.com/") {
			t.Errorf("%s: %+v", name, price)
		}
	}
}

func TestWhatHasNoPriceIsTold(t *testing.T) {
	var out bytes.Buffer
	if err := run([]string{"-c", "searchInstance=x9.huge.search"}, &out); err == nil || !strings.Contains(err.Error(), "no price of x9.huge.search") {
		t.Errorf("%v", err)
	}
	for _, args := range [][]string{{"-appends", "-1"}, {"-appends", "NaN"}, {"-c", "stage"}, {"-c", "regoin=x"}, {"more"}} {
		if err := run(args, &out); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
}

func TestTheReportSaysWhatItRestsOn(t *testing.T) {
	var out bytes.Buffer
	if err := run(nil, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"us-east-1", "Load a month: 300000 appends", "together", "Assumed:", "Left out:", "taxes"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
}
