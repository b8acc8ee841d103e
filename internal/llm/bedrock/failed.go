package bedrock

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"holdfast/internal/llm"
)

// unnamed is the SDK's word for an error without a code.
const unnamed = "UnknownError"

// validation is AWS's code of a request that is wrong in itself.
const validation = "ValidationException"

// failed turns an error of the client into the port's. The service's own words are
// left out: they may repeat the task.
func failed(err error) error {
	status := 0
	var response *smithyhttp.ResponseError
	if errors.As(err, &response) {
		status = response.HTTPStatusCode()
	}
	code := codeOf(err)
	kind := llm.ErrUnavailable
	if status == http.StatusRequestEntityTooLarge || status == http.StatusBadRequest && (code == validation || code == "") {
		kind = llm.ErrRefused
	}
	switch {
	case errors.Is(err, errTooLarge):
		return fmt.Errorf("%w: it is too large", llm.ErrAnswer)
	case errors.Is(err, llm.ErrRefused):
		return err // its request was not made
	case status == http.StatusOK && !errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: the reply is not that of the protocol", llm.ErrAnswer)
	case status > 0 && status != http.StatusOK && code != "":
		return fmt.Errorf("%w: status %d (%s)", kind, status, code)
	case status > 0 && status != http.StatusOK:
		return fmt.Errorf("%w: status %d", kind, status)
	}
	return fmt.Errorf("%w: no answer", llm.ErrUnavailable)
}

// codeOf is the code of AWS in an error; empty where something else stands in its
// place.
func codeOf(err error) string {
	var refused smithy.APIError
	if !errors.As(err, &refused) || len(refused.ErrorCode()) > 64 || refused.ErrorCode() == unnamed {
		return ""
	}
	for _, c := range refused.ErrorCode() {
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return ""
		}
	}
	return refused.ErrorCode()
}

// namesTemperature tells whether a request was called wrong for its temperature.
func namesTemperature(err error) bool {
	var refused smithy.APIError
	return codeOf(err) == validation && errors.As(err, &refused) && strings.Contains(strings.ToLower(refused.ErrorMessage()), "temperature")
}

// errTooLarge: a reply is over llm.MaxAnswer.
var errTooLarge = errors.New("bedrock: the reply is too large")

// bounded is a client whose replies end with errTooLarge after llm.MaxAnswer.
type bounded struct{ next aws.HTTPClient }

// Do implements aws.HTTPClient.
func (b bounded) Do(r *http.Request) (*http.Response, error) {
	response, err := b.next.Do(r)
	if err == nil {
		response.Body = &limited{ReadCloser: response.Body, left: llm.MaxAnswer}
	}
	return response, err
}

type limited struct {
	io.ReadCloser
	left int
}

// Read reads what is left, and one byte more to know whether there is more.
func (l *limited) Read(p []byte) (int, error) {
	if len(p) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.ReadCloser.Read(p)
	if l.left -= n; l.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}
