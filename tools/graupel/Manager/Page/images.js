// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The images of an application: found, sorted, shown in pieces. Each leads to its own view.
"use strict";

const ROWS = 100;
let filter = "", order = "given", shown = ROWS; // As they were left.

const executed = i => i.profile?.coverage
  ? i.profile.coverage.executed_functions / i.profile.coverage.functions : -1;
const saved = i => i.predicted?.taken_branches_before
  ? i.predicted.taken_branches_before - i.predicted.taken_branches_after : -Infinity;
const ORDERS = {
  given: ["as they are loaded", null],
  path: ["path", (a, b) => a.path < b.path ? -1 : a.path > b.path],
  counted: ["last counted", (a, b) => (b.profile?.last || 0) - (a.profile?.last || 0)],
  executed: ["functions executed", (a, b) => executed(b) - executed(a)],
  saved: ["taken branches saved", (a, b) => saved(b) - saved(a) || 0],
  size: ["size of the version", (a, b) => (version(b, "optimized")?.bytes || 0) - (version(a, "optimized")?.bytes || 0)],
  made: ["newest version", (a, b) => (b.versions[0]?.made || 0) - (a.versions[0]?.made || 0)],
};
const matching = images => {
  const found = images.filter(i => i.path.toLowerCase().includes(filter.toLowerCase()));
  return ORDERS[order][1] ? found.sort(ORDERS[order][1]) : found;
};
const showRow = (add, i, runs, now, open) => {
  const c = i.profile?.coverage, mark = runningVersion(i, runs), made = madeVersions(i).length;
  const best = version(i, "optimized");
  const cells = add(["", (mark ? mark.kind : "original") + (i.chosen ? ", chosen" : ""), made ? String(made) : "",
    best ? size(best.bytes) : "",
    i.profile ? (i.profile.method == "counters" ? "" : i.profile.method + ", ")
      + age(i.profile.last, now) + ", " + plural(i.profile.files, "time") : "",
    c ? percent(c.executed_functions, c.functions) : "",
    i.predicted?.taken_branches_before
      ? change(i.predicted.taken_branches_before, i.predicted.taken_branches_after) : ""]);
  button(cells[0], i.path, () => open(i.path), "link").dataset.key = i.path;
  if (i.left_alone) make("p", cells[0], "left alone: " + i.left_alone, "soft");
  if (i.on_disk != "same")
    make("p", cells[0], i.on_disk == "gone" ? "the file is gone"
      : "the file has changed since; nothing made before is used", "bad");
  for (const kind of i.lost || [])
    make("p", cells[0], "the " + kind + " version is not in the store any more", "bad");
};
// Into `place`, which keeps the focus and where the rows begin.
const showRows = (place, images, runs, now, open) => {
  const found = matching(images);
  replace(place, made => {
    const add = table(made, ["Image", "Runs", "Versions#", "Size#", "Counted", "Executed#", "Taken branches#"]);
    for (const i of found.slice(0, shown)) showRow(add, i, runs, now, open);
    if (found.length > shown)
      button(made, "Show " + Math.min(ROWS, found.length - shown) + " more of " + (found.length - shown), () => {
        const before = shown;
        shown += ROWS;
        showRows(place, images, runs, now, open);
        place.querySelectorAll("tbody tr")[before].querySelector("button").focus();
      });
  });
  return found.length;
};
// The fields stay as long as the view; `again` shows the rows.
const showFinder = (place, many, again) => {
  make("h3", place, "Images");
  if (!many) return;
  const line = make("div", place, null, "find");
  const input = make("input", make("label", line, "Find an image "));
  input.type = "search";
  input.value = filter;
  input.addEventListener("input", () => {
    filter = input.value;
    shown = ROWS;
    say(plural(again(), "image") + " found");
  });
  select(line, "Sort by", Object.entries(ORDERS).map(([key, [text]]) => [key, text]), order, value => {
    order = value;
    again();
  }).id = "order";
};
