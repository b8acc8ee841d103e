package localserver

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strconv"

	"holdfast/internal/lambdahttp"
)

// refusing is a listener whose connections say in problem JSON, with a Request-Id,
// what net/http refuses before any handler is asked: requests it cannot parse (400),
// headers over the limit (431), a transfer coding it does not know (501), an
// expectation it does not (417). It offers no hook for these answers, so they are
// known by their bytes, each of which it writes in one piece.
type refusing struct{ net.Listener }

// Accept waits for a connection.
func (l refusing) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return refusingConn{c}, nil
}

type refusingConn struct{ net.Conn }

// Write sends what is written, or a problem in place of a bare refusal.
func (c refusingConn) Write(p []byte) (int, error) {
	status, ok := bare(p)
	if !ok {
		return c.Conn.Write(p)
	}
	if _, err := c.Conn.Write(refused(status)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// CloseWrite ends our side only, so that a caller who is still sending gets to read
// the answer.
func (c refusingConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// plainRefusal is what follows the status line of net/http's own refusals; no answer
// of ours is plain text.
var plainRefusal = []byte("Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")

// bare tells a refusal of net/http and its status.
func bare(p []byte) (status int, ok bool) {
	line, rest, found := bytes.Cut(p, []byte("\r\n"))
	if !found || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) || len(line) < len("HTTP/1.1 400") {
		return 0, false
	}
	status, err := strconv.Atoi(string(line[len("HTTP/1.1 "):len("HTTP/1.1 400")]))
	if err != nil {
		return 0, false
	}
	expects := status == http.StatusExpectationFailed && bytes.Contains(rest, []byte("Content-Length: 0\r\n"))
	return status, expects || status >= 400 && bytes.HasPrefix(rest, plainRefusal)
}

var refusalCodes = map[int]string{
	http.StatusRequestHeaderFieldsTooLarge: "HEADERS_TOO_LARGE",
	http.StatusExpectationFailed:           "EXPECTATION_FAILED",
	http.StatusNotImplemented:              "NOT_IMPLEMENTED",
}

// refused is a whole answer, behind which the connection ends.
func refused(status int) []byte {
	code, ok := refusalCodes[status]
	if !ok {
		code = "MALFORMED_REQUEST"
	}
	header, body := lambdahttp.Problem(status, code, "The request is not one that this server can read.")
	header.Set("Connection", "close")
	var out bytes.Buffer
	fmt.Fprintf(&out, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	_ = header.Write(&out) // a buffer takes everything
	out.WriteString("\r\n")
	out.Write(body)
	return out.Bytes()
}
