# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The manager page in a browser, for tests: what it must never look like, and keys."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Inputs"))
from browser import Browser
from ui_server import Manager

READY = "document.querySelector('main h2')"
# Elements that stick out of the window, or have to be scrolled sideways.
WIDE = """[...document.querySelectorAll("body *")].filter(e => !e.closest("svg, .unseen, .skip, thead, pre *")
  && (e.getBoundingClientRect().right > innerWidth + 1
      || e.clientWidth && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display != "inline"
         && !["INPUT", "SELECT", "PRE"].includes(e.tagName))).map(e => e.tagName + "." + e.className + ": " + e.textContent.slice(0, 60))"""
NAMELESS = """[...document.querySelectorAll("button, input, select, progress, svg, summary")].filter(e =>
  e.offsetParent !== null && !(e.tagName != "SELECT" && e.textContent.trim() || e.getAttribute("aria-label") || e.labels?.length))
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


def check_looks(p, what):
    for name, expression in (("wide", WIDE), ("nameless", NAMELESS), ("pale", PALE)):
        nothing(f"{what}: {name}", p.b.evaluate(expression))
    nothing(what + ": scroll", p.b.evaluate("document.documentElement.scrollWidth > innerWidth"))


def run(subjects, arguments, without=()):
    """Each subject with as many arguments as it takes; it complains of nothing, but for those of `without`."""
    with Manager() as manager, Browser() as browser:
        page, words = Page(browser, manager), iter(arguments)
        for name in words:
            subject = subjects[name]
            subject(page, *(next(words) for _ in range(subject.__code__.co_argcount - 1)))
            if name not in without:
                nothing(name, page.complaints())
