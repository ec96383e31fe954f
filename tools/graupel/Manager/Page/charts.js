// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Figures of an application: sums over its images, what layout changes, times, runs.
"use strict";

// --- Sums over images --------------------------------------------------------

const version = (image, kind) => image.versions.find(v => v.kind == kind && v.store);
const predicted = (before, after) =>
  Math.abs(before - after) < before / 2000 ? "as many taken branches"
  : percent(Math.abs(before - after), before) + (after < before ? " fewer" : " more") + " taken branches";
const sums = (images, runs) => {
  const s = { optimized: 0, instrumented: 0, alone: 0, changed: 0, lost: 0, counted: 0, files: 0, first: Infinity,
    last: 0, newer: false, functions: 0, executed: 0, chosen: 0, figures: {} };
  for (const i of images) {
    s.optimized += !!version(i, "optimized");
    s.instrumented += !!version(i, "instrumented");
    s.alone += !!i.left_alone;
    s.chosen += !!i.chosen;
    s.changed += i.on_disk != "same";
    s.lost += !!i.lost?.includes(runs);
    for (const [name, value] of Object.entries(i.predicted || {}))
      s.figures[name] = (s.figures[name] || 0) + value;
    if (!i.profile) continue;
    ++s.counted;
    s.files = Math.max(s.files, i.profile.files);
    s.first = Math.min(s.first, i.profile.first);
    s.last = Math.max(s.last, i.profile.last);
    s.newer ||= i.profile.newer_than_optimized;
    s.functions += i.profile.coverage?.functions || 0;
    s.executed += i.profile.coverage?.executed_functions || 0;
  }
  return s;
};
const nextStep = (s, app, runs) => {
  if (s.changed) return plural(s.changed, "image") + " changed since: optimize it again, by what was counted "
    + "before; `graupel learn` counts again.";
  if (!s.counted) return "Nothing has been counted. Run `graupel learn -- COMMAND` in a terminal, or "
    + "instrument " + app + " here and use it with `graupel run -- COMMAND`.";
  if (!s.optimized) return "It has been counted: optimize it.";
  if (s.lost) return plural(s.lost, "image") + " lost the version in the store: optimize (or instrument) again.";
  if (s.newer) return "There are newer counts: optimize it again to use them.";
  if (runs != "optimized") return "It is optimized, but something else runs.";
  return "";
};
const showSums = (place, chosen, images, complete, now) => {
  const s = sums(images, chosen.runs), next = complete && nextStep(s, chosen.name, chosen.runs);
  if (next) sentence(place, next, "next");
  const list = make("dl", place), f = s.figures;
  const fact = (name, value) => {
    if (!value) return;
    const d = make("div", list);
    make("dt", d, name);
    make("dd", d, value);
  };
  fact("Images", String(chosen.image_count));
  fact("Optimized", complete && String(s.optimized));
  fact("Instrumented", complete && String(s.instrumented));
  fact("Left alone", complete && s.alone && String(s.alone));
  fact("Chosen by image", complete && s.chosen && String(s.chosen));
  fact("Counted", s.counted && age(s.last, now));
  fact("Runs counted", s.counted && "up to " + s.files);
  fact("Functions executed", complete && s.functions && percent(s.executed, s.functions)
    + " of " + count(s.functions));
  fact("Predicted", complete && f.taken_branches_before
    && predicted(f.taken_branches_before, f.taken_branches_after));
};

// --- Charts ------------------------------------------------------------------

// Bars, each with a name and its figure as text.
const bars = (place, title, rows) => {
  const figure = make("figure", place);
  make("figcaption", figure, title);
  const most = Math.max(...rows.map(r => r.value), 1e-9), step = 24;
  const svg = draw("svg", figure, { viewBox: `0 0 320 ${rows.length * step}`, role: "img",
    "aria-label": title + ": " + rows.map(r => r.name + " " + r.text).join(", ") });
  rows.forEach((r, i) => {
    draw("text", svg, { x: 0, y: i * step + 16 }, r.name);
    draw("rect", svg, { x: 84, y: i * step + 4, height: 16, rx: 2,
      width: Math.max(1, 140 * r.value / most), class: r.kind });
    draw("text", svg, { x: 90 + Math.max(1, 140 * r.value / most), y: i * step + 16 }, r.text);
  });
};
const FIGURES = [["executed_instructions", "Path length, executed instructions"],
  ["taken_branches", "Taken branches"], ["windows_entered", "Decode windows entered"],
  ["lines", "Cache lines of executed code"], ["pages", "Pages of executed code"]];
const pair = (place, title, before, after, text) => bars(place, title + ": " + change(before, after), [
  { name: "original", value: before, text: text(before), kind: "before" },
  { name: "optimized", value: after, text: text(after), kind: "after" }]);
// A ratio of times with the bounds of 95 %, as a change of the time.
const speedUp = t => {
  const less = r => (100 * (1 - r)).toFixed(1), more = r => (100 * (r - 1)).toFixed(1);
  const change = t.low <= 1 && 1 <= t.high ? "no difference that can be seen"
    : t.ratio < 1 ? `${less(t.ratio)} % less (${less(t.high)} to ${less(t.low)})`
    : `${more(t.ratio)} % more (${more(t.low)} to ${more(t.high)})`;
  return change + (t.control_low <= 1 && 1 <= t.control_high ? ""
    : "; do not trust it, the original differs from itself");
};
const showCharts = (place, chosen, images, now) => {
  const f = sums(images, chosen.runs).figures, box = make("div", null, null, "charts");
  const predicted = FIGURES.filter(([name]) => f[name + "_before"]);
  for (const [name, title] of predicted)
    pair(box, title, f[name + "_before"], f[name + "_after"], short);
  const seconds = n => n.toPrecision(3) + " s";
  for (const m of chosen.measured.slice(0, 4))
    bars(box, "Measured wall time of " + m.command + ", " + age(m.at, now)
      + (m.runs_now ? "" : ", other versions") + ": " + speedUp(m.wall), [
      { name: "original", value: m.wall.original_seconds,
        text: seconds(m.wall.original_seconds), kind: "before" },
      { name: "optimized", value: m.wall.optimized_seconds,
        text: seconds(m.wall.optimized_seconds), kind: "after" }]);
  if (!box.children.length) return;
  make("h3", place, "What layout changes");
  if (predicted.length)
    make("p", place, "Predicted by the counts, over all optimized images.", "soft");
  place.append(box);
};

// --- Runs --------------------------------------------------------------------

const showRuns = (place, runs, now) => {
  if (!runs.length) return;
  make("h3", place, "Run history");
  const timed = runs.filter(r => r.ended && r.wall_seconds > 0).slice(0, 12).reverse();
  if (timed.length > 1)
    bars(make("div", place, null, "charts"), "Wall time, oldest first", timed.map(r => ({
      name: age(r.began, now).replace(" ago", ""), value: r.wall_seconds,
      text: r.wall_seconds.toFixed(2) + " s", kind: r.mode })));
  const add = table(place, ["Command", "By", "Began", "Weight#", "Status#", "Time#"]);
  runs.slice(0, 20).forEach(r => add([r.command, r.method, age(r.began, now),
    r.weight ? r.weight.toFixed(2) : "", r.ended ? String(r.status) : "no end was seen",
    r.ended ? r.wall_seconds.toFixed(2) + " s" : ""]));
};
