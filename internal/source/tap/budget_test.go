package tap

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/takt-rt/takt/clock"
)

func named(names ...string) func(string) bool {
	return func(topic string) bool { return slices.Contains(names, topic) }
}

func TestWhatIsJoined(t *testing.T) {
	service := NewTopic("rq/addRequest", "example_interfaces::srv::dds_::AddTwoInts_Request_")
	if service.Name != "rq/addRequest" || service.Type != "example_interfaces/srv/AddTwoInts_Request" {
		t.Errorf("the requests of a service are %+v", service)
	}
	if got := NewTopic("rt/imu", "sensor_msgs::msg::dds_::Imu_"); got != imuTopic {
		t.Errorf("got %+v", got)
	}
	for _, c := range []struct {
		name  string
		opt   BudgetOptions
		topic Topic
		want  bool
	}{
		{"small", BudgetOptions{}, imuTopic, true},
		{"large", BudgetOptions{}, imageTopic, false},
		{"large and named", BudgetOptions{Named: named("/camera")}, imageTopic, true},
		{"others than named", BudgetOptions{Named: named("/camera")}, imuTopic, true},
		{"only named", BudgetOptions{Named: named("/camera"), NamedOnly: true}, imuTopic, false},
		{"service", BudgetOptions{}, service, false},
		{"plain DDS", BudgetOptions{}, Topic{"Square", "ShapeType"}, false},
		{"plain DDS, named", BudgetOptions{Named: named("Square")}, Topic{"Square", "ShapeType"}, true},
	} {
		b := NewBudget(c.opt)
		if _, ok := b.Meet(c.topic); ok != c.want {
			t.Errorf("%s: joined %v", c.name, ok)
		}
		if said := len(b.LeftOut()) == 1; said != (c.name == "large") {
			t.Errorf("%s: left out: %+v", c.name, b.LeftOut())
		}
	}
}

// A budgetTest is a budget of 500,000 bytes per second.
type budgetTest struct {
	*testing.T
	budget *Budget
	loads  map[string]*TopicLoad
	now    clock.Mono
}

func newBudgetTest(t *testing.T, names ...string) *budgetTest {
	b := &budgetTest{t, NewBudget(BudgetOptions{BytesPerSecond: 500_000, Named: named(names...)}), map[string]*TopicLoad{}, 1}
	for _, name := range []string{"/a", "/b", "/c"} {
		b.loads[name], _ = b.budget.Meet(Topic{Name: name, Type: "x/msg/X"})
	}
	return b
}

// run has a topic bring n samples of 902 bytes, 1000 on the wire, in a second.
func (b *budgetTest) run(n map[string]int) {
	for range 100 {
		for _, name := range []string{"/a", "/b", "/c"} {
			for range n[name] / 100 {
				b.budget.Take(b.loads[name], b.now, 902)
			}
		}
		b.now = b.now.Add(10 * time.Millisecond)
	}
}

func (b *budgetTest) wantLeft(names ...string) {
	b.Helper()
	var got []string
	for _, t := range b.budget.Leaves() {
		got = append(got, t.Name)
	}
	if !slices.Equal(got, names) {
		b.Errorf("left %q, want %q", got, names)
	}
}

func TestBudgetThatIsKept(t *testing.T) {
	b := newBudgetTest(t)
	for range 10 {
		b.run(map[string]int{"/a": 200, "/b": 300}) // exactly 500,000 bytes
	}
	b.wantLeft()
}

func TestLargeSample(t *testing.T) {
	b := newBudgetTest(t, "/b")
	for _, name := range []string{"/a", "/b", "/c"} {
		b.budget.Take(b.loads[name], b.now, 64<<10)
	}
	b.budget.Take(b.loads["/b"], b.now, 64<<10-1)
	b.wantLeft("/a", "/c")
}

// Six samples come each 10 ms: the budget is used up with the second of the
// 84th time, at 830 ms, when 3 x 83 = 249 were those of /b.
func TestTopicThatBringsMostIsLeft(t *testing.T) {
	b := newBudgetTest(t)
	b.run(map[string]int{"/a": 100, "/b": 300, "/c": 200})
	b.wantLeft("/b")
	b.run(map[string]int{"/a": 100, "/b": 900, "/c": 200}) // what still comes of /b does not count
	b.wantLeft()
	got := b.budget.LeftOut()
	if len(got) != 1 || got[0].Within.Round(time.Millisecond) != 830*time.Millisecond || got[0].Bytes < 249_000 || got[0].Bytes > 252_000 {
		t.Errorf("got %+v", got)
	}
}

func TestNamedTopicIsLeftLast(t *testing.T) {
	b := newBudgetTest(t, "/b")
	b.run(map[string]int{"/a": 100, "/b": 600, "/c": 200})
	b.wantLeft("/c", "/a", "/b")
	if last := b.budget.LeftOut()[2]; !last.Named {
		t.Errorf("%+v", last)
	}
}

// Whatever comes, no more than the budget is counted of joined topics in a window.
func TestBudgetHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := NewBudget(BudgetOptions{BytesPerSecond: 10_000})
		var loads []*TopicLoad
		for _, name := range []string{"/a", "/b", "/c", "/d"} {
			l, _ := b.Meet(Topic{Name: name})
			loads = append(loads, l)
		}
		now := clock.Mono(0)
		for range rapid.IntRange(0, 100).Draw(t, "samples") {
			now = now.Add(time.Duration(rapid.Int64Range(0, 300e6).Draw(t, "pause")))
			l := rapid.SampledFrom(loads).Draw(t, "topic")
			b.Take(l, now, rapid.IntRange(0, 1<<17).Draw(t, "size"))
			sum := int64(0)
			for _, l := range b.loads {
				sum += l.bytes
			}
			if sum != b.spent || b.spent > 10_000 {
				t.Fatalf("%d bytes spent, %d by those joined", b.spent, sum)
			}
		}
		if len(b.Leaves()) != len(b.LeftOut()) || len(b.loads)+len(b.LeftOut()) != len(loads) {
			t.Fatalf("%d joined, %d left out", len(b.loads), len(b.LeftOut()))
		}
	})
}

func TestFindingsOfTopicsLeftOut(t *testing.T) {
	for _, c := range []struct {
		left LeftOut
		want string
	}{
		{LeftOut{Topic: imageTopic, Reason: LargeType}, "not read, for the load: messages of sensor_msgs/msg/Image are usually large"},
		{LeftOut{Topic: imuTopic, Reason: LargeSample, Bytes: 70_000}, "read no longer, for the load: a sample had 70000 bytes, and from 65536 bytes a topic counts as large"},
		{LeftOut{Topic: imuTopic, Reason: OverBudget, Bytes: 3_500_000, Within: 700 * time.Millisecond},
			"read no longer, for the load: it brought 3.5 MB within 700ms, most of what used up the budget of 5 MB/s"},
	} {
		if f := c.left.finding(5_000_000); f.Text != c.want || f.Subject != c.left.Topic.Name || f.Remedy == "" {
			t.Errorf("got %+v\nwant %q", f, c.want)
		}
	}
}

func TestWhatIsToldOf(t *testing.T) {
	topic, service, dds := Topic{Name: "/imu"}, Topic{Name: "rq/addRequest"}, Topic{Name: "Square"}
	for _, c := range []struct {
		name string
		opt  BudgetOptions
		want []Topic
	}{
		{"without names", BudgetOptions{}, []Topic{topic, dds}},
		{"a service, named", BudgetOptions{Named: named("rq/addRequest")}, []Topic{topic, service, dds}},
		{"one topic and no other", BudgetOptions{Named: named("/imu"), NamedOnly: true}, []Topic{topic}},
	} {
		var got []Topic
		for _, of := range []Topic{topic, service, dds} {
			if NewBudget(c.opt).shows(of) {
				got = append(got, of)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
