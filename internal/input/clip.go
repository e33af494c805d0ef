package input

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longest is the length of the longest word that a message quotes, in bytes.
const longest = 100

// Clip makes a word of a file or of the command line fit for a message: control characters and
// bytes that are no UTF-8 escaped, and the middle of a long word left out.
func Clip(word string) string {
	if len(word) > longest {
		head, tail := word[:2*longest/3], word[len(word)-longest/4:]
		word = strings.ToValidUTF8(head, "") + "..." + strings.ToValidUTF8(tail, "")
	}
	return Printable(word)
}

// Printable escapes what must not reach a terminal: control characters, line ends among them, marks
// that change the direction of text, and bytes that are no UTF-8.
func Printable(text string) string {
	if !strings.ContainsFunc(text, unprintable) && utf8.ValidString(text) {
		return text
	}
	var out strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		if unprintable(r) || r == utf8.RuneError && n == 1 {
			quoted := strconv.Quote(text[:n])
			out.WriteString(quoted[1 : len(quoted)-1])
		} else {
			out.WriteString(text[:n])
		}
		text = text[n:]
	}
	return out.String()
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }

// Few are the first names of a list and how many more there are: "a, b, c and 12 more".
func Few(names []string) string {
	const most = 12
	shown := make([]string, min(len(names), most))
	for i := range shown {
		shown[i] = Clip(names[i])
	}
	list := strings.Join(shown, ", ")
	if more := len(names) - most; more > 0 {
		list += " and " + strconv.Itoa(more) + " more"
	}
	return list
}
