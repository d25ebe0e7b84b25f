package report

import (
	"bytes"
	"encoding/xml"
	"testing"
)

// A parsedSuite is what a build server reads of the file, declared apart from what wrote it.
type parsedSuite struct {
	XMLName xml.Name `xml:"testsuites"`
	Suite   struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Cases    []struct {
			Class   string `xml:"classname,attr"`
			Name    string `xml:"name,attr"`
			Failure *struct {
				Type    string `xml:"type,attr"`
				Message string `xml:"message,attr"`
				Text    string `xml:",chardata"`
			} `xml:"failure"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

func parseJUnit(t *testing.T, r *Report) parsedSuite {
	t.Helper()
	var b bytes.Buffer
	if err := JUnit(&b, r); err != nil {
		t.Fatal(err)
	}
	var p parsedSuite
	if err := xml.Unmarshal(b.Bytes(), &p); err != nil {
		t.Fatalf("%v\n%s", err, &b)
	}
	return p
}

func TestJUnitIsRedWhereALimitDoesNotHold(t *testing.T) {
	r := empty(nil)
	r.Source.Path = `a<b>&"c"`
	r.Verdict.Contracts = []Contract{
		{Subject: "topic /a", Limit: "rate 5 Hz", Kind: "hard", Result: Pass},
		{Subject: "topic /<&>\x00", Limit: "max_age 8 ms", Kind: "hard", Result: Fail, Text: `at most "9 ms"`, Place: "takt.yaml:4"},
		{Subject: "clock /clock", Limit: "min_rtf 0.9", Kind: "hard", Result: Inconclusive, Why: "no clock"},
	}
	s := parseJUnit(t, r).Suite
	if s.Name != `takt a<b>&"c"` || s.Tests != 3 || s.Failures != 2 || len(s.Cases) != 3 {
		t.Fatalf("suite %+v", s)
	}
	if c := s.Cases[0]; c.Class != "topic /a" || c.Name != "rate 5 Hz" || c.Failure != nil {
		t.Errorf("passed: %+v", c)
	}
	if c := s.Cases[1]; c.Class != "topic /<&>\uFFFD" || c.Failure.Type != "broken" || c.Failure.Message != `broken: at most "9 ms"` ||
		c.Failure.Text != `takt.yaml:4; max_age 8 ms (hard); at most "9 ms"` {
		t.Errorf("broken: %+v, %+v", c, c.Failure)
	}
	if c := s.Cases[2]; c.Failure.Type != "inconclusive" || c.Failure.Message != "inconclusive: no clock" {
		t.Errorf("inconclusive: %+v", c.Failure)
	}
}

func TestJUnitWithoutContracts(t *testing.T) {
	if s := parseJUnit(t, empty(nil)).Suite; s.Name != "takt empty.mcap" || s.Tests != 0 || len(s.Cases) != 0 {
		t.Errorf("suite %+v", s)
	}
}
