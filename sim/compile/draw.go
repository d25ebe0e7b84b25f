package compile

import (
	"math/bits"
	"math/rand/v2"
	"time"

	"github.com/takt-rt/takt/clock"
)

// A key tells what is drawn for one thing from what is drawn for another.
type key uint64

// key is the FNV-1a hash of the seeds and of what is drawn for.
func (b *builder) key(kind, name string, seed uint64) key {
	k := key(14695981039346656037)
	for _, word := range [...]uint64{b.options.Seed, seed} {
		for i := 0; i < 64; i += 8 {
			k = k.with(byte(word >> i))
		}
	}
	for i := range len(kind) {
		k = k.with(kind[i])
	}
	k = k.with(0)
	for i := range len(name) {
		k = k.with(name[i])
	}
	return k
}

func (k key) with(b byte) key { return (k ^ key(b)) * 1099511628211 }

// stream returns random numbers for one draw. That of each draw is another, so
// that a draw needs no memory of those before it.
func (k key) stream(draw int64) rand.PCG { return *rand.NewPCG(uint64(k), uint64(draw)) }

// jitter draws from 0 to most, both included, evenly to within one in 2^64/most.
func jitter(k key, most time.Duration) func(clock.Mono) time.Duration {
	if most == 0 {
		return nil
	}
	return func(at clock.Mono) time.Duration {
		random := k.stream(int64(at))
		return evenly(&random, 0, most)
	}
}

func evenly(random *rand.PCG, low, high time.Duration) time.Duration {
	share, _ := bits.Mul64(random.Uint64(), uint64(high-low)+1)
	return low + time.Duration(share)
}
