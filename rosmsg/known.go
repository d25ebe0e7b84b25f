package rosmsg

import (
	"strings"
	"sync"
)

// known are common types of ROS 2 and how each begins, as far as the stamp,
// for recordings without schemas. A type left out only means that its stamp is
// not found.
var known = []struct{ beginning, types string }{
	{"std_msgs/Header header", `
ackermann_msgs: AckermannDriveStamped
actionlib_msgs: GoalStatusArray
apriltag_msgs: AprilTagDetectionArray
autoware_auto_perception_msgs: DetectedObjects PredictedObjects TrackedObjects
autoware_auto_planning_msgs: Path Trajectory
autoware_auto_vehicle_msgs: VelocityReport
autoware_perception_msgs: DetectedObjects PredictedObjects TrackedObjects
autoware_planning_msgs: LaneletRoute Path Trajectory
autoware_vehicle_msgs: VelocityReport
bond: Status
can_msgs: Frame
control_msgs: DynamicJointState JointControllerState JointJog JointTrajectoryControllerState
	MultiDOFStateStamped PidState SingleDOFStateStamped SteeringControllerStatus
diagnostic_msgs: DiagnosticArray
gazebo_msgs: ContactsState PerformanceMetrics WorldState
geometry_msgs: AccelStamped AccelWithCovarianceStamped InertiaStamped PointStamped
	PolygonInstanceStamped PolygonStamped PoseArray PoseStamped PoseWithCovarianceStamped
	QuaternionStamped TransformStamped TwistStamped TwistWithCovarianceStamped Vector3Stamped
	VelocityStamped WrenchStamped
map_msgs: OccupancyGridUpdate PointCloud2Update
nav2_msgs: Costmap CostmapFilterInfo ParticleCloud SpeedLimit VoxelGrid
nav_msgs: Goals GridCells OccupancyGrid Odometry Path
nmea_msgs: Sentence
pcl_msgs: ModelCoefficients PointIndices PolygonMesh
radar_msgs: RadarScan RadarTracks
sensor_msgs: BatteryState CameraInfo CompressedImage FluidPressure Illuminance Image Imu
	JointState Joy LaserScan MagneticField MultiDOFJointState MultiEchoLaserScan NavSatFix
	PointCloud PointCloud2 Range RelativeHumidity Temperature TimeReference
stereo_msgs: DisparityImage
trajectory_msgs: JointTrajectory MultiDOFJointTrajectory
velodyne_msgs: VelodyneScan
vision_msgs: BoundingBox2DArray BoundingBox3DArray Classification Detection2D Detection2DArray
	Detection3D Detection3DArray LabelInfo VisionInfo
visualization_msgs: ImageMarker InteractiveMarker InteractiveMarkerFeedback Marker
`},
	{"builtin_interfaces/Time stamp", `
actionlib_msgs: GoalID
autoware_auto_control_msgs: AckermannControlCommand
autoware_auto_vehicle_msgs: ControlModeReport GearCommand GearReport SteeringReport
autoware_control_msgs: Control Lateral Longitudinal
autoware_vehicle_msgs: ControlModeReport Engage GearCommand GearReport HazardLightsCommand
	HazardLightsReport SteeringReport TurnIndicatorsCommand TurnIndicatorsReport
rcl_interfaces: Log ParameterEvent
`},
	{"builtin_interfaces/Time timestamp", "nav2_msgs: BehaviorTreeLog"},
	{"builtin_interfaces/Time clock", "rosgraph_msgs: Clock"},
	{arrayOfStamped("transforms"), "tf2_msgs: TFMessage"},
	{arrayOfStamped("markers"), "visualization_msgs: MarkerArray"},
}

// arrayOfStamped is the beginning of a message that is an array of messages with headers.
func arrayOfStamped(field string) string {
	return "takt/Stamped[] " + field + "\n" + strings.Repeat("=", 80) + "\nMSG: takt/Stamped\nstd_msgs/Header header"
}

// knownBeginnings is known by the short name of the type.
var knownBeginnings = sync.OnceValue(func() map[string]string {
	beginnings := map[string]string{}
	for _, k := range known {
		var pkg string
		for _, word := range strings.Fields(k.types) {
			if name, ok := strings.CutSuffix(word, ":"); ok {
				pkg = name
				continue
			}
			beginnings[pkg+"/"+word] = k.beginning
		}
	}
	return beginnings
})
