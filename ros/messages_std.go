package ros

// The messages of std_msgs that hold one value.
type (
	Bool struct{ Data bool }
	Byte struct {
		Data uint8 `ros:"byte"`
	} // ROS tells byte from uint8, though on the wire they are the same
	Char    struct{ Data uint8 }
	Empty   struct{}
	Float32 struct{ Data float32 }
	Float64 struct{ Data float64 }
	Int8    struct{ Data int8 }
	Int16   struct{ Data int16 }
	Int32   struct{ Data int32 }
	Int64   struct{ Data int64 }
	String  struct{ Data string }
	UInt8   struct{ Data uint8 }
	UInt16  struct{ Data uint16 }
	UInt32  struct{ Data uint32 }
	UInt64  struct{ Data uint64 }
)

func (Bool) ROSType() string    { return "std_msgs/msg/Bool" }
func (Byte) ROSType() string    { return "std_msgs/msg/Byte" }
func (Char) ROSType() string    { return "std_msgs/msg/Char" }
func (Empty) ROSType() string   { return "std_msgs/msg/Empty" }
func (Float32) ROSType() string { return "std_msgs/msg/Float32" }
func (Float64) ROSType() string { return "std_msgs/msg/Float64" }
func (Int8) ROSType() string    { return "std_msgs/msg/Int8" }
func (Int16) ROSType() string   { return "std_msgs/msg/Int16" }
func (Int32) ROSType() string   { return "std_msgs/msg/Int32" }
func (Int64) ROSType() string   { return "std_msgs/msg/Int64" }
func (String) ROSType() string  { return "std_msgs/msg/String" }
func (UInt8) ROSType() string   { return "std_msgs/msg/UInt8" }
func (UInt16) ROSType() string  { return "std_msgs/msg/UInt16" }
func (UInt32) ROSType() string  { return "std_msgs/msg/UInt32" }
func (UInt64) ROSType() string  { return "std_msgs/msg/UInt64" }
