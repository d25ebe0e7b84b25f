package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/takt-rt/takt/ros"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"takt": main})
}

func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("BAGS", filepath.Join(root, "testdata", "recordings"))
			e.Setenv("CAPTURES", filepath.Join(root, "testdata", "captures"))
			e.Setenv("TRACES", filepath.Join(root, "testdata", "recordings", "ctf"))
			e.Setenv("EXAMPLES", filepath.Join(root, "testdata", "examples"))
			return nil
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// What people ask, in their words, and what the answer must say.
var answers = map[string]string{
	"is my simulator slow":                         `RTF +0\.9660 over 29\.156 s`,
	"my bag at 10x has wrong times":                `a node's now\(\) is behind by 125 ms in the mean and up to\s+250 ms`,
	"my camera drops frames":                       `/camera: 33 messages missing`,
	"does it keep what was promised":               `^PASS`,
	"what should I promise":                        `(?m)^takt: 1$`,
	"did my own loop meet its deadlines":           `20 missed, 10 skipped`,
	"how slow must Gazebo run for a slow node":     `RTF 0\.25: depends on clustering`,
	"how wrong is a node's now() at 10x":           `total +150 ms`,
	"what does a timer do after a late callback":   `20 missed, 10 skipped`,
	"do my callbacks fit on these CPUs":            `INFEASIBLE +CPUs: The callbacks demand 2\.6 CPUs, and there are 2`,
	"how do I set that in Gazebo":                  `<real_time_factor>0\.2</real_time_factor>`,
	"what is going on in my graph now":             `(?s)RTF +0\.[45].*/clock +\d+ +1/0`,
	"does my simulator keep what was promised now": `^PASS`,
	"did my change help":                           `real time factor 0\.9660 -> 0\.9832`,
}

// The help and the README name the same command for each question, and it
// runs and answers.
func TestQuestionsAreAnswered(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if len(questions) != len(answers) {
		t.Errorf("%d questions, %d answers", len(questions), len(answers))
	}
	t.Chdir("../..")
	_, help := runTakt(t, "help")
	for _, q := range questions {
		t.Run(q.question, func(t *testing.T) {
			if row := "| " + q.question + " | `" + q.command + "` |"; !strings.Contains(string(readme), row) {
				t.Errorf("the README has no row %s", row)
			}
			command := named(t, help, q.question)
			if strings.HasPrefix(command, "takt watch ") || strings.Contains(command, " --live ") {
				publishEvery(t, joinGraph(t, watchDomain, "gazebo"), "/clock", ros.ClockQoS(), 10*time.Millisecond, halfSpeed)
			}
			code, out := runTakt(t, strings.Fields(command)[1:]...)
			if code != 0 {
				t.Errorf("%s: exit code %d", command, code)
			}
			if !regexp.MustCompile(answers[q.question]).MatchString(out) {
				t.Errorf("%s does not say %s:\n%s", command, answers[q.question], out)
			}
		})
	}
}

// named returns the command that the help names for a question.
func named(t *testing.T, help, question string) string {
	t.Helper()
	_, rest, found := strings.Cut(help, question+"?\n")
	command, _, _ := strings.Cut(rest, "\n")
	if !found || !strings.HasPrefix(strings.TrimSpace(command), "takt ") {
		t.Fatalf("the help names no command for %q", question)
	}
	return strings.TrimSpace(command)
}

func runTakt(t *testing.T, args ...string) (code int, stdout string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(context.Background(), args, &out, &errs)
	if errs.Len() > 0 {
		t.Logf("stderr: %s", errs.String())
	}
	return code, out.String()
}

// The README shows what its first command prints.
func TestReadmeShowsTheRealReport(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..")
	command, err := exec.Command("scripts/readme-command").Output()
	if err != nil {
		t.Fatal(err)
	}
	args, ok := strings.CutPrefix(strings.TrimSpace(string(command)), "go run ./cmd/takt ")
	if !ok {
		t.Fatalf("the first command is %q", command)
	}
	_, report := runTakt(t, strings.Fields(args)...)
	if !strings.Contains(string(readme), "```\n"+report+"```\n") {
		t.Errorf("the README does not show what %s prints:\n%s", command, report)
	}
}

// An interrupt ends a run with the report of what was read, marked partial.
func TestInterruptGivesAPartialReport(t *testing.T) {
	t.Chdir("../..")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	code := run(ctx, []string{"analyze", "testdata/recordings/rosbag2/gz-mid-run"}, &out, &errs)
	if code != 0 || !strings.Contains(out.String(), "PARTIAL") {
		t.Errorf("exit code %d, stderr %q:\n%s", code, errs.String(), out.String())
	}
}
