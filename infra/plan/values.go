package plan

import (
	"fmt"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// The sorts of values. Each answers a setter; a setter answers the rule that the
// value breaks, in words that do not repeat the value.
type setter = func(s *Settings, value string) string

func text(at func(*Settings) *string) setter {
	return func(s *Settings, value string) string {
		*at(s) = value
		if strings.ContainsFunc(value, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }) || strings.Contains(value, "${") {
			return "must be text without white space, control characters and ${"
		}
		return ""
	}
}

// shaped takes text that fits a pattern; empty text passes.
func shaped(at func(*Settings) *string, pattern, rule string) setter {
	fits := regexp.MustCompile(pattern)
	return func(s *Settings, value string) string {
		*at(s) = value
		if value != "" && !fits.MatchString(value) {
			return rule
		}
		return ""
	}
}

func word(at func(*Settings) *string, most int) setter {
	return shaped(at, fmt.Sprintf(`^[a-z][a-z0-9]{0,%d}$`, most-1),
		fmt.Sprintf("must be a lower-case word of at most %d letters and digits", most))
}

func instance(at func(*Settings) *string) setter {
	return shaped(at, `^[a-z0-9]+\.[a-z0-9]+\.search$`, "must name an instance type, such as t3.small.search")
}

func arnOf(at func(*Settings) *string, service string) setter {
	return shaped(at, `^arn:aws[a-z-]*:`+service+`:[a-z0-9-]*:[0-9]{12}:[A-Za-z0-9/+=,.@_-]+$`,
		"must be an ARN of the service "+service)
}

func one(at func(*Settings) *string, of ...string) setter {
	return func(s *Settings, value string) string {
		*at(s) = value
		if !slices.Contains(of, value) {
			return "must be one of " + strings.Join(of, ", ")
		}
		return ""
	}
}

func yes(at func(*Settings) *bool) setter {
	return func(s *Settings, value string) string {
		*at(s) = value == "true"
		if value != "true" && value != "false" {
			return "must be true or false"
		}
		return ""
	}
}

func count(at func(*Settings) *int, least, most int) setter {
	return func(s *Settings, value string) string {
		n, err := strconv.Atoi(value)
		*at(s) = n
		if err != nil || n < least || n > most {
			return fmt.Sprintf("must be a whole number from %d to %d", least, most)
		}
		return ""
	}
}

// retention is what CloudWatch Logs takes, in days.
var retention = []int{1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653}

func days(at func(*Settings) *int) setter {
	return among(at, retention)
}

func managers(at func(*Settings) *int) setter {
	return among(at, []int{0, 3, 5})
}

func among(at func(*Settings) *int, of []int) setter {
	return func(s *Settings, value string) string {
		n, err := strconv.Atoi(value)
		*at(s) = n
		if err != nil || !slices.Contains(of, n) {
			return "must be one of " + strings.Trim(fmt.Sprint(of), "[]")
		}
		return ""
	}
}

func link(at func(*Settings) *string) setter {
	return func(s *Settings, value string) string {
		*at(s) = strings.TrimRight(value, "/")
		if value == "" {
			return ""
		}
		u, err := url.Parse(value)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
			return "must be an http or https address without user, query and fragment"
		}
		return ""
	}
}

// origins reads what browsers send as Origin: scheme and host, nothing after it.
func origins(at func(*Settings) *[]string) setter {
	return func(s *Settings, value string) string {
		*at(s) = strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
		for _, o := range *at(s) {
			u, err := url.Parse(o)
			if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.Scheme+"://"+u.Host != o {
				return "must be origins such as https://app.example, separated by commas"
			}
		}
		return ""
	}
}

func email(at func(*Settings) *string) setter {
	return func(s *Settings, value string) string {
		*at(s) = value
		if a, err := mail.ParseAddress(value); value != "" && (err != nil || a.Address != value) {
			return "must be a mail address"
		}
		return ""
	}
}
