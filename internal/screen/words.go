package screen

// classes names sets of words that phrases use as {name}. Words are in small
// letters, without apostrophes; letters with marks are read without them.
var classes = map[string]string{
	// Where an order may start, and where it may not.
	"lead": `please pls kindly now and then must should shall just first instead immediately simply also so but or
		important urgent attention notice note warning assistant ai bot agent model chatgpt gpt claude gemini copilot llm
		hey hi hello ok okay yes no again quickly silently secretly quietly always lets`,
	"polite":   `please pls kindly and then now`,
	"needing":  `need have has want wants required supposed is are going task goal job you`,
	"negation": `not dont never cannot cant wont shouldnt mustnt neednt couldnt wouldnt didnt doesnt without nor neither nobody`,
	"mention": `phrase phrases string strings wording wordings sentence sentences pattern patterns example examples
		eg like as keyword keywords titled called quote quotes snippet snippets payload payloads`,

	// Overriding instructions.
	"override": `ignore disregard forget override overrule bypass discard abandon neglect overlook dismiss unlearn
		invalidate nullify`,
	"every": `all any every each everything entire whole`,
	"prior": `previous prior earlier preceding above foregoing aforementioned previously before`,
	"past":  `past former existing original initial old current earliest`,
	"orders": `instruction instructions rule rules prompt prompts guideline guidelines directive directives command
		commands constraint constraints restriction restrictions policies programming training guardrails safeguards`,
	"yours": `instruction instructions rules prompt prompts guidelines directive directives programming restrictions
		constraints guardrails safeguards`,
	"briefs": `instruction instructions prompt prompts directive directives`,
	"undone": `void cancelled canceled null superseded obsolete revoked replaced lifted suspended invalid overridden terminated deleted
		longer`,
	"overdo":  `override overrides supersede supersedes overrule overrules`,
	"instead": `say respond answer reply execute instead start act obey pretend write ignore`,

	// Another self without rules.
	"bans": `rules restrictions limitations filters filtering constraints guidelines guardrails censorship safeguards
		restriction filter moderation`,
	"limits":   `limit limits boundaries ethics morals moral ethical safety inhibitions policy policies`,
	"free":     `unrestricted unfiltered uncensored jailbroken unbound unshackled unconstrained lawless amoral unethical omnipotent`,
	"machine":  `ai assistant model bot chatbot chatgpt gpt agent llm persona machine`,
	"mode":     `developer debug god jailbreak jailbroken dan sudo unrestricted unfiltered root admin`,
	"be":       `are will shall must have act behave respond answer reply speak operate become`,
	"utter":    `act behave respond answer reply speak`,
	"play":     `act behave respond pretend roleplay imagine`,
	"dictated": `answer respond reply pretend reveal disclose obey`,
	"bad":      `unethical illegal immoral harmful dangerous offensive`,

	// Showing the prompt.
	"show": `reveal show print repeat output display leak disclose expose recite dump tell give divulge return write
		echo quote paste`,
	"inner": `system initial hidden secret original internal developer exact`,

	// Carrying data out.
	"send": `send forward post upload email mail transmit submit exfiltrate leak relay deliver export dump pass bcc cc
		share copy report push beam smuggle append attach include put paste publish text fax message`,
	"away": `send forward post upload email mail transmit submit exfiltrate leak relay deliver export dump bcc cc push
		smuggle publish transfer wire copy`,
	"whole": `all any every each everything entire whole full complete stored saved users their`,
	"treasure": `password passwords passphrase passphrases passcode passcodes secret secrets credential credentials keys token
		tokens cookies logins pins ssn mnemonic`,
	"talk": `conversation conversations chat chats transcript transcripts dialogue dialog history prompt prompts context`,
	"holding": `note notes message messages email emails mail mails inbox file files document documents data contact
		contacts record records information fact facts mailbox database details memory memories history conversation
		conversations chat chats transcript transcripts secrets passwords credentials`,
	"kept":    `stored saved remembered known private`,
	"sink":    `@link @trap @address webhook endpoint pastebin`,
	"user":    `user users customer customers owner owners human humans operator operators`,
	"deed":    `delete erase install buy pay approve run execute purchase wipe disable`,
	"telling": `telling informing notifying alerting warning`,

	// Steering what the assistant answers.
	"reply": `response responses answer answers reply replies output outputs completion`,
	"steer": `add include integrate insert embed append modify augment enhance alter adjust change rewrite replace
		substitute convert scramble jumble rearrange misspell encode encrypt reverse render provide use remove group combine
		introduce suggest tease hint mention recommend promote endorse advertise translate format structure begin start end
		finish conclude weave incorporate work slip sprinkle supplement extend enrich tweak revise adapt transform turn
		present deliver print write make express phrase anagram garble shift repeat capitalize capitalise omit drop inject
		close open follow precede prepend respond answer reply output spell flip invert swap mix hide`,
	"form": `emoji emojis base64 hex hexadecimal octal binary morse rhyme rhymes verse reverse backwards uppercase lowercase caps capitals
		cipher code riddle riddles haiku pirate symbols numbers french german spanish italian latin`,
	"serve": `respond reply answer give provide craft supply address formulate deliver offer present resolve handle furnish
		assist complete`,
	"push": `inform tell notify advise recommend suggest mention promote endorse encourage urge persuade convince invite
		direct remind warn praise`,
	"warp": `misspell scramble jumble anagram encode encrypt garble reverse augment enhance modify rearrange convert`,
	"data": `number numbers name names address addresses account invoice id ids reference code phone date dates
		details availability signature copy attachment resume cv quote po cc`,
	"letters": `letter letters vowel vowels consonant consonants word words`,
	"chars":   `number numbers symbol symbols letter letters digit digits position emoji emojis character characters`,

	// Tasks for an assistant.
	"task": `explain translate summarize summarise compose paraphrase rewrite analyze analyse compute outline brainstorm
		recite elaborate classify critique interpret solve simplify predict generate define compare
		assess determine evaluate gauge forecast estimate investigate`,
	"write": `write draft describe discuss recommend identify calculate suggest list name
		provide create develop prepare produce design build craft construct show offer supply find research
		convert imagine examine devise`,
	"piece": `poem poems haiku sonnet limerick essay story stories tale song songs lyrics speech letter joke jokes riddle
		riddles script dialogue monologue paragraph paragraphs introduction conclusion tweet blog article report function
		program example examples equivalent translation summary overview explanation description definition list table
		outline plan recipe code snippet tutorial lesson quiz fact facts synonym synonyms tip tips analysis comparison
		breakdown sentence sentences slogan headline caption idea ideas steps step guide biography timeline`,
	"digits": `a an the one two three four five six seven eight nine ten some several few @number`,
	"ours": `your our us we account accounts order orders payment payments invoice invoices booking bookings card
		cards subscription purchase receipt ticket tickets refund refunds reservation trip flight seat feedback experience
		visit delivery shipment transaction transactions my`,
	"doing": `is are was were do does did causes cause makes make can`,

	// Signs of a mail.
	"header":   `subject from to cc bcc date sent received content importance replyto attachments`,
	"greeting": `hi hello dear hey greetings`,
	"business": `account accounts charged charge payment paid invoice receipt transaction card debit credit billing booking
		order ticket tickets refund balance amount due subscription purchase confirmation reference shipment delivery fee
		total ach wire subtotal`,
	"done": `been charged credited debited preauthorized received shipped confirmed sent processed paid ready delivered
		updated booked applied attached placed renewed due`,

	// Code to be built in.
	"work": `code codebase implementation solution response answer algorithm program project app application reply
		elucidation script architecture software explanation output function framework`,
	"codepart": `code snippet script`,

	// Names of secrets.
	"secretname": `token secret apikey accesskey secretkey authtoken accesstoken clientsecret apisecret apitoken accountkey
		sharedaccesskey`,
	"keykind": `api access secret private signing encryption service account auth master license client app`,
	"passwordname": `password passwd pwd passphrase passcode passwort kennwort losungswort zugangscode passwords contrasena clave senha
		passe parola wachtwoord haslo heslo losenord losenordet adgangskode adgangskoden kodeord kodeordet passord passordet salasana jelszo sifre lozinka geslo
		пароль паролем κωδικος סיסמה पासवर्ड`,
	"lastsign": `码 碼 令 ド 号 호`,
	"keyword":  `key schlussel cle clave chiave chave sleutel klucz nyckel nokkel nogle ключ`,
	"of": `for of to on in at from fur von zum zur vom im am de du des del della dla do da dos al pour para por per voor van till
		til for na od для от к на`,
	"copula": `is was remains lautet lauten ist war este heisst heißt est es era son sera e jest to ar er on blir je это 是 为 為 は 는 은`,

	// Encoded text.
	"cipher": `base64 base32 base58 base85 hex hexadecimal rot13 rot47 caesar cipher ciphertext encoded binary morse encrypted`,
	"obey":   `follow obey execute comply perform do`,
	// Words by which an encoded order is known.
	"core": `ignore disregard forget override instructions instruction previous prompt system rules reveal secrets
		password passwords conversation assistant obey follow without everything your and the from`,
}
