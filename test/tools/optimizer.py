# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the differential tests share: running commands, the layouts to try, and
profiles that lie."""

import os
import random
import re
import shlex
import shutil
import signal
import subprocess
from pathlib import Path

from limits import limit, of_processor_time

BASIC_LAYOUTS = {
    "graupel": ["-layout=graupel"],
    "spike": ["-layout=spike"],
}

LAYOUTS = {
    **BASIC_LAYOUTS,
    **{f"{layout}:{steps}": [f"-layout={layout}", f"-layout-steps={steps}"]
       for layout in ("graupel", "spike")
       for steps in ("chain", "split", "place", "chain,split", "chain,place",
                     "split,place")},
    # Code that does run becomes cold.
    "graupel cold": ["-layout=graupel", "-cold-share=50"],
    "spike cold": ["-layout=spike", "-cold-share=50"],
    "none": ["-layout=none", "-reorder-blocks=ext-tsp", "-split-functions"],
}


def find_llvm():
    """Puts LLVM's tools behind what PATH has, for runs without lit."""
    config = shutil.which("llvm-config-22")
    if config and not shutil.which("clang"):
        folder = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=True)
        os.environ["PATH"] += os.pathsep + folder.stdout.strip()


find_llvm()


class Failure(Exception):
    """What went wrong and the shell command that shows it."""

    def __init__(self, what, reproduce):
        super().__init__(f"{what}\n  reproduce with: {reproduce}")


def graupel_bolt():
    """lit names it or puts it into PATH; by hand, the default build has it."""
    built = Path(__file__).resolve().parents[2] / "build" / "bin" / "graupel-bolt"
    return os.environ.get("GRAUPEL_BOLT") or shutil.which("graupel-bolt") or str(built)


def shell(command, env=None, cwd=None):
    """The command as it can be pasted."""
    text = " ".join(f"{k}={shlex.quote(v)}" for k, v in (env or {}).items())
    text = (text + " " if text else "") + shlex.join(command)
    return f"(cd {shlex.quote(cwd)} && {text})" if cwd else text


def end_of(code):
    """An exit status as people say it."""
    return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


def must(command, cwd=None):
    """Runs a tool that has to succeed; returns what it said."""
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                            text=True, errors="replace", cwd=cwd)
    if result.returncode:
        said = "\n".join((result.stdout + result.stderr).strip().splitlines()[-12:])
        raise Failure(f"{os.path.basename(command[0])}: {end_of(result.returncode)}\n{said}",
                      shell(command, cwd=cwd))
    return result.stdout + result.stderr


def observe(command, timeout, env=None):
    """What a run shows: exit status, stdout, stderr. None if it takes more than
    `timeout` seconds of processor time, or does not end."""
    try:
        result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                                timeout=limit(timeout),
                                preexec_fn=of_processor_time(timeout), env={**os.environ, **(env or {})})
    except subprocess.TimeoutExpired:
        return None
    if result.returncode == -signal.SIGXCPU:
        return None
    return result.returncode, result.stdout, result.stderr


def difference(expected, got):
    """How two observations differ, in a line or two; None if they do not."""
    if got is None:
        return "does not end"
    if expected == got:
        return None
    if expected[0] != got[0]:
        return f"{end_of(got[0])}, the original: {end_of(expected[0])}"
    for name, a, b in (("stdout", expected[1], got[1]), ("stderr", expected[2], got[2])):
        for number, (x, y) in enumerate(zip(a.splitlines() + [b"(end)"],
                                            b.splitlines() + [b"(end)"]), 1):
            if x != y:
                return (f"{name} line {number} is {y.decode(errors='replace')!r}, "
                        f"the original: {x.decode(errors='replace')!r}")
    return "output differs in line ends"


# What the passes say, but not all that -v=1 prints.
DETAILS = ["-print-protected"]


def instrument(program, output, profile, options=()):
    if os.path.exists(profile):
        os.remove(profile)
    return must([graupel_bolt(), program, "-o", output, "-instrument",
                 f"-instrumentation-file={profile}", *DETAILS, *options])


def export_text(profile, output):
    """Turns what an instrumented program wrote into fdata."""
    if not os.path.exists(profile):
        raise Failure("the instrumented program wrote no profile", shell(["ls", profile]))
    must([graupel_bolt(), "export", profile, "-o", output])


def optimize(program, output, profile, options):
    """Returns graupel-bolt's messages."""
    return must([graupel_bolt(), program, "-o", output, f"-data={profile}", *DETAILS, *options])


def functions_split(messages):
    """How many functions our splitting split; 0 if it did not run."""
    match = re.search(r"GRAUPEL-INFO: split (\d+) functions", messages)
    return int(match[1]) if match else 0


def functions_recovered(messages):
    """How many functions were understood that llvm-bolt leaves alone."""
    match = re.search(r"GRAUPEL-INFO: understood the indirect jumps of (\d+)", messages)
    return int(match[1]) if match else 0


def scramble(profile, output, seed):
    """Rewrites the counts of an fdata profile so that arbitrary blocks become cold
    and others hot: some become zero, some one, some move to another line."""
    chance = random.Random(seed)
    lines = open(profile).read().splitlines()
    counts = [line.rsplit(" ", 1)[1] for line in lines]
    with open(output, "w") as f:
        for line in lines:
            rest, count = line.rsplit(" ", 1)
            draw = chance.random()
            if draw < 0.3:
                count = "0"
            elif draw < 0.4:
                count = "1"
            elif draw < 0.7:
                count = chance.choice(counts)
            f.write(f"{rest} {count}\n")
