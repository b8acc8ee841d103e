package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"holdfast/scripts/bench/made"
)

// setRow is what the arms reach on a generated set of talks.
type setRow struct {
	Name  string
	Kinds []string // of its questions, in the order of the categories
	Arms  []armRow
}

// generated measures ranking on the generated sets: talks in three shapes and updates.
func (o options) generated(ctx context.Context, binary, folder string, r *report) error {
	s, _, err := startService(ctx, binary, filepath.Join(folder, "data-made"), nil, o.settings...)
	if err != nil {
		return err
	}
	if err := measureMade(ctx, s, r); err != nil {
		return errors.Join(err, s.Close())
	}
	if err := s.stop(ctx); err != nil {
		return err
	}
	if err := printSets(os.Stdout, r.Sets); err != nil {
		return err
	}
	return printUpdates(os.Stdout, r.Updates)
}

func measureMade(ctx context.Context, s *service, r *report) error {
	for _, set := range made.Sets() {
		rows, err := measureRecall(ctx, s, set.Talks, talkArms)
		if err != nil {
			return fmt.Errorf("%s: %w", set.Name, err)
		}
		r.Sets = append(r.Sets, setRow{set.Name, set.Kinds, rows})
	}
	for _, half := range made.Updates() {
		rows, err := measureUpdates(ctx, s, half, talkArms)
		if err != nil {
			return fmt.Errorf("updates, %s: %w", half.Title(), err)
		}
		r.Updates = append(r.Updates, rows...)
	}
	return nil
}

func printSets(w io.Writer, sets []setRow) error {
	for _, set := range sets {
		err := table(w, func(p *printer) {
			p.row("Generated, %s: %d questions", set.Name, set.Arms[0].Questions)
			arms(p, set.Arms)
			p.row("")
			head := "recall@10 / NDCG@10 by kind\t"
			for i, kind := range set.Kinds {
				head += fmt.Sprintf("%s (%d)\t", kind, set.Arms[0].ByCategory[strconv.Itoa(i+1)].Questions)
			}
			p.row("%s", head)
			for _, a := range set.Arms {
				line := a.Arm + "\t"
				for i := range set.Kinds {
					line += a.cat(i+1) + "\t"
				}
				p.row("%s", line)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}
