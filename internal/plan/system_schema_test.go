package plan

import (
	"reflect"
	"testing"
	"time"

	"github.com/takt-rt/takt/internal/schematest"
	"github.com/takt-rt/takt/model"
)

func TestSystemSchema(t *testing.T) {
	const file = "../../docs/plan-system.schema.json"
	schematest.HasEveryKey(t, file, "", reflect.TypeFor[System]())
	chained := threaded(timer("a", 10*ms, 12*ms), subscription("b", "/t", ms))
	chained.Design.Nodes[0].Callbacks[0].Publishes = []string{"/t"}
	chained.Design.Chains = []model.Chain{{Name: "c", Path: []string{"n/a", "n/b"}, MaxReaction: ms, MaxAge: ms}}
	chained.Loops = []model.LoopContract{{Name: "n/a", Kind: model.Hard, Period: 10 * ms, Deadline: 10 * ms}}
	validate(t, file,
		planSystem(t, SystemSetup{System: mixedRatesAsWritten(), Length: time.Second, Sets: 3, Explain: "planner/planner"}),
		planSystem(t, SystemSetup{System: chained, Length: time.Second, PhaseSet: 2, Explain: "n/b", Typical: true}),
	)
}
