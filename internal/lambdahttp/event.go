package lambdahttp

// event is the part of a payload 2.0 request that is read or written here.
type event struct {
	Version        string            `json:"version"`
	RouteKey       string            `json:"routeKey"`
	RawPath        string            `json:"rawPath"`
	RawQuery       string            `json:"rawQueryString"`
	Cookies        []string          `json:"cookies,omitempty"`
	Headers        map[string]string `json:"headers"`
	PathParameters map[string]string `json:"pathParameters,omitempty"`
	Context        requestContext    `json:"requestContext"`
	Body           string            `json:"body,omitempty"`
	Base64         bool              `json:"isBase64Encoded"`
}

type requestContext struct {
	RouteKey string      `json:"routeKey"`
	Stage    string      `json:"stage"`
	Domain   string      `json:"domainName"`
	HTTP     httpContext `json:"http"`
}

type httpContext struct {
	Method    string `json:"method"`
	Path      string `json:"path"`
	Protocol  string `json:"protocol"`
	SourceIP  string `json:"sourceIp"`
	UserAgent string `json:"userAgent"`
}

// response is a payload 2.0 answer.
type response struct {
	Status  int               `json:"statusCode"`
	Headers map[string]string `json:"headers"`
	Cookies []string          `json:"cookies,omitempty"`
	Body    string            `json:"body"`
	Base64  bool              `json:"isBase64Encoded"`
}

// defaultKey is the route key of what no route takes.
const defaultKey = "$default"
