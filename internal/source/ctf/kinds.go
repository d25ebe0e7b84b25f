package ctf

import (
	"strings"

	"github.com/takt-rt/takt/internal/source/ctf/trace"
)

// A kind is one that takt reads: its fields, and what takes them by the same
// numbers. A trace may lack some; the kinds and their fields are those of
// tracetools' and CARET's tracepoints.
type kind struct {
	fields []string
	take   func(*run, *trace.Event)
}

// passed is the tag of events that are counted and no more.
const passed = -1

// kinds are those of ros2_tracing, by name without the provider: CARET has
// some under its own, with the same meaning.
var kinds = map[string]kind{
	"rcl_init":             {[]string{"version"}, (*run).rclInit},
	"rcl_node_init":        {[]string{"node_handle", "node_name", "namespace"}, (*run).nodeInit},
	"rmw_publisher_init":   {[]string{"rmw_publisher_handle", "gid"}, (*run).rmwPublisherInit},
	"rcl_publisher_init":   {[]string{"publisher_handle", "node_handle", "rmw_publisher_handle", "topic_name", "queue_depth"}, (*run).publisherInit},
	"rcl_timer_init":       {[]string{"timer_handle", "period", "init_timestamp"}, (*run).timerInit},
	"rcl_service_init":     {[]string{"service_handle", "node_handle", "service_name"}, (*run).serviceInit},
	"rclcpp_publish":       {[]string{"publisher_handle", "message"}, (*run).rclcppPublish},
	"rclcpp_intra_publish": {[]string{"publisher_handle", "message"}, (*run).intraPublish},
	"rcl_publish":          {[]string{"publisher_handle", "message"}, (*run).rclPublish},
	"rmw_publish":          {[]string{"message", "timestamp"}, (*run).rmwPublish},
	"rmw_take":             {[]string{"rmw_subscription_handle", "source_timestamp", "taken"}, (*run).rmwTake},
	"callback_start":       {[]string{"callback", "is_intra_process"}, (*run).callbackStart},
	"callback_end":         {[]string{"callback"}, (*run).callbackEnd},

	"rmw_subscription_init":              {[]string{"rmw_subscription_handle", "gid"}, (*run).rmwSubscriptionInit},
	"rcl_subscription_init":              {[]string{"subscription_handle", "node_handle", "rmw_subscription_handle", "topic_name", "queue_depth"}, (*run).subscriptionInit},
	"rclcpp_subscription_init":           {[]string{"subscription_handle", "subscription"}, (*run).subscriptionObject},
	"rclcpp_subscription_callback_added": {[]string{"subscription", "callback", "subscription_handle"}, (*run).subscriptionCallback},
	"rclcpp_service_callback_added":      {[]string{"service_handle", "callback"}, (*run).serviceCallback},
	"rclcpp_timer_callback_added":        {[]string{"timer_handle", "callback"}, (*run).timerCallback},
	"rclcpp_timer_link_node":             {[]string{"timer_handle", "node_handle"}, (*run).timerNode},
	"rclcpp_callback_register":           {[]string{"callback", "symbol"}, (*run).callbackSymbol},

	"rclcpp_executor_wait_for_work":  {nil, (*run).executorWaits},
	"rclcpp_executor_get_next_ready": {nil, (*run).executorChooses},

	"rclcpp_construct_ring_buffer": {[]string{"buffer", "capacity"}, (*run).bufferInit},
	"rclcpp_buffer_to_ipb":         {[]string{"buffer", "ipb"}, (*run).bufferOf},
	"rclcpp_ipb_to_subscription":   {[]string{"ipb", "subscription"}, (*run).bufferFor},
	"rclcpp_ring_buffer_enqueue":   {[]string{"buffer", "index", "overwritten"}, (*run).enqueue},
	"rclcpp_ring_buffer_dequeue":   {[]string{"buffer", "index"}, (*run).dequeue},
	"rclcpp_ring_buffer_clear":     {[]string{"buffer"}, (*run).clearBuffer},

	// CARET's.
	"dds_bind_addr_to_stamp":                       {[]string{"addr", "source_stamp"}, (*run).rmwPublish},
	"dds_bind_addr_to_addr":                        {[]string{"addr_from", "addr_to"}, (*run).copied},
	"message_construct":                            {[]string{"original_message", "constructed_message"}, (*run).copied},
	"dispatch_subscription_callback":               {[]string{"callback", "source_stamp"}, (*run).dispatch},
	"dispatch_intra_process":                       {[]string{"callback", "message"}, (*run).dispatchIntra},
	"dispatch_intra_process_subscription_callback": {[]string{"callback", "message"}, (*run).dispatchIntra},
	"construct_executor":                           {[]string{"executor_addr", "executor_type_name"}, (*run).executorInit},
	"construct_static_executor":                    {[]string{"entities_collector_addr", "executor_type_name"}, (*run).executorInit},
	"add_callback_group":                           {[]string{"executor_addr", "callback_group_addr", "group_type_name"}, (*run).groupInit},
	"add_callback_group_static_executor":           {[]string{"entities_collector_addr", "callback_group_addr", "group_type_name"}, (*run).groupInit},
	"callback_group_add_timer":                     {[]string{"callback_group_addr", "timer_handle"}, (*run).groupTimer},
	"callback_group_add_subscription":              {[]string{"callback_group_addr", "subscription_handle"}, (*run).groupSubscription},
	"callback_group_add_service":                   {[]string{"callback_group_addr", "service_handle"}, (*run).groupService},
}

// kernelKinds are the kernel's, which have no provider.
var kernelKinds = map[string]kind{
	"sched_switch": {[]string{"prev_tid", "next_tid"}, (*run).schedSwitch},
	"sched_waking": {[]string{"tid"}, (*run).schedWaking},
}

// providers of what kinds has.
var providers = []string{"ros2", "ros2_caret", "ros2_hook"}

// wants returns the fields to read of an event, and its number among r.takes.
func (r *run) wants(event string) (fields []string, tag int) {
	k, ok := kernelKinds[event]
	provider, name, ros := strings.Cut(event, ":")
	for _, p := range providers {
		if ros && p == provider {
			k, ok = kinds[name]
			r.ros = true
		}
	}
	if !ok {
		return nil, passed
	}
	r.takes = append(r.takes, k.take)
	return k.fields, len(r.takes) - 1
}
