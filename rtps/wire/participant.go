package wire

// BuiltinEndpoints says which builtin readers and writers a participant has
// (9.3.2 and DDS-XTypes 7.6.3.3.4), one bit each.
type BuiltinEndpoints uint32

// The builtin endpoints of a participant without security.
const (
	HasParticipantsWriter BuiltinEndpoints = 1 << iota
	HasParticipantsReader
	HasPublicationsWriter
	HasPublicationsReader
	HasSubscriptionsWriter
	HasSubscriptionsReader
)

// Further builtin endpoints. Who claims those of type lookup must answer them.
const (
	HasParticipantMessageWriter BuiltinEndpoints = 1 << 10
	HasParticipantMessageReader BuiltinEndpoints = 1 << 11
	HasTypeLookupRequestWriter  BuiltinEndpoints = 1 << 12
	HasTypeLookupRequestReader  BuiltinEndpoints = 1 << 13
	HasTypeLookupReplyWriter    BuiltinEndpoints = 1 << 14
	HasTypeLookupReplyReader    BuiltinEndpoints = 1 << 15
	HasTopicsWriter             BuiltinEndpoints = 1 << 28
	HasTopicsReader             BuiltinEndpoints = 1 << 29
)

// A Property is a name and a value that an application or vendor announces.
type Property struct{ Name, Value string }

// A ParticipantData is what a participant announces of itself: the contents of
// SPDP (8.5.3). Absent is what was not said; the defaults are in the comments.
// Empty strings and lists are not written.
type ParticipantData struct {
	Version              Optional[ProtocolVersion] // absent: the header's
	Vendor               Optional[VendorID]        // absent: the header's
	GUID                 Optional[GUID]            // required by both vendors, by Fast DDS this or KeyHash
	Builtin              Optional[BuiltinEndpoints]
	DomainID             Optional[uint32] // Fast DDS 2 does not say it
	DomainTag            string           // participants with different tags ignore each other
	Lease                Optional[Duration]
	DefaultUnicast       []Locator // for user data, unless an endpoint has its own
	DefaultMulticast     []Locator
	MetatrafficUnicast   []Locator // for builtin endpoints
	MetatrafficMulticast []Locator
	EntityName           string
	UserData             []byte
	Properties           []Property
	ExpectsInlineQoS     Optional[bool]     // absent: false
	BuiltinQoS           Optional[uint32]   // bit 0: the participant message reader is best effort
	ManualLiveliness     Optional[int32]    // count of assertions
	KeyHash              Optional[[16]byte] // the GUID once more
}

// Append appends the payload of SPDP: encapsulation, parameters, sentinel. With
// nothing but GUID set it is the key of a participant that leaves.
func (p *ParticipantData) Append(b []byte, order Order) []byte {
	l := list{b: appendEncapsulation(b, order), order: order}
	put(&l, PIDProtocolVersion, p.Version, (*list).version)
	put(&l, PIDVendorID, p.Vendor, (*list).vendor)
	put(&l, PIDParticipantGUID, p.GUID, (*list).guid)
	put(&l, PIDBuiltinEndpoints, p.Builtin, (*list).builtin)
	put(&l, PIDDomainID, p.DomainID, (*list).uint32)
	putString(&l, PIDDomainTag, p.DomainTag)
	put(&l, PIDLease, p.Lease, (*list).duration)
	putAll(&l, PIDDefaultUnicast, p.DefaultUnicast, (*list).locator)
	putAll(&l, PIDDefaultMulticast, p.DefaultMulticast, (*list).locator)
	putAll(&l, PIDMetatrafficUnicast, p.MetatrafficUnicast, (*list).locator)
	putAll(&l, PIDMetatrafficMulticast, p.MetatrafficMulticast, (*list).locator)
	putString(&l, PIDEntityName, p.EntityName)
	putSlice(&l, PIDUserData, p.UserData, (*list).bytes)
	putSlice(&l, PIDProperties, p.Properties, (*list).properties)
	put(&l, PIDExpectsInlineQoS, p.ExpectsInlineQoS, (*list).bool)
	put(&l, PIDBuiltinEndpointQoS, p.BuiltinQoS, (*list).uint32)
	put(&l, PIDManualLivelinessCount, p.ManualLiveliness, (*list).int32)
	put(&l, PIDKeyHash, p.KeyHash, (*list).hash)
	return AppendSentinel(l.b, order)
}

// ParseParticipant reads the payload of SPDP, or the key of a participant that
// leaves. Vendors' own parameters are skipped; of a repeated one the last
// counts, except that locators add up, to 64 of a kind.
func ParseParticipant(payload []byte) (p ParticipantData, err error) {
	if err := parseList(payload, p.take); err != nil {
		return ParticipantData{}, err
	}
	return p, nil
}

func (p *ParticipantData) take(id ParameterID, v *value) (known bool) {
	switch id {
	case PIDProtocolVersion:
		p.Version = Some(v.version())
	case PIDVendorID:
		p.Vendor = Some(v.vendor())
	case PIDParticipantGUID:
		p.GUID = Some(v.guid())
	case PIDBuiltinEndpoints:
		p.Builtin = Some(v.builtin())
	case PIDDomainID:
		p.DomainID = Some(v.uint32())
	case PIDDomainTag:
		p.DomainTag = v.string()
	case PIDLease:
		p.Lease = Some(v.duration())
	case PIDDefaultUnicast:
		p.DefaultUnicast = v.locator(p.DefaultUnicast)
	case PIDDefaultMulticast:
		p.DefaultMulticast = v.locator(p.DefaultMulticast)
	case PIDMetatrafficUnicast:
		p.MetatrafficUnicast = v.locator(p.MetatrafficUnicast)
	case PIDMetatrafficMulticast:
		p.MetatrafficMulticast = v.locator(p.MetatrafficMulticast)
	case PIDEntityName:
		p.EntityName = v.string()
	case PIDUserData:
		p.UserData = v.bytes()
	case PIDProperties:
		p.Properties = v.properties()
	case PIDExpectsInlineQoS:
		p.ExpectsInlineQoS = Some(v.bool())
	case PIDBuiltinEndpointQoS:
		p.BuiltinQoS = Some(v.uint32())
	case PIDManualLivelinessCount:
		p.ManualLiveliness = Some(v.int32())
	case PIDKeyHash:
		p.KeyHash = Some(v.hash())
	default:
		return false
	}
	return true
}

func (v *value) builtin() BuiltinEndpoints { return BuiltinEndpoints(v.uint32()) }

func (l *list) builtin(e BuiltinEndpoints) { l.uint32(uint32(e)) }

// properties reads a sequence of pairs of strings. The sequence of binary
// properties that may follow is of security only and left unread.
func (v *value) properties() (all []Property) {
	for range v.length() {
		all = append(all, Property{v.string(), v.string()})
		if v.problem != noProblem {
			return nil
		}
	}
	return all
}

func (l *list) properties(all []Property) {
	l.uint32(uint32(len(all)))
	for _, p := range all {
		l.string(p.Name)
		l.string(p.Value)
	}
}
