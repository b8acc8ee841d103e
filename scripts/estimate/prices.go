package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

// Price is what one unit costs.
type Price struct {
	Value  float64
	Unit   string
	Source string
}

// Prices are those of one Region at one date.
type Prices struct {
	Region, Currency, Date, Note string
	Prices                       map[string]Price
	SearchInstances              struct {
		Source, Unit string
		Values       map[string]float64
	}
}

//go:embed prices.json
var priceFile []byte

func readPrices() (Prices, error) {
	var p Prices
	if err := json.Unmarshal(priceFile, &p); err != nil {
		return p, fmt.Errorf("prices.json: %w", err)
	}
	return p, nil
}

// of answers a price by its name.
func (p Prices) of(name string) (Price, error) {
	price, ok := p.Prices[name]
	if !ok || price.Value <= 0 {
		return price, fmt.Errorf("prices.json has no price of %s", name)
	}
	return price, nil
}

// instance answers the price of an hour of a search instance.
func (p Prices) instance(kind string) (float64, error) {
	value, ok := p.SearchInstances.Values[kind]
	if !ok {
		return 0, fmt.Errorf("prices.json has no price of %s: add it from %s", kind, p.SearchInstances.Source)
	}
	return value, nil
}
