# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many commands at once, some of them killed, while others collect, optimize and are killed.

Usage: storm.py WIDTH ROUNDS SEED, in a folder with app/ and its copy twin/, where
XDG_STATE_HOME is

GRAUPEL_TEST_STORM="WIDTH ROUNDS" makes it larger. Ends with an error if a run that
finished was lost or counted twice, or anything printed what it should not.
"""

import os
import random
import signal
import subprocess
import sys
import threading

PROGRAM, TWIN, EXPECTED = "app/bin/four", "twin/bin/four", "1980000\n"
# Of all commands that count at the same time.
MAY_BE_SAID = "graupel learn: warning: processes still count"


def graupel(*arguments):
    return subprocess.run(["graupel", *arguments], check=True, text=True,
                          capture_output=True).stdout


def end(process, whole):
    """With all that it has started, or alone."""
    if whole:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.kill()


def repeat_until(done, generator, longest, *command):
    """Always again; killed at some time, whatever it does then."""
    while not done.is_set():
        process = subprocess.Popen(["graupel", *command], stderr=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, start_new_session=True)
        try:
            process.wait(timeout=generator.uniform(0, longest))
        except subprocess.TimeoutExpired:
            end(process, generator.random() < 0.5)
            process.wait()


def one(generator):
    """A run, what it printed and said; some are killed, wherever they are then."""
    how, program = generator.choices((("run", PROGRAM), ("learn", PROGRAM), ("run", TWIN)),
                                     (7, 1, 2))[0]
    run = subprocess.Popen(["graupel", how, "--", program, "10000"], text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           start_new_session=True)
    timer = None
    if generator.random() < 0.3:
        timer = threading.Timer(generator.uniform(0, 0.1), end, (run, generator.random() < 0.5))
        timer.start()
    out, err = run.communicate()
    if timer:
        timer.cancel()
    return program, out, "".join(line for line in err.splitlines() if not line.startswith(MAY_BE_SAID))


def main():
    width, rounds = (int(n) for n in os.environ.get(
        "GRAUPEL_TEST_STORM", " ".join(sys.argv[1:3])).split())
    seed = int(sys.argv[3])
    # The same images at other paths: optimized, so they do not count; learning them did once.
    graupel("learn", "--name=twin", "--", TWIN, "10000")
    graupel("optimize", "twin")
    learned = 1
    graupel("register", PROGRAM)
    graupel("instrument", "four")
    done = threading.Event()
    others = [threading.Thread(target=repeat_until, args=(done, random.Random(seed + n), *how))
              for n, how in enumerate(((0.1, "status"), (0.1, "status"), (1, "optimize", "twin")))]
    for thread in others:
        thread.start()
    results = []

    def worker(n):
        generator = random.Random(seed * 1000 + n)
        for _ in range(rounds):
            results.append(one(generator))

    workers = [threading.Thread(target=worker, args=(n,)) for n in range(width)]
    for thread in workers:
        thread.start()
    for thread in workers:
        thread.join()
    done.set()
    for thread in others:
        thread.join()
    counting = [out for program, out, _ in results if program == PROGRAM]
    finished = sum(out == EXPECTED for out in counting)
    wrong = [r for r in results if r[1] not in ("", EXPECTED) or r[2]]
    graupel("status")
    left = os.listdir(os.path.join(os.environ["XDG_STATE_HOME"], "graupel", "spool"))
    graupel("optimize", "four")
    graupel("export", "--profiles", "four", "exported")
    subprocess.run(["graupel-bolt", "export", "-o", "counts.fdata",
                    f"exported{os.getcwd()}/{PROGRAM}.gprofile"], check=True,
                   stdout=subprocess.DEVNULL)
    counted = [int(line.split()[-1]) for line in open("counts.fdata")
               if line.startswith("0 [unknown] 0 1 main 0 ")]
    ended = sum(out == EXPECTED for _, out, _ in results)
    print(f"{len(results)} runs, {ended} finished; of {len(counting)} that count {finished}, "
          f"{[n - learned for n in counted]} counted, "
          f"{len(wrong)} said something else: {wrong[:3]}, left: {left}")
    sys.exit(not (finished and counted and not wrong and not left and
                  finished <= counted[0] - learned <= len(counting)))


main()
