//===- StrideReport/Script.cpp --------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Script.h"

namespace graupel::stride {

llvm::StringRef pageStyle() {
  return R"css(
h3 { font-size: 1rem; margin: 0; font-weight: normal; overflow-wrap: anywhere; }
.issues { margin: 0; padding: 0; list-style-position: inside; }
.issues li { border-top: 1px solid var(--grid); padding: 0.75rem 0; }
.issues li::marker { content: ""; }
.issues p { margin: 0.25rem 0; max-width: 60rem; }
pre { overflow-x: auto; background: var(--back); padding: 0.4rem 0.6rem;
  border-radius: 0.3rem; margin: 0.4rem 0; font-size: 0.85rem; }
details { border-top: 1px solid var(--grid); padding: 0.35rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
summary .from { font-size: 0.875rem; }
summary:focus-visible, .more:focus-visible { outline: 2px solid var(--first); }
.charts { display: grid; gap: 0.5rem 1rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); }
.charts figure { margin: 0; min-width: 0; }
.charts figcaption { font-size: 0.875rem; color: var(--soft); }
.charts svg { margin: 0; }
.more { font: inherit; padding: 0.3rem 0.8rem; margin: 0.5rem 0; }
.find { font: inherit; width: 100%; max-width: 24rem; padding: 0.3rem;
  margin: 0.25rem 0 0.5rem; }
.source td { white-space: pre; border: 0; padding: 0 0.4rem; }
.source td.text { text-align: left; font-family: ui-monospace, monospace;
  width: 100%; tab-size: 4; }
.source tr.hot { background: color-mix(in srgb, var(--first) 12%, transparent); }
.source td:first-child { min-width: 3rem; color: var(--soft); text-align: right; }
.words td:first-child { min-width: 8rem; }
.words td:last-child { min-width: 12rem; }
@media (max-width: 40rem) {
  .source thead { display: none; }
  .source tr { display: block; }
  .source tr.hot td { display: inline-block; padding: 0 0.5rem 0 0; }
  .source tr.hot td[data-name]:not(:empty)::before {
    content: attr(data-name) " "; color: var(--soft); }
  .source td:first-child { min-width: 2.2rem; display: inline-block; }
  .source td.text { display: inline; }
  .source tr.hot td.text { display: block; padding-left: 2.2rem; }
  .source tr:not(.hot) td[data-name] { display: none; } }
)css";
}

llvm::StringRef pageScript() {
  return R"js(
"use strict";
const D = JSON.parse(document.getElementById("figures").textContent);
const PAGE = 100;
const grouped = n => n.toLocaleString("en-US");
const percent = (part, all) => all ? (100 * part / all).toFixed(1) + " %" : "";
const firstOf = bin => bin < 128 ? bin : 128 * 2 ** (bin - 128);
const nameOf = bin => bin < 128 ? "" + bin : bin == 136 ? "≥32768"
    : firstOf(bin) + "-" + (firstOf(bin + 1) - 1);
const label = (bin, element) => {
  if (!bin || bin > 127 || bin % element) return nameOf(bin);
  const n = bin / element;
  return bin + " (" + n + (n == 1 ? " elem)" : " elems)");
};
const make = (tag, text, parent, name) => {
  const e = document.createElement(tag);
  if (text !== undefined && text !== null) e.textContent = text;
  if (name) e.className = name;
  if (parent) parent.append(e);
  return e;
};
const words = p => ["unit", "same", "constant", "irregular", "first"]
    .map((name, i) => p[i + 1] > p[0] / 2000
        ? name + " " + percent(p[i + 1], p[0]) : "")
    .filter(t => t).join(", ");
const table = (columns, rows, parent, name) => {
  const box = make("div", null, parent, "table");
  const t = make("table", null, box, name);
  const head = make("tr", null, make("thead", null, t));
  columns.forEach(c => make("th", c, head));
  const body = make("tbody", null, t);
  rows.forEach(r => {
    const row = make("tr", null, body);
    r.forEach(c => make("td", c, row));
  });
  return body;
};
// Some at a time, so that long lists cost what is looked at.
const inPages = (items, parent, add) => {
  let shown = 0;
  const button = make("button", null, null, "more");
  const next = () => {
    items.slice(shown, shown + PAGE).forEach(add);
    shown = Math.min(shown + PAGE, items.length);
    button.textContent = "Show more: " + grouped(items.length - shown) +
        " of " + grouped(items.length);
    button.hidden = shown == items.length;
  };
  next();
  button.onclick = next;
  parent.append(button);
};
const onOpen = (details, draw) => {
  details.addEventListener("toggle", () => {
    if (details.open && !details.dataset.drawn) {
      details.dataset.drawn = 1;
      draw(details);
    }
  });
};
const SVG = "http://www.w3.org/2000/svg";
const shape = (tag, attributes, parent, text) => {
  const e = document.createElementNS(SVG, tag);
  for (const name in attributes) e.setAttribute(name, attributes[name]);
  if (text !== undefined) e.textContent = text;
  parent.append(e);
};
const pairs = list => {
  const result = [];
  for (let i = 0; i < list.length; i += 2) result.push([list[i], list[i + 1]]);
  return result;
};
const chart = (lag, bins, all, element, store, parent) => {
  const figure = make("figure", null, parent);
  const passed = bins.reduce((sum, b) => sum + b[1], 0);
  make("figcaption", lag + " back: " + grouped(passed) + " references, " +
      percent(passed, all), figure);
  // The largest; the table below has all.
  const kept = [...bins].sort((a, b) => b[1] - a[1]).slice(0, 16)
      .sort((a, b) => a[0] - b[0]);
  const height = 18 * kept.length + 20;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 420 " + height);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", "Strides to the reference " + lag + " back");
  for (const at of [0, 25, 50, 75, 100]) {
    const x = 130 + at * 1.9;
    shape("line", {class: at ? "grid" : "axis", x1: x, x2: x, y1: 0,
                   y2: height - 16}, svg);
    shape("text", {class: "value", x, y: height - 3, "text-anchor": "middle"},
          svg, at + (at == 100 ? " %" : ""));
  }
  kept.forEach(([bin, count], i) => {
    const y = 18 * i;
    shape("text", {x: 124, y: y + 13, "text-anchor": "end"}, svg,
          label(bin, element));
    shape("rect", {class: "fill" + store, x: 130, y: y + 2, height: 14,
                   width: Math.max(1, 190 * count / all)}, svg);
    shape("text", {class: "value", x: 134 + 190 * count / all, y: y + 13}, svg,
          percent(count, all));
  });
  figure.append(svg);
  if (kept.length < bins.length)
    make("figcaption", "The largest " + kept.length + " of " + bins.length +
        " bins.", figure);
};
const drawStream = s => details => {
  const [, store, element, all, lags, none, sites] = s;
  const charts = make("div", null, details, "charts");
  const rows = new Map();
  const empty = [];
  lags.forEach((list, i) => {
    const bins = pairs(list);
    if (!bins.length) return empty.push(i + 1);
    chart(i + 1, bins, all, element, store, charts);
    bins.forEach(([bin, count]) => {
      if (!rows.has(bin)) rows.set(bin, lags.map(() => ""));
      rows.get(bin)[i] = grouped(count) + " (" + percent(count, all) + ")";
    });
  });
  if (empty.length)
    make("p", "Empty: " + empty.map(lag => lag + " back").join(", ") + ".",
         details, "from");
  const sorted = [...rows].sort((a, b) => a[0] - b[0])
      .map(([bin, cells]) => [label(bin, element), ...cells]);
  sorted.push(["no reference so far back", ...none.map(grouped)]);
  table(["bytes", ...lags.map((_, i) => (i + 1) + " back")], sorted, details);
  make("p", "Made by " + grouped(sites.length) +
      (sites.length == 1 ? " load or store" : " loads or stores") +
      " in the code:", details);
  const body = table(["line", "references", "of all", "width", "distance to the last"],
                     [], details, "words");
  inPages(sites, details, ([line, where, how, count, bins]) => {
    const row = make("tr", null, body);
    make("td", line + " " + where, row);
    make("td", grouped(count), row);
    make("td", percent(count, all), row);
    make("td", how, row);
    make("td", pairs(bins).sort((a, b) => b[1] - a[1]).slice(0, 4)
        .map(([bin, n]) => label(bin, element) + ": " + percent(n, count))
        .join(", "), row);
  });
};
const list = (id, items, what, add) => {
  const box = document.getElementById(id);
  box.replaceChildren();
  if (!items.length) return make("p", "None.", box);
  const inner = make("div");
  const fill = some => {
    inner.replaceChildren();
    const entries = make("div", null, inner);
    inPages(some, inner, item => add(item, entries));
  };
  if (items.length > 12) {
    const find = make("input", null, box, "find");
    find.type = "search";
    find.placeholder = find.ariaLabel = "Find " + what;
    find.oninput = () => {
      const part = find.value.toLowerCase();
      fill(items.filter(i => i[0].toLowerCase().includes(part)));
    };
  }
  fill(items);
  box.append(inner);
};
const entry = (title, sub, parent, draw) => {
  const details = make("details", null, parent);
  const head = make("summary", null, details);
  make("b", title, head);
  make("span", " " + sub, head, "from");
  onOpen(details, draw);
  return details;
};
list("streams", D.streams, "data", (s, parent) =>
    (entry(s[0], (s[1] ? "stores" : "loads") + ": " + grouped(s[3]) +
        ", elements of " + s[2] + " bytes; " + words(s[7]), parent,
        drawStream(s)).dataset.issue = s[8] || ""));
const sum = (a, b) => a.map((x, i) => x + b[i]);
const drawFile = ([name, found, lines]) => details => {
  if (!found)
    make("p", "The source is not there any more; lines by number.", details);
  const names = ["loads", "stores", "unit", "same", "constant", "irregular"];
  const body = table(["line", ...names, ""], [], details, "source");
  let before = 0;
  inPages(lines, details, ([number, text, loads, stores, how]) => {
    if (found && number > before + 1)
      make("td", "⋯", make("tr", null, body));
    before = number;
    const row = make("tr", null, body, loads ? "hot" : "");
    make("td", number || "?", row);
    const both = loads && sum(loads, stores);
    const cells = loads ? [loads[0] ? grouped(loads[0]) : "",
        stores[0] ? grouped(stores[0]) : "",
        ...[1, 2, 3, 4].map(i => both[i] ? percent(both[i], both[0]) : "")]
        : names.map(() => "");
    cells.forEach((c, i) => make("td", c, row).dataset.name = names[i]);
    make("td", text, row, "text");
    if (how) row.title = how + "; " + words(both);
  });
};
list("source", D.files, "files", (f, parent) =>
    entry(f[0], "", parent, drawFile(f)));
const drawLoops = () => {
  const box = document.getElementById("loops");
  box.replaceChildren();
  if (!D.loops.length) return make("p", "None.", box);
  const body = table(["loop", "depth", "executions", "iterations", "loads",
                      "stores", "what they do"], [], box, "words");
  inPages(D.loops, box, ([line, where, depth, runs, turns, loads, stores]) => {
    const row = make("tr", null, body);
    [line + " " + where, depth, runs ? grouped(runs) : "",
     turns ? grouped(turns) : "", grouped(loads[0]), grouped(stores[0]),
     words(sum(loads, stores))].forEach(c => make("td", c, row));
  });
};
drawLoops();
// What the worst issues are about, or else what is referred to most.
const streams = [...document.querySelectorAll("#streams details")];
const worst = streams.filter(d => d.dataset.issue)
    .sort((a, b) => a.dataset.issue - b.dataset.issue);
(worst.length ? worst : streams).slice(0, 2).forEach(d => d.open = true);
document.querySelectorAll("#source details").forEach((d, i) => d.open = i < 1);
)js";
}

} // namespace graupel::stride
