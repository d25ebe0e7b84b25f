package ros

// A ParameterEvent tells of a node's parameters that were set, as
// /parameter_events carries it.
type ParameterEvent struct {
	Stamp             Time
	Node              string // its full name
	NewParameters     []Parameter
	ChangedParameters []Parameter
	DeletedParameters []Parameter
}

// A Parameter is a name and a value.
type Parameter struct {
	Name  string
	Value ParameterValue
}

// A ParameterValue holds one value, in the field that Type names; the others
// are zero.
type ParameterValue struct {
	Type              uint8 // 0 not set, then 1 for the first field below, 2 for the second, ...
	BoolValue         bool
	IntegerValue      int64
	DoubleValue       float64
	StringValue       string
	ByteArrayValue    []uint8 `ros:"byte"`
	BoolArrayValue    []bool
	IntegerArrayValue []int64
	DoubleArrayValue  []float64
	StringArrayValue  []string
}

func (ParameterEvent) ROSType() string { return "rcl_interfaces/msg/ParameterEvent" }
func (Parameter) ROSType() string      { return "rcl_interfaces/msg/Parameter" }
func (ParameterValue) ROSType() string { return "rcl_interfaces/msg/ParameterValue" }
