package facttools

import (
	"slices"
	"strconv"

	"holdfast/internal/errs"
	"holdfast/internal/fact"
)

// folder is one that a caller gave.
type folder struct {
	name   string // as models see it: the normal form, / for the root
	path   string // the normal form, {user} still in it
	filter fact.Filter
}

// folders checks the paths that a call was given, each once. nil stands for the whole
// memory; an empty list is an error (S3.46).
func folders(b fact.Border, paths []string) ([]folder, error) {
	if paths == nil {
		paths = []string{""}
	}
	if len(paths) == 0 {
		return nil, errs.Validation(errs.Field{Pointer: "/paths", Rule: "must not be empty; leave it out for everything"})
	}
	var out []folder
	for i, text := range paths {
		path, err := fact.ParsePath(text)
		if err != nil {
			return nil, pointed(err, i)
		}
		filter, err := fact.NewFilter(b, text, nil)
		if err != nil {
			return nil, pointed(err, i)
		}
		f := folder{name: path.String(), path: path.String(), filter: filter}
		if path.IsRoot() {
			f.name = "/"
		}
		if !slices.ContainsFunc(out, func(o folder) bool { return o.path == f.path }) {
			out = append(out, f)
		}
	}
	return out, nil
}

// pointed makes an error about a path one about an item of the list.
func pointed(err error, i int) error {
	e := errs.As(err)
	if e == nil || e.Kind != errs.Invalid {
		return err
	}
	fields := slices.Clone(e.Fields)
	for j := range fields {
		fields[j].Pointer = "/paths/" + strconv.Itoa(i)
	}
	return errs.Validation(fields...)
}
