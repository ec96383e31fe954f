//===- Report/Page.cpp - A page of tables and charts ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Page.h"
#include "Charts.h"

using namespace llvm;
using namespace graupel;

namespace {

// The colors differ in lightness, too, and keep a contrast of at least
// 4.5:1 with the background in both schemes.
constexpr StringLiteral Style = R"css(
:root { color-scheme: light dark;
  --back: #ffffff; --card: #f5f6f8; --text: #1c2228; --soft: #55606b;
  --grid: #d5dae0; --first: #1f5fa8; --second: #b34a00; --third: #6b3fa0; }
@media (prefers-color-scheme: dark) { :root {
  --back: #14181d; --card: #1d232a; --text: #e6eaee; --soft: #a5b0bb;
  --grid: #39424c; --first: #74b3f5; --second: #f0a35e; --third: #c9a6f5; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 76rem; background: var(--back);
  color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0.5rem 0 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 0; }
p { margin: 0.5rem 0; }
.from { color: var(--soft); margin-top: 0; overflow-wrap: anywhere; }
main { columns: 2 28rem; column-gap: 1rem; }
section { background: var(--card); border-radius: 0.5rem; padding: 1rem;
  margin-bottom: 1rem; break-inside: avoid; }
svg { display: block; width: 100%; max-width: 34rem; height: auto;
  margin: 0.75rem auto; }
svg text { font: 12px system-ui, sans-serif; fill: var(--text); }
svg text.value { font-size: 11px; }
.grid { stroke: var(--grid); } .axis { stroke: var(--soft); }
.line0, .line1 { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
.line0 { stroke: var(--first); }
.line1 { stroke: var(--second); stroke-dasharray: 6 3; }
.fill0 { fill: var(--first); } .fill1 { fill: var(--second); }
.fill2 { fill: var(--third); } .none { fill: var(--grid); opacity: 0.5; }
.heat { shape-rendering: crispEdges; }
.wide { column-span: all; margin-top: 1rem; }
.wide svg { max-width: 60rem; }
th button { all: unset; cursor: pointer; }
th button:focus-visible { outline: 2px solid var(--first); }
th[aria-sort=descending] button::after { content: " \\2193"; }
th[aria-sort=ascending] button::after { content: " \\2191"; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; width: 100%;
  font-variant-numeric: tabular-nums; }
th, td { padding: 0.2rem 0.5rem; text-align: right;
  border-bottom: 1px solid var(--grid); }
th { vertical-align: bottom; color: var(--soft); }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
td { white-space: nowrap; }
td:first-child { white-space: pre-wrap; min-width: 5.5rem;
  overflow-wrap: anywhere; }
.words td:first-child { min-width: 11rem; }
.words th:last-child, .words td:last-child { text-align: left;
  white-space: normal; }
@media (max-width: 34rem) { table { font-size: 0.8rem; }
  th, td { padding: 0.2rem 0.25rem; } section { padding: 0.75rem; }
  .words td:first-child { min-width: 6rem; } }
)css";

// Columns of numbers start with the largest, those of words with the first.
constexpr StringLiteral SortScript = R"js(
for (const table of document.querySelectorAll("table.sortable"))
  table.querySelectorAll("th").forEach((head, column) => {
    const button = document.createElement("button");
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.onclick = () => {
      const body = table.tBodies[0], rows = [...body.rows];
      const text = row => row.cells[column].textContent;
      const number = row => parseFloat(text(row).replace(/,/g, ""));
      const words = rows.some(row => text(row) && isNaN(number(row)));
      const was = head.ariaSort;
      const up = was ? was == "descending" : words;
      rows.sort((a, b) => words ? text(a).localeCompare(text(b))
                                : (number(a) || 0) - (number(b) || 0));
      for (const other of table.querySelectorAll("th"))
        other.ariaSort = null;
      head.ariaSort = up ? "ascending" : "descending";
      body.append(...(up ? rows : rows.reverse()));
    };
  });
)js";

void writeRow(const std::vector<std::string> &Cells, StringRef Tag,
              raw_ostream &OS) {
  OS << "<tr>";
  for (const std::string &Cell : Cells)
    OS << '<' << Tag << '>' << escapeHTML(Cell) << "</" << Tag << '>';
  OS << "</tr>\n";
}

} // namespace

Page::Page(StringRef Title, StringRef From, raw_ostream &OS) : OS(OS) {
  const std::string Name = escapeHTML(Title);
  OS << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
        "<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n<title>"
     << Name << "</title>\n<style>" << Style << "</style>\n</head>\n<body>\n"
     << "<h1>" << Name << "</h1>\n<p class=\"from\">" << escapeHTML(From)
     << "</p>\n<main>\n";
}

Page::~Page() {
  OS << "</main>\n";
  if (HasSortable)
    OS << "<script>" << SortScript << "</script>\n";
  OS << "</body>\n</html>\n";
}

void Page::add(const Table &T, function_ref<void(raw_ostream &)> Draw) {
  OS << (T.Wide ? "<section class=\"wide\">" : "<section>") << "\n<h2>"
     << escapeHTML(T.Title) << "</h2>\n";
  for (const std::string &Sentence : T.Sentences)
    OS << "<p>" << escapeHTML(Sentence) << "</p>\n";
  Draw(OS);
  if (T.Columns.empty()) {
    OS << "</section>\n";
    return;
  }
  HasSortable |= T.Sortable;
  std::string Class = T.LastIsText ? "words" : "";
  if (T.Sortable)
    Class += Class.empty() ? "sortable" : " sortable";
  OS << "<div class=\"table\"><table"
     << (Class.empty() ? "" : " class=\"" + Class + "\"") << ">\n<thead>";
  writeRow(T.Columns, "th", OS);
  OS << "</thead>\n<tbody>\n";
  for (const std::vector<std::string> &Row : T.Rows)
    writeRow(Row, "td", OS);
  OS << "</tbody></table></div>\n</section>\n";
}
