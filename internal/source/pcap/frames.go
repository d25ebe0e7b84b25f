package pcap

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
)

// ErrNotCapture says that a file is neither pcap nor pcapng.
var ErrNotCapture = errors.New("neither pcap nor pcapng; takt reads what tcpdump -w and Wireshark write")

// pcapngMagic is the type of the first block, the same in both byte orders.
const pcapngMagic = 0x0a0d0d0a

// frames gives the packets of a capture; data are good until the next call.
type frames interface {
	next() (data []byte, info gopacket.CaptureInfo, link layers.LinkType, err error)
}

func openFrames(r io.Reader) (frames, error) {
	b := bufio.NewReader(r)
	magic, err := b.Peek(4)
	if err == io.EOF {
		return nil, ErrNotCapture
	}
	if err != nil {
		return nil, err
	}
	if binary.LittleEndian.Uint32(magic) == pcapngMagic {
		opt := pcapgo.NgReaderOptions{WantMixedLinkType: true, SkipUnknownVersion: true}
		f, err := pcapgo.NewNgReader(b, opt)
		if err != nil {
			return nil, fmt.Errorf("%w (%w)", ErrNotCapture, err)
		}
		return ngFrames{f}, nil
	}
	f, err := pcapgo.NewReader(b)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrNotCapture, err)
	}
	return oldFrames{f}, nil
}

type oldFrames struct{ *pcapgo.Reader }

func (f oldFrames) next() ([]byte, gopacket.CaptureInfo, layers.LinkType, error) {
	data, info, err := f.ZeroCopyReadPacketData()
	return data, info, f.LinkType(), err
}

type ngFrames struct{ *pcapgo.NgReader }

func (f ngFrames) next() ([]byte, gopacket.CaptureInfo, layers.LinkType, error) {
	data, info, err := f.ZeroCopyReadPacketData()
	if err != nil {
		return nil, info, 0, err
	}
	link, _ := info.AncillaryData[0].(layers.LinkType)
	return data, info, link, nil
}
