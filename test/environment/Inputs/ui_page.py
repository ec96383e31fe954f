# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ui_page.py SUBJECT...: the manager page in a browser; a line for each subject."""

import json
import os
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Inputs"))
from browser import Browser
from ui_server import Manager

READY = "document.querySelector('main h2')"
# Elements that stick out of the window, or have to be scrolled sideways.
WIDE = """[...document.querySelectorAll("body *")].filter(e => !e.closest("svg, .unseen, .skip, thead")
  && (e.getBoundingClientRect().right > innerWidth + 1
      || e.clientWidth && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display != "inline"
         && e.tagName != "INPUT")).map(e => e.tagName + "." + e.className + ": " + e.textContent.slice(0, 60))"""
NAMELESS = """[...document.querySelectorAll("button, input, progress, svg, summary")].filter(e =>
  e.offsetParent !== null && !(e.textContent.trim() || e.getAttribute("aria-label") || e.labels?.length))
  .map(e => e.outerHTML)"""
# The contrast of each text with what is behind it, less than what WCAG AA wants.
PALE = """(() => {
  const light = text => { const [r, g, b] = text.match(/[\\d.]+/g).map(Number).map(v => v / 255)
      .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
      if (c != "rgba(0, 0, 0, 0)") return c; } return "rgb(255, 255, 255)"; };
  return [...document.querySelectorAll("body *")].filter(e => e.offsetParent && !e.disabled
      && [...e.childNodes].some(n => n.nodeType == 3 && n.data.trim())).filter(e => {
    const a = light(getComputedStyle(e).color), b = light(behind(e));
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5; })
    .map(e => e.tagName + "." + e.className + ": " + e.textContent.slice(0, 40));
})()"""


def nothing(what, found):
    if found:
        sys.exit(f"{what}: {found}")


class Page:
    def __init__(self, browser, manager):
        self.b, self.m = browser, manager

    def open(self):
        self.b.go(self.m.url, READY)

    def open_chosen(self):
        """As the address bar has it."""
        self.b.go("http://" + self.m.host + self.b.evaluate("location.pathname + location.search"), READY)

    def complaints(self):
        """Also requests to anybody else."""
        own = "http://" + self.m.host + "/"
        return [c for c in self.b.complaints()
                if not (isinstance(c, str) and (c.startswith(own) or c == "data:,"))]

    def tab_to(self, expression):
        """With the tabulator alone, and it has to be seen where that is."""
        for _ in range(200):
            self.b.press("Tab", 9)
            if self.b.evaluate(f"(e => !!({expression}))(document.activeElement)"):
                if not self.b.evaluate("parseFloat(getComputedStyle(document.activeElement).outlineWidth) >= 2"):
                    sys.exit(f"{expression}: its focus cannot be seen")
                return
        sys.exit(f"{expression}: the tabulator does not lead there")

    def press(self, key):
        keys = {"Enter": (13, "\r"), " ": (32, " "), "ArrowLeft": (37, None), "Escape": (27, None)}
        self.b.press(key, *keys[key])

    def type(self, text):
        self.b.call("Input.insertText", text=text)

    def wait_text(self, text, where="document.body"):
        self.b.wait(f"{where}.innerText.includes({text!r})", 120)


def empty(p):
    p.b.size(1280)
    p.open()
    p.wait_text("No application is registered yet")
    p.wait_text("graupel learn -- ./app --typical work")
    nothing("empty", p.b.evaluate("[...document.querySelectorAll('section, nav, table, svg')]"
                                  ".filter(e => e.offsetParent && !e.textContent.trim()).length"))
    print("empty: says what to do first")


def keys(p, program):
    """Everything by keys: register, instrument, run, optimize, choose, export, gc, unregister."""
    p.b.size(1280)
    p.open()
    p.tab_to("e.name == 'program'")
    p.type(program)
    p.tab_to("e.name == 'name'")
    p.type("by keys")
    p.press("Enter")
    p.wait_text("by keys", "document.querySelector('main')")
    p.wait_text("Nothing has been counted")
    p.tab_to("e.id == 'instrument'")
    p.press("Enter")
    p.b.wait("document.querySelector('#jobs progress, #jobs .good')")
    p.wait_text("Instrument by keys: done")
    p.b.wait("document.querySelector('[name=mode]:checked').value == 'instrumented'")
    subprocess.run(["graupel", "run", "--", program], check=True, stdout=subprocess.DEVNULL)
    p.tab_to("e.id == 'refresh'")
    p.press("Enter")
    p.wait_text("It has been counted: optimize it.")
    p.tab_to("e.id == 'optimize'")
    p.press(" ")
    p.wait_text("Optimize by keys: done")
    p.wait_text("What layout changes")
    p.b.wait("document.querySelector('[name=mode]:checked').value == 'optimized'")
    p.b.wait("document.activeElement.id == 'optimize'")
    p.tab_to("e.tagName == 'SUMMARY' && e.closest('table')")
    p.press("Enter")
    p.wait_text("(runs)", "document.querySelector('table details')")
    p.tab_to("e.name == 'mode'")
    p.press("ArrowLeft")
    p.press("ArrowLeft")
    p.b.wait("document.querySelector('#jobs').innerText.split('Choose versions of by keys: done').length == 3")
    p.b.wait("document.querySelector('#applications small').textContent == 'runs the original'")
    p.tab_to("e.tagName == 'SUMMARY' && e.textContent.startsWith('Export')")
    p.press("Enter")
    p.tab_to("e.placeholder == '/path/of/a/folder'")
    p.type(os.path.join(os.getcwd(), "exported"))
    p.press("Enter")
    p.wait_text("Export by keys: done")
    if not os.path.exists(os.getcwd() + "/exported" + os.path.realpath(program)):
        sys.exit("nothing was exported")
    p.tab_to("e.id == 'gc'")
    p.press("Enter")
    p.wait_text("Remove old versions: done")
    p.tab_to("e.id == 'doctor'")
    p.press("Enter")
    p.b.wait("document.querySelectorAll('#machine li').length > 3")
    p.tab_to("e.textContent == 'Dismiss'")
    p.press("Enter")
    p.tab_to("e.id == 'unregister'")
    p.press("Enter")
    p.wait_text("Forget by keys?")
    p.press("Escape")
    p.b.wait("document.activeElement.id == 'unregister'")
    p.press("Enter")
    p.tab_to("e.value == 'yes'")
    p.press("Enter")
    p.wait_text("No application is registered yet")
    print("keys: everything can be done")


def errors(p):
    """What goes wrong is said, as text."""
    p.open()
    p.tab_to("e.name == 'program'")
    p.type("/no/such/<b>program</b>")
    p.press("Enter")
    p.wait_text("/no/such/<b>program</b>: No such file")
    nothing("errors", p.complaints())
    print("errors: said")


def looks(p, folder):
    for width, dark in ((1280, False), (1280, True), (400, False), (400, True)):
        p.b.size(width, dark=dark)
        p.open()
        p.b.wait("document.querySelectorAll('#runs tr').length > 1")
        p.b.evaluate("[...document.querySelectorAll('details')].slice(0, 5).forEach(d => d.open = true),"
                     "new Promise(done => setTimeout(done, 200))")
        for what, expression in (("wide", WIDE), ("nameless", NAMELESS), ("pale", PALE)):
            nothing(f"{width}, dark {dark}: {what}", p.b.evaluate(expression))
        nothing("scroll", p.b.evaluate("document.documentElement.scrollWidth > innerWidth"))
        p.b.picture(os.path.join(folder, f"{width}{'-dark' if dark else ''}.png"))
    print("looks: fits, light and dark")


def many(p):
    """The images that are seen first are there when the page is filled first, without the
    others. With GRAUPEL_TEST_PAINT=N also within N ms, for a machine that does nothing else."""
    p.b.size(1280)
    bound = float(os.environ.get("GRAUPEL_TEST_PAINT", "inf"))
    painted, filled = [], []
    # Other work on the machine makes it later, nothing makes it earlier.
    while not filled or (len(filled) < 40 and min(filled) > bound):
        p.open()
        p.b.wait("performance.getEntriesByName('filled').length && performance.getEntriesByName("
                 "'first-contentful-paint').length")
        rows = p.b.evaluate("performance.getEntriesByName('filled')[0].detail.rows")
        if not 30 <= rows <= 200:
            sys.exit(f"{rows} of 1000 images when the page is filled first")
        painted.append(p.b.evaluate("performance.getEntriesByName("
                                    "'first-contentful-paint')[0].startTime"))
        filled.append(p.b.evaluate("performance.getEntriesByName('filled')[0].startTime"))
        p.wait_text("Functions executed")
    print(f"first paint {min(painted):.0f} ms, with images {min(filled):.0f} ms", file=sys.stderr)
    if min(filled) > bound:
        sys.exit(f"too late: {painted} {filled}")
    p.wait_text("1000", "document.querySelector('#sums')")
    p.tab_to("e.type == 'search'")
    p.type("image99")
    p.b.wait("document.querySelectorAll('#images tbody tr').length == 11")
    p.wait_text("Measured wall time of many --work, 1 hour ago: 20.0 % less (20.0 to 20.0)")
    print("many: there, and found")


NAMES = ["<img src=x onerror=\"hit=1\">", "</script><script>hit=1</script>", "<!--<script>", "&lt;b&gt;", "'\"`",
         "\\u003c", "a\nb", "a&application=b", "100%", "a+b #c?d=e/..", "$(touch hit)", "__proto__", "\u2028",
         "\u202eabc", "\u00e4\u20ac\U0001f600", "x" * 4096]


def names(p):
    """Names of applications are text, and each one's buttons are for it."""
    for number, name in enumerate(NAMES):
        copy = os.path.abspath(f"named{number}")
        shutil.copy(shutil.which("true"), copy)
        subprocess.run(["graupel", "register", copy, "--name=" + name], check=True, stdout=subprocess.DEVNULL)
    p.b.size(1280)
    p.open()
    listed = "[...document.querySelectorAll('#applications button')].map(b => b.firstChild.data)"
    if sorted(p.b.evaluate(listed)) != sorted(NAMES):
        sys.exit(f"names: {p.b.evaluate(listed)}")
    for name in NAMES:
        text = json.dumps(name)
        p.b.evaluate(f"[...document.querySelectorAll('#applications button')]"
                     f".find(b => b.firstChild.data == {text}).click();"
                     # What is refreshed is what has been chosen, although it is not here yet.
                     "document.querySelector('#refresh').click()")
        p.b.wait(f"document.querySelector('main h2').textContent == {text}")
        p.open_chosen()
        p.b.wait(f"document.querySelector('main h2').textContent == {text}")
        if p.b.evaluate("window.hit || document.querySelectorAll('img').length") or os.path.exists("hit"):
            sys.exit(f"{name}: was executed")
        p.b.evaluate("document.querySelector('#unregister').click()")
        p.b.wait(f"document.querySelector('#question').textContent.includes({text})")
        p.b.evaluate("document.querySelector('#ask .danger').click()")
        p.b.wait(f"!{listed}.includes({text})")
    print("names: are text")


with Manager() as manager, Browser() as browser:
    page = Page(browser, manager)
    arguments = iter(sys.argv[1:])
    for name in arguments:
        globals()[name](page, *([next(arguments)] if name not in ("empty", "errors", "many", "names") else []))
        if name != "errors":
            nothing(name, page.complaints())
