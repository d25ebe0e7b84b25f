package ros

// A MetricsMessage is a statistic over a window of time, as nodes publish it
// to /statistics when topic statistics are on.
type MetricsMessage struct {
	MeasurementSourceName string // the node
	MetricsSource         string // what was measured, such as message_age or message_period
	Unit                  string // such as ms
	WindowStart           Time
	WindowStop            Time
	Statistics            []StatisticDataPoint
}

// A StatisticDataPoint is one figure of a MetricsMessage, in its unit.
type StatisticDataPoint struct {
	DataType uint8 // one of the Statistic constants
	Data     float64
}

// The kinds of figures of a StatisticDataPoint.
const (
	StatisticUninitialized uint8 = iota
	StatisticAverage
	StatisticMinimum
	StatisticMaximum
	StatisticDeviation // the standard deviation
	StatisticCount     // of samples
)

// A DiagnosticArray is what nodes publish to /diagnostics of their state.
type DiagnosticArray struct {
	Header Header
	Status []DiagnosticStatus
}

// A DiagnosticStatus is the state of one component.
type DiagnosticStatus struct {
	Level      uint8 `ros:"byte"` // DiagnosticOK to DiagnosticStale
	Name       string
	Message    string
	HardwareID string
	Values     []KeyValue
}

// The levels of a DiagnosticStatus.
const (
	DiagnosticOK uint8 = iota
	DiagnosticWarn
	DiagnosticError
	DiagnosticStale
)

// A KeyValue is a detail of a DiagnosticStatus.
type KeyValue struct{ Key, Value string }

// A Log is a line of a node's log, as /rosout carries it.
type Log struct {
	Stamp    Time
	Level    uint8 // one of the Log constants
	Name     string
	Msg      string
	File     string
	Function string
	Line     uint32
}

// The levels of a Log.
const (
	LogDebug uint8 = 10
	LogInfo  uint8 = 20
	LogWarn  uint8 = 30
	LogError uint8 = 40
	LogFatal uint8 = 50
)

func (MetricsMessage) ROSType() string     { return "statistics_msgs/msg/MetricsMessage" }
func (StatisticDataPoint) ROSType() string { return "statistics_msgs/msg/StatisticDataPoint" }
func (DiagnosticArray) ROSType() string    { return "diagnostic_msgs/msg/DiagnosticArray" }
func (DiagnosticStatus) ROSType() string   { return "diagnostic_msgs/msg/DiagnosticStatus" }
func (KeyValue) ROSType() string           { return "diagnostic_msgs/msg/KeyValue" }
func (Log) ROSType() string                { return "rcl_interfaces/msg/Log" }
