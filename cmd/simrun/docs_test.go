package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the outputs shown in README.md and docs/")

// fence is a fenced block of a page: ```language, text, ```.
var fence = regexp.MustCompile("(?s)```(\\w+)\n(.*?)```")

// named is the first line of a block that is the text of a file: "# mix.kir: what it is".
var named = regexp.MustCompile(`^# ([\w.-]+):`)

// tools are the commands besides simrun that are run, where they are installed.
var tools = regexp.MustCompile(`^(arm-none-eabi-gcc|riscv64-unknown-elf-gcc|gcc|qemu-arm|qemu-riscv32|\./[\w.]+) `)

// TestDocs runs every command that README.md and docs/ show in blocks marked "console" and compares
// what it prints with what the page says. Blocks that begin with "# NAME:" are files for
// the commands behind them; one that is among the examples must be that file. A line "..." stands for any lines, so that
// measured values may differ.
func TestDocs(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "../../docs/course/README.md", "../../README.md") {
		name := strings.TrimPrefix(page, "../../")
		page, err := filepath.Abs(page)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { commands += runPage(t, root, page) })
	}
	if commands < 8 {
		t.Errorf("only %d commands are shown", commands)
	}
}

func runPage(t *testing.T, root, page string) (commands int) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"examples", "docs", "ciphers"} {
		if err := os.Symlink(filepath.Join(root, name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	missing := "" // a tool that is not installed
	out := fence.ReplaceAllStringFunc(string(text), func(block string) string {
		parts := fence.FindStringSubmatch(block)
		language, body := parts[1], parts[2]
		if name := named.FindStringSubmatch(body); name != nil {
			writeBlock(t, name[1], body)
		}
		if language != "console" {
			return block
		}
		shown, n := runConsole(t, body, &missing)
		commands += n
		return "```console\n" + shown + "```"
	})
	if *update && out != string(text) {
		if err := os.WriteFile(page, []byte(out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return commands
}

// writeBlock writes a file of the page, or holds it against the example of that name.
func writeBlock(t *testing.T, name, body string) {
	t.Helper()
	if example, err := os.ReadFile(filepath.Join("examples", name)); err == nil {
		if diff := cmp.Diff(string(example), body); diff != "" {
			t.Errorf("examples/%s (-file +page):\n%s", name, diff)
		}
		return
	}
	if err := os.WriteFile(name, []byte(body), 0o644); err != nil {
		t.Fatal(err)
	}
}

// runConsole runs the commands of a block, which begin with "$ simrun" or with a tool, and returns the block as it
// should be. Other commands are left alone. Where a tool is not installed, so are those behind it in the block, and
// later on the page those that name a file which it would have made.
func runConsole(t *testing.T, body string, absent *string) (shown string, commands int) {
	t.Helper()
	var out strings.Builder
	missing := "" // a tool
	for _, part := range strings.SplitAfter("\n"+body, "\n$ ")[1:] {
		part = strings.TrimSuffix(part, "$ ")
		line, want, _ := strings.Cut(part, "\n")
		want = strings.TrimSuffix(want, "\n")
		out.WriteString("$ " + line + "\n")
		args, ours := strings.CutPrefix(line, "simrun ")
		tool := tools.FindStringSubmatch(line)
		switch {
		case missing != "":
		case ours && *absent != "" && namesNoFile(args):
			t.Logf("not run without %s: simrun %s", *absent, args)
		case ours:
			commands++
			want = runShown(t, args, want)
		case tool != nil:
			if missing = runTool(t, tool[1], line, want); missing != "" {
				*absent = missing
				t.Logf("not run: %s is not installed", missing)
			}
		}
		if want != "" {
			out.WriteString(want + "\n")
		}
	}
	return out.String(), commands
}

// namesNoFile reports whether the target of a command looks like a file and is none.
func namesNoFile(args string) bool {
	words := strings.Fields(args)
	if len(words) < 2 || filepath.Ext(words[1]) == "" {
		return false
	}
	_, err := os.Stat(words[1])
	return err != nil
}

// runTool runs one command of another tool, and names it if it is not installed where that is allowed.
func runTool(t *testing.T, name, line, want string) (missing string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil && os.Getenv("CI") != "true" {
		return name
	}
	out, err := exec.Command("sh", "-c", line).CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", line, err, out)
	} else if got := strings.TrimRight(string(out), "\n"); !matches(want, got) {
		t.Errorf("%s (-shown +printed):\n%s", line, cmp.Diff(want, got))
	}
	return ""
}

// runShown runs one command and compares its output with the one shown. What goes > FILE is written there.
func runShown(t *testing.T, args, want string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args, file, redirected := strings.Cut(args, " > ")
	words := strings.Fields(strings.ReplaceAll(args, "'", ""))
	if status := execute(words, &stdout, &stderr); status != 0 {
		t.Errorf("simrun %s: exit status %d: %s", args, status, stderr.String())
		return want
	}
	if redirected {
		if err := os.WriteFile(file, stdout.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		stdout.Reset()
	}
	got := strings.TrimRight(stdout.String(), "\n")
	if matches(want, got) {
		return want
	}
	if *update && !strings.Contains("\n"+want+"\n", "\n...\n") {
		return got
	}
	t.Errorf("simrun %s (-shown +printed):\n%s", args, cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
	return want
}

// matches compares line by line; a line "..." in want stands for any lines.
func matches(want, got string) bool {
	pattern := regexp.QuoteMeta("\n" + want + "\n")
	pattern = strings.ReplaceAll(pattern, `\.\.\.`+"\n", "(.*\n)*")
	return regexp.MustCompile("^" + pattern + "$").MatchString("\n" + got + "\n")
}
