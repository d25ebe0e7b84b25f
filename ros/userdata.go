package ros

import (
	"fmt"
	"strings"
)

// UserData are the keys and values that ROS writes into the user data of a
// participant or an endpoint: "key=value;" repeated. Foreign programs put
// there what they like.
type UserData map[string]string

// ParseUserData reads user data as the ROS middleware does
// (rmw/impl/cpp/key_value.hpp): keys are of letters and digits, neither they
// nor the values are empty, and one fault and nothing of it counts. Of n
// semicolons in a row, n-1 belong to the value. After a pair one other byte is
// passed over, and a zero byte ends the data. Empty data have no keys.
func ParseUserData(data []byte) (UserData, error) {
	u := UserData{}
	for rest := string(data); rest != ""; {
		at := len(data) - len(rest)
		key, value, ok := strings.Cut(rest, "=")
		if !ok || !isKey(key) {
			return nil, fmt.Errorf("user data %.80q: no key at byte %d; ROS writes key=value; with letters and digits in the key", data, at)
		}
		value, rest = cutValue(value)
		if value == "" {
			return nil, fmt.Errorf("user data %.80q: the key %.80q has no value; ROS writes key=value;", data, key)
		}
		u[key] = value
		rest = nextPair(rest)
	}
	return u, nil
}

// nextPair returns where the pair after another begins; empty if there is none.
func nextPair(rest string) string {
	if rest != "" && rest[0] != 0 && rest[0] != '=' && !isKeyByte(rest[0]) {
		rest = rest[1:]
	}
	if rest != "" && rest[0] == 0 {
		return ""
	}
	return rest
}

// cutValue cuts text after the first run of semicolons.
func cutValue(text string) (value, rest string) {
	end := strings.IndexByte(text, ';')
	if end < 0 {
		return text, ""
	}
	for end+1 < len(text) && text[end+1] == ';' {
		end++
	}
	return text[:end], text[end+1:]
}

func isKey(text string) bool {
	for i := range len(text) {
		if !isKeyByte(text[i]) {
			return false
		}
	}
	return text != ""
}

func isKeyByte(c byte) bool { return c != '_' && isNameByte(c) }

// TypeHash returns the hash of an endpoint's type, if one is given. Nodes of
// Humble give none. An error says that what is given is no hash.
func (u UserData) TypeHash() (h TypeHash, given bool, err error) {
	text, given := u["typehash"]
	if !given {
		return h, false, nil
	}
	h, err = ParseTypeHash(text)
	return h, true, err
}

// Enclave returns the security enclave of a participant. What has none is not
// a ROS participant.
func (u UserData) Enclave() (enclave string, ok bool) {
	enclave, ok = u["enclave"]
	return enclave, ok
}

// ParticipantUserData returns the user data of a ROS participant; the enclave
// of a process without security is "/".
func ParticipantUserData(enclave string) []byte { return []byte("enclave=" + enclave + ";") }

// EndpointUserData returns the user data of an endpoint whose type has the
// hash. It is never empty, not even for an unknown hash: nodes on Cyclone DDS,
// from Iron on, log a warning for each endpoint without user data.
func EndpointUserData(h TypeHash) []byte {
	if h.IsZero() {
		return []byte("tool=takt;")
	}
	return []byte("typehash=" + h.String() + ";")
}
