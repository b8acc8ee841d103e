package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"holdfast/internal/routes"
)

func TestStacksStayBelow450Resources(t *testing.T) {
	eachKind(t, func(t *testing.T, p Plan) {
		total := 0
		for _, s := range p.Stacks {
			if s.Resources < 1 || s.Resources >= 450 {
				t.Errorf("stack %s has %d resources", s.Name, s.Resources)
			}
			total += s.Resources
		}
		if total < 9*len(p.Functions)/2 {
			t.Errorf("%d resources of %d functions", total, len(p.Functions))
		}
	})
}

// many makes routes up.
func many(n int, change func(i int, r *routes.Route)) []routes.Route {
	var out []routes.Route
	for i := range n {
		r := routes.Route{ID: fmt.Sprintf("r%d", i), Method: "GET", Path: fmt.Sprintf("/r%d", i), Family: "f", Timeout: time.Second, MemoryMB: 128}
		change(i, &r)
		out = append(out, r)
	}
	return out
}

func TestWhatAWSWouldRefuseIsRefusedHere(t *testing.T) {
	keep := func(int, *routes.Route) {}
	for name, c := range map[string]struct {
		table   []routes.Route
		workers []routes.Worker
		want    string
	}{
		"a stack too many resources": {many(50, keep), nil, "stack f has 450 resources"},
		"too many routes":            {many(300, func(i int, r *routes.Route) { r.Family = routes.Family(fmt.Sprintf("f%d", i/30)) }), nil, "301 routes"},
		"a route twice":              {many(2, func(_ int, r *routes.Route) { r.ID = "same" }), nil, "same is there twice"},
		"a name too long":            {many(1, func(_ int, r *routes.Route) { r.ID = strings.Repeat("x", 60) }), nil, "longer than 64 characters"},
		"a call too long":            {many(1, func(_ int, r *routes.Route) { r.Timeout = 30 * time.Second }), nil, "r0 may run longer than 29s"},
		"a trigger unknown":          {nil, []routes.Worker{{ID: "worker-x", Trigger: "moon"}}, `worker-x has the trigger "moon"`},
		"a schedule too fast":        {nil, []routes.Worker{{ID: "worker-x", Trigger: routes.OnSchedule, Every: time.Second}}, "worker-x must run every few whole minutes"},
	} {
		_, err := build(settingsOf(t), c.table, c.workers)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := build(settingsOf(t), many(49, keep), nil); err != nil {
		t.Errorf("49 routes: %v", err)
	}
}

func TestSettingsTooLargeForAFunctionAreRefused(t *testing.T) {
	p := planOf(t)
	p.Env = map[string]string{"HOLDFAST_TABLE": strings.Repeat("x", 5000)}
	if got := fmt.Sprint(p.check()); !strings.Contains(got, "Lambda takes 4096") {
		t.Error(got)
	}
}

func TestRoutesOfTheTestClockAreNotDeployed(t *testing.T) {
	for _, f := range planOf(t).Functions {
		if f.ID == routes.TestClock.ID {
			t.Error("the test clock is deployed")
		}
	}
}

func TestEveryFunctionAndQueueIsWatched(t *testing.T) {
	eachKind(t, func(t *testing.T, p Plan) {
		names := map[string]bool{}
		all := slices.Clone(p.Alarms)
		for _, f := range p.Functions {
			all = append(all, f.Alarms...)
			if got := metrics(f.Alarms); !strings.HasPrefix(got, "Errors Throttles Duration") {
				t.Errorf("%s: %s", f.ID, got)
			}
		}
		for _, q := range p.Queues {
			all = append(all, q.Alarms...)
			if got := metrics(q.Alarms); !strings.HasPrefix(got, "ApproximateNumberOfMessagesVisible") || q.Name != "" && !strings.HasSuffix(got, "ApproximateAgeOfOldestMessage") {
				t.Errorf("%s: %s", q.ID, got)
			}
		}
		for _, a := range all {
			if names[a.Name] || a.Meaning == "" || a.Stack == "" || a.Period < 60 || a.Periods < 1 {
				t.Errorf("%+v", a)
			}
			names[a.Name] = true
		}
		if !names[p.Prefix+"-index-lag"] {
			t.Error("nobody watches the index's lag")
		}
	})
}

func metrics(alarms []Alarm) string {
	var out []string
	for _, a := range alarms {
		out = append(out, a.Metric)
	}
	return strings.Join(out, " ")
}

func TestDurationAlarmsAreNearTheTimeout(t *testing.T) {
	f := find(t, planOf(t), "memory-append")
	if got := f.Alarms[2]; got.Threshold != 8000 || got.Below {
		t.Errorf("%+v", got)
	}
}

// TestTheStreamsWorkerHasItsPlan makes one up, whatever the table has.
func TestTheStreamsWorkerHasItsPlan(t *testing.T) {
	w := routes.Worker{ID: "worker-follow", Trigger: routes.OnStream, Batch: 100, Concurrency: 2, Tries: 5,
		Needs: routes.Queue, Timeout: 30 * time.Second, MemoryMB: 256}
	p, err := build(settingsOf(t), nil, []routes.Worker{w, routes.WorkerIndex})
	if err != nil {
		t.Fatal(err)
	}
	f := find(t, p, w.ID)
	if f.Stream == nil || f.Stream.Batch != 100 || f.Stream.Retries != 4 || f.Stream.Parallel != 2 || f.Stream.MaxAge != 3600 || len(f.Stream.Filters) != 1 {
		t.Errorf("%+v", f.Stream)
	}
	for _, want := range []string{"dynamodb:GetRecords " + TableStream.String(), "sqs:SendMessage holdfast-dev-relay-dead", "sqs:SendMessage holdfast-dev-index"} {
		if !slices.Contains(allowed(f), want) {
			t.Errorf("may not %s: %v", want, allowed(f))
		}
	}
	short, err := build(settingsOf(t, "stage=test", "searchEndpoint=http://s.example"), nil, []routes.Worker{w})
	if s := find(t, short, w.ID).Stream; err != nil || s.Batch != 1 || s.MaxAge != 60 {
		t.Errorf("short: %+v, %v", s, err)
	}
}

func TestTheDashboardIsWhatCloudWatchReads(t *testing.T) {
	eachKind(t, func(t *testing.T, p Plan) {
		body, err := p.Dashboard()
		var read struct {
			Widgets []struct {
				Type                string
				X, Y, Width, Height int
				Properties          struct {
					Title   string
					Metrics [][]any
					Region  string
				}
			}
		}
		if err != nil || json.Unmarshal([]byte(body), &read) != nil || len(read.Widgets) < 11 {
			t.Fatalf("%v: %s", err, body)
		}
		for _, w := range read.Widgets {
			if w.X+w.Width > 24 || w.Properties.Title == "" || len(w.Properties.Metrics) == 0 || w.Properties.Region == "" {
				t.Errorf("%+v", w)
			}
		}
	})
}
