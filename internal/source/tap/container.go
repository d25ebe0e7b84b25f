package tap

import (
	"bytes"
	"io/fs"
	"path"
)

// ownNetwork reports whether this process is in a container whose network is
// not the host's, from the root of its file system.
func ownNetwork(root fs.FS) bool { return inContainer(root) && allVirtual(root) }

// inContainer looks for the marks that Docker, Podman and Kubernetes leave.
func inContainer(root fs.FS) bool {
	for _, mark := range []string{".dockerenv", "run/.containerenv"} {
		if _, err := fs.Stat(root, mark); err == nil {
			return true
		}
	}
	groups, _ := fs.ReadFile(root, "proc/1/cgroup")
	for _, mark := range []string{"/docker", "/kubepods", "/lxc", "/libpod"} {
		if bytes.Contains(groups, []byte(mark)) {
			return true
		}
	}
	return false
}

// allVirtual reports whether every interface but loopback is the end of a pair
// whose other end is elsewhere: that is how a container is given a network.
// Such an interface has the index of the other end as its link.
func allVirtual(root fs.FS) bool {
	const dir = "sys/class/net"
	all, err := fs.ReadDir(root, dir)
	if err != nil {
		return false
	}
	for _, i := range all {
		index, err := fs.ReadFile(root, path.Join(dir, i.Name(), "ifindex"))
		link, err2 := fs.ReadFile(root, path.Join(dir, i.Name(), "iflink"))
		if i.Name() != "lo" && err == nil && err2 == nil && bytes.Equal(index, link) {
			return false
		}
	}
	return true
}
