# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ui_views.py SUBJECT...: one image on the manager page, jobs, changes from elsewhere; a line for each subject."""

import os
import signal
import subprocess
import sys
import time

from ui_browser import check_looks, run

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from limits import limit  # noqa: E402 (beside the tools that tests share)


def graupel(*words):
    subprocess.run(["graupel", *words], check=True, stdout=subprocess.DEVNULL)


def click(p, selector):
    p.b.evaluate(f"document.querySelector({selector!r}).click()")


def open_image(p, end):
    p.b.evaluate(f"[...document.querySelectorAll('#rows button')].find(b => b.textContent.endsWith({end!r})).click()")
    p.b.wait("document.querySelector('#reports h3')")


def set_choice(p, value):
    p.b.evaluate(f"(e => {{ e.value = {value}; e.dispatchEvent(new Event('change')); }})"
                 "(document.querySelector('#choice'))")


def versions(p):
    """Two versions: which one runs, their difference, functions, code, reports."""
    p.b.size(1280)
    p.open()
    p.wait_text("Functions executed")
    open_image(p, "bin/app")
    rows = "[...document.querySelectorAll('#versions tbody tr')]"
    p.b.wait(f"{rows}.length == 3 && {rows}[0].innerText.includes('runs')")
    if "-hco=false" not in p.b.evaluate(f"{rows}[1].innerText"):
        sys.exit("the newest version is not the first")
    click(p, "#versions tr:nth-child(2) button")
    p.b.wait(f"{rows}[1].innerText.includes('runs') && !{rows}[0].innerText.includes('runs')")
    set_choice(p, "'default'")
    p.b.wait(f"{rows}[0].innerText.includes('runs')")
    print("versions: one goes back to an older one")

    p.wait_text("-hco=false", "document.querySelector('#two table')")
    p.wait_text("main", "document.querySelector('#two')")
    p.b.evaluate("(e => { e.value = 'original'; e.dispatchEvent(new Event('change')); })"
                 "(document.querySelector('#before'))")
    p.b.wait("document.querySelector('#two table').innerText.includes('original')")
    p.wait_text("→", "document.querySelector('#two table:last-of-type')")
    print("difference: sizes, options, counts, functions")

    click(p, "#functions tbody button")
    p.wait_text("executed", "document.querySelector('#functions pre')")
    p.b.wait("document.querySelectorAll('#functions pre .hot').length")
    print("functions: the hottest ones, with their code")

    # What an interrupted job had left was no report.
    with open(os.environ["XDG_STATE_HOME"] + "/graupel/reports/"
              + p.b.evaluate("runningVersion(seenImage(), 'optimized').store") + ".statistics.json", "w") as file:
        file.write("{")
    p.b.evaluate("loadPart('reports')")
    click(p, "#report")
    p.wait_text("Hot-cold optimization", "document.querySelector('#reports')")
    p.b.evaluate("document.querySelectorAll('#reports details').forEach(d => d.open = true)")
    for text in ("Taken branches", "Trip count", "Coverage by category", "Reduction in path length", "optimized "):
        p.wait_text(text, "document.querySelector('#reports')")
    print("report: statistics and hot-cold optimization")

    for width, dark in ((1280, False), (1280, True), (400, False), (400, True)):
        p.b.size(width, dark=dark)
        check_looks(p, f"image, {width}, dark {dark}")
    print("looks: fits, light and dark")


def places(p):
    """One image otherwise than its application."""
    p.b.size(1280)
    p.open()
    p.wait_text("Functions executed")
    open_image(p, "libfirst.so")
    for value, seen in (("original", "Runs: original."), ("instrumented", "Runs: instrumented,"),
                        ("default", "Runs: optimized,")):
        set_choice(p, repr(value))
        p.wait_text(seen, "document.querySelector('#head')")
    print("places: each image has a choice of its own")


def running():
    return subprocess.run(["pgrep", "-x", "-f", ".*/bin/app 2000000001"], capture_output=True).stdout.split()


def measure_for_long(p, program):
    """With a command that does not end."""
    p.b.size(1280)
    p.open()
    p.wait_text("Functions executed")
    click(p, "#open-measure")
    p.b.evaluate("document.querySelector('[name=command]').value = " + repr(program + " 2000000001"))
    click(p, "#do-measure")
    p.b.wait("document.querySelector('#jobs progress')")
    began = time.monotonic()
    while not running():
        if time.monotonic() > began + limit(60):
            sys.exit("it is not measured")
        time.sleep(0.05)


def wait_for_end():
    began = time.monotonic()
    while processes := running():
        if time.monotonic() > began + limit(20):
            for process in processes:
                os.kill(int(process), signal.SIGKILL)
            sys.exit("it has not ended")
        time.sleep(0.05)


def jobs(p, program):
    """What goes on can be ended; what it ran is gone."""
    measure_for_long(p, program)
    click(p, "#jobs button")
    p.wait_text("Measure app: cancelled")
    wait_for_end()
    print("cancel: the command has ended")

    click(p, "#watch")
    p.b.wait("document.querySelector('#watch').textContent == 'Stop watching'")
    click(p, "#watch")
    p.b.wait("document.querySelector('#watch').textContent == 'Watch'")
    print("watch: goes on beside, and is stopped")

    graupel("export", "app", os.path.join(os.getcwd(), "with"), "--profiles")
    click(p, "#open-import")
    p.b.evaluate("document.querySelector('[name=file]').value = "
                 + repr(os.getcwd() + "/with" + os.path.realpath(program) + ".gprofile"))
    click(p, "#do-import")
    p.wait_text("Import into " + os.path.realpath(program) + ": done")
    print("import: adds counts")


def outside(p, folder):
    """In a narrow window what was chosen is in view, and so is what becomes of a button. What a
    terminal changes appears by itself, and nothing moves."""
    p.b.size(400, 800)
    p.open()
    p.wait_text("Functions executed")
    p.b.evaluate("document.querySelector('#list').open = true,"
                 "[...document.querySelectorAll('#applications button')].at(-1).click()")
    p.b.wait("document.querySelector('main h2').textContent == 'app.sh'")
    in_view = "(r => r.top >= 0 && r.bottom <= innerHeight)(document.querySelector('{}').getBoundingClientRect())"
    p.b.wait(in_view.format("main h2"))
    p.wait_text("Functions executed")
    before = p.b.evaluate("document.querySelector('main h2').getBoundingClientRect().top")
    click(p, "#optimize")
    p.wait_text("Optimize app.sh: done")
    p.b.wait(in_view.format("#jobs .good"))
    if p.b.evaluate("document.querySelector('main h2').getBoundingClientRect().top") != before:
        sys.exit("the page has moved")
    check_looks(p, "tray")
    print("narrow: what matters is in view")

    graupel("instrument", "app.sh")
    p.b.wait("document.querySelector('[name=mode]:checked').value == 'instrumented'")
    graupel("register", os.path.join(folder, "bin/app"), "--name=from elsewhere")
    graupel("unregister", "app.sh")
    p.b.wait("![...document.querySelectorAll('#applications button')].some(b => b.textContent.includes('app.sh'))")
    print("changes: appear by themselves")


def ends(p, program):
    """With the server its job ends."""
    measure_for_long(p, program)
    p.m.process.send_signal(signal.SIGINT)
    p.m.process.wait(limit(10))
    wait_for_end()
    print("Ctrl-C: the job has ended, too")


run(globals(), sys.argv[1:], without=("ends",))
