package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"simrun/internal/bench"
	"simrun/internal/tune"
	"simrun/programs/compile"
)

func newTune() *cobra.Command {
	var cpu cpuFlags
	var subject subjectFlags
	var job tune.Job
	var shard, out string
	cmd := &cobra.Command{
		Use:   "tune KERNEL --cpu CPU",
		Short: "search for a faster order of a kernel's instructions",
		Long: `Searches for an order of the instructions that is faster on a CPU, and writes it to a schedule file.
The same seed and evals give the same file. Ctrl-C or --time stop the search; the same command goes on
where it stood. Shards i/n of one seed search differently; a schedule file is only replaced by a
better one, so let all of them write the same.

Put the file beside the kernel file: the compiler then uses it, after checking that it fits.`,
		Example: "  simrun tune examples/mix.kir --cpu cortex-m4 --evals 2000 -o examples/own_mix.cortex-m4.sched",
		Args:    exactly("KERNEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := parseShard(shard, &job); err != nil {
				return err
			}
			if len(cpu.set) > 0 {
				return usagef("--set: a schedule is of a CPU file as it is; search on a file of your own, with base = %q", cpu.name)
			}
			if job.Evals < 1 {
				return usagef("--evals %d: want at least 1", job.Evals)
			}
			if err := apart(args[0], out, ""); err != nil {
				return err
			}
			if info, err := os.Stat(out); err == nil && info.IsDir() { // known before the search
				return usagef("-o %s is a folder: name a file in it", out)
			}
			c, err := cpu.load()
			if err != nil {
				return err
			}
			if !c.Timed() {
				return usagef("%s has no cycles to search by", c.Name)
			}
			s, err := subject.findToRun(args[0])
			if err != nil {
				return err
			}
			job.Cell = bench.Cell{Subject: s, CPU: c}
			return runTune(cmd, job, out)
		},
	}
	cpu.add(cmd)
	subject.add(cmd)
	cmd.Flags().Uint64Var(&job.Seed, "seed", 1, "start of the random numbers, `N`")
	cmd.Flags().IntVar(&job.Evals, "evals", 20000, "tries in all, `N`")
	cmd.Flags().Var(span{&job.Time}, "time", "stop after this `TIME`, for example 10m")
	cmd.Flags().StringVar(&shard, "shard", "0/1", "which of several searches with one seed this is, `I/N` from 0/N")
	cmd.Flags().StringVarP(&out, "output", "o", "", "the schedule `FILE` (default: KERNEL.CPU.sched here)")
	return cmd
}

func parseShard(s string, job *tune.Job) error {
	i, n, ok := strings.Cut(s, "/")
	var err1, err2 error
	job.Shard, err1 = strconv.Atoi(i)
	job.Of, err2 = strconv.Atoi(n)
	if !ok || err1 != nil || err2 != nil || job.Of < 1 || job.Shard < 0 || job.Shard >= job.Of {
		return usagef("--shard %s: want I/N with 0 <= I < N", s)
	}
	return nil
}

func runTune(cmd *cobra.Command, job tune.Job, out string) error {
	name := compile.ScheduleFile(job.Cell.Subject.Name, job.Cell.CPU.Name)
	if out == "" {
		out = name
	}
	job.State = fmt.Sprintf("%s.%d-%d.state", out, job.Shard, job.Of)
	ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	bar, done := progressBar(cmd.ErrOrStderr(), "searching")
	if bar != nil {
		job.Progress = func(n, total int, best float64) { bar(n, total) }
	}
	start := time.Now()
	s, err := tune.Run(ctx, job)
	done()
	if errors.Is(err, tune.ErrStopped) {
		return fmt.Errorf("tune %s on %s: %w (%s)", job.Cell.Subject.Name, job.Cell.CPU.Name, err, job.State)
	}
	if err != nil {
		return err
	}
	kept, err := job.Keep(out, s)
	if err != nil {
		return err
	}
	if err := os.Remove(job.State); err != nil && !errors.Is(err, fs.ErrNotExist) { // another run of the same search may have ended first
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "searched for %s\n", time.Since(start).Round(time.Second))
	if kept < s.Cycles {
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %.0f cycles found, %.0f are in the file already\n", out, s.Cycles, kept)
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %.0f cycles\n", out, s.Cycles)
	return err
}
