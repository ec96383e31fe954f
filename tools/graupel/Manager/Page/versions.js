// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One image: its versions and which one runs, two of them side by side, its hottest functions with
// their code, and what graupel-bolt reports of a version.
//
// Each part is asked for by itself, when the image is opened and when its versions have changed.
"use strict";

const ORIGINAL = "original";
// The versions that could be made, the newest first, without repetitions.
const madeVersions = image => image.versions.filter((v, n, all) =>
  v.store && all.findIndex(w => w.store == v.store && w.kind == v.kind) == n);
const versionName = (v, now) => v.kind + ", " + age(v.made, now) + (v.options ? ", " + v.options : "")
  + " (" + v.store.slice(0, 8) + ")";
// The version that runs, as the server would have it; null: the original.
const runningVersion = (image, runs) => {
  if (image.left_alone || image.on_disk != "same") return null;
  const kind = image.chosen || runs;
  const v = image.versions.find(v => v.store == kind) || version(image, kind);
  return v && !image.lost?.includes(v.kind) ? v : null;
};

// --- Versions ----------------------------------------------------------------

const showChoice = (place, image, now, locked) => {
  const options = [["default", "as its applications"], [ORIGINAL, "the original"],
    ["instrumented", "instrumented"], ["optimized", "optimized, the newest"],
    ...madeVersions(image).map(v => [v.store, versionName(v, now)])];
  const use = value => act({ action: "use", image: image.path, version: value });
  const choice = select(make("div", place, null, "find"), "In its place runs", options, image.chosen || "default", use);
  choice.id = "choice";
  choice.disabled = locked;
};
const showVersions = (place, image, runs, now, locked) => {
  make("h3", place, "Versions");
  if (image.left_alone) make("p", place, "Left alone: " + image.left_alone);
  if (!image.versions.length) return;
  const add = table(place, ["Version", "Made", "Size#", "Options", "Made in#", ""]);
  const mark = runningVersion(image, runs), seen = madeVersions(image);
  for (const v of image.versions.filter(v => v.failure || seen.includes(v))) {
    const cells = add([v.kind, age(v.made, now), v.failure ? "" : size(v.bytes), v.options,
      v.seconds.toFixed(1) + " s", ""]);
    if (v.failure) make("p", cells[0], "failed: " + v.failure, "bad");
    else make("p", cells[0], v.store.slice(0, 8), "soft");
    if (v == mark) make("b", cells[5], "runs", "good");
    else if (v.store && !locked && !image.left_alone)
      button(cells[5], "Use", () => act({ action: "use", image: image.path, version: v.store }))
        .setAttribute("aria-label", "Use: " + versionName(v, now));
  }
};

// --- Two versions ------------------------------------------------------------

const hex = n => n === undefined ? "" : "0x" + n.toString(16);
const showDifference = (place, d, now) => {
  const a = d.before, b = d.after;
  const add = table(place, ["", "Before#", "After#", "Change#"]);
  const row = (name, x, y, text) => {
    if (x === undefined && y === undefined) return;
    add([name, x === undefined ? "" : text(x), y === undefined ? "" : text(y),
      x === undefined || y === undefined || text == String ? "" : change(x, y)]);
  };
  row("Kind", a.kind, b.kind, String);
  row("Options", a.options || undefined, b.options || undefined, String);
  add(["Made", a.made ? age(a.made, now) : "", b.made ? age(b.made, now) : "", ""]);
  row("Size", a.bytes, b.bytes, size);
  row("Instructions counted", a.executed_instructions, b.executed_instructions, short);
  for (const [name, title] of FIGURES) {
    const of = (side, other) => side.figures?.[name + "_after"]
      ?? (side.kind == ORIGINAL ? other.figures?.[name + "_before"] : undefined);
    row(title, of(a, b), of(b, a), short);
  }
  if (!d.functions.length) {
    make("p", place, "No exact counts are known of these versions, so functions are not compared.", "soft");
    return;
  }
  const moved = d.functions.filter(f => f.before.rank && f.after.rank && f.before.rank != f.after.rank);
  make("p", place, plural(d.all_functions, "function") + " ran; of the " + Math.min(d.functions.length, d.all_functions)
    + " hottest " + (moved.length || "none") + (moved.length < 2 ? " is" : " are") + " at another place. A place is the function's rank by address.", "soft");
  const list = table(place, ["Function", "Executed#", "Share#", "Size#", "Cold part#", "Place#", "Address#"],
    "Hottest functions, before → after");
  const both = (x, y, text) => x === undefined && y === undefined ? ""
    : x === y ? text(x) : (x === undefined ? "–" : text(x)) + " → " + (y === undefined ? "–" : text(y));
  for (const { name, before: x, after: y } of d.functions)
    list([name, both(x.executed, y.executed, short), both(x.percent, y.percent, n => n.toFixed(1) + " %"),
      both(x.bytes, y.bytes, String), both(x.cold_bytes, y.cold_bytes, String), both(x.rank, y.rank, String),
      both(x.address, y.address, hex)]);
};
// `again` makes this part once more.
const showTwo = async (place, image, view, now, again) => {
  const all = [[ORIGINAL, "original"], ...madeVersions(image).map(v => [v.store, versionName(v, now)])];
  if (all.length < 2) return;
  make("h3", place, "Difference");
  const known = value => all.some(([key]) => key == value);
  const optimized = madeVersions(image).filter(v => v.kind == "optimized");
  if (!known(view.before)) view.before = optimized[1]?.store || ORIGINAL;
  if (!known(view.after)) view.after = optimized[0]?.store || all[1][0];
  const line = make("div", place, null, "find"), result = make("div", place);
  for (const [key, text] of [["before", "Before"], ["after", "After"]])
    select(line, text, all, view[key], value => {
      view[key] = value;
      again();
    }).id = key;
  showDifference(result, await get("difference", { image: image.path, before: view.before, after: view.after }), now);
};

// --- Functions ---------------------------------------------------------------

// Blocks begin with a label and what they were executed.
const showCode = (place, text) => {
  const pre = make("pre", place);
  pre.tabIndex = 0;
  pre.setAttribute("aria-label", "Code with counts");
  for (const line of text.split("\n")) {
    const head = /^\S.*: executed [\d,]+/.test(line);
    make("span", pre, line + "\n", !head ? "" : /, hot/.test(line) ? "hot" : "cold");
  }
};
const jumpToCode = view => {
  const head = at("functions").querySelector("h3.code");
  if (!head || !view.jumps) return;
  view.jumps = false;
  head.focus();
};
const showFunctions = async (place, image, view, runs) => {
  if (image.profile?.method != "counters") return;
  make("h3", place, "Hottest functions");
  const f = await get("functions", { image: image.path });
  make("p", place, short(f.executed_instructions) + " instructions were executed in " + plural(f.all, "function") + ".",
    "soft");
  const of = runningVersion(image, runs)?.kind == "optimized" ? runningVersion(image, runs) : version(image, "optimized");
  const add = table(place, ["Function", "Executed#", "Share#", "Calls#", "Blocks that ran#"]);
  const more = make("div", place), code = make("div", place);
  // Of the version that was seen when a function was chosen.
  const store = () => image.versions.some(v => v.store == view.of) ? view.of : of.store;
  const explained = async name => {
    const { text } = await get("explanation", { image: image.path, version: store(), function: name });
    if (!text) return false;
    code.replaceChildren();
    make("h3", code, "Code of " + name, "code").tabIndex = -1;
    make("p", code, "On the left the original, on the right the candidate for its hot version.", "soft");
    showCode(code, text);
    return true;
  };
  // When the job has ended, this part is made again, with the code.
  const explain = guarded(async name => {
    view.function = name;
    view.of = of.store;
    view.jumps = true;
    if (await explained(name)) jumpToCode(view);
    else await act({ action: "explain", image: image.path, version: of.store, function: name });
  });
  const rows = (from, to) => f.functions.slice(from, to).forEach(i => {
    const cells = add([of ? "" : i.name, short(i.executed), i.percent.toFixed(1) + " %", short(i.calls),
      i.executed_blocks + " of " + i.blocks]);
    if (of) button(cells[0], i.name, () => explain(i.name), "link").title = "Code with counts";
  });
  rows(0, 15);
  if (f.functions.length > 15)
    button(more, "Show " + (f.functions.length - 15) + " more", e => {
      rows(15);
      e.target.remove();
    });
  if (view.function && of) await explained(view.function);
};

// --- Reports -----------------------------------------------------------------

const words = key => (key[0].toUpperCase() + key.slice(1)).replaceAll("_", " ");
const n1 = n => typeof n == "number" ? n.toFixed(1) : "";
const showStatistics = (place, s) => {
  const layout = s.layout;
  if (!layout) return;
  let add = table(place, ["", "Before#", "After#", "Change#"], "Executed branches and memory touched");
  for (const [key, x] of Object.entries(layout.before))
    if (typeof x == "number") add([words(key), count(x), count(layout.after[key]), change(x, layout.after[key])]);
  if (layout.loops?.length) {
    add = table(place, ["Loop", "Iterations#", "Share#", "Decode windows#", "Cache lines#"],
      "Hot loops: entered by an iteration, before → after");
    for (const l of layout.loops)
      add([l.procedure + " + " + hex(l.offset), short(l.iterations), n1(l.percent) + " %",
        n1(l.windows_before) + " → " + n1(l.windows_after), n1(l.lines_before) + " → " + n1(l.lines_after)]);
  }
  add = table(place, ["Kind", "Executed#", "Share#"], "Call overhead");
  for (const [key, x] of Object.entries(s.call_overhead || {})) add([words(key), count(x.executed), n1(x.percent) + " %"]);
  add = table(place, ["Trip count below", "Procedures#", "Share#", "Cumulative#"],
    "Trip count of the most executed loop");
  for (const bin of s.trip_counts?.bins || [])
    add([bin.below === null ? "any" : String(bin.below), String(bin.procedures), n1(bin.percent) + " %",
      n1(bin.cumulative_percent) + " %"]);
  add = table(place, ["Decision", "Functions#"], "Splitting");
  add(["split", String(layout.splitting.split)]);
  for (const r of layout.splitting.not_split) add([r.reason, String(r.functions)]);
};
const showHotCold = (place, h) => {
  let add = table(place, ["Category", "Procedures#", "Executed#", "Share#"], "Coverage by category");
  for (const c of h.coverage)
    if (c.procedures) add([words(c.category), String(c.procedures), short(c.executed), n1(c.percent) + " %"]);
  if (h.reasons?.length) {
    add = table(place, ["Reason", "Procedures#", "Executed#", "Share#"], "Why procedures were not optimized");
    for (const r of h.reasons) add([r.reason, String(r.procedures), short(r.executed), n1(r.percent) + " %"]);
  }
  add = table(place, ["Optimization", "Instructions saved#", "Share#"], "Reduction in path length");
  for (const [key, x] of Object.entries(h.path_length)) add([words(key), count(x.executed), n1(x.percent) + " %"]);
  add = table(place, ["Procedure", "What was done", "Executed#", "Hot#", "Cold#", "Stubs#"],
    "Procedures with most time; sizes in bytes");
  for (const p of h.procedures.slice(0, 30))
    add([p.name, words(p.category) + (p.reason ? ": " + p.reason : ""), short(p.original.executed),
      p.hot ? String(p.hot.bytes) : "", p.cold ? String(p.cold.bytes) : "", p.stubs ? String(p.stubs) : ""]);
};
const showReport = async (place, image, runs, locked) => {
  const of = runningVersion(image, runs)?.kind == "optimized" ? runningVersion(image, runs) : version(image, "optimized");
  if (!of) return;
  make("h3", place, "Report on " + of.store.slice(0, 8));
  const r = await get("report", { image: image.path, version: of.store });
  if (!r.statistics) {
    make("p", place, "graupel-bolt runs once more, by the counts that the version was made by, and says what it did.",
      "soft");
    const b = button(place, "Make the report",
      () => act({ action: "report", image: image.path, version: of.store }));
    b.id = "report";
    b.disabled = locked;
    return;
  }
  for (const [title, show, value] of [["Statistics", showStatistics, r.statistics],
    ["Hot-cold optimization", showHotCold, r.hot_cold]]) {
    if (!value) continue;
    const part = make("details", place);
    make("summary", part, title);
    show(part, value);
  }
  const part = make("details", place);
  make("summary", part, "Messages of graupel-bolt");
  make("pre", part, r.messages || "").tabIndex = 0;
};
