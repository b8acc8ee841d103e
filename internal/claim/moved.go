package claim

import (
	"strings"
	"unicode"
)

// isHome tells whether what was moved to is a place. People move to teams, tools and
// employers too, more than any list holds: "moved to" alone needs a known place,
// unless it is "relocated", or from a known place. What things are moved to may be
// any name that is none of a team or a tool.
//
// Whether one place lies in another cannot be told without a gazetteer: "I moved to
// Porto" closes "I live in Portugal".
func (p parts) isHome() bool {
	verb := strings.ToLower(p["verb"])
	if places[strings.ToLower(p["v"])] {
		return true
	}
	cued := verb != "" && verb != "moved" || places[strings.ToLower(p["f"])] || !isPerson(p["s"])
	return cued && isPlace(p["v"])
}

// isPlace tells one or two names that are no department, team, product, tool or
// acronym.
func isPlace(text string) bool {
	list := strings.Fields(text)
	if !isName(text) || len(list) > 2 {
		return false
	}
	for _, w := range list {
		low := strings.ToLower(w)
		if services[low] || products[low] || groups[low] || isCoined(w) {
			return false
		}
		for _, ending := range unitEndings {
			if strings.HasSuffix(low, ending) && !placesLikeUnits[low] {
				return false
			}
		}
	}
	return true
}

// isCoined tells acronyms, names with a capital or a digit inside, and endings that
// products have and places hardly.
func isCoined(w string) bool {
	letters := []rune(w)
	for _, r := range letters[1:] {
		if unicode.IsUpper(r) && !strings.HasPrefix(w, "Mc") && !strings.Contains(w, "-") || unicode.IsDigit(r) || strings.ContainsRune(".+#/&", r) {
			return true
		}
	}
	low := strings.ToLower(w)
	for _, ending := range productEndings {
		if strings.HasSuffix(low, ending) && low != ending {
			return true
		}
	}
	return len(letters) == 1
}

var (
	unitEndings    = strings.Fields(`ing ment ics tions tion ance ence ity ness tech ware team`)
	productEndings = strings.Fields(`ify base sql script hub flow cloud stack soft ware bnb book mail drive docs labs kit box js`)
)

// placesLikeUnits are places that end like departments.
var placesLikeUnits = words(`reading beijing nanjing wyoming chongqing kunming flushing worthing darjeeling france florence
	provence city providence valence`)

// groups are departments, teams, roles and plans.
var groups = words(`team squad tribe guild department dept division group unit crew committee board office chapter sales legal
	finance hr it qa pr ops devops sre dev rd r&d product design data platform infra infrastructure security support success
	growth brand content editorial media communications comms people talent strategy partnerships partner procurement supply
	logistics research science analytics insights compliance risk audit treasury tax payroll billing payments core backend
	frontend fullstack mobile web cloud network networks systems hardware software firmware embedded robotics ai ml
	operations production quality safety facilities admin administration management leadership executive corporate
	retail wholesale ecommerce commerce trade trust privacy policy public government health education academics customer
	enterprise consumer internal external revenue field service services solutions consulting advisory delivery project
	projects program programme programs plan plus pro premium basic free standard business personal family beta alpha
	stable nightly management night nights days mornings part full remote hybrid freelance vegan keto
	blue red green yellow orange purple black white gold silver labs studio tools release releases version`)

// products are well-known products, tools, languages and companies.
var products = words(`figma rust postgres postgresql mysql mariadb sqlite oracle mongodb mongo redis cassandra dynamodb
	elasticsearch opensearch kafka rabbitmq stripe paypal square adyen klarna wise revolut openai anthropic airbnb booking
	uber lyft bolt google microsoft apple amazon meta tesla nvidia intel amd ibm dell samsung sony huawei xiaomi nokia
	salesforce hubspot zendesk intercom shopify wix squarespace wordpress drupal webflow python ruby java kotlin swift
	scala clojure elixir erlang haskell golang go perl php typescript javascript react vue angular svelte next node deno
	bun django flask rails laravel spring gradle maven bazel terraform ansible puppet chef pulumi jenkins circleci travis
	grafana prometheus datadog splunk sentry snowflake databricks bigquery redshift spark airflow dbt looker tableau
	metabase vercel netlify heroku render fly railway supabase firebase cloudflare fastly akamai linear monday clickup
	basecamp todoist evernote obsidian roam coda airtable miro mural canva sketch framer photoshop illustrator blender
	excel word outlook sharepoint onedrive dropbox box gdrive icloud fastmail proton protonmail hey thunderbird chrome
	firefox safari edge brave opera vivaldi arc vim neovim emacs vscode cursor zed sublime intellij eclipse xcode git
	mercurial subversion svn debian ubuntu fedora arch nixos nix mint gentoo alpine redhat freebsd podman nomad helm
	consul vault okta auth0 duo bitwarden lastpass 1password matrix element mattermost rocket webex hulu disney hbo prime
	deezer tidal vodafone orange telekom verizon costco walmart ikea lidl aldi toastmasters rotary deloitte accenture
	kpmg pwc mckinsey bain claude gemini copilot perplexity llama mistral groq pytorch tensorflow jax fortran cobol lua
	julia matlab r stata spss sap workday rippling gusto deel personio quickbooks xero n26 monzo starling`)
