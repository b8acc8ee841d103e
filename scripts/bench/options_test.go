package main

import (
	"net/http"
	"testing"
	"time"
)

func TestEveryOptionHoldsTheFieldsOfAll(t *testing.T) {
	kinds := optionKinds(time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC))
	if len(kinds[0].fields) != 0 {
		t.Errorf("the plain retrieve has fields: %v", kinds[0].fields)
	}
	last := kinds[len(kinds)-1].fields
	n := 0
	for _, k := range kinds[:len(kinds)-1] {
		for name := range k.fields {
			if _, ok := last[name]; !ok {
				t.Errorf("%s is missing", name)
			}
			n++
		}
	}
	if len(last) != n {
		t.Errorf("%d fields, %d in all kinds: one is named twice", len(last), n)
	}
	if at := last["asOf"]; at != "2026-05-01T09:00:00Z" {
		t.Errorf("asOf %v", at)
	}
}

func TestConsolidationIsTriedAgainWhereItSaysSo(t *testing.T) {
	for status, want := range map[int]struct{ done, failed bool }{
		http.StatusOK: {true, false}, http.StatusConflict: {}, http.StatusServiceUnavailable: {},
		http.StatusNotFound: {false, true}, http.StatusInternalServerError: {false, true},
	} {
		done, err := ended(status, nil)
		if done != want.done || (err != nil) != want.failed {
			t.Errorf("%d: done %v, %v", status, done, err)
		}
	}
}
