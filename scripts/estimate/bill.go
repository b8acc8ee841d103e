package main

import (
	"errors"
	"fmt"
	"math"

	"holdfast/infra/plan"
	"holdfast/internal/config"
	"holdfast/internal/routes"
)

// Load is what a deployment is asked to do in a month.
type Load struct {
	Appends, Retrieves, Reads, Memories    float64
	Tokens                                 float64
	AppendMS, RetrieveMS, ReadMS, WorkerMS float64
}

func (l Load) check() error {
	for _, v := range []float64{l.Appends, l.Retrieves, l.Reads, l.Memories, l.Tokens, l.AppendMS, l.RetrieveMS, l.ReadMS, l.WorkerMS} {
		if v < 0 || math.IsNaN(v) || math.IsInf(v, 0) {
			return errors.New("a load is a number of at least 0")
		}
	}
	return nil
}

// Line is one line of the bill.
type Line struct {
	What, Unit      string
	Quantity, Price float64
	Fixed           bool // to be paid without any load too
}

// Cost is the line's sum.
func (l Line) Cost() float64 { return l.Quantity * l.Price }

const (
	hoursOfMonth   = 730
	minutesOfMonth = hoursOfMonth * 60
	gb             = 1e9
)

// The units of a call on the table, measured in TestUnitsAreThoseOfTheService with
// vectors of 384 dimensions; a larger vector adds its own.
const (
	appendWrites   = 15.0 // without the vector
	appendReads    = 3.0
	indexWrites    = 2.0 // mark and cursor, when every append is indexed alone; in one process the cursor is no row
	indexReads     = 6.0
	retrieveReads  = 85.0
	retrieveWrites = 11.15 // the receipt: internal/ledger/tablejournal, s = 3, n = 80
	receiptReads   = 2.0
	readReads      = 2.0
	rowBytes       = 3000.0 // rows of a memory without its vector, the log row among them
)

// The sizes and counts that are not measured here.
const (
	callLogBytes    = 900.0 // Lambda's lines, the service's line and the line of the access log
	receiptBytes    = 3000.0
	messagesPerCall = 1.0     // of an append; many at once share one
	callsPerMessage = 3.0     // send, receive, delete
	pollsPerQueue   = 648_000 // Lambda asks with five pollers, each every 20 seconds
	sweepMS         = 200.0
)

// vectorUnits are the write units of a vector's row in a transaction.
func vectorUnits(dimension float64) float64 { return 2 * math.Ceil((dimension*4+200)/1024) }

// defaultDimension is that of the model when no dimension is set.
func defaultDimension(s plan.Settings) float64 {
	switch {
	case s.Embed.Dimension > 0:
		return float64(s.Embed.Dimension)
	case s.Embed.Engine == config.Bedrock:
		return 1024
	}
	return 384
}

// biller gathers lines; the first error stays.
type biller struct {
	prices Prices
	lines  []Line
	err    error
}

func (b *biller) add(what, price string, quantity float64, fixed bool) {
	p, err := b.prices.of(price)
	if err != nil && b.err == nil {
		b.err = err
	}
	if quantity > 0 {
		b.lines = append(b.lines, Line{What: what, Unit: p.Unit, Quantity: quantity, Price: p.Value, Fixed: fixed})
	}
}

const (
	fixed  = true
	byLoad = false
)

func bill(p plan.Plan, s plan.Settings, l Load, prices Prices) ([]Line, error) {
	b := &biller{prices: prices}
	calls := l.Appends + l.Retrieves + l.Reads
	b.add("HTTP API", "httpApiCall", calls, byLoad)
	b.functions(p, l, calls)
	b.table(p, s, l)
	b.queues(p, l)
	b.watching(p, calls)
	b.add("Secrets Manager: the root key", "secret", 1, fixed)
	if p.Table.OwnKey {
		b.add("KMS: the account's own key", "key", 1, fixed)
	}
	if s.Embed.Engine == config.Bedrock {
		b.add("Bedrock: "+p.Env["HOLDFAST_EMBED_MODEL"], "titanToken", l.Tokens*(l.Appends+l.Retrieves/3), byLoad)
	}
	b.search(p)
	return b.lines, b.err
}

// functions adds calls and times: those of the routes, one turn of the relay and of
// the index worker for each append, one of the relay for each receipt, the clock's.
func (b *biller) functions(p plan.Plan, l Load, calls float64) {
	price := "lambdaGBSecondArm"
	if p.Arch == "x86_64" {
		price = "lambdaGBSecondX86"
	}
	scheduled, memory := 0.0, map[string]float64{}
	for _, f := range p.Functions {
		memory[f.ID] = float64(f.MemoryMB) / 1024
		if f.Schedule != nil {
			scheduled++
		}
	}
	turns := 2*l.Appends + l.Retrieves + l.Retrieves/80
	seconds := memory[routes.MemoryAppend.ID]*l.Appends*l.AppendMS + memory[routes.MemoryRetrieve.ID]*l.Retrieves*l.RetrieveMS +
		memory[routes.MemoryGet.ID]*l.Reads*l.ReadMS + memory[routes.WorkerIndex.ID]*l.Appends*l.WorkerMS +
		memory[routes.WorkerRelay.ID]*(l.Appends+l.Retrieves)*l.WorkerMS/4
	b.add("Lambda: calls", "lambdaCall", calls+turns, byLoad)
	b.add("Lambda: time", price, seconds/1000, byLoad)
	b.add("Lambda: calls by the clock", "lambdaCall", scheduled*minutesOfMonth, fixed)
	b.add("Lambda: time by the clock", price, scheduled*minutesOfMonth*sweepMS/1000*memory[routes.WorkerSweep.ID], fixed)
}

func (b *biller) table(p plan.Plan, s plan.Settings, l Load) {
	dimension := defaultDimension(s)
	b.add("DynamoDB: writes", "tableWriteUnit", l.Appends*(appendWrites+vectorUnits(dimension)+indexWrites)+l.Retrieves*retrieveWrites, byLoad)
	b.add("DynamoDB: reads", "tableReadUnit", l.Appends*(appendReads+indexReads)+l.Retrieves*(retrieveReads+receiptReads)+l.Reads*readReads, byLoad)
	stored := (l.Memories*(rowBytes+dimension*4) + l.Retrieves*receiptBytes) / gb
	b.add("DynamoDB: storage, with a month of receipts", "tableGB", stored, byLoad)
	b.add(fmt.Sprintf("DynamoDB: backups, %d days back", p.Table.BackupDays), "tableBackupGB", stored, byLoad)
}

func (b *biller) queues(p plan.Plan, l Load) {
	polled := 0.0
	for _, f := range p.Functions {
		if f.Queue != nil {
			polled++
		}
	}
	b.add("SQS: messages", "queueCall", callsPerMessage*(l.Appends*messagesPerCall+l.Retrieves/80), byLoad)
	b.add("SQS: asking for messages", "queueCall", polled*pollsPerQueue, fixed)
}

func (b *biller) watching(p plan.Plan, calls float64) {
	alarms := len(p.Alarms)
	for _, f := range p.Functions {
		alarms += len(f.Alarms)
	}
	for _, q := range p.Queues {
		alarms += len(q.Alarms)
	}
	b.add("CloudWatch: alarms", "alarm", float64(alarms), fixed)
	b.add("CloudWatch: dashboard", "dashboard", 1, fixed)
	b.add("CloudWatch: metrics of the service's own", "metric", 1, fixed)
	written := 2 * calls * callLogBytes / gb // once more for the functions behind them
	b.add("CloudWatch: log lines written", "logGB", written, byLoad)
	b.add(fmt.Sprintf("CloudWatch: log lines kept %d days", p.LogDays), "logKeptGB", written*float64(p.LogDays)/30, byLoad)
}

func (b *biller) search(p plan.Plan) {
	d := p.Domain
	if d == nil {
		return
	}
	add := func(what, kind string, n int) {
		hour, err := b.prices.instance(kind)
		if err != nil && b.err == nil {
			b.err = err
		}
		if n > 0 {
			b.lines = append(b.lines, Line{What: "OpenSearch: " + what + ", " + kind, Unit: b.prices.SearchInstances.Unit,
				Quantity: float64(n) * hoursOfMonth, Price: hour, Fixed: fixed})
		}
	}
	add("data nodes", d.Instance, d.Nodes)
	if d.Managers > 0 {
		add("cluster managers", d.Manager, d.Managers)
	}
	b.add("OpenSearch: disks", "searchDiskGB", float64(d.Nodes*d.GB), fixed)
}

// assumed and leftOut are told with every bill.
var assumed = []string{
	"table units of an append, a retrieve of up to 60 candidates and a read as a test measures them on the service itself; every append indexed alone, receipts sealed 80 at a time",
	"times of functions as the flags state them; they were not measured on AWS",
	"one message an append; Lambda polls each queue with five pollers",
	"about 1.8 KB of log lines a call, with those of the workers behind it",
}

var leftOut = []string{
	"data transfer to callers, support plans, taxes, free tiers, volume discounts and savings plans",
	"starts of functions, retried commits and conflicts, throttled calls, dead letters and re-drives",
	"erasures, updates, batches, administration, imports and re-indexing",
	"requests to KMS and Secrets Manager, mails of alarms, restores of backups",
	"a search domain that is not the deployment's own, and an embedding model that is not Bedrock's Titan",
}
