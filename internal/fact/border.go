package fact

import (
	"strings"

	"holdfast/internal/errs"
)

// Border is what a run may touch: everything outside users/, and of users/ the
// folder of its own end user (S3.15). Every call passes here; the zero Border is that
// of a run without an end user. People's calls have none (Everyone).
type Border struct {
	User     string // the run's end user in NFC; empty: none
	Everyone bool   // no border: the panel (A3.3)
}

// Target resolves a path that is to be written to: users/ itself holds no facts
// (R3.6).
func (b Border) Target(p Path) (Path, error) {
	if p.text == usersFolder+"/" {
		return Path{}, badPath("must name a user's folder below users/")
	}
	return b.resolve(p)
}

// Filter resolves a path that narrows a search or a list: users/ itself stands for
// what the run may see of it (R3.5).
func (b Border) Filter(p Path) (Path, error) { return b.resolve(p) }

// resolve fills in {user} and refuses other users' folders: 409 no_user, 403
// other_user (S3.17, S3.19).
func (b Border) resolve(p Path) (Path, error) {
	user, bound := p.user()
	switch {
	case !bound || b.Everyone && user != userMark:
		return p, nil
	case user == userMark && b.User == "":
		return Path{}, errs.New(errs.Conflict, "NO_USER", "This run has no end user, so users/{user}/ means nothing.")
	case user == userMark:
		p.text = strings.Replace(p.text, userMark, b.User, 1)
		if p.tooLong() {
			return Path{}, tooLong()
		}
		return p, nil
	case user != b.User:
		return Path{}, errs.New(errs.Forbidden, "OTHER_USER", "This folder belongs to another end user.")
	}
	return p, nil
}

// Sees tells whether a fact at a path exists for the run (S3.18).
func (b Border) Sees(p Path) bool {
	user, bound := p.user()
	return b.Everyone || !bound || user == b.User
}

// Moves tells whether a fact may go from one path to another: not across the border
// of a user's folder (S3.20).
func Moves(from, to Path) bool {
	a, inA := from.user()
	b, inB := to.user()
	return inA == inB && a == b
}
