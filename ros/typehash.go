package ros

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// A TypeHash identifies a ROS type with all it is made of: RIHS, version 01
// (REP 2016). Nodes from Iron on announce it for each endpoint, to be shown;
// it takes no part in matching. The zero hash stands for an unknown one.
type TypeHash [32]byte

const hashPrefix = "RIHS01_"

// ParseTypeHash reads a hash such as RIHS01_df66...1a18.
func ParseTypeHash(text string) (h TypeHash, err error) {
	digits, ok := strings.CutPrefix(text, hashPrefix)
	switch {
	case !ok && strings.HasPrefix(text, "RIHS"):
		return h, fmt.Errorf("type hash %.80q is of another version; takt reads version 01, %s", text, hashPrefix)
	case !ok || len(digits) != hex.EncodedLen(len(h)):
		return h, fmt.Errorf("%.80q is not a type hash; one is %s and %d hexadecimal digits", text, hashPrefix, hex.EncodedLen(len(h)))
	}
	if _, err := hex.Decode(h[:], []byte(digits)); err != nil {
		return TypeHash{}, fmt.Errorf("type hash %q: %w; all of it must be hexadecimal digits", text, err)
	}
	return h, nil
}

func (h TypeHash) String() string { return hashPrefix + hex.EncodeToString(h[:]) }

// IsZero reports whether the hash stands for an unknown one.
func (h TypeHash) IsZero() bool { return h == TypeHash{} }

// KnownTypeHash returns the hash of a type that takt publishes or often meets,
// as of Jazzy.
func KnownTypeHash(typeName string) (h TypeHash, ok bool) {
	digits, ok := knownHashes[typeName]
	if ok {
		h, _ = ParseTypeHash(hashPrefix + digits) // a test parses them all
	}
	return h, ok
}

var knownHashes = map[string]string{
	"builtin_interfaces/msg/Duration":            "e8d009f659816f758b75334ee1a9ca5b5c0b859843261f14c7f937349599d93b",
	"builtin_interfaces/msg/Time":                "b106235e25a4c5ed35098aa0a61a3ee9c9b18d197f398b0e4206cea9acf9c197",
	"geometry_msgs/msg/Twist":                    "9c45bf16fe0983d80e3cfe750d6835843d265a9a6c46bd2e609fcddde6fb8d2a",
	"nav_msgs/msg/Odometry":                      "3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0",
	"rcl_interfaces/msg/Log":                     "e28ce254ca8abc06abf92773b74602cdbf116ed34fbaf294fb9f81da9f318eac",
	"rcl_interfaces/msg/ParameterEvent":          "043e627780fcad87a22d225bc2a037361dba713fca6a6b9f4b869a5aa0393204",
	"rmw_dds_common/msg/ParticipantEntitiesInfo": "91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e",
	"rosgraph_msgs/msg/Clock":                    "692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564",
	"sensor_msgs/msg/Image":                      "d31d41a9a4c4bc8eae9be757b0beed306564f7526c88ea6a4588fb9582527d47",
	"sensor_msgs/msg/Imu":                        "7d9a00ff131080897a5ec7e26e315954b8eae3353c3f995c55faf71574000b5b",
	"sensor_msgs/msg/JointState":                 "a13ee3a330e346c9d87b5aa18d24e11690752bd33a0350f11c5882bc9179260e",
	"sensor_msgs/msg/LaserScan":                  "64c191398013af96509d518dac71d5164f9382553fce5c1f8cca5be7924bd828",
	"sensor_msgs/msg/PointCloud2":                "9198cabf7da3796ae6fe19c4cb3bdd3525492988c70522628af5daa124bae2b5",
	"statistics_msgs/msg/MetricsMessage":         "36a67fb499fc2a11b8b9ff9ac735ed76e8d5a1f7775d6d5b97b625188ec68e20",
	"statistics_msgs/msg/StatisticDataPoint":     "b7e61a407346ea912effb6954023d2d2c9adf8f7bc10f6cae576d350c445f6a5",
	"std_msgs/msg/Header":                        "f49fb3ae2cf070f793645ff749683ac6b06203e41c891e17701b1cb597ce6a01",
	"std_msgs/msg/String":                        "df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18",
	"std_msgs/msg/UInt64":                        "fbdc52018fc13755dce18024d1a671c856aa8b4aaf63adfb095b608f98e8c943",
	"std_srvs/srv/Trigger_Request":               "d010825374ce8918e72bfd826c82603e60f45419e932ea976f807b74a863a199",
	"std_srvs/srv/Trigger_Response":              "2d946c21e2fc3f1e9ca6986a8191d85fcc70097a8bb7771a053564bc47009cdf",
}
