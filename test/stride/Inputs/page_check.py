# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""page_check.py PAGE [--elements=N]: opens a report in a browser and tries it.

The page is to be there at once on any machine: it has at most N elements when it
is loaded, as tables are made when they are looked at."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Inputs"))
from browser import Browser

page = sys.argv[1]
limits = [int(a.split("=")[1]) for a in sys.argv[2:] if a.startswith("--elements=")]

# A dozen of each section say what hundreds would.
OPEN_ALL = """document.querySelectorAll("section").forEach(s =>
  [...s.querySelectorAll("details")].slice(0, 12).forEach(d => d.open = true));
new Promise(done => setTimeout(done, 300))"""
WIDE = """[...document.querySelectorAll("body *")].filter(
  e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest("svg"))
  .map(e => e.tagName + "." + e.className + ": " + e.textContent.slice(0, 60))"""
# Elements whose content is cut off or has to be scrolled sideways.
SCROLLED = """[...document.querySelectorAll("body *")].filter(
  e => !e.closest("svg") && e.clientWidth && e.scrollWidth > e.clientWidth + 1 &&
       getComputedStyle(e).display != "inline")
  .map(e => e.tagName + "." + e.className + ": " + e.textContent.slice(0, 60))"""
# Pictures that are not followed by their figures.
PICTURES = """[...document.querySelectorAll("svg")].filter(
  s => s.getAttribute("role") != "img" || !s.getAttribute("aria-label") ||
       !s.closest("details, section").querySelector("table, .figures")).length"""
SMALL = """[...document.querySelectorAll("body *")].filter(
  e => !e.closest("svg") && e.children.length == 0 && e.textContent.trim() &&
       parseFloat(getComputedStyle(e).fontSize) < 11).length"""
FOCUS = "document.activeElement.tagName + ' ' + document.activeElement.textContent.slice(0, 40)"


def check(what, bad):
    if bad:
        print(f"{page}: {what}: {bad if not isinstance(bad, list) else bad[:5]}")
        sys.exit(1)


with Browser() as browser:
    for width in (1280, 400):
        for dark in (False, True):
            browser.size(width, dark=dark)
            browser.open(page)
            check("complaints", browser.complaints())
            check(f"wider than {width}", browser.evaluate(WIDE))
            browser.evaluate(OPEN_ALL)
            check(f"wider than {width} when open", browser.evaluate(WIDE))
            check(f"cut off at {width}", browser.evaluate(SCROLLED))
            check("pictures without figures", browser.evaluate(PICTURES))
            check("small letters", browser.evaluate(SMALL))
            check("complaints when open", browser.complaints())
    # Keys alone: to the first section's last entry that is closed, and open it.
    browser.size(1280)
    browser.open(page)
    closed = browser.evaluate("document.querySelectorAll('details:not([open])').length")
    for _ in range(400):
        browser.press("Tab", 9)
        if browser.evaluate("document.activeElement.matches('details:not([open]) > summary')"):
            break
    else:
        check("no key reaches a closed entry; at", browser.evaluate(FOCUS))
    browser.press("Enter", 13, "\r")
    check("Enter does not open", not browser.evaluate("document.activeElement.parentElement.open"))
    check("entries closed", closed <= browser.evaluate(
        "document.querySelectorAll('details:not([open])').length"))
    # From the last issue to its data and its line.
    browser.open(page)
    for words, where in (("Show the data", "#streams"), ("Show the source", "#source")):
        found = browser.evaluate(f"""(() => {{
          const all = [...document.querySelectorAll('.issues button')]
              .filter(b => b.textContent == {words!r});
          all.at(-1).click();
          return all.length > 0 && document.activeElement.closest({where!r}) != null;
        }})()""")
        check(f"`{words}` leads nowhere", not found)
    line = browser.evaluate("document.querySelector('.sought td').textContent")
    wanted = browser.evaluate("[...document.querySelectorAll('.issues details')].at(-1).dataset.line")
    check("another line", line != wanted and [line, wanted])
    # What one types finds data.
    browser.evaluate("""(() => { const find = document.querySelector('#streams .find');
      if (!find) return;
      find.value = document.querySelector('#streams summary b').textContent;
      find.dispatchEvent(new Event('input')); })()""")
    check("found nothing", not browser.evaluate("document.querySelectorAll('#streams details').length"))
    for most in limits:
        browser.open(page)
        elements = browser.evaluate("document.querySelectorAll('*').length")
        check(f"more than {most} elements", elements > most and elements)
