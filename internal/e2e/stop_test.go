package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"syscall"
	"testing"
	"time"
)

// TestT38TermFinishesCallsUnderWay sends a call's head, and its body only when the
// server, told to end, has stopped listening.
func TestT38TermFinishesCallsUnderWay(t *testing.T) {
	data := folder(t)
	s := start(t, options(data))
	p := s.place(t)
	body, err := json.Marshal(p.memory("The night ferry was held for the last bus."))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", s.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }() // the server closes it first
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	head := fmt.Sprintf("POST /v1/memory/append HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"+
		"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n", s.Addr, p.agent.Key, len(body))
	if _, err := conn.Write([]byte(head)); err != nil {
		t.Fatal(err)
	}
	if line, err := in.ReadString('\n'); err != nil || line != "HTTP/1.1 100 Continue\r\n" {
		t.Fatalf("answered %q, %v", line, err)
	}
	if _, err := in.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := s.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	eventually(t, "no more calls are taken", func() bool {
		again, err := net.Dial("tcp", s.Addr)
		return err != nil || again.Close() != nil
	})
	if _, err := conn.Write(body); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(in, nil)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("the call under way ended with %v, %v", res, err)
	}
	var made struct{ ID string }
	if err := json.NewDecoder(res.Body).Decode(&made); err != nil {
		t.Fatal(err)
	}
	if code := s.stop(t); code != 0 {
		t.Errorf("exit code %d\n%s", code, s.Output())
	}
	p = p.at(start(t, options(data)))
	if err := p.agent.Do(t.Context(), http.MethodGet, p.path(made.ID), nil, nil); err != nil {
		t.Error(err)
	}
}

func TestT38TermFlushesAndSealsReceipts(t *testing.T) {
	data := folder(t)
	s := start(t, options(data))
	p := s.place(t)
	p.remember(t, "The lock keeper answers on channel ten.")
	receipt := p.retrieve(t, "lock keeper channel").ReceiptID
	if code := s.stop(t); code != 0 {
		t.Fatalf("exit code %d\n%s", code, s.Output())
	}
	p = p.at(start(t, options(data)))
	if sealed, err := p.sealed(t, receipt); err != nil || !sealed {
		t.Errorf("the receipt is sealed: %v, %v", sealed, err)
	}
	p.chain(t)
}

func TestT38InterruptEndsLikeTerm(t *testing.T) {
	s := start(t, options(folder(t)))
	if err := s.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if code := s.stop(t); code != 0 {
		t.Errorf("exit code %d\n%s", code, s.Output())
	}
}
