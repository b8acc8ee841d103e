package adminapi

import (
	"context"
	"errors"
	"time"

	"holdfast/internal/errs"
	"holdfast/internal/httpapi"
	"holdfast/internal/ledger"
	"holdfast/internal/routes"
	"holdfast/internal/store/keys"
)

// Health is the answer of a service that lives or is ready.
type Health struct {
	Status string `json:"status" enum:"ok"`
}

// Healthz tells that the process lives; it touches nothing.
func Healthz(httpapi.Deps) httpapi.Endpoint {
	return httpapi.Handle(routes.Healthz, func(context.Context, *httpapi.Call, *struct{}) (httpapi.Reply[Health], error) {
		return httpapi.OK(Health{Status: "ok"}), nil
	})
}

// probeTime is how long a store may take to answer that it is there.
const probeTime = 2 * time.Second

// probe asks one of the stores whether it is there.
type probe struct {
	name string
	ask  func(ctx context.Context) error
}

// Readyz asks the table and the index whether they answer and the journal whether
// it takes receipts, and says which does not.
func Readyz(d httpapi.Deps) httpapi.Endpoint {
	probes := []probe{
		{"store", func(ctx context.Context) error {
			_, _, err := d.Store.Get(ctx, keys.Tenant("ready"))
			return err
		}},
		{"search", func(ctx context.Context) error { return d.Index.Ping(ctx) }},
	}
	if journal, ok := d.Journal.(ledger.Prober); ok { // without it nothing is recalled
		probes = append(probes, probe{"journal", journal.Ping})
	}
	return httpapi.Handle(routes.Readyz, func(ctx context.Context, _ *httpapi.Call, _ *struct{}) (httpapi.Reply[Health], error) {
		ctx, cancel := context.WithTimeout(ctx, probeTime)
		defer cancel()
		if err := askAll(ctx, probes); err != nil {
			return httpapi.Reply[Health]{}, err
		}
		return httpapi.OK(Health{Status: "ok"}), nil
	})
}

// askAll asks all at once and names those that do not answer well before the
// context ends.
func askAll(ctx context.Context, probes []probe) error {
	answers := make([]chan error, len(probes))
	for i, p := range probes {
		answers[i] = make(chan error, 1)
		go func() { answers[i] <- p.ask(ctx) }()
	}
	var failing []string
	var causes []error
	for i, p := range probes {
		if err := answerOf(ctx, answers[i]); err != nil {
			failing, causes = append(failing, p.name), append(causes, err)
		}
	}
	if failing == nil {
		return nil
	}
	e := errs.Wrap(errs.Unavailable, "UNAVAILABLE", "Not all stores answer; see failing.", errors.Join(causes...))
	e.Extra = map[string]any{"failing": failing}
	return e
}

// answerOf waits for a probe, also for one that does not mind its context.
func answerOf(ctx context.Context, answer <-chan error) error {
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
