package claim

import "strings"

func words(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

// names are a list of names, of which some have two words.
func names(list string) map[string]bool {
	out := map[string]bool{}
	for name := range strings.SplitSeq(list, ",") {
		out[strings.Join(strings.Fields(name), " ")] = true
	}
	return out
}

// alternatives is a list as a regular expression.
func alternatives(list string) string { return "(?:" + strings.Join(strings.Fields(list), "|") + ")" }

// doubts are words that take certainty from a statement: hedges, plans, conditions,
// reports, denials, habits, repetitions, and times that are over.
var doubts = words(`may might would could should can cannot must will shall wo let lets ought maybe perhaps probably possibly
	likely almost nearly about around roughly approximately usually sometimes often mostly generally normally occasionally
	apparently reportedly allegedly supposedly according rumour rumor seems seem seemed appears appear sounds
	think thinks thought thinking believe believes guess suppose supposed assume assuming imagine hope hopes hoped hoping
	wish wishes want wants wanted wanting intend intends intended consider considers considered considering wonder wonders
	dream dreams dreamt dreamed try tries tried trying refuse refuses refused propose proposes proposed suggest suggests
	suggested recommend recommends expect expects expected ask asks asked offered
	said says say told tells heard hears claimed claims announced mentioned reads wrote
	if unless whether when once until till while although though provided before after because
	not no never nobody none neither nor without hardly barely
	also too still again already soon eventually ago originally initially formerly previously temporarily
	than like such except even whatever why how what who whom which whose where did do does had
	pretend fictional example hypothetically theoretically joke`)

// quantifiers make a subject more or less than one certain thing.
var quantifiers = words(`all both every each some many most several any few other another one two three half part parts
	either lots half none everyone everybody someone somebody nobody nothing something everything anything anyone
	he she it they this that these those there here you your his her its their him them us me mine
	a an which who to is are was were
	old previous former earlier original next last second third least next ex future planned possible proposed potential`)

// attributeNouns name an attribute: of what such a word heads any short value can
// be told.
var attributeNouns = words(`limit price rate fee budget deadline date address phone number email name password username
	owner manager lead leader head chair director boss supervisor ceo cto cfo coo president captain coach mayor chairman
	chairwoman secretary treasurer editor maintainer contact landlord doctor
	colour size version status capacity quota threshold timeout interval language database host region port
	location salary title theme format plan supplier vendor provider branch target goal score level priority
	rent wage tax bill allowance deposit discount temperature speed weight height age duration length count total
	maximum minimum capital currency website url username nickname mascot motto font model`)

// roles name what a person is; "a mother" is none, since nobody ceases to be one by
// taking up another.
var roles = words(`engineer developer programmer designer architect analyst scientist researcher professor lecturer teacher
	student nurse doctor surgeon dentist lawyer judge accountant consultant manager director lead leader head chief officer
	ceo cto cfo coo president captain coach editor writer journalist pilot chef cook waiter baker carpenter plumber
	electrician mechanic driver farmer gardener librarian secretary assistant intern trainee apprentice administrator
	maintainer owner chair chairman chairwoman treasurer mayor supervisor partner producer translator technician
	pharmacist therapist psychologist salesperson specialist coordinator recruiter contractor freelancer photographer`)

// kin are people of somebody.
var kin = words(`mother father mum mom dad brother sister son daughter wife husband partner girlfriend boyfriend friend
	cousin uncle aunt grandmother grandfather grandma grandpa neighbour neighbor colleague boss manager flatmate roommate
	niece nephew fiance fiancee`)

// scales are states that rule each other out.
var scales = scaleOf(map[string]string{
	"marital": "single engaged married divorced widowed separated in_a_relationship",
	"diet":    "vegetarian vegan pescatarian omnivore",
	"power":   "on off enabled disabled activated deactivated",
	"door":    "open opened closed shut",
	"lock":    "locked unlocked",
	"request": "pending approved rejected denied accepted declined cancelled canceled withdrawn granted",
	"task":    "blocked unblocked done finished completed open closed resolved reopened",
	"health":  "up down",
	"text":    "draft published archived retired deprecated",
})

func scaleOf(lists map[string]string) map[string]string {
	out := map[string]string{}
	for name, list := range lists {
		for _, w := range strings.Fields(list) {
			if at, there := out[w]; !there || name < at {
				out[w] = name
			}
		}
	}
	return out
}

// events are states that "was" brings about.
const events = `approved rejected denied accepted declined cancelled canceled withdrawn granted enabled disabled activated
	deactivated completed resolved reopened published archived retired deprecated unblocked`

var colours = words(`red green blue yellow orange purple violet pink brown black white grey gray cyan magenta turquoise
	teal navy olive maroon beige gold silver`)

// services are well-known names that are neither places to live nor employers whom
// one joins.
var services = words(`slack teams discord zoom skype whatsapp telegram signal instagram facebook twitter linkedin reddit
	tiktok youtube netflix spotify github gitlab bitbucket jira confluence notion trello asana kubernetes docker aws azure
	gcp linux windows macos android ios gmail outlook mastodon bluesky twitch snapchat pinterest`)

var weekdays = words(`monday tuesday wednesday thursday friday saturday sunday`)

var months = words(`january february march april may june july august september october november december`)

var numbers = map[string]string{
	"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
	"seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
}

// units are the short forms of units.
var units = map[string]string{
	"s": "second", "sec": "second", "secs": "second", "min": "minute", "mins": "minute", "h": "hour", "hr": "hour",
	"hrs": "hour", "ms": "millisecond", "kb": "kilobyte", "mb": "megabyte", "gb": "gigabyte", "tb": "terabyte",
	"€": "euro", "eur": "euro", "$": "dollar", "usd": "dollar", "£": "pound", "gbp": "pound", "%": "percent",
	"km": "kilometre", "kg": "kilogram", "m": "metre", "cm": "centimetre",
}

// spellings are one spelling of a word in subjects.
var spellings = map[string]string{
	"favorite": "favourite", "color": "colour", "e-mail": "email", "telephone": "phone", "mobile": "phone",
	"cost": "price", "leader": "lead", "ownership": "owner", "leadership": "lead", "i": "i", "my": "i", "we": "we", "our": "we",
}
