# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many commands at once, some of them killed, while others collect and are killed.

Usage: storm.py WIDTH ROUNDS SEED, in a folder with app/, where XDG_STATE_HOME is

GRAUPEL_TEST_STORM="WIDTH ROUNDS" makes it larger. Ends with an error if a run that
finished was lost or counted twice, or anything printed what it should not.
"""

import os
import random
import subprocess
import sys
import threading

PROGRAM, EXPECTED = "app/bin/four", "1980000\n"


def graupel(*arguments):
    return subprocess.run(["graupel", *arguments], check=True, text=True,
                          capture_output=True).stdout


def collect_until(done, seed):
    generator = random.Random(seed)
    while not done.is_set():
        status = subprocess.Popen(["graupel", "status"], stderr=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL)
        try:
            status.wait(timeout=generator.uniform(0, 0.1))
        except subprocess.TimeoutExpired:
            status.kill()
            status.wait()


def one(generator):
    """A run; some are killed, wherever they are then."""
    run = subprocess.Popen(["graupel", "run", "--", PROGRAM, "10000"], text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    timer = None
    if generator.random() < 0.3:
        timer = threading.Timer(generator.uniform(0, 0.1), run.kill)
        timer.start()
    out, err = run.communicate()
    if timer:
        timer.cancel()
    return out, err


def main():
    width, rounds = (int(n) for n in os.environ.get(
        "GRAUPEL_TEST_STORM", " ".join(sys.argv[1:3])).split())
    seed = int(sys.argv[3])
    graupel("register", PROGRAM)
    graupel("instrument", "four")
    done = threading.Event()
    collectors = [threading.Thread(target=collect_until, args=(done, seed + n))
                  for n in range(2)]
    for thread in collectors:
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
    for thread in collectors:
        thread.join()
    finished = sum(out == EXPECTED for out, _ in results)
    wrong = [r for r in results if r[0] not in ("", EXPECTED) or r[1]]
    graupel("status")
    left = os.listdir(os.path.join(os.environ["XDG_STATE_HOME"], "graupel", "spool"))
    graupel("optimize", "four")
    graupel("export", "--profiles", "four", "exported")
    subprocess.run(["graupel-bolt", "export", "-o", "counts.fdata",
                    f"exported{os.getcwd()}/{PROGRAM}.gprofile"], check=True,
                   stdout=subprocess.DEVNULL)
    counted = [int(line.split()[-1]) for line in open("counts.fdata")
               if line.startswith("0 [unknown] 0 1 main 0 ")]
    print(f"{len(results)} runs, {finished} finished, {counted} counted, "
          f"{len(wrong)} said something else: {wrong[:3]}, left: {left}")
    sys.exit(not (finished and counted and not wrong and not left and
                  finished <= counted[0] <= len(results)))


main()
