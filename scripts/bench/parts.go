package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"holdfast/scripts/bench/made"
)

func (o options) recall(ctx context.Context, binary, folder string, talks, facts []conversation, r *report) error {
	s, _, err := startService(ctx, binary, filepath.Join(folder, "data-recall"), nil, o.settings...)
	if err != nil {
		return err
	}
	if r.Recall, err = measureRecall(ctx, s, talks, talkArms); err != nil {
		return errors.Join(err, s.Close())
	}
	if r.Facts, err = measureRecall(ctx, s, facts, factArms); err != nil {
		return errors.Join(fmt.Errorf("facts: %w", err), s.Close())
	}
	if err := s.stop(ctx); err != nil {
		return err
	}
	return printRecall(os.Stdout, *r)
}

func (o options) speed(ctx context.Context, binary, folder string, r *report) error {
	f, err := measureFloors(ctx, binary, folder, o.runs)
	if err != nil {
		return err
	}
	r.Floors = &f
	if err := printFloors(os.Stdout, f); err != nil {
		return err
	}
	for _, size := range o.sizes {
		row, err := measureSpeed(ctx, binary, folder, size, o.runs)
		if err != nil {
			return fmt.Errorf("at %d memories: %w", size, err)
		}
		r.Speed = append(r.Speed, row)
	}
	if o.many > 0 {
		row, err := measureMany(ctx, binary, folder, o.many, o.runs)
		if err != nil {
			return fmt.Errorf("of %d workspaces: %w", o.many, err)
		}
		r.Speed = append(r.Speed, row)
	}
	return printSpeed(os.Stdout, f, r.Speed)
}

func (o options) options(ctx context.Context, binary, folder string, r *report) (err error) {
	if r.Options, err = measureOptions(ctx, binary, folder, o.runs); err != nil {
		return err
	}
	return printOptions(os.Stdout, r.Options)
}

func consolidate(ctx context.Context, binary, folder string, r *report) error {
	row, err := measureConsolidate(ctx, binary, folder)
	if err != nil {
		return err
	}
	r.Consolidate = &row
	return printConsolidate(os.Stdout, row)
}

func inFolders(ctx context.Context, binary, folder string, r *report) error {
	row, err := measureFolders(ctx, binary, folder)
	if err != nil {
		return err
	}
	r.Folders = &row
	return printFolders(os.Stdout, row)
}

func (o options) crash(ctx context.Context, binary, folder string, r *report) error {
	row, err := measureCrash(ctx, binary, folder, o.rounds)
	if err != nil {
		return err
	}
	r.Crash = &row
	return printCrash(os.Stdout, row)
}

// features leaves parts of the ranking out, on the sets that are there.
func features(ctx context.Context, talks, facts []conversation, r *report) (err error) {
	var sets []made.Set
	if len(talks) > 0 {
		sets = append(sets, made.Set{Name: "LoCoMo", Talks: talks}, made.Set{Name: "LoCoMo's facts", Talks: facts})
	}
	if r.Features, err = measureFeatures(ctx, append(sets, made.Sets()...)); err != nil {
		return err
	}
	return printFeatures(os.Stdout, r.Features)
}
