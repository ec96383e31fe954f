#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damaged programs and profiles: graupel-bolt refuses them cleanly or its output
works.

Mutant number N is always the same: its seed is --seed plus N. For each,
graupel-bolt must end within a minute, with exit code

  1  one line "graupel-bolt: error: FILE: what; what to do", no output file and
     nothing else left in the output's folder, or
  0  an output file. If the damaged program still does what the program did (or
     only its profile was damaged), the output must, too; what merge and export
     write must be readable,

and never by a signal, with a stack dump, with a sanitizer's report, or by taking
more than 8 GB. Instrumented programs that start where their profile is damaged or
cannot be must run as ever, and leave alone what is not theirs.

Each failure is printed with a command that repeats it; the last line is
"N passed, N failed".
"""
import argparse
import concurrent.futures
import contextlib
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import corpus  # noqa: E402
import mutants  # noqa: E402
import starts  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "tools"))
from limits import limit  # noqa: E402
from optimizer import difference, end_of, graupel_bolt  # noqa: E402

TIMEOUT = 60
MEMORY = 8 << 30
NOBODY = 65534
START = "start"
KINDS = [*mutants.KINDS, START]
# For a graupel-bolt with sanitizers. LLVM is without: containers that it fills
# look overfull, memory that our copies of its allocators poison it never clears,
# and it frees little at the end.
# Signals are what BOLT's crashes are in the other builds, too.
SANITIZERS = ("detect_container_overflow=0:allow_user_poisoning=0:detect_leaks=0:handle_segv=0:"
              "handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0")
os.environ.update(LC_ALL="C", ASAN_OPTIONS=SANITIZERS)
# What no run may show, whatever the exit code.
FORBIDDEN = re.compile(r"PLEASE submit|Stack dump|Sanitizer|runtime error:|LLVM ERROR|"
                       r"^ *#\d+ 0x|terminate called", re.M)
ERROR = re.compile(r"graupel-bolt: error: [^:]+: [^;]+; [^;]+")


def arguments():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--count", type=int, default=150, metavar="N",
                   help="mutants to try (default: 150)")
    p.add_argument("--seed", type=int, default=1, metavar="S",
                   help="of the first mutant (default: 1)")
    p.add_argument("--jobs", type=int, default=1, metavar="J",
                   help="mutants at a time (default: 1)")
    p.add_argument("--kinds", nargs="+", metavar="KIND", choices=KINDS, default=KINDS,
                   help="of " + ", ".join(KINDS) + " (default: all)")
    p.add_argument("--options", default="", metavar="OPTIONS",
                   help="more options for each run of graupel-bolt (default: none)")
    p.add_argument("--tool", default=graupel_bolt(), metavar="FILE",
                   help="graupel-bolt (default: that of PATH or build/)")
    p.add_argument("--show-crashes", action="store_true",
                   help="name the mutants over which it crashed and graupel-bolt reported "
                        "it (default: count them)")
    p.add_argument("--keep", metavar="DIR",
                   help="keep all files in DIR (default: those of failures, in a "
                        "temporary folder that is named)")
    return p.parse_args()


def confined(command, timeout, env):
    """Runs a program that may do anything now, as somebody who may do nothing."""
    def confine():
        resource.setrlimit(resource.RLIMIT_CPU, (timeout, timeout))
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
        resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20, 64 << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
    try:
        result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                                timeout=limit(timeout), preexec_fn=confine, cwd="/",
                                env={**os.environ, **(env or {})})
    except subprocess.TimeoutExpired:
        return None
    except OSError as error:  # not something the system can run
        return "not started", str(error).encode(), b""
    return result.returncode, result.stdout, result.stderr


def open_to_all(folder):
    """Whether nobody can reach what is in the folder."""
    folder = os.path.abspath(folder)
    while folder != "/":
        if not os.stat(folder).st_mode & 1:
            return False
        folder = os.path.dirname(folder)
    return True


def working_folder():
    """lit's folder for temporary files is closed to others."""
    for parent in (tempfile.gettempdir(), "/tmp", "/var/tmp"):
        if open_to_all(parent):
            return tempfile.mkdtemp(prefix="graupel-fuzz.", dir=parent)
    sys.exit("fuzz.py: no folder for temporary files is open to all users; name one with --keep")


class Fuzzer:
    def __init__(self, args, root):
        self.args = args
        self.root = root
        self.tool = os.path.abspath(args.tool)
        with open(self.tool, "rb") as file:
            self.sanitized = b"__asan_init" in file.read()
        self.programs = corpus.build(os.path.join(root, "corpus"), self.tool)
        self.maker = mutants.Maker(
            self.programs, shlex.split(args.options),
            lambda options, folder: self.call([self.tool, *options], folder))
        self.expected = {p.name: p.run(p.path, limits=confined) for p in self.programs}
        for name, seen in self.expected.items():
            if not seen or not isinstance(seen[0], int) or seen[0] < 0:
                sys.exit(f"fuzz.py: {name} does not run undamaged: {seen}")

    def limits(self):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if not self.sanitized:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    def call(self, command, folder):
        """(exit code or None, what was said) of a run of graupel-bolt."""
        reports = f"log_path={folder}/sanitizer"  # messages of an attempt may be dropped
        env = dict(os.environ, ASAN_OPTIONS=f"{SANITIZERS}:{reports}",
                   UBSAN_OPTIONS=f"print_stacktrace=1:{reports}")
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, cwd=folder, env=env,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=self.limits, start_new_session=True)
        try:
            out, err = process.communicate(timeout=limit(TIMEOUT))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return None, ""
        said = out + err
        for name in sorted(os.listdir(folder)):
            if name.startswith("sanitizer."):
                with open(os.path.join(folder, name), "rb") as file:
                    said += file.read()
        return process.returncode, said.decode(errors="replace")

    def judge(self, mutant, work):
        """What is wrong with what graupel-bolt does about the mutant (None: nothing),
        how it ended, and the command."""
        folder = os.path.join(work, "out")
        os.mkdir(folder)
        output = os.path.join(folder, "o")
        command = [self.tool, *(output if a == "{out}" else a for a in mutant.arguments)]
        code, said = self.call(command, work)
        left = sorted(os.listdir(folder))
        if code is None:
            return f"did not end within {TIMEOUT} s", "hung", command
        if code not in (0, 1):
            return f"graupel-bolt: {end_of(code)}\n{said[-1500:]}", "crashed", command
        forbidden = FORBIDDEN.search(said)
        if forbidden:
            return f"it printed {forbidden[0]!r}\n{said[-3000:]}", "chatter", command
        if code == 1:
            errors = [line for line in said.splitlines()
                      if line.startswith("graupel-bolt: error: ")]
            if len(errors) != 1 or not ERROR.fullmatch(errors[0]):
                return "not one error 'FILE: what; what to do'\n" + said[-1500:], "unclear", command
            if left:
                return f"files left by the failure: {left}", "left", command
            crashed = "cannot be rewritten: graupel-bolt crashed" in errors[0]
            return None, "crash reported" if crashed else "refused", command
        if left != ["o"]:
            return f"a success left {left}, not the output alone", "left", command
        return self.compare(mutant, output, work), "rewritten", command

    def compare(self, mutant, output, work):
        """What is wrong with an output; None if nothing."""
        if mutant.output == "profile":
            code, said = self.call([self.tool, "export", output], work)
            return None if code == 0 else "the sum is no profile: " + said[-1500:]
        if mutant.output != "program":
            return mutants.complaint_about(mutant.output, mutants.read(output))
        program = mutant.program
        expected = self.expected[program.name]
        if mutant.path and program.run(mutant.path, 5, confined) != expected:
            return None
        wrong = difference(expected, program.run(output, 20, confined))
        return wrong and f"the output behaves unlike the program: {wrong}"

    def start(self, rng, work):
        """Starts an instrumented program where its profile is damaged."""
        program = rng.choice([p for p in self.programs if p.instrumented])
        folder = os.path.join(work, "disk")
        os.mkdir(folder)
        os.chmod(folder, 0o777)
        others = [mutants.read(p.profiles["gprofile"]) for p in self.programs if p is not program]
        start = starts.Start(rng, folder, mutants.read(program.profiles["gprofile"]), others)
        command = ["env", "GRAUPEL_PROFILE=" + start.path, program.instrumented]
        size = start.prepare()
        with starts.Disk(folder, size) if size else contextlib.nullcontext(True) as mounted:
            if not mounted:
                return start.what, None, "not root enough to mount", command
            start.arrange()
            before = start.look()
            seen = program.run(program.instrumented, 20, confined, start.path)
            wrong = start.destroyed(before, start.look())
        if seen:  # what the runtime says is not the program's
            said = b"".join(line for line in seen[2].splitlines(True)
                            if not line.startswith(b"graupel: "))
            seen = (*seen[:2], said)
        wrong = difference(self.expected[program.name], seen) or wrong
        return f"{program.name}, start, {start.what}", wrong, "started", command

    def attempt(self, seed):
        work = os.path.join(self.root, str(seed))
        os.makedirs(work)
        os.chmod(work, 0o777)  # an instrumented mutant writes its profile there
        rng = random.Random(seed)
        kind = rng.choice(self.args.kinds)
        if kind == START:
            return seed, *self.start(rng, work)
        mutant = self.maker.make(kind, rng, work)
        return seed, mutant.what, *self.judge(mutant, work)


def main():
    args = arguments()
    root = args.keep or working_folder()
    os.makedirs(root, exist_ok=True)
    os.chmod(root, 0o755)
    fuzzer = Fuzzer(args, root)
    ends, failed = Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for seed, what, wrong, end, command in pool.map(
                fuzzer.attempt, range(args.seed, args.seed + args.count)):
            ends[end] += 1
            if wrong:
                failed += 1
                kinds = "" if args.kinds == KINDS else " --kinds " + " ".join(args.kinds)
                print(f"FAILED: seed {seed}: {what}: {wrong}\n"
                      f"  reproduce with: {shlex.join(command)}\n"
                      f"  or all of it: {sys.argv[0]} --seed {seed} --count 1{kinds}",
                      flush=True)
            elif end == "crash reported" and args.show_crashes:
                print(f"crashed: seed {seed}: {what}\n  {shlex.join(command)}", flush=True)
            elif not args.keep:
                shutil.rmtree(os.path.join(root, str(seed)), ignore_errors=True)
    if failed or args.show_crashes:
        print(f"files are in {root}")
    elif not args.keep:
        shutil.rmtree(root)
    print(", ".join(f"{n} {end}" for end, n in sorted(ends.items())))
    print(f"{args.count - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
