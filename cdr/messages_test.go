package cdr

// Messages of ROS 2 as Go structs, from their definitions.

type stamp struct {
	Sec     int32
	Nanosec uint32
}

type clockMsg struct{ Clock stamp }

type header struct {
	Stamp   stamp
	FrameID string
}

type image struct {
	Header        header
	Height, Width uint32
	Encoding      string
	IsBigendian   uint8
	Step          uint32
	Data          []byte
}

type pointCloud2 struct {
	Header        header
	Height, Width uint32
	Fields        []pointField
	IsBigendian   bool
	PointStep     uint32
	RowStep       uint32
	Data          []byte
	IsDense       bool
}

type pointField struct {
	Name     string
	Offset   uint32
	Datatype uint8
	Count    uint32
}

type metricsMessage struct {
	MeasurementSourceName string
	MetricsSource         string
	Unit                  string
	WindowStart           stamp
	WindowStop            stamp
	Statistics            []struct {
		DataType uint8
		Data     float64
	}
}

type (
	gid      [16]byte // Iron and later
	longGid  [24]byte // Humble
	entities struct {
		Gid   gid
		Nodes []struct {
			Namespace, Name  string
			Readers, Writers []gid
		}
	}
	longEntities struct {
		Gid   longGid
		Nodes []struct {
			Namespace, Name  string
			Readers, Writers []longGid
		}
	}
)

type vector3 struct{ X, Y, Z float64 }

type quaternion struct{ X, Y, Z, W float64 }

type imu struct {
	Header                       header
	Orientation                  quaternion
	OrientationCovariance        [9]float64
	AngularVelocity              vector3
	AngularVelocityCovariance    [9]float64
	LinearAcceleration           vector3
	LinearAccelerationCovariance [9]float64
}

type jointState struct {
	Header                     header
	Name                       []string
	Position, Velocity, Effort []float64
}

type logMsg struct {
	Stamp                     stamp
	Level                     uint8
	Name, Msg, File, Function string
	Line                      uint32
}

type fluidPressure struct {
	Header                  header
	FluidPressure, Variance float64
}

type tfMessage struct {
	Transforms []struct {
		Header       header
		ChildFrameID string
		Transform    struct {
			Translation vector3
			Rotation    quaternion
		}
	}
}

type parameterEvent struct {
	Stamp                                               stamp
	Node                                                string
	NewParameters, ChangedParameters, DeletedParameters []parameter
}

type parameter struct {
	Name  string
	Value struct {
		Type              uint8
		BoolValue         bool
		IntegerValue      int64
		DoubleValue       float64
		StringValue       string
		ByteArrayValue    []byte
		BoolArrayValue    []bool
		IntegerArrayValue []int64
		DoubleArrayValue  []float64
		StringArrayValue  []string
	}
}

// BasicTypes is exported because it is embedded below.
type BasicTypes struct {
	BoolValue    bool
	ByteValue    uint8
	CharValue    uint8
	Float32Value float32
	Float64Value float64
	Int8Value    int8
	Uint8Value   uint8
	Int16Value   int16
	Uint16Value  uint16
	Int32Value   int32
	Uint32Value  uint32
	Int64Value   int64
	Uint64Value  uint64
}

type serviceEventInfo struct {
	EventType      uint8
	Stamp          stamp
	ClientGid      gid
	SequenceNumber int64
}

type basicTypesEvent struct {
	Info              serviceEventInfo
	Request, Response []struct {
		BasicTypes
		StringValue string
	} `cdr:"max=1"`
}

type addTwoIntsEvent struct {
	Info     serviceEventInfo
	Request  []struct{ A, B int64 } `cdr:"max=1"`
	Response []struct{ Sum int64 }  `cdr:"max=1"`
}

type stringsMsg struct {
	StringValue, StringValueDefault1, StringValueDefault2         string
	StringValueDefault3, StringValueDefault4, StringValueDefault5 string
	BoundedStringValue, BoundedStringValueDefault1                string `cdr:"max=22"`
	BoundedStringValueDefault2, BoundedStringValueDefault3        string `cdr:"max=22"`
	BoundedStringValueDefault4, BoundedStringValueDefault5        string `cdr:"max=22"`
}

type performanceMetrics struct {
	Header         header
	RealTimeFactor float64
	Sensors        []struct {
		Name                               string
		SimUpdateRate, RealUpdateRate, FPS float64
	}
}

type stringMsg struct{ Data string }

// everything has every kind of member, nested and at odd alignments.
type everything struct {
	Flag   bool
	I8     int8
	I16    int16
	U8     uint8
	I32    int32
	U16    uint16
	F32    float32
	I64    int64
	U32    uint32
	F64    float64
	U64    uint64
	Name   string
	Short  string `cdr:"max=5"`
	Bytes  []byte
	Flags  []bool
	Halves []int16 `cdr:"max=3"`
	Reals  []float64
	Names  []string
	Gid    gid
	Gids   []gid
	Grid   [2][3]int32
	Words  [2][2]string
	Empty  struct{}
	Stamps [2]stamp
	Clouds []pointField
	Deep   []struct{ Rows [][]uint16 }
}
