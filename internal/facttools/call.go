package facttools

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"

	"holdfast/internal/commit"
	"holdfast/internal/errs"
	"holdfast/internal/fact"
	"holdfast/internal/factsearch"
	"holdfast/internal/ids"
	"holdfast/internal/runtoken"
)

// Call is a model's call of a tool in OpenAI's form.
type Call struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"` // function
	Function CallFunction `json:"function"`
}

// CallFunction is the tool's name and its arguments as JSON text.
type CallFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Message is what a call answers (S3.51).
type Message struct {
	Role       string `json:"role"` // tool
	ToolCallID string `json:"tool_call_id"`
	Content    string `json:"content"`
}

// Facts reads and writes facts; *fact.Service does.
type Facts interface {
	Found(ctx context.Context, t fact.Target, f fact.Filter, ids []string) ([]*fact.Fact, error)
	Save(ctx context.Context, t fact.Target, d fact.Draft) (fact.Saved, error)
	Delete(ctx context.Context, t fact.Target, id string) (commit.Outcome, error)
}

// Service answers calls of tools.
type Service struct {
	Finder Finder
	Facts  Facts
	Log    *slog.Logger
}

// CallQuery is a call and the folders that it may reach.
type CallQuery struct {
	Target      fact.Target
	Paths       []string // nil: everything
	Call        Call
	RequestHash string // keyed, for the receipt of a search
}

// Call does what a model asks for. Errors are those of the package comment; every other
// refusal, and a store that does not answer, is the message's text.
func (s *Service) Call(ctx context.Context, q CallQuery) (Message, error) {
	list, err := folders(q.Target.Border, q.Paths)
	if err != nil {
		return Message{}, err
	}
	content, err := s.do(ctx, q, list)
	switch {
	case err == nil:
	case ended(err) || errors.Is(err, context.Canceled):
		return Message{}, err
	default:
		s.note(ctx, err)
		content = told(err)
	}
	return Message{Role: "tool", ToolCallID: q.Call.ID, Content: content}, nil
}

// ended tells the refusal of a run that is over.
func ended(err error) bool { return errs.Is(err, errs.Unauthenticated) }

// note logs what no model can help.
func (s *Service) note(ctx context.Context, err error) {
	if kind := errs.KindOf(err); kind == errs.Internal || kind == errs.Unavailable {
		s.Log.LogAttrs(ctx, slog.LevelError, "a tool call failed", slog.String("error", errs.Describe(err)))
	}
}

func (s *Service) do(ctx context.Context, q CallQuery, list []folder) (string, error) {
	i := slices.IndexFunc(tools, func(t tool) bool { return t.name == q.Call.Function.Name })
	if i < 0 || q.Call.Type != "" && q.Call.Type != "function" {
		return "", invalid("", "There is no such tool.")
	}
	if !q.Target.Running && tools[i].name != searchMemory {
		return "", runtoken.HasEnded()
	}
	a, err := tools[i].parse(q.Call.Function.Arguments, list)
	if err != nil {
		return "", err
	}
	list = a.within(list)
	switch tools[i].name {
	case searchMemory:
		return s.search(ctx, q, a, list)
	case saveMemory:
		return s.save(ctx, q.Target, a, list)
	}
	return s.forget(ctx, q.Target, a, list)
}

// search answers facts as lines, of several folders the best of all.
func (s *Service) search(ctx context.Context, q CallQuery, a *arguments, list []folder) (string, error) {
	text, k := a.text("query"), a.count("k")
	if err := a.err(); err != nil {
		return "", err
	}
	n, err := factsearch.Count(k, factsearch.DefaultK)
	if err != nil {
		return "", err
	}
	var hits []factsearch.Hit
	for _, f := range list {
		found, err := s.Finder.Find(ctx, factsearch.Query{Target: q.Target, Text: *text, Path: f.path, K: &n})
		if err != nil {
			return "", err
		}
		hits = append(hits, found...)
	}
	if hits = once(hits); len(list) > 1 {
		slices.SortStableFunc(hits, factsearch.Better)
		hits = hits[:min(len(hits), n)]
	}
	if err := s.Finder.Leave(ctx, q.Target, q.RequestHash, hits); err != nil {
		return "", err
	}
	if len(hits) == 0 {
		return "Nothing found.", nil
	}
	return strings.TrimSuffix(lines(hits), "\n"), nil
}

// save stores what a model writes, as the model's (S3.52).
func (s *Service) save(ctx context.Context, t fact.Target, a *arguments, list []folder) (string, error) {
	by := string(fact.Model)
	d := fact.Draft{Text: a.text("text"), Tags: a.tags("tags"), Replaces: a.text("replaces"), WrittenBy: &by}
	if err := a.err(); err != nil {
		return "", err
	}
	d.Path = &list[0].path
	save := func(t fact.Target) (string, error) {
		saved, err := s.Facts.Save(ctx, t, d)
		if err != nil {
			return "", err
		}
		return "Saved as " + saved.ID + ".", nil
	}
	if d.Replaces == nil {
		return save(t)
	}
	return s.reached(ctx, t, list, *d.Replaces, save)
}

func (s *Service) forget(ctx context.Context, t fact.Target, a *arguments, list []folder) (string, error) {
	id := a.text("id")
	if err := a.err(); err != nil {
		return "", err
	}
	return s.reached(ctx, t, list, *id, func(t fact.Target) (string, error) {
		if _, err := s.Facts.Delete(ctx, t, *id); err != nil {
			return "", err
		}
		return "Forgotten.", nil
	})
}

// moves is how often a fact is looked for again that others change meanwhile.
const moves = 5

// reached does a write to a fact that lies in one of the folders (S3.53), in the very
// version in which it was seen there.
func (s *Service) reached(ctx context.Context, t fact.Target, list []folder, id string, write func(fact.Target) (string, error)) (string, error) {
	for try := 1; ; try++ {
		f, err := s.find(ctx, t, list, id)
		if err != nil {
			return "", err
		}
		t.Allows = func(version int64) bool { return version == f.Version }
		content, err := write(t)
		if !errs.Is(err, errs.Precondition) || try == moves {
			return content, err
		}
	}
}

func (s *Service) find(ctx context.Context, t fact.Target, list []folder, id string) (*fact.Fact, error) {
	if !ids.ValidFact(id) {
		return nil, errs.Missing()
	}
	for _, f := range list {
		found, err := s.Facts.Found(ctx, t, f.filter, []string{id})
		if err != nil {
			return nil, err
		}
		if found[0] != nil {
			return found[0], nil
		}
	}
	return nil, errs.Missing()
}
