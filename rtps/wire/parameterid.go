package wire

import "fmt"

// A ParameterID says what a parameter is. Those with VendorSpecific set mean
// different things to different vendors.
type ParameterID uint16

// The parameters of discovery and inline QoS (9.6.2.2.2; DDS-XTypes 7.6.3;
// DDS-RPC 7.8.2). Tokens of DDS Security, 0x1001 to 0x1006, are not read.
const (
	PIDPad                    ParameterID = 0x0000
	PIDSentinel               ParameterID = 0x0001
	PIDLease                  ParameterID = 0x0002
	PIDTimeBasedFilter        ParameterID = 0x0004
	PIDTopicName              ParameterID = 0x0005
	PIDOwnershipStrength      ParameterID = 0x0006
	PIDTypeName               ParameterID = 0x0007
	PIDDomainID               ParameterID = 0x000f
	PIDProtocolVersion        ParameterID = 0x0015
	PIDVendorID               ParameterID = 0x0016
	PIDReliability            ParameterID = 0x001a
	PIDLiveliness             ParameterID = 0x001b
	PIDDurability             ParameterID = 0x001d
	PIDDurabilityService      ParameterID = 0x001e
	PIDOwnership              ParameterID = 0x001f
	PIDPresentation           ParameterID = 0x0021
	PIDDeadline               ParameterID = 0x0023
	PIDDestinationOrder       ParameterID = 0x0025
	PIDLatencyBudget          ParameterID = 0x0027
	PIDPartition              ParameterID = 0x0029
	PIDLifespan               ParameterID = 0x002b
	PIDUserData               ParameterID = 0x002c
	PIDGroupData              ParameterID = 0x002d
	PIDTopicData              ParameterID = 0x002e
	PIDUnicastLocator         ParameterID = 0x002f
	PIDMulticastLocator       ParameterID = 0x0030
	PIDDefaultUnicast         ParameterID = 0x0031
	PIDMetatrafficUnicast     ParameterID = 0x0032
	PIDMetatrafficMulticast   ParameterID = 0x0033
	PIDManualLivelinessCount  ParameterID = 0x0034
	PIDContentFilter          ParameterID = 0x0035
	PIDHistory                ParameterID = 0x0040
	PIDResourceLimits         ParameterID = 0x0041
	PIDExpectsInlineQoS       ParameterID = 0x0043
	PIDBuiltinEndpointsOld    ParameterID = 0x0044
	PIDDefaultMulticast       ParameterID = 0x0048
	PIDTransportPriority      ParameterID = 0x0049
	PIDParticipantGUID        ParameterID = 0x0050
	PIDParticipantEntity      ParameterID = 0x0051
	PIDGroupGUID              ParameterID = 0x0052
	PIDGroupEntity            ParameterID = 0x0053
	PIDContentFilterInfo      ParameterID = 0x0055
	PIDCoherentSet            ParameterID = 0x0056
	PIDDirectedWrite          ParameterID = 0x0057
	PIDBuiltinEndpoints       ParameterID = 0x0058
	PIDProperties             ParameterID = 0x0059
	PIDEndpointGUID           ParameterID = 0x005a
	PIDTypeMaxSize            ParameterID = 0x0060
	PIDOriginalWriter         ParameterID = 0x0061
	PIDEntityName             ParameterID = 0x0062
	PIDGroupCoherentSet       ParameterID = 0x0063
	PIDGroupSequence          ParameterID = 0x0064
	PIDTypeIDOld              ParameterID = 0x0069
	PIDKeyHash                ParameterID = 0x0070
	PIDStatusInfo             ParameterID = 0x0071
	PIDTypeObjectOld          ParameterID = 0x0072
	PIDDataRepresentation     ParameterID = 0x0073
	PIDTypeConsistency        ParameterID = 0x0074
	PIDTypeInformation        ParameterID = 0x0075
	PIDBuiltinEndpointQoS     ParameterID = 0x0077
	PIDServiceInstance        ParameterID = 0x0080
	PIDRelatedEntity          ParameterID = 0x0081
	PIDTopicAliases           ParameterID = 0x0082
	PIDRelatedSample          ParameterID = 0x0083
	PIDDomainTag              ParameterID = 0x4014
	PIDRelatedSampleOfVendors ParameterID = 0x800f // of Fast DDS and RTI Connext
)

var parameterNames = map[ParameterID]string{
	PIDPad: "PID_PAD", PIDSentinel: "PID_SENTINEL", PIDLease: "PID_PARTICIPANT_LEASE_DURATION",
	PIDTimeBasedFilter: "PID_TIME_BASED_FILTER", PIDTopicName: "PID_TOPIC_NAME",
	PIDOwnershipStrength: "PID_OWNERSHIP_STRENGTH", PIDTypeName: "PID_TYPE_NAME", PIDDomainID: "PID_DOMAIN_ID",
	PIDProtocolVersion: "PID_PROTOCOL_VERSION", PIDVendorID: "PID_VENDORID", PIDReliability: "PID_RELIABILITY",
	PIDLiveliness: "PID_LIVELINESS", PIDDurability: "PID_DURABILITY", PIDDurabilityService: "PID_DURABILITY_SERVICE",
	PIDOwnership: "PID_OWNERSHIP", PIDPresentation: "PID_PRESENTATION", PIDDeadline: "PID_DEADLINE",
	PIDDestinationOrder: "PID_DESTINATION_ORDER", PIDLatencyBudget: "PID_LATENCY_BUDGET",
	PIDPartition: "PID_PARTITION", PIDLifespan: "PID_LIFESPAN", PIDUserData: "PID_USER_DATA",
	PIDGroupData: "PID_GROUP_DATA", PIDTopicData: "PID_TOPIC_DATA", PIDUnicastLocator: "PID_UNICAST_LOCATOR",
	PIDMulticastLocator: "PID_MULTICAST_LOCATOR", PIDDefaultUnicast: "PID_DEFAULT_UNICAST_LOCATOR",
	PIDMetatrafficUnicast:    "PID_METATRAFFIC_UNICAST_LOCATOR",
	PIDMetatrafficMulticast:  "PID_METATRAFFIC_MULTICAST_LOCATOR",
	PIDManualLivelinessCount: "PID_PARTICIPANT_MANUAL_LIVELINESS_COUNT", PIDContentFilter: "PID_CONTENT_FILTER_PROPERTY",
	PIDHistory: "PID_HISTORY", PIDResourceLimits: "PID_RESOURCE_LIMITS", PIDExpectsInlineQoS: "PID_EXPECTS_INLINE_QOS",
	PIDBuiltinEndpointsOld: "PID_PARTICIPANT_BUILTIN_ENDPOINTS", PIDDefaultMulticast: "PID_DEFAULT_MULTICAST_LOCATOR",
	PIDTransportPriority: "PID_TRANSPORT_PRIORITY", PIDParticipantGUID: "PID_PARTICIPANT_GUID",
	PIDParticipantEntity: "PID_PARTICIPANT_ENTITYID", PIDGroupGUID: "PID_GROUP_GUID", PIDGroupEntity: "PID_GROUP_ENTITYID",
	PIDContentFilterInfo: "PID_CONTENT_FILTER_INFO", PIDCoherentSet: "PID_COHERENT_SET",
	PIDDirectedWrite: "PID_DIRECTED_WRITE", PIDBuiltinEndpoints: "PID_BUILTIN_ENDPOINT_SET",
	PIDProperties: "PID_PROPERTY_LIST", PIDEndpointGUID: "PID_ENDPOINT_GUID",
	PIDTypeMaxSize: "PID_TYPE_MAX_SIZE_SERIALIZED", PIDOriginalWriter: "PID_ORIGINAL_WRITER_INFO",
	PIDEntityName: "PID_ENTITY_NAME", PIDGroupCoherentSet: "PID_GROUP_COHERENT_SET", PIDGroupSequence: "PID_GROUP_SEQ_NUM",
	PIDTypeIDOld: "PID_TYPE_IDV1", PIDKeyHash: "PID_KEY_HASH", PIDStatusInfo: "PID_STATUS_INFO",
	PIDTypeObjectOld: "PID_TYPE_OBJECTV1", PIDDataRepresentation: "PID_DATA_REPRESENTATION",
	PIDTypeConsistency: "PID_TYPE_CONSISTENCY_ENFORCEMENT", PIDTypeInformation: "PID_TYPE_INFORMATION",
	PIDBuiltinEndpointQoS: "PID_BUILTIN_ENDPOINT_QOS", PIDServiceInstance: "PID_SERVICE_INSTANCE_NAME",
	PIDRelatedEntity: "PID_RELATED_ENTITY_GUID", PIDTopicAliases: "PID_TOPIC_ALIASES",
	PIDRelatedSample: "PID_RELATED_SAMPLE_IDENTITY", PIDDomainTag: "PID_DOMAIN_TAG",
}

// String names the parameter as the specification does.
func (id ParameterID) String() string {
	if name, ok := parameterNames[id]; ok {
		return name
	}
	return fmt.Sprintf("parameter 0x%04x", uint16(id))
}

// VendorSpecific reports a parameter that means what the sender's vendor says.
func (id ParameterID) VendorSpecific() bool { return id&0x8000 != 0 }

// MustUnderstand reports a parameter without which the rest would be
// misunderstood: who does not know it ignores the whole list.
func (id ParameterID) MustUnderstand() bool { return id&0x4000 != 0 }
