// Package bounds answers timing questions by closed forms: how fast simulated
// time may run for a node that needs so long for a frame, how wrong a node's
// clock is, whether a computation that grows with its interval settles.
//
// All quantities are exact rationals (*big.Rat), in seconds, hertz or plain
// numbers, and are above zero where nothing else is said: what reads them from
// outside must see to that, and a zero divisor panics. A duration is in
// simulated or in wall seconds, as its name or doc says. No function changes
// its arguments. The package knows no events and no queue: where the answer
// depends on what happens when, a run in virtual time gives it, and the tests
// hold the two against each other.
package bounds
