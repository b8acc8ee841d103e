package plan

import (
	"reflect"
	"strings"
	"testing"
)

func TestNothingNeedsToBeSet(t *testing.T) {
	s, err := FromMap(nil)
	if err != nil || s.Stage != "dev" || s.Search.Instance != "t3.small.search" || s.Search.Nodes != 1 || !s.Protect || s.Embed.Engine != "bedrock" || s.LLM.Engine != "offline" {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestProductionHasAPreset(t *testing.T) {
	s, err := FromMap(map[string]string{"stage": "prod", "searchNodes": "6"})
	if err != nil || s.BackupDays != 35 || !s.OwnKey || s.Search.Zones != 3 || s.Search.Nodes != 6 || s.Search.Managers != 3 || s.LogDays != 90 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestWhatIsWrongIsToldByNameAndNeverShown(t *testing.T) {
	for name, values := range map[string][]string{
		"stage":            {"Prod", "a-b", "averyverylongname", "1st", "prod$"},
		"functions":        {"a b", "${x}"},
		"arch":             {"x86_64", "riscv64"},
		"reserve":          {"yes", "1", "True"},
		"logLevel":         {"loud"},
		"logDays":          {"2", "0", "forever"},
		"keyPerMinute":     {"-1", "x", "1000001"},
		"throttleRate":     {"0", "1.5"},
		"cors":             {"app.example", "https://app.example/", "*", "ftp://app.example", "https://"},
		"backupDays":       {"0", "36"},
		"searchEndpoint":   {"s.example", "https://a:b@s.example", "https://s.example?x=1"},
		"searchDomainArn":  {"domain/x", "arn:aws:sqs:eu-west-1:123456789012:q"},
		"searchInstance":   {"t3.small", "T3.small.search"},
		"searchNodes":      {"0", "81"},
		"searchZones":      {"4"},
		"searchManagers":   {"1", "4"},
		"searchGB":         {"9"},
		"searchMasterArn":  {"admin"},
		"embed":            {"hash"},
		"embedUrl":         {"m.example"},
		"embedDimension":   {"-1"},
		"llm":              {"static"},
		"llmUrl":           {"l.example", "https://a:b@l.example"},
		"llmModel":         {"a\nb"},
		"alarmEmail":       {"people", "People <people@example.com>"},
		"searchFineAccess": {"on"},
	} {
		for _, value := range values {
			_, err := FromMap(map[string]string{name: value})
			if err == nil || !strings.Contains(err.Error(), "context "+name+" must") {
				t.Errorf("%s=%s: %v", name, value, err)
			}
			if err != nil && len(value) > 12 && strings.Contains(err.Error(), value) {
				t.Errorf("%s: the error shows the value", name)
			}
		}
	}
}

func TestSettingsThatDoNotFitTogetherAreRefused(t *testing.T) {
	for settings, want := range map[string]string{
		"searchFineAccess=true":                                      "searchMasterArn is needed",
		"searchZones=2":                                              "searchZones must not be more than searchNodes",
		"searchZones=2,searchNodes=3":                                "searchNodes must be a multiple of searchZones",
		"embed=openai,embedModel=small":                              "embedUrl, embedModel and embedDimension are needed",
		"llm=openai,llmModel=large":                                  "llmUrl and llmModel are needed with llm=openai",
		"llm=openai,llmUrl=https://l.example/v1":                     "llmUrl and llmModel are needed with llm=openai",
		"llm=bedrock":                                                "llmModel is needed with llm=bedrock",
		"stage=prod,shortTimes=true":                                 "shortTimes is not for the stage prod",
		"searchDomainArn=arn:aws:es:eu-west-1:123456789012:domain/x": "searchEndpoint is needed",
		"regoin=eu-west-1":                                           "context regoin is no setting",
	} {
		_, err := FromMap(valuesOf(strings.Split(settings, ",")))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", settings, err)
		}
	}
}

func TestNamesOfCDKArePassedOver(t *testing.T) {
	if _, err := FromMap(map[string]string{"@aws-cdk/core:x": "true", "aws:cdk:enable-path-metadata": "true", "cdk-migrate:x": "1"}); err != nil {
		t.Error(err)
	}
}

func TestEverySettingHasAnOptionAndIsShown(t *testing.T) {
	tags := map[string]bool{}
	var walk func(reflect.Type)
	walk = func(of reflect.Type) {
		for f := range of.Fields() {
			if f.Type.Kind() == reflect.Struct {
				walk(f.Type)
				continue
			}
			tags[f.Tag.Get("context")] = true
		}
	}
	walk(reflect.TypeFor[Settings]())
	usage := Usage()
	for _, o := range options {
		if !tags[o.Name] || o.Meaning == "" || !strings.Contains(usage, "  "+o.Name) {
			t.Errorf("%s", o.Name)
		}
		delete(tags, o.Name)
	}
	for name := range tags {
		t.Errorf("%s has no option", name)
	}
}

// TestEveryOptionSetsItsOwnField sets one after the other.
func TestEveryOptionSetsItsOwnField(t *testing.T) {
	plain, _ := FromMap(nil)
	for _, o := range options {
		for _, value := range []string{"x", "true", "false", "3", "30", "90", "https://x.example", "prod", "amd64", "debug", "static", "a@b.example"} {
			got, _ := FromMap(map[string]string{o.Name: value})
			if o.Name == "stage" {
				got = plain
				got.Stage = "moved"
			}
			if moved := fields(plain, got); len(moved) > 1 || len(moved) == 1 && moved[0] != o.Name && o.Name != "stage" {
				t.Errorf("%s=%s moved %v", o.Name, value, moved)
			}
		}
	}
}

// fields names the settings that differ.
func fields(a, b any) []string {
	var out []string
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for f := range x.Type().Fields() {
		i, j := x.FieldByIndex(f.Index), y.FieldByIndex(f.Index)
		switch {
		case f.Type.Kind() == reflect.Struct:
			out = append(out, fields(i.Interface(), j.Interface())...)
		case !reflect.DeepEqual(i.Interface(), j.Interface()):
			out = append(out, f.Tag.Get("context"))
		}
	}
	return out
}
