package errs

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

type foreign struct{ text string }

func (f foreign) Error() string { return f.text }

// What is logged of an error tells what went wrong and repeats nothing that was read.
func TestDescribe(t *testing.T) {
	_, number := strconv.Atoi("marzipan")
	for want, err := range map[string]error{
		"":                                   nil,
		"disk":                               errors.New("disk"),
		"outer < disk":                       fmt.Errorf("outer: %w", errors.New("disk")),
		"UNAVAILABLE: Try again. < disk":     Wrap(Unavailable, "UNAVAILABLE", "Try again.", errors.New("disk")),
		"no space left on device":            syscall.ENOSPC,
		"errs.foreign":                       foreign{"marzipan"},
		"outer < errs.foreign":               fmt.Errorf("outer: %w", foreign{"marzipan"}),
		"*fmt.wrapErrors (a; errs.foreign)":  fmt.Errorf("%w marzipan %w", errors.New("a"), foreign{"marzipan"}),
		"*errors.joinError (a; b)":           errors.Join(errors.New("a"), errors.New("b")),
		"*strconv.NumError < invalid syntax": number,
	} {
		if got := Describe(err); got != want || strings.Contains(got, "marzipan") {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
}

func TestPanickedNamesPlaceAndType(t *testing.T) {
	caught := func(run func()) (err error) {
		defer func() { err = Panicked(recover()) }()
		run()
		return nil
	}
	for want, run := range map[string]func(){
		"panic of string at ":       func() { panic("marzipan") },
		"panic of errs.foreign at ": func() { panic(foreign{"marzipan"}) },
		"index out of range":        func() { _ = strings.Fields("")[1] },
	} {
		got := Describe(caught(run))
		if !strings.Contains(got, want) || !strings.Contains(got, "TestPanickedNamesPlaceAndType") || strings.Contains(got, "marzipan") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
