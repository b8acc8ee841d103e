package obs

import (
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// Namespace is where the service's metrics are found in CloudWatch.
const Namespace = "Holdfast"

// The units of metrics, as CloudWatch spells them.
const (
	Count        = "Count"
	Milliseconds = "Milliseconds"
	Bytes        = "Bytes"
)

// Metrics that alarms watch, by the dimension FunctionName.
const (
	// IndexLag is how many seconds the workspace whose index is furthest behind its log has
	// waited. The sweep reports it.
	IndexLag = "IndexLag"
	// CanaryHits is how many copies were found of items whose erasure is complete.
	CanaryHits = "CanaryHits"
)

// Dimension is a property by which metrics are grouped; its value is an id or
// code.
type Dimension struct{ Name, Value string }

// Metric is one measured value.
type Metric struct {
	Name  string
	Unit  string
	Value float64
}

// The limits of the embedded metric format.
const (
	maxDimensions = 30
	maxMetrics    = 100
)

type emfMetric struct {
	Name string
	Unit string
}

type emfDirective struct {
	Namespace  string
	Dimensions [][]string
	Metrics    []emfMetric
}

type emfHead struct {
	Timestamp         int64
	CloudWatchMetrics []emfDirective
}

// EMF writes metrics as one line in CloudWatch's embedded metric format
// (https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html),
// all with the same dimensions. The writer should be a Redactor.
func EMF(w io.Writer, at time.Time, dimensions []Dimension, metrics ...Metric) error {
	if len(metrics) == 0 || len(metrics) > maxMetrics || len(dimensions) > maxDimensions {
		return fmt.Errorf("obs: %d metrics with %d dimensions in a line", len(metrics), len(dimensions))
	}
	names, line := make([]string, 0, len(dimensions)), map[string]any{}
	for _, d := range dimensions {
		names = append(names, d.Name)
		line[d.Name] = d.Value
	}
	directive := emfDirective{Namespace: Namespace, Dimensions: [][]string{names}}
	for _, m := range metrics {
		directive.Metrics = append(directive.Metrics, emfMetric{Name: m.Name, Unit: m.Unit})
		line[m.Name] = m.Value
	}
	if len(line) != len(dimensions)+len(metrics) {
		return fmt.Errorf("obs: a name twice in a line of metrics")
	}
	line["_aws"] = emfHead{Timestamp: at.UnixMilli(), CloudWatchMetrics: []emfDirective{directive}}
	text, err := json.Marshal(line)
	if err != nil {
		return fmt.Errorf("obs: metrics: %w", err)
	}
	if _, err := w.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("obs: metrics: %w", err)
	}
	return nil
}
