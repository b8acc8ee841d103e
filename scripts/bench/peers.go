package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// peersFolder is a module of its own: well-known search libraries, which this module
// does not need.
const peersFolder = "scripts/peers"

// buildWait is how long fetching and compiling them may take.
const buildWait = 10 * time.Minute

// peerRow is what a search library reaches on the same texts and questions.
type peerRow struct {
	armRow
	latency               // of a query, within the library's own process
	Index   time.Duration // of all texts
}

// The next types are what scripts/peers reads and writes; its doc comment says what they
// mean. It is told texts and questions, not what answers them.
type (
	peerCollection struct {
		Name      string         `json:"name"`
		Items     []peerItem     `json:"items"`
		Questions []peerQuestion `json:"questions"`
	}
	peerItem struct {
		ID      string `json:"id"`
		Text    string `json:"text"`
		Session string `json:"session"`
		Speaker string `json:"speaker"`
	}
	peerQuestion struct {
		Text string `json:"text"`
	}
	peerAnswer struct {
		Name        string
		Collections []peerRanked
	}
	peerRanked struct {
		Name   string
		Index  time.Duration
		Ranked [][]string
		Took   []time.Duration
	}
)

// peers measures the libraries, or says that they cannot be had here.
func (o options) peers(ctx context.Context, folder string, talks []conversation, r *report) error {
	if len(talks) == 0 {
		fmt.Print("bench: PEERS ARE NOT MEASURED: there are no conversations\n\n")
		return nil
	}
	binary, err := buildPeers(ctx, peersFolder, folder)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		fmt.Printf("bench: PEERS ARE NOT MEASURED: they cannot be built here. Their libraries are fetched the first time, which needs a network.\n%v\n\n", err)
		return nil
	}
	if r.Peers, err = measurePeers(ctx, binary, talks); err != nil {
		return err
	}
	return printPeers(os.Stdout, *r)
}

// buildPeers compiles the program of a module's folder into another folder and answers
// its path. A workspace that somebody may have takes no part.
func buildPeers(ctx context.Context, source, folder string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, buildWait)
	defer cancel()
	out, err := filepath.Abs(filepath.Join(folder, "peers"))
	if err != nil {
		return "", err
	}
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-o", out, ".")
	build.Dir = source
	build.Env = append(os.Environ(), "GOWORK=off")
	if text, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build in %s: %w\n%s", source, err, text)
	}
	return out, nil
}

func measurePeers(ctx context.Context, binary string, talks []conversation) ([]peerRow, error) {
	in, err := json.Marshal(forPeers(talks))
	if err != nil {
		return nil, err
	}
	var out, said bytes.Buffer
	peers := exec.CommandContext(ctx, binary)
	peers.Stdin, peers.Stdout, peers.Stderr = bytes.NewReader(in), &out, &said
	if err := peers.Run(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, said.Bytes())
	}
	return readPeers(&out, talks)
}

func forPeers(talks []conversation) []peerCollection {
	all := make([]peerCollection, len(talks))
	for i, c := range talks {
		all[i].Name = c.Name
		for _, t := range c.Turns {
			all[i].Items = append(all[i].Items, peerItem{ID: t.ID, Text: t.Text, Session: t.Session, Speaker: t.Speaker})
		}
		for _, q := range c.Questions {
			all[i].Questions = append(all[i].Questions, peerQuestion{Text: q.Text})
		}
	}
	return all
}

var errPeers = errors.New("the peers did not answer what they were asked")

// readPeers makes rows of what scripts/peers wrote.
func readPeers(r io.Reader, talks []conversation) (rows []peerRow, err error) {
	var answers []peerAnswer
	if err := json.NewDecoder(r).Decode(&answers); err != nil {
		return nil, fmt.Errorf("%w: %w", errPeers, err)
	}
	for _, a := range answers {
		row, err := a.row(talks)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Name, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}
