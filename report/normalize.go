package report

import (
	"math"
	"reflect"
)

// normalize makes what p points to safe to show: a pointer to something that
// holds a number which is not finite becomes nil (unknown), a nil or unknown
// element of a slice is dropped, and a nil slice becomes an empty one, which
// JSON writes as [] and not null.
func normalize(p any) {
	v := reflect.ValueOf(p).Elem()
	if !known(v) {
		v.SetZero()
	}
}

// known normalizes v and reports whether its own numbers are finite.
func known(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Float64:
		return !math.IsNaN(v.Float()) && !math.IsInf(v.Float(), 0)
	case reflect.Pointer:
		if !v.IsNil() && !known(v.Elem()) {
			v.SetZero()
		}
	case reflect.Struct:
		return knownFields(v)
	case reflect.Array:
		ok := true
		for i := range v.Len() {
			ok = known(v.Index(i)) && ok
		}
		return ok
	case reflect.Slice:
		keepKnown(v)
	}
	return true
}

func knownFields(v reflect.Value) bool {
	ok := true
	for i := range v.NumField() {
		ok = known(v.Field(i)) && ok
	}
	return ok
}

func keepKnown(v reflect.Value) {
	kept := reflect.MakeSlice(v.Type(), 0, v.Len())
	for i := range v.Len() {
		e := v.Index(i)
		if known(e) && (e.Kind() != reflect.Pointer || !e.IsNil()) {
			kept = reflect.Append(kept, e)
		}
	}
	v.Set(kept)
}
