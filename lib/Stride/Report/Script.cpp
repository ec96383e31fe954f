//===- Stride/Report/Script.cpp -------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The script of the page, in JavaScript. Part by part:
//
// 1. Read the figures that PageData wrote. Helpers make numbers, labels of
//    bins, elements and tables; inPages() shows 100 items at a time, and
//    onOpen() draws an entry when it is first opened.
// 2. chart() draws the 16 largest bins of a histogram, bars() a list of counts.
// 3. drawMisses() and drawStream() fill the entry of a stream. list() makes a
//    list of entries, with a search field if there are more than 12.
// 4. drawFile(), drawLoops() and drawCaches() show sources, loops and caches.
// 5. Each issue gets buttons that lead to its data and its source.
// 6. The streams of the worst issues (or the largest ones), two at most, and
//    the first file are open at the start.
//
//===----------------------------------------------------------------------===//

#include "Script.h"

namespace graupel::stride {

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
// A function that adds a row.
const table = (columns, parent, name) => {
  const t = make("table", null, make("div", null, parent, "table"), name);
  const head = make("tr", null, make("thead", null, t));
  columns.forEach(c => make("th", c, head));
  const body = make("tbody", null, t);
  return (cells, name) => {
    const row = make("tr", null, body, name);
    cells.forEach((c, i) => {
      const cell = make("td", c, row);
      if (columns[i]) cell.dataset.name = columns[i];
    });
    return row;
  };
};
// Some at a time, so that long lists cost what is looked at. The result shows
// more until there is the item, and returns its element.
const inPages = (items, parent, add) => {
  const elements = [];
  const button = make("button");
  button.type = "button";
  const next = () => {
    const shown = elements.length;
    items.slice(shown, shown + PAGE).forEach(item => elements.push(add(item)));
    button.textContent = "Show more: " + grouped(items.length - elements.length) +
        " of " + grouped(items.length);
    button.hidden = elements.length == items.length;
  };
  next();
  button.onclick = next;
  parent.append(button);
  return item => {
    const at = items.indexOf(item);
    while (at >= elements.length) next();
    return elements[at];
  };
};
const onOpen = (details, draw) => {
  details.draw = () => {
    details.draw = null;
    draw(details);
  };
  details.addEventListener("toggle", () => details.draw && details.draw());
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
// A chart of labels and numbers, and then the numbers.
const bars = (title, rows, store, parent) => {
  const all = rows.reduce((sum, r) => sum + r[1], 0);
  const figure = make("figure", null, make("div", null, parent, "charts"));
  make("figcaption", title, figure);
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 420 " + 18 * rows.length);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", title);
  rows.forEach(([name, count], i) => {
    shape("text", {x: 124, y: 18 * i + 13, "text-anchor": "end"}, svg, name);
    shape("rect", {class: "fill" + store, x: 130, y: 18 * i + 2, height: 14,
                   width: Math.max(1, 190 * count / all)}, svg);
    shape("text", {class: "value", x: 134 + 190 * count / all, y: 18 * i + 13},
          svg, percent(count, all));
  });
  figure.append(svg);
  const add = table(["", "count", "of all"], parent, "left");
  rows.forEach(([name, count]) => add([name, grouped(count), percent(count, all)]));
};
// Names of the levels that are simulated, if any are; a TLB is none.
const levels = (D.levels || []).filter(l => l.length > 4).map(l => l[0]);
const drawMisses = ([counts, tlb, used, first, reuse], all, parent) => {
  make("p", "Misses of simulated caches" + (used < 0 ? "" : "; " +
      (used / 100).toFixed(1) + " % of the lines fetched is referred to") +
      (tlb ? "; " + grouped(tlb) + " of the TLB" : "") + ":", parent);
  const add = table(["level", "misses", "of references", "compulsory", "capacity",
                     "conflict"], parent);
  levels.forEach((l, i) => add([l, grouped(counts[i][0]),
      percent(counts[i][0], all), ...counts[i].slice(1).map(grouped)]));
  if (reuse.length)
    bars("Lines until the same again, of one in " + D.reuseSampled + " lines; " +
         grouped(first) + " were new", reuse, 2, parent);
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
  const bin = table(["bytes", ...lags.map((_, i) => (i + 1) + " back")], details);
  [...rows].sort((a, b) => a[0] - b[0])
      .forEach(([n, cells]) => bin([label(n, element), ...cells]));
  bin(["no reference so far back", ...none.map(n => n ? grouped(n) : "")]);
  if (levels.length) drawMisses(s[8], all, details);
  make("p", "Made by " + grouped(sites.length) +
      (sites.length == 1 ? " load or store" : " loads or stores") +
      " in the code:", details);
  const site = table(["line", "references", "of all", "width",
                      ...levels.map(l => l + " misses"),
                      "distance to the last"], details, "words");
  inPages(sites, details, ([line, where, how, count, bins, misses]) =>
      site([line + " " + where, grouped(count), percent(count, all), how,
            ...levels.map((_, i) => misses && misses[i] ? grouped(misses[i]) : ""),
            pairs(bins).sort((a, b) => b[1] - a[1]).slice(0, 4)
                .map(([bin, n]) => label(bin, element) + ": " + percent(n, count))
                .join(", ")]));
};
// What shows an item of a list.
const list = (id, items, what, add) => {
  const box = document.getElementById(id);
  box.replaceChildren();
  if (!items.length) {
    make("p", "None.", box);
    return () => undefined;
  }
  const inner = make("div");
  const fill = some => {
    inner.replaceChildren();
    const entries = make("div", null, inner);
    return inPages(some, inner, item => add(item, entries));
  };
  const find = items.length > 12 && make("input", null, box, "find");
  if (find) {
    find.type = "search";
    find.placeholder = find.ariaLabel = "Find " + what;
    find.oninput = () => {
      const part = find.value.toLowerCase();
      show = fill(items.filter(i => i[0].toLowerCase().includes(part)));
    };
  }
  let show = fill(items);
  box.append(inner);
  return item => {
    if (find && find.value) {
      find.value = "";
      show = fill(items);
    }
    return show(item);
  };
};
const entry = (title, sub, parent, draw) => {
  const details = make("details", null, parent);
  const head = make("summary", null, details);
  make("b", title, head);
  make("span", " " + sub, head, "from");
  onOpen(details, draw);
  return details;
};
const open = details => {
  details.open = true;
  if (details.draw) details.draw();
  return details;
};
const showStream = list("streams", D.streams, "data", (s, parent) =>
    entry(s[0], (s[1] ? "stores" : "loads") + ": " + grouped(s[3]) +
        ", elements of " + s[2] + " bytes; " + words(s[7]), parent,
        drawStream(s)));
const sum = (a, b) => a.map((x, i) => x + b[i]);
const drawFile = file => details => {
  const [, found, lines] = file;
  if (!found)
    make("p", "The source is not there any more; lines by number.", details);
  const names = ["loads", "stores", "unit", "same", "constant", "irregular",
                 ...levels.map(l => l + " misses")];
  const add = table(["", ...names, ""], details, "source");
  let before = 0;
  const show = inPages(lines, details, ([number, text, loads, stores, how, misses]) => {
    if (found && number > before + 1) add(["⋯"]);
    before = number;
    const both = loads && sum(loads, stores);
    const row = add(loads ? [number || "?", loads[0] ? grouped(loads[0]) : "",
        stores[0] ? grouped(stores[0]) : "",
        ...[1, 2, 3, 4].map(i => both[i] ? percent(both[i], both[0]) : ""),
        ...levels.map((_, i) => misses[i] ? grouped(misses[i]) : "")]
        : [number, ...names.map(() => "")], loads ? "hot" : "");
    make("td", text, row, "text");
    if (how) row.title = how + "; " + words(both);
    return row;
  });
  details.showLine = number => show(lines.find(line => line[0] == number));
};
const references = f => f[2].reduce(
    (n, line) => line[2] ? n + line[2][0] + line[3][0] : n, 0);
const showFile = list("source", D.files, "files", (f, parent) =>
    entry(f[0], grouped(references(f)) + " references, " +
        grouped(f[2].filter(line => line[2]).length) + " lines with some", parent,
        drawFile(f)));
const drawLoops = () => {
  const box = document.getElementById("loops");
  box.replaceChildren();
  if (!D.loops.length) return make("p", "None.", box);
  const add = table(["loop", "depth", "executions", "iterations", "loads",
                     "stores", "what they do"], box, "words");
  inPages(D.loops, box, ([line, where, depth, runs, turns, loads, stores]) =>
      add([line + " " + where, depth, runs ? grouped(runs) : "",
           turns ? grouped(turns) : "", loads[0] ? grouped(loads[0]) : "",
           stores[0] ? grouped(stores[0]) : "", words(sum(loads, stores))]));
};
drawLoops();
const drawCaches = () => {
  const box = document.getElementById("caches");
  if (!box) return;
  box.replaceChildren();
  const level = table(["level", "references", "misses", "of these", "compulsory",
                       "capacity", "conflict"], box, "left");
  D.levels.forEach(([, what, asked, misses, ...kinds]) => level([what,
      grouped(asked), grouped(misses), percent(misses, asked), ...kinds.map(grouped)]));
  if (D.conflicts.length) {
    make("h3", "Conflicts: lines that other lines of their sets drive out", box);
    const add = table(["data", "driven out by", "level", "misses"], box, "left");
    inPages(D.conflicts, box, ([l, victim, by, n]) => add([victim, by, l, grouped(n)]));
  }
  if (D.sharing.length) {
    make("h3", "Sharing: lines that threads take from each other", box);
    const add = table(["data", "without use of what was stored", "with use",
                       "taken by a", "from a"], box, "left");
    inPages(D.sharing, box, ([name, no, yes, writer, other]) =>
        add([name, grouped(no), grouped(yes), writer, other]));
  }
};
drawCaches();
// From an issue to what it is about.
const go = to => {
  to.scrollIntoView({block: "start"});
  (to.querySelector("summary") || to).focus();
};
document.querySelectorAll(".issues details").forEach(issue => {
  const {stream, file, line} = issue.dataset;
  const button = (text, act) => {
    const b = make("button", text, issue);
    b.type = "button";
    b.onclick = act;
  };
  const s = D.streams[stream], f = D.files[file];
  if (s) button("Show the data", () => go(open(showStream(s))));
  if (f) button("Show the source", () => {
    const details = open(showFile(f));
    const row = details.showLine(+line);
    document.querySelectorAll(".sought").forEach(r => r.classList.remove("sought"));
    if (!row) return go(details);
    row.classList.add("sought");
    row.tabIndex = -1;
    go(row);
  });
});
// What the worst issues are about, or else what is referred to most.
const first = [...document.querySelectorAll(".issues details")]
    .map(issue => D.streams[issue.dataset.stream]).filter(s => s);
(first.length ? [...new Set(first)] : D.streams).slice(0, 2)
    .forEach(s => open(showStream(s)));
D.files.slice(0, 1).forEach(f => open(showFile(f)));
)js";
}

} // namespace graupel::stride
