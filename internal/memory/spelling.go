package memory

// Words of one meaning, and spellings of two countries: words that differ otherwise than by an ending, and
// stems whose endings differ. Closed lists, for a rule would join other words too
// (hour, four; advise, promise; metre is no meter that is read).
var spellings = map[string]string{
	"okay": "ok", "tv": "television", "phone": "telephone", "phones": "telephones", "somebody": "someone",
	"everybody": "everyone", "anybody": "anyone", "percent": "%", "bn": "billion", "&": "and",
	"grey": "gray", "tyre": "tire", "tyres": "tires", "aeroplane": "airplane", "aeroplanes": "airplanes",
	"cheque": "check", "cheques": "checks", "programme": "program", "programmes": "programs", "jewellery": "jewelry",
	"defence": "defense", "offence": "offense", "licence": "license", "catalogue": "catalog", "dialogue": "dialog",
	"centre": "center", "centres": "centers", "theatre": "theater", "theatres": "theaters", "litre": "liter", "litres": "liters",
	"kilometre": "kilometer", "kilometres": "kilometers", "metres": "meters", "fibre": "fiber",
	"cancelled": "canceled", "cancelling": "canceling", "travelled": "traveled", "travelling": "traveling", "traveller": "traveler",
	"labelled": "labeled", "labelling": "labeling", "modelled": "modeled", "modelling": "modeling", "signalled": "signaled",
	"fuelled": "fueled", "enrol": "enroll", "fulfil": "fulfill", "skilful": "skillful", "mum": "mom", "learnt": "learned",
	"burnt": "burned", "spelt": "spelled", "towards": "toward", "afterwards": "afterward", "whilst": "while", "amongst": "among",
}

var spellingStems = wordSet(`colou favou flavou honou humou labou neighbou rumou behaviou harbou endeavou vapou odou
	organis realis recognis apologis authoris categoris centralis customis emphasis finalis generalis initialis maximis
	minimis modernis normalis optimis prioritis serialis specialis standardis summaris synchronis utilis visualis analys paralys`)

// spellingEndings in the order in which they are tried; shared is how much of the
// British one belongs to the stem in spellingStems.
var spellingEndings = []struct {
	british, american string
	shared            int
}{
	{"ouring", "oring", 2}, {"oured", "ored", 2}, {"ourite", "orite", 2}, {"ourites", "orites", 2}, {"ours", "ors", 2},
	{"ourhood", "orhood", 2}, {"our", "or", 2},
	{"ising", "izing", 2}, {"ised", "ized", 2}, {"ises", "izes", 2}, {"isation", "ization", 2}, {"isations", "izations", 2}, {"ise", "ize", 2},
	{"ysing", "yzing", 2}, {"ysed", "yzed", 2}, {"yse", "yze", 2},
}
