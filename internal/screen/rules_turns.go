package screen

// Orders that count in a forged turn only. Those of anyone demand submission; those
// of a master also tell how to answer, which users may ask for and masters impose.
var (
	submission = []string{
		"you must|will|shall|should|have|always|only|are|need ~2 obey ~1 me|us|my|user|users|human|operator|developer|whatever|everything|nobody|this|these",
		"^ obey me|us|my|whatever|everything", "^ obey the|your user|human|operator|developer|system|master",
		"du|sie musst|mussen|wirst|werden|sollst mir|uns ~3 gehorchen",
	}
	impositions = []string{
		"^ obey|comply", "you must|will|shall|should|have|always|only|are|need ~2 obey",
		"du|sie musst|mussen|wirst|werden|sollst ~5 gehorchen", "tu|vous dois|devez ~2 obeir", "debes|debe ~2 obedecer",
		"do as|what|whatever|anything|everything|exactly ~2 i|user|he|they|human ~1 say|says|tell|tells|want|wants|ask|asks|order",
		"you must|will|shall|should|may|have|are|can|need ~2 {dictated} ~2 only|nothing|every|all|any|without|as|with|in|yes|no|whatever",
		"you must|will|shall|should ~1 {dictated}", "^ only|always|never|just {dictated}|refuse|agree",
		"^ answer|respond|reply|speak only|always|with|in|as|like|without", "act|behave as|like", "from now|here on you|only|always|never",
		"^ {override} {every}|the|your|what ~2 user|users|safety|policy|policies|filters|filter|refusals",
		"you ~2 have|has no ~1 {bans}|{limits}", "^ {show}|{send} ~1 {every}|your|the ~2 {treasure}|{talk}|{orders}",
		"you are now ~3 {machine}|{free}", "du|sie musst|mussen|wirst|sollst ~4 antworten|befolgen",
	}
)
