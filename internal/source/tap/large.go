package tap

// largeTypes are the types whose messages are usually large. One left out only
// means that its first large sample is still read.
var largeTypes = map[string]bool{
	"ffmpeg_image_transport_msgs/msg/FFMPEGPacket":     true,
	"grid_map_msgs/msg/GridMap":                        true,
	"map_msgs/msg/OccupancyGridUpdate":                 true,
	"map_msgs/msg/PointCloud2Update":                   true,
	"nav2_msgs/msg/Costmap":                            true,
	"nav2_msgs/msg/VoxelGrid":                          true,
	"nav_msgs/msg/GridCells":                           true,
	"nav_msgs/msg/OccupancyGrid":                       true,
	"octomap_msgs/msg/Octomap":                         true,
	"octomap_msgs/msg/OctomapWithPose":                 true,
	"pcl_msgs/msg/PolygonMesh":                         true,
	"point_cloud_interfaces/msg/CompressedPointCloud2": true,
	"sensor_msgs/msg/CompressedImage":                  true,
	"sensor_msgs/msg/Image":                            true,
	"sensor_msgs/msg/PointCloud":                       true,
	"sensor_msgs/msg/PointCloud2":                      true,
	"shape_msgs/msg/Mesh":                              true,
	"stereo_msgs/msg/DisparityImage":                   true,
	"theora_image_transport/msg/Packet":                true,
	"velodyne_msgs/msg/VelodyneScan":                   true,
}
