package ir

import (
	"runtime"
	"strings"
	"testing"
)

// allocated is what f allocates in all, in bytes.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestConstantsAreBounded declares 300 constants of 65,536 elements.
func TestConstantsAreBounded(t *testing.T) {
	text := "def f() {\nx: w8[65536]\nreturn x }\n" // elements without a value cost no work
	var consts strings.Builder
	for i := range 300 {
		consts.WriteString("const A" + strings.Repeat("x", i%90) + strings.Repeat("y", i/90) + " = f()\n")
	}
	var err error
	n := allocated(func() { _, err = parse(text + consts.String()) })
	if err == nil || !strings.Contains(err.Error(), "the constants of the file have more than 1048576 elements") {
		t.Errorf("%v", err)
	}
	if n > 256<<20 {
		t.Errorf("%d MiB allocated", n>>20)
	}
}

// TestIndicesAreBounded indexes 200,000 times in a row.
func TestIndicesAreBounded(t *testing.T) {
	text := "kernel t/k(in a: w32[1], out b: w32[1]) { b[0]=a[0]" + strings.Repeat("[0]", 200_000) + " }\n"
	var err error
	n := allocated(func() { _, err = parse(text) })
	if err == nil || err.Error() != "a.kir:1:97: more than 16 indices" {
		t.Errorf("%v", err)
	}
	if n > 256<<20 {
		t.Errorf("%d MiB allocated", n>>20)
	}
}

// TestBudgetIsReportedOnce spends the work of a file on its first constants.
func TestBudgetIsReportedOnce(t *testing.T) {
	text := "def f(n: int) { k = 0\nfor i in 0..n { k = k + 1 }\nreturn k }\n"
	for _, name := range strings.Fields("A B C D E F G H I J K L M N O P Q R T U V W X Y Z") {
		text += "const " + name + " = f(600000)\n"
	}
	_, err := parse(text + "kernel t/k(in a: w32, out b: w32) { b = a }\n")
	if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "more than 8000000 operations") {
		t.Errorf("%v", err)
	}
}

// TestMessagesAreShort makes mistakes whose full text would be long.
func TestMessagesAreShort(t *testing.T) {
	nested := strings.Repeat("[", 90) + "1" + strings.Repeat("]", 90)
	for name, text := range map[string]string{
		"values":     "const A = [" + strings.Repeat("1, ", 60_000) + "1]\ntest A == [A[0..60000]..., 2]\n",
		"dimensions": "const A: w8 = " + nested + "\n",
		"number":     "const A = 0x" + strings.Repeat("f", 100_000) + "\n",
	} {
		f, err := parse(text)
		if err == nil {
			err = f.RunTests()
		}
		if err == nil || len(err.Error()) > 700 {
			t.Errorf("%s: %.800v", name, err)
		}
	}
}

func TestByteOrderMark(t *testing.T) {
	_, err := parse("\xef\xbb\xbfconst = 1\n")
	if err == nil || !strings.HasPrefix(err.Error(), "a.kir:1:7: expected the name") {
		t.Errorf("%v", err)
	}
}

func TestMistakeWithoutPlace(t *testing.T) {
	if got := (&Error{Msg: "no", Hint: "yes"}).Error(); got != "no; yes" {
		t.Error(got)
	}
}
