package screen

// classes names sets of words that phrases use as {name}. Words are in small
// letters, without apostrophes; letters with marks are read without them.
var classes = map[string]string{
	// Where an order may start.
	"lead": `please pls kindly now and then must should just first instead immediately simply also so but or shall
		will can could would lets let you important urgent attention notice note warning assistant ai bot agent model
		chatgpt gpt claude gemini copilot llm hey hi hello ok okay yes no again quickly silently secretly quietly
		always task`,
	"polite":   `please pls kindly and then now you`,
	"needing":  `need have has want wants required supposed is going asked instructed order ordered you told`,
	"negation": `not dont never cannot cant wont shouldnt mustnt neednt couldnt wouldnt didnt doesnt without nor neither nobody`,
	"mention": `phrase phrases string strings wording wordings sentence sentences pattern patterns example examples
		eg like as keyword keywords titled called quote quotes snippet snippets payload payloads reading literally`,

	// Overriding instructions.
	"override": `ignore disregard forget override overrule bypass discard abandon neglect overlook dismiss unlearn void
		invalidate nullify supersede`,
	"every": `all any every each everything entire whole`,
	"prior": `previous prior earlier preceding above foregoing past former existing original initial old before
		previously earliest aforementioned`,
	"orders": `instruction instructions rule rules prompt prompts guideline guidelines directive directives command
		commands constraint constraints restriction restrictions policies programming training guardrails safeguards
		instructs`,
	"limits": `rule rules restriction restrictions limit limits limitation limitations filter filters filtering
		constraint constraints guideline guidelines guardrails boundaries censorship ethics morals moral ethical safety
		inhibitions safeguards policy policies`,
	"free": `unrestricted unfiltered uncensored unlimited jailbroken unbound unshackled unconstrained lawless amoral
		unethical omnipotent dan`,
	"machine": `ai assistant model bot chatbot chatgpt gpt agent llm persona system machine`,

	// Carrying data out.
	"send": `send forward post upload email mail transmit submit exfiltrate leak relay deliver export dump pass bcc cc
		share copy report push beam smuggle append attach include put paste publish text fax message`,
	"away": `send forward post upload email mail transmit submit exfiltrate leak relay deliver export dump bcc cc push
		smuggle publish transfer wire copy`,
	"treasure": `password passwords passphrase passphrases passcode passcodes secret secrets credential credentials key
		keys token tokens cookie cookies login logins pin pins ssn mnemonic`,
	"talk": `conversation conversations chat chats transcript transcripts dialogue dialog history prompt prompts
		memory memories context`,
	"holding": `note notes message messages email emails mail mails inbox file files document documents data contact
		contacts record records information info fact facts mailbox database details detail memory memories history
		conversation conversations chat chats transcript transcripts secrets passwords credentials`,
	"kept":   `stored saved remembered known private confidential personal sensitive internal hidden`,
	"sink":   `@link @address webhook endpoint pastebin`,
	"user":   `user users customer customers owner owners human humans operator operators client clients`,
	"unseen": `secretly silently covertly discreetly stealthily quietly`,

	// Words by which an encoded order is known.
	"core": `ignore disregard forget override instructions instruction previous prompt system rules reveal secrets
		password passwords conversation assistant obey follow without everything your and the from`,

	// Showing the prompt.
	"show": `reveal show print repeat output display leak disclose expose recite dump tell give divulge return write
		echo quote paste list summarize summarise translate`,

	// Encoded text.
	"code": `base64 base32 base58 base85 hex hexadecimal rot13 rot47 caesar cipher ciphertext encoded binary morse
		encrypted urlencoded percent`,
	"obey": `follow obey execute comply perform act do run`,

	// Steering what the assistant answers.
	"reply":   `response responses answer answers reply replies output outputs completion message messages`,
	"ofreply": `response responses answer answers reply replies output outputs completion`,
	"steer": `add include integrate insert embed append modify augment enhance alter adjust change rewrite replace
		substitute convert scramble jumble rearrange misspell encode encrypt reverse render provide use remove group combine
		introduce suggest tease hint mention recommend promote endorse advertise translate format structure begin start end
		finish conclude weave incorporate work slip sprinkle supplement extend enrich tweak revise adapt transform turn put
		place attach present deliver print write craft give return make express phrase anagram garble shift repeat capitalize
		capitalise omit drop inject close open follow precede prepend sign respond answer reply output spell`,
	"data": `number numbers name names address addresses account invoice order id ids reference code phone date dates
		details availability signature copy attachment resume cv quote po cc`,

	// Tasks for an assistant.
	"task": `explain describe translate summarize summarise compose draft paraphrase rewrite analyze analyse assess
		calculate compute discuss define outline brainstorm recite elaborate classify critique interpret solve simplify
		predict generate recommend write determine identify evaluate`,
	"piece": `poem poems haiku sonnet limerick essay story stories tale song songs lyrics speech letter joke jokes riddle
		riddles script dialogue monologue paragraph paragraphs introduction conclusion tweet blog article report function
		program example examples equivalent translation summary overview explanation description definition list table
		outline plan recipe code snippet tutorial lesson quiz fact facts synonym synonyms tip tips review analysis
		comparison breakdown sentence sentences slogan headline caption idea ideas steps step guide biography timeline`,
	"make":   `provide create develop make give prepare produce design build craft construct show offer supply list find`,
	"digits": `a an the one two three four five six seven eight nine ten some several few @number`,
	"ours": `your our us we this these account order orders payment payments invoice invoices booking bookings card cards
		subscription purchase receipt ticket tickets refund refunds reservation trip flight seat feedback experience visit
		delivery shipment transaction transactions my`,

	// Signs of a mail.
	"header":   `subject from to cc bcc date sent received content importance email_from replyto attachments`,
	"greeting": `hi hello dear hey greetings`,
	"business": `account accounts charged charge payment paid invoice receipt transaction card debit credit billing booking
		order ticket tickets refund balance amount due subscription purchase confirmation reference shipment delivery fee
		total ach wire subtotal`,

	// Code to be built in.
	"work": `code codebase implementation solution response answer algorithm program project app application reply
		elucidation script architecture software explanation output function framework`,
	"codepart": `code snippet script`,

	// Names of secrets.
	"secretname": `apikey accesskey secretkey clientsecret authtoken accesstoken token secret key bearer privatekey
		apisecret apitoken secrets`,
	"passwordname": `password passwd pwd passphrase passwort contrasena senha`,
}
