package wire

// An EndpointData is what a participant announces of one of its writers or
// readers: the contents of SEDP (8.5.4). Absent is what was not said; the
// defaults are in the comments. Empty strings and lists are not written.
type EndpointData struct {
	GUID             Optional[GUID] // required by Cyclone DDS; Fast DDS takes KeyHash too
	Participant      Optional[GUID] // absent: that of the GUID's prefix
	TopicName        string
	TypeName         string
	Version          Optional[ProtocolVersion] // absent: the header's
	Vendor           Optional[VendorID]        // absent: the header's
	Unicast          []Locator                 // none: the participant's defaults
	Multicast        []Locator
	ExpectsInlineQoS Optional[bool] // absent: false; of a reader
	EntityName       string
	Group            Optional[GUID]
	KeyHash          Optional[[16]byte] // the GUID once more
	TypeMaxSize      Optional[uint32]   // bytes
	TypeInformation  []byte             // as it is, XCDR2 (DDS-XTypes 7.6.3.2)
	ContentFilter    Optional[ContentFilter]
	Properties       []Property
	ServiceInstance  string         // DDS-RPC
	RelatedEntity    Optional[GUID] // DDS-RPC: the other endpoint of a client or server
	TopicAliases     []string       // DDS-RPC
	QoS              EndpointQoS
}

// An EndpointQoS is the policies of a writer or reader. Vendors leave out what
// equals the default, and Fast DDS 2 never says its history.
type EndpointQoS struct {
	Durability          Optional[DurabilityKind] // absent: Volatile
	Reliability         Optional[Reliability]    // absent: of a writer Reliable, of a reader BestEffort
	History             Optional[History]        // absent: KeepLast 1, or not said
	UserData            []byte
	DurabilityService   Optional[DurabilityService]
	Deadline            Optional[Duration]   // absent: Infinite
	LatencyBudget       Optional[Duration]   // absent: 0
	Liveliness          Optional[Liveliness] // absent: Automatic, Infinite
	Lifespan            Optional[Duration]   // absent: Infinite
	TimeBasedFilter     Optional[Duration]   // absent: 0
	Ownership           Optional[OwnershipKind]
	OwnershipStrength   Optional[int32]
	DestinationOrder    Optional[DestinationOrderKind] // absent: ByReception
	Presentation        Optional[Presentation]         // absent: InstanceScope
	Partition           []string                       // none: the partition with the empty name
	TopicData           []byte
	GroupData           []byte
	ResourceLimits      Optional[ResourceLimits]
	TransportPriority   Optional[int32]
	DataRepresentations []DataRepresentation // none: XCDR1
	TypeConsistency     Optional[TypeConsistency]
}

// A ContentFilter is a reader's filter, which writers may apply for it.
type ContentFilter struct {
	Topic, RelatedTopic string
	Class               string // such as "DDSSQL"
	Expression          string
	Parameters          []string
}

// Append appends the payload of SEDP: encapsulation, parameters, sentinel. With
// nothing but GUID set it is the key of an endpoint that was deleted.
func (e *EndpointData) Append(b []byte, order Order) []byte {
	l := list{b: appendEncapsulation(b, order), order: order}
	put(&l, PIDEndpointGUID, e.GUID, (*list).guid)
	put(&l, PIDParticipantGUID, e.Participant, (*list).guid)
	putString(&l, PIDTopicName, e.TopicName)
	putString(&l, PIDTypeName, e.TypeName)
	put(&l, PIDProtocolVersion, e.Version, (*list).version)
	put(&l, PIDVendorID, e.Vendor, (*list).vendor)
	e.QoS.append(&l)
	putAll(&l, PIDUnicastLocator, e.Unicast, (*list).locator)
	putAll(&l, PIDMulticastLocator, e.Multicast, (*list).locator)
	put(&l, PIDExpectsInlineQoS, e.ExpectsInlineQoS, (*list).bool)
	putString(&l, PIDEntityName, e.EntityName)
	put(&l, PIDGroupGUID, e.Group, (*list).guid)
	put(&l, PIDKeyHash, e.KeyHash, (*list).hash)
	put(&l, PIDTypeMaxSize, e.TypeMaxSize, (*list).uint32)
	putSlice(&l, PIDTypeInformation, e.TypeInformation, (*list).raw)
	put(&l, PIDContentFilter, e.ContentFilter, (*list).contentFilter)
	putSlice(&l, PIDProperties, e.Properties, (*list).properties)
	putString(&l, PIDServiceInstance, e.ServiceInstance)
	put(&l, PIDRelatedEntity, e.RelatedEntity, (*list).guid)
	putSlice(&l, PIDTopicAliases, e.TopicAliases, (*list).strings)
	return AppendSentinel(l.b, order)
}

func (q *EndpointQoS) append(l *list) {
	put(l, PIDDurability, q.Durability, (*list).durability)
	put(l, PIDReliability, q.Reliability, (*list).reliability)
	put(l, PIDHistory, q.History, (*list).history)
	putSlice(l, PIDUserData, q.UserData, (*list).bytes)
	put(l, PIDDurabilityService, q.DurabilityService, (*list).durabilityService)
	put(l, PIDDeadline, q.Deadline, (*list).duration)
	put(l, PIDLatencyBudget, q.LatencyBudget, (*list).duration)
	put(l, PIDLiveliness, q.Liveliness, (*list).liveliness)
	put(l, PIDLifespan, q.Lifespan, (*list).duration)
	put(l, PIDTimeBasedFilter, q.TimeBasedFilter, (*list).duration)
	put(l, PIDOwnership, q.Ownership, (*list).ownership)
	put(l, PIDOwnershipStrength, q.OwnershipStrength, (*list).int32)
	put(l, PIDDestinationOrder, q.DestinationOrder, (*list).destinationOrder)
	put(l, PIDPresentation, q.Presentation, (*list).presentation)
	putSlice(l, PIDPartition, q.Partition, (*list).strings)
	putSlice(l, PIDTopicData, q.TopicData, (*list).bytes)
	putSlice(l, PIDGroupData, q.GroupData, (*list).bytes)
	put(l, PIDResourceLimits, q.ResourceLimits, (*list).limits)
	put(l, PIDTransportPriority, q.TransportPriority, (*list).int32)
	putSlice(l, PIDDataRepresentation, q.DataRepresentations, (*list).representations)
	put(l, PIDTypeConsistency, q.TypeConsistency, (*list).typeConsistency)
}

// ParseEndpoint reads the payload of SEDP, or the key of an endpoint that was
// deleted. Vendors' own parameters are skipped; of a repeated one the last
// counts, except that locators add up, to 64 of a kind.
func ParseEndpoint(payload []byte) (e EndpointData, err error) {
	if err := parseList(payload, e.take); err != nil {
		return EndpointData{}, err
	}
	return e, nil
}

func (e *EndpointData) take(id ParameterID, v *value) (known bool) {
	switch id {
	case PIDEndpointGUID:
		e.GUID = Some(v.guid())
	case PIDParticipantGUID:
		e.Participant = Some(v.guid())
	case PIDTopicName:
		e.TopicName = v.string()
	case PIDTypeName:
		e.TypeName = v.string()
	case PIDProtocolVersion:
		e.Version = Some(v.version())
	case PIDVendorID:
		e.Vendor = Some(v.vendor())
	case PIDUnicastLocator:
		e.Unicast = v.locator(e.Unicast)
	case PIDMulticastLocator:
		e.Multicast = v.locator(e.Multicast)
	case PIDExpectsInlineQoS:
		e.ExpectsInlineQoS = Some(v.bool())
	case PIDEntityName:
		e.EntityName = v.string()
	case PIDGroupGUID:
		e.Group = Some(v.guid())
	case PIDKeyHash:
		e.KeyHash = Some(v.hash())
	case PIDTypeMaxSize:
		e.TypeMaxSize = Some(v.uint32())
	case PIDTypeInformation:
		e.TypeInformation = v.rest()
	case PIDContentFilter:
		e.ContentFilter = Some(v.contentFilter())
	case PIDProperties:
		e.Properties = v.properties()
	case PIDServiceInstance:
		e.ServiceInstance = v.string()
	case PIDRelatedEntity:
		e.RelatedEntity = Some(v.guid())
	case PIDTopicAliases:
		e.TopicAliases = v.strings()
	default:
		return e.QoS.take(id, v)
	}
	return true
}

func (q *EndpointQoS) take(id ParameterID, v *value) (known bool) {
	switch id {
	case PIDDurability:
		q.Durability = Some(v.durability())
	case PIDReliability:
		q.Reliability = Some(v.reliability())
	case PIDHistory:
		q.History = Some(v.history())
	case PIDUserData:
		q.UserData = v.bytes()
	case PIDDurabilityService:
		q.DurabilityService = Some(v.durabilityService())
	case PIDDeadline:
		q.Deadline = Some(v.duration())
	case PIDLatencyBudget:
		q.LatencyBudget = Some(v.duration())
	case PIDLiveliness:
		q.Liveliness = Some(v.liveliness())
	case PIDLifespan:
		q.Lifespan = Some(v.duration())
	case PIDTimeBasedFilter:
		q.TimeBasedFilter = Some(v.duration())
	case PIDOwnership:
		q.Ownership = Some(v.ownership())
	case PIDOwnershipStrength:
		q.OwnershipStrength = Some(v.int32())
	case PIDDestinationOrder:
		q.DestinationOrder = Some(v.destinationOrder())
	case PIDPresentation:
		q.Presentation = Some(v.presentation())
	case PIDPartition:
		q.Partition = v.strings()
	case PIDTopicData:
		q.TopicData = v.bytes()
	case PIDGroupData:
		q.GroupData = v.bytes()
	case PIDResourceLimits:
		q.ResourceLimits = Some(v.limits())
	case PIDTransportPriority:
		q.TransportPriority = Some(v.int32())
	case PIDDataRepresentation:
		q.DataRepresentations = v.representations()
	case PIDTypeConsistency:
		q.TypeConsistency = Some(v.typeConsistency())
	default:
		return false
	}
	return true
}

func (v *value) contentFilter() ContentFilter {
	return ContentFilter{v.string(), v.string(), v.string(), v.string(), v.strings()}
}

func (l *list) contentFilter(f ContentFilter) {
	l.string(f.Topic)
	l.string(f.RelatedTopic)
	l.string(f.Class)
	l.string(f.Expression)
	l.strings(f.Parameters)
}
