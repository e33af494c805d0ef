// Command simrun compiles cipher kernels, proves them right and says what they cost on
// a CPU: predicted, measured and published. This package holds flags and sub-commands only.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// Exit statuses.
const (
	exitFailed = 1 // a run or a check failed
	exitUsage  = 2 // the command line was wrong
)

func main() {
	// A reader that goes away (simrun list | head -1) then shows as EPIPE.
	signal.Ignore(syscall.SIGPIPE)
	endOnQuit()
	os.Exit(execute(os.Args[1:], os.Stdout, os.Stderr))
}

// endOnQuit ends the program on SIGQUIT (Ctrl-\ on a terminal) without the stacks of Go.
func endOnQuit() {
	quit := make(chan os.Signal, 1)
	signal.Notify(quit, syscall.SIGQUIT)
	go func() {
		<-quit
		os.Exit(128 + int(syscall.SIGQUIT))
	}()
}

// execute runs one command line and returns its exit status.
func execute(args []string, stdout, stderr io.Writer) int {
	out := bufio.NewWriter(stdout)
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(stderr)
	err := refuseCompletion(root, args)
	if err == nil {
		err = root.Execute()
	}
	if flush := out.Flush(); err == nil || errors.Is(err, syscall.EPIPE) {
		err = flush
	}
	var status exitStatus
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return 0
	case errors.As(err, &status):
		return int(status)
	case errors.As(err, new(usageError)):
		fmt.Fprintln(stderr, "simrun: "+oneLine(err)+"; see simrun --help")
		return exitUsage
	default:
		fmt.Fprintln(stderr, "simrun: "+oneLine(err))
		return exitFailed
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:     "simrun",
		Short:   "what a cipher kernel costs on a CPU: predicted, measured, published",
		Version: version(),
		Example: `  simrun table --kernel 'aes128/*'               predicted beside published
  simrun run aes128/fixsliced --cpu cortex-m4    one result, its cycles by cause
  simrun run examples/mix.kir --cpu cortex-m4    a kernel of your own
  simrun help run                                flags and examples of a command`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return usageError{unknown("command", args[0], commandNames(cmd))}
		},
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetHelpCommand(newHelp(root))
	cobra.EnableCommandSorting = false
	root.SetFlagErrorFunc(flagError)
	for _, make := range commands {
		root.AddCommand(make())
	}
	return root
}

// newHelp is help COMMAND, the same as COMMAND --help.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "flags and examples of a command",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return root.Help()
			}
			for _, c := range root.Commands() {
				if c.Name() == args[0] && len(args) == 1 {
					c.InitDefaultHelpFlag()
					return c.Help()
				}
			}
			return unknown("command", strings.Join(args, " "), commandNames(root))
		},
	}
}

// commands are the sub-commands in the order of the help text.
var commands = []func() *cobra.Command{
	newList, newCheck, newProve, newTable, newRun, newNative, newAsm, newTrace, newProfile, newLayout, newCPU, newDump, newExplain, newTune, newCompare, newVersion,
}

// exactly wants n arguments of the given names.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == len(names) {
			return nil
		}
		want := strings.Join(names, " ")
		if want == "" {
			want = "no argument"
		}
		return usagef("%s takes %s, not %d arguments", cmd.Name(), want, len(args))
	}
}
