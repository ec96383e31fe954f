#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the nine programs in every configuration: nodes x threads x blocks x transports x checks.

    product.py [--source ROOT] [--build DIR] [--work DIR] [--count N|all] [--minutes M] [--seed S]
               [--jobs J] [--json FILE] [--table FILE] [--programs P,...] [--nodes N,...]
               [--threads T,...] [--blocks B,...] [--transports shm,tcp] [--checks C,...]
               [--time-limit SECONDS]

The whole product of the final build: `product.py --checks default`, as often as it takes; it goes on
where it was stopped, and leaves WORK/table.md. WORK is build/product.

Takes configurations in a random order (the seed's), so that whatever it gets through is a fair
sample. A run must end in time with status 0, its verification and one result line, the same as without
Graupel where the program's result does not depend on the number of threads; and no process of it may
be left. It must also have run as it was told: the program measures the blocks of its arrays by counting
faults and says how many nodes and threads it has found, UCX says what it connects by, and the code of
other checks differs. What failed is listed with the command that shows it again; of what hangs, all stacks are
kept.

WORK keeps a copy of the build, so that one may build meanwhile, and every finished run: started again,
the script goes on where it was, unless the build has changed. Remove WORK to start afresh. GRAUPEL_TEST_PRODUCT=N or all takes the
place of --count's number. clang must be in PATH.
"""

import argparse
import collections
import filecmp
import concurrent.futures
import itertools
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import program as programs

EXACT = ("appbt", "barnes", "em3d", "lu", "ocean", "tomcatv")
NAMES = sorted((*EXACT, "moldyn", "water-nsquared", "water-spatial"))
COPIED = ("bin/graupel", "lib/libgraupel-dsm.so", "lib/GraupelPasses.so",
          "lib/libgraupel-dsm-c++.a", "share/graupel/graupel-dsm.cfg")

Configuration = collections.namedtuple("Configuration", "program nodes threads block transport checks")
# Clang's options for each way to check.
CHECKS = {"default": [], "table": ["-mllvm", "-fgdsm-checks=table"],
          "sentinel": ["-mllvm", "-fgdsm-checks=sentinel"], "unaligned": ["-mllvm", "-fgdsm-unaligned"]}
HERE = Path(__file__).resolve().parent
stopping = threading.Event()


def environment(configuration, mark=None):
    variables = {"UCX_TLS": "tcp"} if configuration.transport == "tcp" else {}
    return {**variables, "GRAUPEL_TEST_MARK": mark} if mark else variables


class Suite:
    """The copied build, the compiled programs and what is known of their results."""

    NAME = "product"    # also of the folder that it works in
    PROGRAMS = NAMES
    NODES = (1, 2, 4, 8, 16)
    BLOCKS = tuple(2**k for k in range(5, 13))
    CHECKS = tuple(CHECKS)

    def __init__(self, options):
        self.options = options
        self.build = options.work / "build"
        self.references, self.lock = {}, threading.Lock()
        self.numbers = itertools.count()
        for name in COPIED:
            if not (options.build / name).exists():
                sys.exit(f"{self.NAME}.py: error: {options.build / name} is missing; build it")
            if ((self.build / name).exists() and
                    not filecmp.cmp(options.build / name, self.build / name, shallow=False)):
                sys.exit(f"{self.NAME}.py: error: {options.work} has runs of another build ({name} differs); remove it")
            if not (self.build / name).exists():
                (self.build / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(options.build / name, self.build / f"{name}.new")
                (self.build / f"{name}.new").rename(self.build / name)

    def binary(self, c):
        return self.options.work / f"{c.program}.{c.checks}"

    @property
    def config(self):
        return self.build / "share" / "graupel" / "graupel-dsm.cfg"

    def compile(self, c):
        """The program's result line or None."""
        name = c.program
        work = argparse.Namespace(source=self.options.source, work=self.options.work, program=name)
        with self.lock:
            for checks in {"default", c.checks}:
                if not self.binary(c._replace(checks=checks)).exists():
                    programs.build(work, checks, [f"--config={self.config}", "-w", *CHECKS[checks]])
            if c.checks != "default" and filecmp.cmp(self.binary(c), self.binary(c._replace(checks="default")),
                                                     shallow=False):
                sys.exit(f"product.py: error: {name} is the same program with {' '.join(CHECKS[c.checks])}")
            if name not in self.references:
                result = None
                if name in EXACT:
                    plain = programs.build(work, "plain", ["-DGRAUPEL_DSM_SEQUENTIAL", "-w"])
                    result = programs.result_line(programs.run([plain]).stdout)
                    assert result, f"{name} without Graupel has no result"
                self.references[name] = result
            return self.references[name]

    # The program's blocks are the launcher's.
    ARGUMENTS = ("--block=0", "--size=small", "--verify")

    def command(self, c):
        return [str(self.build / "bin" / "graupel"), "dsm", "run", "-n", str(c.nodes),
                f"--threads-per-node={c.threads}", f"--block={c.block}",
                str(self.binary(c)), *self.ARGUMENTS]

    @staticmethod
    def judge(c, status, output, expected, transports):
        """What is wrong with a run that has ended, or None."""
        return complaint(status, output, expected) or not_as_told(c, output, transports)

    def shown(self, c):
        return shlex.join([*(f"{k}={v}" for k, v in environment(c).items()), *self.command(c)])

    def run(self, c):
        """What is wrong, or None; and how long it took. None if it was interrupted."""
        expected = self.compile(c)
        mark = f"{os.getpid()}-{next(self.numbers)}"
        start = time.monotonic()
        # What UCX connects by stands in its log.
        log = self.options.work / f"ucx-{mark}"
        told = {"UCX_LOG_LEVEL": "info", "UCX_LOG_FILE": f"{log}-%p.log"}
        with subprocess.Popen(self.command(c), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True,
                              env={**os.environ, **environment(c, mark), **told}) as job:
            try:
                output = self.wait(job, start + programs.limit(self.options.time_limit))
                if output is None:
                    return None
                took = time.monotonic() - start
                wrong = self.judge(c, job.returncode, output, expected, self.transports(log))
            except subprocess.TimeoutExpired:
                took = time.monotonic() - start
                stacks = self.options.work / f"hang-{'-'.join(map(str, c))}.txt"
                stacks.write_text(stacks_of(mark))
                wrong = f"did not end within {self.options.time_limit:g} s; its stacks: {stacks}"
            finally:
                job.kill()
                for file in self.options.work.glob(f"{log.name}-*.log"):
                    file.unlink()
        deadline = time.monotonic() + 5
        while marked(mark) and time.monotonic() < deadline:
            time.sleep(0.02)
        if left := marked(mark):
            wrong = f"{wrong or 'processes are left'}: {left}"
            for pid in left:
                os.kill(pid, signal.SIGKILL)
        return wrong, took

    def transports(self, log):
        """What the nodes' endpoints send active messages by, as UCX tells."""
        return {found for file in self.options.work.glob(f"{log.name}-*.log")
                for found in re.findall(r"\bam\((\w+)", file.read_text(errors="replace"))}

    @staticmethod
    def wait(job, deadline):
        while not stopping.is_set():
            try:
                return job.communicate(timeout=min(0.5, max(deadline - time.monotonic(), 0)))[0]
            except subprocess.TimeoutExpired:
                if time.monotonic() >= deadline:
                    raise
        return None


def complaint(status, output, expected):
    if status != 0:
        return f"status {status}: {output.strip()}"
    if "verify: ok" not in output:
        return f"was not verified: {output.strip()}"
    result = programs.result_line(output)
    if result is None or expected not in (None, result):
        return f"has another result: {output.strip()}"
    return None


def not_as_told(c, output, transports):
    """Whether a dimension of the product had no effect."""
    found = re.search(r"^configuration: nodes (\d+) threads (\d+) blocks (\d+) to (\d+) in (\d+) arrays$",
                      output, re.M)
    if not found:
        return f"does not say what it ran with: {output.strip()}"
    nodes, threads, least, most, arrays = map(int, found.groups())
    if (nodes, threads) != (c.nodes, c.threads):
        return f"ran on {nodes} nodes with {threads} threads"
    if nodes == 1:
        return None  # Without misses or messages.
    if arrays == 0 or (least, most) != (c.block, c.block):
        return f"had blocks of {least} to {most} in {arrays} arrays instead of {c.block}"
    return wrong_transport(c, transports)


def wrong_transport(c, transports):
    if not transports or ("tcp" in transports) != (c.transport == "tcp") or len(transports) != 1:
        return f"was to use {c.transport}, and UCX used {', '.join(sorted(transports)) or 'what it does not tell'}"
    return None


def marked(mark):
    """Processes of a job, by a variable in their environment."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            environ = Path("/proc", pid, "environ").read_bytes()
        except OSError:
            continue
        if f"GRAUPEL_TEST_MARK={mark}".encode() in environ.split(b"\0"):
            found.append(int(pid))
    return found


def stacks_of(mark):
    if not shutil.which("gdb"):
        return "gdb is not here to tell\n"
    text = ""
    for pid in marked(mark):
        shown = subprocess.run(["gdb", "-p", str(pid), "-batch", "-ex", "thread apply all bt 12"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
        text += f"=== process {pid}\n{shown.stdout}\n"
    return text


class State:
    """One line of JSON a finished run."""

    def __init__(self, path):
        self.path, self.lock, self.runs = path, threading.Lock(), {}
        if path.exists():
            for line in path.read_text().splitlines():
                try:
                    run = json.loads(line)
                    self.runs[Configuration(*run["configuration"])] = run
                except ValueError:
                    pass  # The script was killed while it wrote.

    def add(self, configuration, wrong, seconds):
        run = {"configuration": configuration, "wrong": wrong, "seconds": round(seconds, 2)}
        with self.lock, open(self.path, "a") as file:
            self.runs[configuration] = run
            file.write(json.dumps(run) + "\n")


def summary(suite, wanted, runs, minutes):
    failed = [{**runs[c], "command": suite.shown(c)} for c in wanted if c in runs and runs[c]["wrong"]]
    done = [c for c in wanted if c in runs]
    slowest = sorted(done, key=lambda c: -runs[c]["seconds"])[:5]
    return {"configurations": len(wanted), "runs": len(done), "failed": len(failed),
            "runs a minute, this time": minutes,
            "seconds": round(sum(runs[c]["seconds"] for c in done), 1),
            "slowest": [{"seconds": runs[c]["seconds"], "command": suite.shown(c)} for c in slowest],
            "failures": failed}


def table(order, runs, programs_run):
    """Markdown: for each value of each dimension, how many runs there are and how many were wrong."""
    lines = ["| dimension | value | configurations | run | wrong | seconds |", "|---|---|--:|--:|--:|--:|"]
    for field in Configuration._fields:
        for value in sorted({getattr(c, field) for c in order}):
            of = [c for c in order if getattr(c, field) == value]
            done = [runs[c] for c in of if c in runs]
            lines.append(f"| {field} | {value} | {len(of)} | {len(done)} | {sum(bool(r['wrong']) for r in done)} | "
                         f"{sum(r['seconds'] for r in done):.0f} |")
    return "\n".join([*lines, "", programs_run, ""])


def progress(done, count, failed, start, c):
    if sys.stderr.isatty():
        rate = 60 * done / max(time.monotonic() - start, 1)
        print(f"\r\033[K{done} of {count}, {failed} failed, {rate:.1f} a minute, last {' '.join(map(str, c))}",
              end="\n" if done == count else "", file=sys.stderr, flush=True)


def run_all(suite, state, todo, options):
    start, deadline = time.monotonic(), time.monotonic() + 60 * options.minutes
    done = failed = 0

    def one(c):
        if stopping.is_set() or time.monotonic() > deadline:
            return None
        return suite.run(c)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = {pool.submit(one, c): c for c in todo}
        for future in concurrent.futures.as_completed(futures):
            c, outcome = futures[future], future.result()
            if outcome is None:
                continue
            state.add(c, *outcome)
            done, failed = done + 1, failed + bool(outcome[0])
            if outcome[0]:
                print(f"{suite.shown(c)}\n  {outcome[0]}", file=sys.stderr, flush=True)
            progress(done, len(todo), failed, start, c)
    return round(60 * done / max(time.monotonic() - start, 0.001), 1)


def words(text):
    return text.split(",")


def in_turns(order):
    """The same order within each program, but each program comes again as soon as all others have."""
    of = collections.defaultdict(list)
    for c in order:
        of[c.program].append(c)
    rounds = itertools.zip_longest(*of.values())
    return [c for turn in rounds for c in turn if c]


def main(kind=Suite, about=__doc__):
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--source", type=Path, default=HERE.parents[2])
    parser.add_argument("--build", type=Path, default=HERE.parents[2] / "build")
    parser.add_argument("--work", type=Path, default=HERE.parents[2] / "build" / kind.NAME)
    parser.add_argument("--programs", type=words, default=kind.PROGRAMS)
    parser.add_argument("--nodes", type=programs.numbers, default=kind.NODES)
    parser.add_argument("--threads", type=programs.numbers, default=[1, 2, 3, 4])
    parser.add_argument("--blocks", type=programs.numbers, default=kind.BLOCKS)
    parser.add_argument("--transports", type=words, default=["shm", "tcp"])
    parser.add_argument("--checks", type=words, default=kind.CHECKS, help=", ".join(CHECKS))
    parser.add_argument("--count", default="all", help="the first N of the order")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--time-limit", type=float, default=120, help="seconds of one run")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--table", type=Path, help="instead of WORK/table.md")
    options = parser.parse_args()

    order = list(itertools.starmap(Configuration, itertools.product(
        options.programs, options.nodes, options.threads, options.blocks, options.transports,
        options.checks)))
    random.Random(options.seed).shuffle(order)
    order = in_turns(order)
    count = os.environ.get(f"GRAUPEL_TEST_{kind.NAME.upper()}", options.count)
    if count != "all":
        order = order[:int(count)]
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    options.work.mkdir(parents=True, exist_ok=True)
    suite, state = kind(options), State(options.work / "state.jsonl")
    rate = run_all(suite, state, [c for c in order if c not in state.runs], options)
    told = summary(suite, order, state.runs, rate)
    if options.json:
        options.json.write_text(json.dumps(told, indent=1) + "\n")
    sentence = (f"seed {options.seed}: {told['runs']} of {len(order)} configurations, "
                f"{told['failed']} failed")
    (options.table or options.work / "table.md").write_text(table(order, state.runs, sentence))
    print(f"seed {options.seed}: {told['runs']} of {len(order)} configurations, "
          f"{told['failed']} failed, {rate} runs a minute, the longest "
          f"{told['slowest'][0]['seconds'] if told['slowest'] else 0} s")
    for failure in told["failures"]:
        print(f"FAILED: {failure['command']}\n  {failure['wrong']}")
    if stopping.is_set():
        sys.exit(130)
    sys.exit(1 if told["failures"] else 0)


if __name__ == "__main__":
    main()
