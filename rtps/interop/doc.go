// Package interop holds the proof that implementations of RTPS understand each
// other: its tests build a small program on each of Eclipse Cyclone DDS and
// eProsima Fast DDS (peers/), run them and takt as processes on loopback, and
// compare what each says it saw. takt's program is the test binary itself.
//
// The programs take one command line and print one form of lines (peers/peer.h),
// so a row of the matrix does not know which implementation it runs.
package interop
