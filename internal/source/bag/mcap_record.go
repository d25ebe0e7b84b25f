package bag

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/foxglove/mcap/go/mcap"
)

// recordHead is the length of what each record begins with: opcode 1, length 8.
const recordHead = 1 + 8

// maxRecord is the largest record read, in bytes: an unpacked chunk of the largest size.
const maxRecord = maxChunk + 1<<10

// nextRecord splits the first record off a row of them. It never reaches
// beyond b, whatever length a record claims.
func nextRecord(b []byte) (op mcap.OpCode, body, rest []byte, err error) {
	if len(b) < recordHead {
		return 0, nil, nil, fmt.Errorf("%d bytes are left where a record should begin", len(b))
	}
	op, length := mcap.OpCode(b[0]), binary.LittleEndian.Uint64(b[1:])
	if op == mcap.OpReserved {
		return 0, nil, nil, errors.New("opcode 0, which no record has")
	}
	b = b[recordHead:]
	if length > uint64(len(b)) {
		return 0, nil, nil, fmt.Errorf("a %v record claims %d bytes where %d are left", op, length, len(b))
	}
	return op, b[:length], b[length:], nil
}

// messageHead is the length of what a message record has before the payload:
//
//	channel id 2 | sequence 4 | log time 8 | publish time 8
const messageHead = 2 + 4 + 8 + 8
