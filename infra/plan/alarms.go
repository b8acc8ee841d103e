package plan

import (
	"holdfast/internal/obs"
)

// Alarm watches one metric. Missing data is no alarm, unless the description says
// otherwise: nothing to do is a good state.
type Alarm struct {
	ID         string
	Name       string
	Stack      string
	Meaning    string // what it says, and what to do
	Namespace  string
	Metric     string
	Dimensions map[string]string
	Statistic  string
	Period     int // seconds
	Periods    int // so many periods in a row
	Threshold  float64
	Below      bool // fires at or below the threshold; otherwise at or above
}

const (
	minute      = 60
	fiveMinutes = 300
)

func (p Plan) alarm(id, stack, meaning, namespace, metric, statistic string, dimensions map[string]string) Alarm {
	return Alarm{ID: id, Name: p.Prefix + "-" + id, Stack: stack, Meaning: meaning, Namespace: namespace, Metric: metric,
		Dimensions: dimensions, Statistic: statistic, Period: fiveMinutes, Periods: 1, Threshold: 1}
}

// nearTimeout is the share of a function's time at which its duration is an alarm.
const nearTimeout = .8

func (p Plan) functionAlarms(f Function) []Alarm {
	of := func(metric, statistic, meaning string) Alarm {
		return p.alarm(f.ID+"-"+kebab[metric], f.Stack, meaning, "AWS/Lambda", metric, statistic, map[string]string{"FunctionName": f.Name})
	}
	slow := of("Duration", "Maximum", "Calls come near the function's timeout: see what they wait for.")
	slow.Threshold, slow.Periods = float64(f.Seconds)*1000*nearTimeout, 3
	out := []Alarm{
		of("Errors", "Sum", "The function crashed, timed out or could not start: see its log."),
		of("Throttles", "Sum", "Calls were refused for want of concurrency: raise the account's limit or the reservation."),
		slow,
	}
	if f.Stream != nil {
		age := of("IteratorAge", "Maximum", "The relay lags behind the table's stream: writes are searchable late.")
		age.Threshold, age.Period, age.Periods = 60_000, minute, 5
		out = append(out, age)
	}
	return out
}

var kebab = map[string]string{"Errors": "errors", "Throttles": "throttles", "Duration": "duration", "IteratorAge": "iterator-age"}

// oldestMessage is the age in seconds of a waiting message from which on workers do
// not keep up.
const oldestMessage = 300

func (p Plan) queueAlarms(q Queue) []Alarm {
	depth := p.alarm(q.ID+"-dead", WorkStack, "Messages ran out of tries: find the cause in the worker's log, then re-drive them.",
		"AWS/SQS", "ApproximateNumberOfMessagesVisible", "Maximum", map[string]string{"QueueName": q.DeadName})
	depth.Period = minute
	if q.Name == "" {
		return []Alarm{depth}
	}
	age := p.alarm(q.ID+"-age", WorkStack, "The oldest message waits too long: workers do not keep up, or fail.",
		"AWS/SQS", "ApproximateAgeOfOldestMessage", "Maximum", map[string]string{"QueueName": q.Name})
	age.Threshold, age.Period, age.Periods = oldestMessage, minute, 3
	return []Alarm{depth, age}
}

// indexLag is the lag in seconds that is an alarm.
const indexLag = 300

// alarms are those that belong to no single function or queue.
func (p Plan) alarms(_ Settings) []Alarm {
	lag := p.alarm("index-lag", WorkStack, "An index lags behind its log: what was written cannot be found. See worker-index.",
		obs.Namespace, obs.IndexLag, "Maximum", map[string]string{"FunctionName": p.Prefix + "-worker-sweep"})
	lag.Threshold, lag.Period, lag.Periods = indexLag, minute, 3
	table := map[string]string{"TableName": p.Table.Name}
	broken := p.alarm("api-5xx", APIStack, "Callers got errors of ours: see the log of the route's function.",
		"AWS/ApiGateway", "5xx", "Sum", map[string]string{"ApiId": APIID.String()})
	out := []Alarm{
		lag,
		p.alarm("erased-found", WorkStack, "Copies of erased items were found and are erased again: find out what brought them back. See worker-erase.",
			obs.Namespace, obs.CanaryHits, "Sum", map[string]string{"FunctionName": p.Prefix + "-worker-erase"}),
		p.alarm("table-read-throttles", WorkStack, "Reads of the table were throttled: a partition is hot.",
			"AWS/DynamoDB", "ReadThrottleEvents", "Sum", table),
		p.alarm("table-write-throttles", WorkStack, "Writes to the table were throttled: a workspace is hot.",
			"AWS/DynamoDB", "WriteThrottleEvents", "Sum", table),
		broken,
	}
	return append(out, p.domainAlarms()...)
}

// memoryPressure is the share of Java's memory in percent that is an alarm, and
// freeDisk the share of a node's disk.
const (
	memoryPressure = 85
	freeDisk       = .2
)

func (p Plan) domainAlarms() []Alarm {
	if p.Domain == nil {
		return nil
	}
	of := func(id, metric, statistic, meaning string) Alarm {
		a := p.alarm("search-"+id, WorkStack, meaning, "AWS/ES", metric, statistic,
			map[string]string{"DomainName": p.Domain.Name, "ClientId": "${AWS::AccountId}"})
		a.Period = minute
		return a
	}
	disk := of("disk", "FreeStorageSpace", "Minimum", "A node's disk fills up: raise searchGB or searchNodes.")
	disk.Threshold, disk.Below = float64(p.Domain.GB)*1024*freeDisk, true // megabytes
	memory := of("memory", "JVMMemoryPressure", "Maximum", "The domain's memory is nearly used up: raise searchInstance.")
	memory.Threshold, memory.Periods = memoryPressure, 3
	return []Alarm{of("red", "ClusterStatus.red", "Maximum", "A part of the index is not there: retrieval is degraded."), disk, memory}
}
