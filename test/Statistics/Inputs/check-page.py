#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-page.py PAGE CHARTS

Fails unless every element of the page is closed, nothing on it is fetched from
elsewhere, and it has that many charts, each with a table.
"""
import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "br"}


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.count, self.complaints = [], {}, []

    def handle_starttag(self, tag, attributes):
        self.count[tag] = self.count.get(tag, 0) + 1
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attributes:
            if name in ("src", "href", "srcset", "data", "action") or name.startswith("on"):
                self.complaints.append(f"<{tag} {name}={value}>")

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.complaints.append(f"</{tag}> closes nothing")


text = open(sys.argv[1], encoding="utf-8").read()
page = Page()
page.feed(text)
page.complaints += [f"<{tag}> is not closed" for tag in page.open]
page.complaints += re.findall(r"https?://|url\(|@import|<script", text)
for tag in ("svg", "table", "section"):
    if page.count.get(tag, 0) != int(sys.argv[2]):
        page.complaints.append(f"{page.count.get(tag, 0)} <{tag}>, not {sys.argv[2]}")
if re.search(r"\b(nan|inf)\b", re.sub(r"<style>.*?</style>", "", text, flags=re.S)):
    page.complaints.append("a number is none")
print("\n".join(page.complaints))
sys.exit(bool(page.complaints))
