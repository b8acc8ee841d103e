package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// wire is one kept-alive HTTP/1.1 connection. It is as lean as can be, because the
// load shares the machine with the server: requests are written in one piece,
// answers read into a buffer that is used again.
type wire struct {
	conn net.Conn
	in   *bufio.Reader
	out  []byte
	body []byte
	tail string // headers of every request
}

func dial(addr, key string) (*wire, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	tail := " HTTP/1.1\r\nHost: " + addr + "\r\nContent-Type: application/json\r\n"
	if key != "" {
		tail += "Authorization: Bearer " + key + "\r\n"
	}
	return &wire{conn: conn, in: bufio.NewReaderSize(conn, 16<<10), tail: tail + "Content-Length: "}, nil
}

func (w *wire) close() error { return w.conn.Close() }

// reply is an answer; Body is valid until the next call.
type reply struct {
	Status   int
	Sequence int64 // header Memory-Sequence; 0: none
	Body     []byte
}

func (w *wire) call(method, path string, body []byte) (reply, error) {
	w.out = append(append(append(append(w.out[:0], method...), ' '), path...), w.tail...)
	w.out = append(strconv.AppendInt(w.out, int64(len(body)), 10), "\r\n\r\n"...)
	w.out = append(w.out, body...)
	if _, err := w.conn.Write(w.out); err != nil {
		return reply{}, err
	}
	return w.read()
}

var errAnswer = errors.New("answer is no HTTP/1.1")

func (w *wire) read() (reply, error) {
	line, err := w.in.ReadSlice('\n')
	if err != nil {
		return reply{}, err
	}
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) {
		return reply{}, errAnswer
	}
	var r reply
	if r.Status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return reply{}, errAnswer
	}
	length, chunked, err := w.headers(&r)
	if err != nil {
		return reply{}, err
	}
	r.Body, err = w.content(length, chunked)
	return r, err
}

func (w *wire) headers(r *reply) (length int, chunked bool, err error) {
	for {
		line, err := w.in.ReadSlice('\n')
		if err != nil {
			return 0, false, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			return length, chunked, nil
		}
		name, value, _ := bytes.Cut(line, []byte(": "))
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(value)); err != nil {
				return 0, false, errAnswer
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			chunked = true
		case bytes.EqualFold(name, []byte("Memory-Sequence")):
			if r.Sequence, err = strconv.ParseInt(string(value), 10, 64); err != nil {
				return 0, false, errAnswer
			}
		}
	}
}

func (w *wire) content(length int, chunked bool) ([]byte, error) {
	w.body = w.body[:0]
	if !chunked {
		return w.take(length)
	}
	for {
		line, err := w.in.ReadSlice('\n')
		if err != nil {
			return nil, err
		}
		size, err := strconv.ParseUint(string(bytes.TrimRight(line, "\r\n")), 16, 31)
		if err != nil {
			return nil, errAnswer
		}
		if _, err := w.take(int(size)); err != nil {
			return nil, err
		}
		if _, err := w.in.Discard(2); err != nil {
			return nil, err
		}
		if size == 0 {
			return w.body, nil
		}
	}
}

func (w *wire) take(n int) ([]byte, error) {
	at := len(w.body)
	if cap(w.body) < at+n {
		w.body = append(make([]byte, 0, 2*(at+n)), w.body...)
	}
	w.body = w.body[:at+n]
	_, err := io.ReadFull(w.in, w.body[at:])
	return w.body, err
}

// request makes the i-th call's path and body; it is used from many goroutines.
type request func(i int) (path string, body []byte)

// run is a load of calls with a fixed number of clients.
type run struct {
	latency
	Seconds  float64
	PerSec   float64
	Sequence int64 // the greatest Memory-Sequence that was answered
	took     []time.Duration
}

// load sends count POSTs from so many clients, each with one connection and one
// call at a time, and fails at the first answer that is no 200.
func load(ctx context.Context, addr, key string, clients, count int, next request) (run, error) {
	wires := make([]*wire, clients)
	for i := range wires {
		w, err := dial(addr, key)
		if err != nil {
			return run{}, err
		}
		defer func() { _ = w.close() }() // the answers were read
		wires[i] = w
	}
	took := make([]time.Duration, count)
	var at, sequence atomic.Int64
	errs := make([]error, clients)
	var all sync.WaitGroup
	start := time.Now()
	for c, w := range wires {
		all.Go(func() {
			for ctx.Err() == nil {
				i := int(at.Add(1)) - 1
				if i >= count {
					return
				}
				if errs[c] = w.timed(next, i, took, &sequence); errs[c] != nil {
					return
				}
			}
		})
	}
	all.Wait()
	elapsed := time.Since(start)
	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		return run{}, err
	}
	return run{summarize(took), elapsed.Seconds(), float64(count) / elapsed.Seconds(), sequence.Load(), took}, nil
}

func (w *wire) timed(next request, i int, took []time.Duration, sequence *atomic.Int64) error {
	path, body := next(i)
	start := time.Now()
	r, err := w.call("POST", path, body)
	took[i] = time.Since(start)
	if err != nil {
		return err
	}
	if r.Status != 200 {
		return fmt.Errorf("POST %s: status %d: %s", path, r.Status, r.Body)
	}
	raise(sequence, r.Sequence)
	return nil
}

func raise(to *atomic.Int64, n int64) {
	for {
		old := to.Load()
		if n <= old || to.CompareAndSwap(old, n) {
			return
		}
	}
}
