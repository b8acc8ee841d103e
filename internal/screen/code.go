package screen

import "strings"

// Calls by which code harms whoever runs it: it destroys the machine, or it watches
// its user and sends what it saw somewhere.
var (
	destroys = []string{"rm -rf /", "rm -rf ~", "rm -fr /", "--no-preserve-root", "mkfs.", "of=/dev/sd", ":(){", "rmtree(\"/\"", "rmtree('/'",
		"format c:", "/etc/init.d/rc.local", "/etc/shadow", "iptables -p input drop", "vssadmin delete"}
	watches = []string{"pynput", "keylog", "imagegrab", "pyautogui.screenshot", "pyperclip", "id_rsa", "browser_cookie", "login data",
		"videocapture(", "pyaudio", "scapy", "sniff(", "cookies.pkl", "cookies.txt", "dict(os.environ)", "wallet.dat"}
	sends = []string{"requests.post", "requests.put", "sendall(", "sendto(", "smtplib", "ftplib", "http.client", "urlopen(", "curl ", "fetch(", "websocket"}
)

// hasHarmfulCode: the text has a fenced block with such calls.
func hasHarmfulCode(p *page) bool {
	_, block, ok := strings.Cut(p.text, "```")
	if !ok {
		return false
	}
	block = strings.ToLower(block)
	return containsAny(block, destroys) || containsAny(block, watches) && containsAny(block, sends)
}

func containsAny(s string, parts []string) bool {
	for _, part := range parts {
		if strings.Contains(s, part) {
			return true
		}
	}
	return false
}

// hasCodeInMail: a fenced block stands in a mail.
func hasCodeInMail(p *page) bool { return strings.Contains(p.text, "```") && isMail(p) }
