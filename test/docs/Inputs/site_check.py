#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""site_check.py SITE PAGE...: opens the index and pages of the site in a browser, in a wide and in
a narrow window. Pictures are drawn, nothing is too wide, the search finds something, and all of it
comes from the site."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Inputs"))
from browser import Browser

ALL_DRAWN = "[...document.querySelectorAll('pre.mermaid')].every(p => p.querySelector('svg'))"
FAILED = "document.querySelectorAll('pre.mermaid [aria-roledescription=error]').length"
# Code and tables can be scrolled.
TOO_WIDE = """[...document.querySelectorAll("article *")].filter(
  e => e.getBoundingClientRect().right > %d && !e.closest("pre:not(.mermaid), .table-wrapper, svg"))
  .map(e => e.tagName + ": " + e.textContent.slice(0, 60))"""
RESULTS = "document.querySelectorAll('#search-results li a').length"


def main():
    site, *pages = sys.argv[1:]
    site, faults, pictures = os.path.abspath(site), [], 0

    def check(what, bad):
        if bad:
            faults.append(f"{page}, {width} pixels: {what}: {bad}")

    with Browser() as browser:
        for width in (1400, 400):
            browser.size(width)
            for page in ("docs/site/index.html", *pages):
                browser.open(os.path.join(site, page))
                browser.wait(ALL_DRAWN)
                pictures += browser.evaluate("document.querySelectorAll('pre.mermaid svg').length")
                check("pictures with errors", browser.evaluate(FAILED))
                check("too wide", browser.evaluate(TOO_WIDE % (width + 1))[:3])
                check("complaints", [c for c in browser.complaints()
                                     if not str(c).startswith(("file:", "data:"))])
        browser.go(f"file://{site}/index.html", "document.querySelector('.toctree-wrapper')")
        browser.go(f"file://{site}/search.html?q=first", f"{RESULTS} > 0")
    print("\n".join(faults + [f"{pictures} pictures, {len(faults)} faults"]))
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
