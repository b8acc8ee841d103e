package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"sync"
	"time"
)

// crashRow is what kill -9 under load did.
type crashRow struct {
	Rounds       int
	Acknowledged int
	Lost         int // acknowledged and not there after the restart: must be 0
	ChainBreaks  int // rounds after which the chain did not verify: must be 0
}

const crashWriters = 16

// measureCrash kills the server under load so many times and looks, after each
// restart, for every write that it acknowledged.
func measureCrash(ctx context.Context, binary, folder string, rounds int) (row crashRow, err error) {
	data := filepath.Join(folder, "data-crash")
	s, _, err := startService(ctx, binary, data, nil)
	if err != nil {
		return row, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	workspace, err := s.tenant.Workspace(ctx, "crash")
	if err != nil {
		return row, err
	}
	texts := newSentences(99)
	for range rounds {
		// The kill falls on another instant of the commit cycle each time.
		after := 150*time.Millisecond + time.Duration(texts.random.IntN(450))*time.Millisecond
		ids, err := s.writeUntilKilled(workspace, texts, after)
		if err != nil {
			return row, err
		}
		again, _, err := startService(ctx, binary, data, s)
		if err != nil {
			return row, err
		}
		s = again
		if err := s.check(ctx, workspace, ids, &row); err != nil {
			return row, err
		}
	}
	return row, nil
}

// writeUntilKilled appends from several clients, kills the server and answers the
// ids that were acknowledged.
func (s *service) writeUntilKilled(workspace string, texts *sentences, after time.Duration) ([]string, error) {
	var mu sync.Mutex
	var ids []string
	var all sync.WaitGroup
	for range crashWriters {
		all.Go(func() {
			w, err := dial(s.Addr, s.agent.Key)
			if err != nil {
				return
			}
			defer func() { _ = w.close() }() // the server is gone by then
			for {
				mu.Lock()
				text := texts.next()
				mu.Unlock()
				id, err := w.append(workspace, text)
				if err != nil {
					return
				}
				mu.Lock()
				ids = append(ids, id)
				mu.Unlock()
			}
		})
	}
	<-time.After(after)
	err := s.Kill()
	all.Wait()
	return ids, errors.Join(err, s.Close())
}

func (w *wire) append(workspace, text string) (string, error) {
	body, err := json.Marshal(item{WorkspaceID: workspace, RunID: "run-1", Layer: "Workspace", Type: "fact", Speaker: "Ines", Content: text})
	if err != nil {
		return "", err
	}
	r, err := w.call(http.MethodPost, "/v1/memory/append", body)
	if err != nil {
		return "", err
	}
	var made struct{ ID string }
	if r.Status != http.StatusOK {
		return "", fmt.Errorf("append: status %d", r.Status)
	}
	return made.ID, json.Unmarshal(r.Body, &made)
}

func (s *service) check(ctx context.Context, workspace string, ids []string, row *crashRow) error {
	row.Rounds++
	row.Acknowledged += len(ids)
	if len(ids) == 0 {
		return errors.New("the load wrote nothing before the kill")
	}
	w, err := dial(s.Addr, s.agent.Key)
	if err != nil {
		return err
	}
	defer func() { _ = w.close() }() // the answers were read
	for _, id := range ids {
		r, err := w.call(http.MethodGet, "/v1/memory/"+id+"?workspaceId="+workspace, nil)
		if err != nil {
			return err
		}
		if r.Status != http.StatusOK {
			row.Lost++
		}
	}
	var chain struct{ Valid bool }
	if err := s.tenant.Admin.Do(ctx, http.MethodGet, "/v1/receipts/verify?workspaceId="+workspace, nil, &chain); err != nil {
		return err
	}
	if !chain.Valid {
		row.ChainBreaks++
	}
	return nil
}
