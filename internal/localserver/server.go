package localserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"holdfast/internal/httpapi"
	"holdfast/internal/lambdahttp"
	"holdfast/internal/routes"
)

// Handler sends each request of a table's routes to the function of its route, by
// the route's id; what no route serves goes to fallback, which stands for
// $default. A route without a function is an error.
func Handler(table []routes.Route, functions map[string]lambda.Handler, fallback lambda.Handler) (http.Handler, error) {
	for _, r := range table {
		if functions[r.ID] == nil {
			return nil, fmt.Errorf("localserver: route %s has no function", r.ID)
		}
	}
	front := func(r routes.Route) http.Handler { return lambdahttp.Front(r, functions[r.ID]) }
	return httpapi.Router(table, front, lambdahttp.Front(routes.Route{}, fallback)), nil
}

// The limits of the server. Headers are those of an HTTP API: 10,240 bytes for
// request line and headers; net/http adds 4,096 to what it is told.
const (
	maxHeader   = 10_240 - 4_096
	headerWait  = 10 * time.Second
	requestWait = 30 * time.Second
	answerWait  = 60 * time.Second
	keptAlive   = 2 * time.Minute
)

// Server serves HTTP until it is shut down.
type Server struct{ http http.Server }

// NewServer makes a server of a handler. What net/http has to say is logged
// without its text, which may hold what a caller sent.
func NewServer(h http.Handler, log *slog.Logger) *Server {
	return &Server{http: http.Server{
		Handler: h, MaxHeaderBytes: maxHeader,
		ReadHeaderTimeout: headerWait, ReadTimeout: requestWait, WriteTimeout: answerWait, IdleTimeout: keptAlive,
		DisableGeneralOptionsHandler: true, // OPTIONS * is answered like every other call
		ErrorLog:                     slog.NewLogLogger(mute{log.Handler()}, slog.LevelWarn),
	}}
}

// Serve takes calls from a listener; nil after Shutdown.
func (s *Server) Serve(l net.Listener) error {
	if err := s.http.Serve(refusing{l}); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("localserver: %w", err)
	}
	return nil
}

// Shutdown stops taking calls and waits for those under way, as long as ctx lasts;
// then it cuts them off and answers an error (T.38).
func (s *Server) Shutdown(ctx context.Context) error {
	err := s.http.Shutdown(ctx)
	if err == nil {
		return nil
	}
	return errors.Join(fmt.Errorf("localserver: calls were cut off: %w", err), s.http.Close())
}

// mute logs that there was something, not what.
type mute struct{ slog.Handler }

// Handle drops the text.
func (m mute) Handle(ctx context.Context, r slog.Record) error {
	return m.Handler.Handle(ctx, slog.NewRecord(r.Time, r.Level, "the http server dropped a connection or request", 0))
}
