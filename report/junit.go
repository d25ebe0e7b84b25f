package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
)

// JUnit writes the judged limits as JUnit XML, for build servers: one test
// suite for the source, one test case for each limit. A limit that cannot be
// told is a failure of type "inconclusive", since check then ends with 1 and a
// build server takes only failures and errors for red.
func JUnit(w io.Writer, r *Report) error {
	suite := junitSuite{Name: "takt " + r.Source.Path, Cases: []junitCase{}}
	for i := range r.Verdict.Contracts {
		c := junitOf(&r.Verdict.Contracts[i])
		if c.Failure != nil {
			suite.Failures++
		}
		suite.Cases = append(suite.Cases, c)
	}
	suite.Tests = len(suite.Cases)
	all := junitSuites{Tests: suite.Tests, Failures: suite.Failures, Suites: []junitSuite{suite}}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return fmt.Errorf("writing JUnit: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// The elements of the format, as the Jenkins xUnit schema and its readers agree on them.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Failure *junitFailure `xml:"failure"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

func junitOf(c *Contract) junitCase {
	j := junitCase{Class: c.Subject, Name: c.Limit}
	switch c.Result {
	case Fail:
		j.Failure = &junitFailure{Type: "broken", Message: "broken: " + c.Text}
	case Inconclusive:
		j.Failure = &junitFailure{Type: "inconclusive", Message: "inconclusive: " + c.Why}
	default:
		j.Out = c.Text
		return j
	}
	j.Failure.Text = strings.Join(nonEmpty(c.Place, c.Limit+" ("+string(c.Kind)+")", c.Text, c.Why), "; ")
	return j
}

func nonEmpty(list ...string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}
