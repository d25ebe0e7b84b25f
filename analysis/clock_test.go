package analysis

import (
	"testing"
	"time"

	"github.com/takt-rt/takt/clock"
)

// 33 steps of 1 ms take 32 x 1 ms + 21 ms = 53 ms: 33/53 = 0.622642. The mean
// of the ratios is (32 + 1/21)/33 = 0.971140, their median 1.
func TestSlowStepsAreNotAveraged(t *testing.T) {
	p := newTape(t, Options{})
	at := time.Duration(0)
	p.tick(0, 0)
	for i := 1; i <= 3300; i++ {
		at += ms
		if i%33 == 0 {
			at += 20 * ms
		}
		p.tick(at, time.Duration(i)*ms)
	}
	f, _, found := p.end()
	p.want("rtf", f.Clock.RTF, 33./53)
	p.want("mean of ratios", &f.Clock.Displays.PerFrame.Mean, (32+1./21)/33)
	p.want("median of ratios", &f.Clock.Displays.PerFrame.P50, 1)
	p.want("tick size", f.Clock.TickSimS, 0.001)
	p.want("tick rate", f.Clock.TickHz, 3300/5.3)
	p.wantFinding(found, "clock display-misleads")
}

func TestRatesOnBothClocks(t *testing.T) {
	p := newTape(t, Options{}) // RTF 0.5, /clock every 10 ms of simulated time
	for i := range 1000 {
		p.tick(time.Duration(i)*20*ms, time.Duration(i)*10*ms)
		if i%10 == 0 { // 10 Hz in simulated time
			p.msg("/unstamped", time.Duration(i)*20*ms)
			p.stamped("/stamped", time.Duration(i)*20*ms, clock.Sim(i)*clock.Sim(10*ms)+1)
		}
	}
	f, topics, _ := p.end()
	p.want("rtf", f.Clock.RTF, 0.5)
	for _, name := range []string{"/stamped", "/unstamped"} {
		p.want(name+" on the wall", topics[name].RateHz, 5)
		p.want(name+" in simulated time", topics[name].RateSimHz, 10)
	}
}

func TestBackwardJumpMakesSegments(t *testing.T) {
	p := newTape(t, Options{})
	for i, v := range []float64{9.9, 10.0, 10.1, 3.0, 3.1} {
		p.tick(time.Duration(i)*100*ms, time.Duration(v*1000)*ms)
	}
	f, _, found := p.end()
	c := f.Clock
	if len(c.Segments) != 2 || c.Backward != 1 {
		t.Fatalf("%d segments, %d back, want 2 and 1", len(c.Segments), c.Backward)
	}
	p.want("jump", c.Segments[1].JumpS, -7.1)
	p.want("rtf", c.RTF, 1)
	p.want("rtf of the second segment", c.Segments[1].RTF, 1)
	if c.Windows.Min < 0 {
		t.Errorf("a window of %v", c.Windows.Min)
	}
	p.wantFinding(found, "clock clock-went-back")
	p.wantNoFinding(found, "clock clock-fight")
}

func TestLateFirstValueIsAStart(t *testing.T) {
	p := newTape(t, Options{})
	for i := range 20 {
		p.tick(time.Duration(i)*100*ms, 687785*ms+time.Duration(i)*100*ms)
	}
	f, _, found := p.end()
	p.want("rtf", f.Clock.RTF, 1)
	p.want("worst step", &f.Clock.Error.WorstS, 0.1)
	p.wantFinding(found, "clock clock-start")
	p.wantNoFinding(found, "clock clock-jumped")
}

func TestJumpFromZeroIsAStart(t *testing.T) {
	p := newTape(t, Options{})
	p.tick(0, 0)
	for i := 1; i < 20; i++ {
		p.tick(time.Duration(i)*100*ms, 687785*ms+time.Duration(i)*100*ms)
	}
	f, _, _ := p.end()
	p.want("rtf", f.Clock.RTF, 1)
	p.want("worst step", &f.Clock.Error.WorstS, 0.1)
}

// A perfect 200 Hz topic under a clock of 10 Hz: 19 intervals of 0 and one of
// 0.1 s, a deviation of sqrt(0.1^2/20 - 0.005^2) = 21.794 ms.
func TestJitterOfACoarseClock(t *testing.T) {
	p := newTape(t, Options{})
	for i := range 4001 {
		if i%20 == 0 {
			p.tick(time.Duration(i)*5*ms, time.Duration(i)*5*ms)
		}
		p.msg("/imu", time.Duration(i)*5*ms)
	}
	_, topics, found := p.end()
	p.want("deviation in simulated time", &topics["/imu"].IntervalSimS.Stddev, 0.021794494717703367)
	p.want("deviation on the wall", &topics["/imu"].IntervalS.Stddev, 0)
	p.wantFinding(found, "clock jitter-is-the-clocks")
	p.wantFinding(found, "clock clock-coarse")
}

func TestPausedThroughout(t *testing.T) {
	p := newTape(t, Options{})
	for i := range 1001 {
		p.tick(time.Duration(i)*ms, 5*time.Second)
	}
	f, _, found := p.end()
	p.want("rtf", f.Clock.RTF, 0)
	p.want("paused", &f.Clock.Pauses.TotalS, 1)
	if f.Clock.RTFRunning != nil || f.Clock.TickSimS != nil || f.Clock.Error != nil {
		t.Errorf("figures of a running clock: %v %v %v", f.Clock.RTFRunning, f.Clock.TickSimS, f.Clock.Error)
	}
	p.wantFinding(found, "clock clock-paused")
	p.wantNoFinding(found, "clock clock-stall")
}

func TestPausedInBetween(t *testing.T) {
	p := newTape(t, Options{})
	sim := time.Duration(0)
	for i := range 3001 {
		p.tick(time.Duration(i)*ms, sim)
		if i < 1000 || i >= 2000 {
			sim += ms
		}
	}
	f, _, found := p.end()
	p.want("rtf", f.Clock.RTF, 2./3)
	p.want("rtf while running", f.Clock.RTFRunning, 1)
	p.want("paused", &f.Clock.Pauses.TotalS, 1)
	p.wantFinding(found, "clock clock-paused")
}

func TestTwoPublishers(t *testing.T) {
	for name, offset := range map[string]time.Duration{"far apart": 50 * time.Second, "close": -350 * ms} {
		t.Run(name, func(t *testing.T) {
			p := newTape(t, Options{})
			for i := range 200 {
				d := time.Duration(i) * 10 * ms
				p.tick(d, 10*time.Second+d)
				p.tick(d+3*ms, 10*time.Second+offset+d/2)
			}
			f, _, found := p.end()
			p.wantFinding(found, "clock clock-fight")
			if f.Clock.Publishers != 2 || f.Clock.RTF != nil {
				t.Fatalf("publishers %d, rtf %v", f.Clock.Publishers, f.Clock.RTF)
			}
			p.want("first", &f.Clock.FightingRTF[0], 1)
			p.want("second", &f.Clock.FightingRTF[1], 0.5)
		})
	}
}

func TestLoopsAreNoFight(t *testing.T) {
	p := newTape(t, Options{})
	for loop := range 12 {
		for i := range 50 {
			p.tick(time.Duration(loop*50+i)*100*ms, time.Duration(i)*100*ms)
		}
	}
	f, _, found := p.end()
	p.want("rtf", f.Clock.RTF, 1)
	if len(f.Clock.Segments) != 12 {
		t.Errorf("%d segments, want 12", len(f.Clock.Segments))
	}
	p.wantNoFinding(found, "clock clock-fight")
}

// ros2 bag play --rate 10 --clock: 40 Hz on the wall, 0.25 s a tick. The
// error of now() is 125 ms in the mean and up to 250 ms; for 10 ms it takes
// 1000 Hz.
func TestPlaybackAtTenfoldSpeed(t *testing.T) {
	p := newTape(t, Options{})
	for i := range 401 {
		p.tick(time.Duration(i)*25*ms, time.Duration(i)*250*ms)
	}
	f, _, found := p.end()
	p.want("rtf", f.Clock.RTF, 10)
	p.want("mean error", &f.Clock.Error.MeanS, 0.125)
	p.want("bound", &f.Clock.Error.BoundS, 0.250)
	p.wantFinding(found, "clock clock-coarse")
	if got := coarseRemedy(f.Clock); got != "for at most 10 ms publish /clock at 1000 Hz or more (ros2 bag play --clock 1000), or lower the real time factor" {
		t.Errorf("remedy: %s", got)
	}
}

// Ticks that were held up come in a burst; at 100 times real time each is
// 2.5 s on, and none of them is a jump.
func TestBurstOfTicksIsNoJump(t *testing.T) {
	p := newTape(t, Options{})
	for i := range 200 {
		at := time.Duration(i) * 25 * ms
		if i >= 100 && i < 140 {
			at = 139*25*ms + time.Duration(i)*us
		}
		p.tick(at, time.Duration(i)*2500*ms)
	}
	f, _, _ := p.end()
	if f.Clock.Forward != 0 || len(f.Clock.Segments) != 1 {
		t.Errorf("%d jumps, %d segments", f.Clock.Forward, len(f.Clock.Segments))
	}
	p.want("rtf", f.Clock.RTF, 100)
}

func TestSeekForwardIsAJump(t *testing.T) {
	p := newTape(t, Options{})
	for i := range 200 {
		sim := time.Duration(i) * 100 * ms
		if i >= 100 {
			sim += time.Hour
		}
		p.tick(time.Duration(i)*100*ms, sim)
	}
	f, _, found := p.end()
	p.want("rtf", f.Clock.RTF, 1)
	p.wantFinding(found, "clock clock-jumped")
}

// Steps of 1 ms at RTF 0.8 to 0.4 and back: the windows see the slow stretch.
func TestWindows(t *testing.T) {
	p := newTape(t, Options{MinWindowRTF: 0.5})
	at := time.Duration(0)
	p.tick(0, 0)
	for i := 1; i <= 4000; i++ {
		step := 1250 * us
		if i > 1000 && i <= 1200 { // 200 ms of simulated time in 500 ms
			step = 2500 * us
		}
		at += step
		p.tick(at, time.Duration(i)*ms)
	}
	f, _, found := p.end()
	w := f.Clock.Windows
	p.want("slowest window", &w.Min, 0.4)
	p.want("fastest window", &w.Max, 0.8)
	p.want("median window", &w.P50, 0.8)
	// 12.5 windows pass before the slow stretch and it is 5 long, so four are
	// of slow steps alone and the two at its ends are mixed, at 0.6.
	if w.Below != 4 {
		t.Errorf("%d windows below 0.5, want 4", w.Below)
	}
	p.wantNoFinding(found, "clock clock-slow-window") // 0.4 is not under half of 0.79
}

// gz-gui at a steady pace shows that pace; after a change it shows the sums
// of 0.9^k times the last differences.
func TestGuiFilter(t *testing.T) {
	p := newTape(t, Options{})
	for i := range 31 {
		sim := time.Duration(i) * 100 * ms
		if i > 20 { // ten samples at half speed
			sim = 2*time.Second + time.Duration(i-20)*50*ms
		}
		p.tick(time.Duration(i)*100*ms, sim)
	}
	f, _, _ := p.end()
	// Weights 0.9^k: the last ten samples have sum (1-0.9^10)/(1-0.9), all thirty (1-0.9^30)/(1-0.9).
	const ten, thirty = 1 - 0.3486784401, 1 - 0.04239115827521624
	p.want("gz-gui at the end", &f.Clock.Displays.GzGUI.Last, 1-0.5*ten/thirty)
	p.want("gz-sim at the end", &f.Clock.Displays.GzStats.Last, 0.5)
}
