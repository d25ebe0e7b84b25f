package gazebo

import (
	"strings"
	"testing"
)

// What scanning costs is linear in the data, whatever it is made of.
func BenchmarkParse(b *testing.B) {
	const size = 4 << 20
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for name, text := range map[string]string{
		"elements":   "<sdf><world name='w'>" + fill("<link name='a'><pose>0 0 0</pose></link>") + "</world></sdf>",
		"attributes": "<sdf><world name='w'><a " + fill("b='c' ") + "/></world></sdf>",
		"comments":   "<sdf><world name='w'>" + fill("<!---->") + "</world></sdf>",
		"text":       "<sdf><world name='w'>" + fill("x &") + "</world></sdf>",
		"worlds":     "<sdf>" + fill(" ") + "<world name='w'/></sdf>",
	} {
		b.Run("of="+name, func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				if _, err := Parse("x.sdf", []byte(text)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestAttribute(t *testing.T) {
	const tag = `<physics  name = "a>b"	type='o"de' default="" note="&lt;&amp;">`
	for name, want := range map[string]string{"name": "a>b", "type": `o"de`, "default": "", "note": "<&"} {
		if got, ok := attribute([]byte(tag), name); !ok || got != want {
			t.Errorf("%s: %q, %v; want %q", name, got, ok, want)
		}
	}
	for _, broken := range []string{tag, "<physics name>", "<physics name=>", "<physics name=a>", "<physics name='a>", "<physics 'a'>", "<physics"} {
		if _, ok := attribute([]byte(broken), "missing"); ok {
			t.Errorf("%s: found", broken)
		}
	}
}
