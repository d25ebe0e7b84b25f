package gazebo

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
)

// invalidInTopic is what Gazebo takes out of a world's name in the names of services.
var invalidInTopic = regexp.MustCompile(`@|~|//|:=`)

// servicePath returns the name of a world's set_physics service. NAME stands
// for the name of a world that is not known.
func servicePath(world string) string {
	if world == "" {
		world = "NAME"
	}
	name := invalidInTopic.ReplaceAllString(strings.ReplaceAll(world, " ", "_"), "")
	return "/world/" + name + "/set_physics"
}

// listServices shows whether the service is there: a world that lists its own
// plugins may lack it.
const listServices = "gz service -l"

// setPhysics returns the request to a running simulator. Step, factor and
// gravity are always sent together: a request without gravity sets that to
// zero in gz-sim 8.11 to 8.13 and 10.1 to 10.4, and one without the factor
// leaves the wall period of a step as it was, so that a new step alone changes
// the factor.
func setPhysics(world string, step, rtf *big.Rat, gravity [3]*big.Rat) string {
	return fmt.Sprintf("gz service -s %s --reqtype gz.msgs.Physics --reptype gz.msgs.Boolean --timeout 2000"+
		" --req 'max_step_size: %s, real_time_factor: %s, gravity: {x: %s, y: %s, z: %s}'",
		shellWord(servicePath(world)), decimal(step), decimal(rtf),
		decimal(gravity[0]), decimal(gravity[1]), decimal(gravity[2]))
}

// fortress rewrites a request for Ignition Fortress, the last release of the old names.
func fortress(request string) string {
	request = strings.Replace(request, "gz service", "ign service", 1)
	request = strings.Replace(request, "--reqtype gz.", "--reqtype ignition.", 1)
	return strings.Replace(request, "--reptype gz.", "--reptype ignition.", 1)
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./-]+$`)

// shellWord quotes a word for a POSIX shell if it needs that.
func shellWord(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
