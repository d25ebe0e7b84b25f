package plan

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/takt-rt/takt/internal/quantity"
)

// textWidth is how many columns the text of a plan takes at most.
const textWidth = 96

// short writes seconds without the zeros at the end: 62.5 ms, 240 s.
func short(s float64) string {
	figure, unit, _ := strings.Cut(quantity.Seconds(s), " ")
	return trim(figure) + " " + unit
}

// number writes a plain number to four significant decimals: 0.1667, 1.
func number(x float64) string {
	if x != 0 && math.Abs(x) < 0.001 {
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	return trim(strconv.FormatFloat(x, 'f', 4, 64))
}

// percent writes a share: 25 %, 66.7 %.
func percent(share float64) string {
	return trim(strconv.FormatFloat(share*100, 'f', 1, 64)) + " %"
}

func trim(figure string) string {
	if !strings.Contains(figure, ".") {
		return figure
	}
	return strings.TrimRight(strings.TrimRight(figure, "0"), ".")
}

// wrap breaks prose between words, a figure staying with its unit, and sets
// all lines but the first in by so many columns.
func wrap(prose string, indent int) string {
	var b strings.Builder
	column := indent
	for i, word := range words(prose) {
		switch length := utf8.RuneCountInString(word); {
		case i == 0:
			column += length
		case column+1+length > textWidth:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent + length
		default:
			b.WriteByte(' ')
			column += 1 + length
		}
		b.WriteString(word)
	}
	return b.String()
}

// words splits prose into what must not be broken: words, a figure with its unit.
func words(prose string) []string {
	var list []string
	for _, w := range strings.Fields(prose) {
		switch strings.TrimRight(w, ".,;:)") {
		case "s", "ms", "µs", "ns", "Hz", "%":
			if n := len(list); n > 0 {
				list[n-1] += " " + w
				continue
			}
		}
		list = append(list, w)
	}
	return list
}

// ranges writes ascending numbers, those in a row as a range, and stops after
// so many: 0-3, 7, 11, ...
func ranges(ids []int64, most int) string {
	var list []string
	for i := 0; i < len(ids); {
		if len(list) == most {
			return strings.Join(list, ", ") + ", ..."
		}
		first := ids[i]
		for i++; i < len(ids) && ids[i] == ids[i-1]+1; i++ {
		}
		text := strconv.FormatInt(first, 10)
		if last := ids[i-1]; last > first {
			text += "-" + strconv.FormatInt(last, 10)
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}
