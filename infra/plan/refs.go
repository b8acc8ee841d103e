package plan

import "strings"

// Ref is the name of a value that only a deployment knows: an address, or an ARN
// with a part that AWS makes up. In texts it stands as ${name}.
type Ref string

// The references.
const (
	TableStream    Ref = "TableStream"    // ARN of the table's stream
	TableKey       Ref = "TableKey"       // ARN of the key that encrypts the table, where it is the owner's
	RootSecret     Ref = "RootSecret"     // ARN of the secret that holds the root key
	SearchEndpoint Ref = "SearchEndpoint" // address of the search domain
	APIID          Ref = "Api"            // id of the HTTP API
)

// String is the reference as it stands in a text.
func (r Ref) String() string { return "${" + string(r) + "}" }

// QueueURL is the reference of a queue's address.
func QueueURL(queue string) Ref { return Ref("Queue" + title(queue) + "Url") }

func title(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// arn is an ARN in the account and Region of the deployment.
func arn(service, resource string) string {
	return "arn:${AWS::Partition}:" + service + ":${AWS::Region}:${AWS::AccountId}:" + resource
}
