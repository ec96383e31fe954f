// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. The page has with it what is seen at once: names, one application, its first
//    images. `overview` brings the same later.
// 2. `images` brings the rest in pieces, with coverage; sums over all images are
//    shown when the last piece is there.
// 3. While there is work in progress `jobs` is asked for it; when it ends, 1 and 2.
//
// Text comes in through textContent alone.
"use strict";

const PIECE = 100, ROWS = 100, POLL = 250;
const ACTION = document.querySelector("meta[name=graupel-action]").content;
const at = id => document.getElementById(id);

let overview = null;   // What the server said last.
let images = [];       // Of the chosen application.
let complete = false;  // All images, with coverage, are there.
let filter = "", shown = ROWS;
let exporting = false, exportFolder = ""; // As it was left.
let serial = 0;        // Of load(): answers to older ones are of no use.
let following = false, onceMore = false, ended = new Set();
let asked = [];        // Jobs that this page has started.

// --- Elements ----------------------------------------------------------------

const make = (tag, parent, text, name) => {
  const e = document.createElement(tag);
  if (text !== undefined && text !== null) e.textContent = text;
  if (name) e.className = name;
  if (parent) parent.append(e);
  return e;
};
const button = (parent, text, act, name) => {
  const b = make("button", parent, text, name);
  b.type = "button";
  b.addEventListener("click", act);
  return b;
};
const draw = (tag, parent, attributes, text) => {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  if (text !== undefined) e.textContent = text;
  parent.append(e);
  return e;
};
const say = text => { at("said").textContent = text; };

// --- Words -------------------------------------------------------------------

const plural = (n, word) => n.toLocaleString("en-US") + " " + word + (n == 1 ? "" : "s");
const age = time => {
  const seconds = Math.max(0, overview.now - time);
  for (const [length, word] of [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]])
    if (seconds >= length) return plural(Math.floor(seconds / length), word) + " ago";
  return "just now";
};
const percent = (part, all) => all ? (100 * part / all).toFixed(1) + " %" : "";
const predicted = (before, after) =>
  Math.abs(before - after) < before / 2000 ? "as many taken branches"
  : percent(Math.abs(before - after), before) + (after < before ? " fewer" : " more") + " taken branches";
const size = bytes => bytes < 1e6 ? (bytes / 1e3).toFixed(1) + " kB" : (bytes / 1e6).toFixed(1) + " MB";
const short = n => n >= 1e9 ? (n / 1e9).toFixed(2) + " G" : n >= 1e6 ? (n / 1e6).toFixed(2) + " M"
    : n >= 1e4 ? (n / 1e3).toFixed(1) + " k" : Math.round(n).toLocaleString("en-US");

// --- Server ------------------------------------------------------------------

const trouble = text => {
  at("trouble").hidden = !text;
  at("trouble").textContent = text || "";
};
const request = async (path, options) => {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw Error("graupel ui has ended; start it again");
  }
  const text = await answer.text();
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw Error(text.trim());
  }
  if (!answer.ok) throw Error(value.error);
  return value;
};
const get = (path, query) =>
  request(path + (query ? "?" + new URLSearchParams(query) : ""));
const guarded = work => async (...all) => {
  try {
    await work(...all);
  } catch (e) {
    trouble(e.message);
  }
};
const act = guarded(async action => {
  trouble("");
  const { job } = await request("action", {
    method: "POST", body: JSON.stringify(action),
    headers: { "Content-Type": "application/json", "X-Graupel-Action": ACTION } });
  asked.push({ job, action });
  await follow(true);
});

// --- Jobs --------------------------------------------------------------------

const isOpen = job => job.state == "waiting" || job.state == "running";
const showJob = (parent, job) => {
  const row = make("div", parent, null, "job"), words = make("div", row);
  const state = job.state == "in part" ? "done in part" : job.state;
  const head = make("p", words, job.title + ": ");
  make("b", head, state, job.state == "done" ? "good" : isOpen(job) ? "" : "bad");
  if (job.state == "running") {
    const bar = make("progress", words);
    bar.setAttribute("aria-label", job.title);
    if (job.total) {
      bar.max = job.total;
      bar.value = job.done;
      make("p", words, job.done + " of " + job.total + (job.image ? ": " + job.image : ""), "soft");
    }
  }
  job.lines.forEach(line => make("p", words, line, "soft"));
  if (!isOpen(job))
    button(row, "Dismiss", () => {
      ended.add(job.id);
      row.remove();
      at("jobs").hidden = !at("jobs").children.length;
      at("refresh").focus();
    }).setAttribute("aria-label", "Dismiss: " + job.title);
};
const showJobs = jobs => {
  const place = at("jobs");
  const seen = jobs.filter(j => !ended.has(j.id) && (isOpen(j) || asked.some(a => a.job == j.id)));
  const text = JSON.stringify(seen);
  if (place.dataset.shown == text) return;
  place.dataset.shown = text;
  const hadFocus = place.contains(document.activeElement);
  place.replaceChildren();
  place.hidden = !seen.length;
  seen.slice(0, 5).forEach(j => showJob(place, j));
  if (hadFocus) (place.querySelector("button") || at("refresh")).focus();
  if (seen.length) {
    const j = seen[0];
    say(j.title + ": " + (j.state == "running" && j.total ? j.done + " of " + j.total : j.state));
  }
};
const follow = async hasBegun => {
  // Who follows may be behind the last look at the jobs.
  if (following) {
    onceMore ||= hasBegun;
    return;
  }
  following = true;
  try {
    for (;;) {
      const { jobs } = await get("jobs");
      showJobs(jobs);
      if (!jobs.some(isOpen)) {
        if (hasBegun) await afterwards(jobs);
        if (!onceMore) break;
        onceMore = false;
        hasBegun = true;
        continue;
      }
      hasBegun = true;
      await new Promise(done => setTimeout(done, POLL));
    }
  } finally {
    following = false;
  }
};
// What has been registered is what somebody wants to see.
const afterwards = async jobs => {
  let name = chosenName();
  const last = asked[asked.length - 1], job = last && jobs.find(j => j.id == last.job);
  if (job && job.state == "done" && last.action.action == "register" && !last.done) {
    last.done = true;
    name = job.lines[0].slice(0, job.lines[0].lastIndexOf(": "));
    at("register").reset();
  }
  await load(name);
};

// --- Applications ------------------------------------------------------------

// What has been asked for last, which may not be here yet: a job that ends now must not
// take its place.
let wanted = null;
const chosenName = () => wanted ?? (new URLSearchParams(location.search).get("application") || "");
const choose = name => {
  filter = "";
  shown = ROWS;
  return guarded(load)(name);
};
const RUNS = { original: "runs the original", instrumented: "is counting", optimized: "runs optimized" };
const showApplications = () => {
  const list = at("applications"), had = list.contains(document.activeElement)
      ? document.activeElement.dataset.name : null;
  list.replaceChildren();
  for (const a of overview.applications) {
    const b = button(make("li", list), a.name, () => choose(a.name));
    b.dataset.name = a.name;
    b.title = a.main;
    b.setAttribute("aria-current", overview.chosen.name == a.name);
    make("small", b, RUNS[a.runs]);
    if (had == a.name) b.focus();
  }
  list.parentElement.hidden = !overview.applications.length;
};
const showNothing = place => {
  make("h2", place, "No application is registered yet");
  make("p", place, "Run your program once, in a terminal, with typical work:");
  make("code", make("p", place), "graupel learn -- ./app --typical work");
  make("p", place, "It appears here, and can be optimized. Or register a program with the form, "
    + "then instrument it. Programs and libraries have to be linked with -Wl,--emit-relocs "
    + "and not stripped; what cannot be optimized runs as it is.");
};

// --- Sums over images --------------------------------------------------------

const version = (image, kind) => image.versions.find(v => v.kind == kind && v.store);
const sums = () => {
  const s = { optimized: 0, instrumented: 0, alone: 0, changed: 0, lost: 0, counted: 0, files: 0, first: Infinity,
    last: 0, newer: false, functions: 0, executed: 0, figures: {} };
  for (const i of images) {
    s.optimized += !!version(i, "optimized");
    s.instrumented += !!version(i, "instrumented");
    s.alone += !!i.left_alone;
    s.changed += i.on_disk != "same";
    s.lost += !!i.lost?.includes(overview.chosen.runs);
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
const nextStep = s => {
  const app = overview.chosen.name;
  if (s.changed) return plural(s.changed, "image") + " changed since: optimize it again, by what was counted "
    + "before; `graupel learn` counts again.";
  if (!s.counted) return "Nothing has been counted. Run `graupel learn -- COMMAND` in a terminal, or "
    + "instrument " + app + " here and use it with `graupel run -- COMMAND`.";
  if (!s.optimized) return "It has been counted: optimize it.";
  if (s.lost) return plural(s.lost, "image") + " lost the version in the store: optimize (or instrument) again.";
  if (s.newer) return "There are newer counts: optimize it again to use them.";
  if (overview.chosen.runs != "optimized") return "It is optimized, but something else runs.";
  return "";
};
const showSums = place => {
  const s = sums(), list = make("dl", null);
  const fact = (name, value) => {
    if (!value) return;
    const d = make("div", list);
    make("dt", d, name);
    make("dd", d, value);
  };
  const f = s.figures;
  fact("Images", String(overview.chosen.image_count));
  fact("Optimized", complete && String(s.optimized));
  fact("Instrumented", complete && String(s.instrumented));
  fact("Left alone", complete && s.alone && String(s.alone));
  fact("Counted", s.counted && age(s.last));
  fact("Runs counted", s.counted && "up to " + s.files);
  fact("Functions executed", complete && s.functions && percent(s.executed, s.functions)
    + " of " + s.functions.toLocaleString("en-US"));
  fact("Predicted", complete && f.taken_branches_before
    && predicted(f.taken_branches_before, f.taken_branches_after));
  const next = complete && nextStep(s);
  place.replaceChildren(list);
  if (next) {
    const p = make("p", null, null, "next");
    next.split("`").forEach((part, i) => i % 2 ? make("code", p, part) : p.append(part));
    place.prepend(p);
  }
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
  ["taken_branches", "Taken branches"], ["lines", "Cache lines of executed code"],
  ["pages", "Pages of executed code"]];
const change = (before, after) => before == after ? "as before"
  : (after < before ? "−" : "+") + percent(Math.abs(before - after), before);
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
const showCharts = place => {
  place.replaceChildren();
  const f = sums().figures, box = make("div", null, null, "charts");
  const predicted = FIGURES.filter(([name]) => f[name + "_before"]);
  for (const [name, title] of predicted)
    pair(box, title, f[name + "_before"], f[name + "_after"], short);
  const seconds = n => n.toPrecision(3) + " s";
  for (const m of overview.chosen.measured.slice(0, 4))
    bars(box, "Measured wall time of " + m.command + ", " + age(m.at)
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

// --- Tables ------------------------------------------------------------------

const table = (place, columns) => {
  const t = make("table", place), head = make("tr", make("thead", t));
  columns.forEach(c => make("th", head, c.replace("#", ""), c.endsWith("#") ? "number" : ""));
  const body = make("tbody", t);
  return cells => {
    const row = make("tr", body);
    return cells.map((text, i) => {
      const cell = make("td", row, text, columns[i].endsWith("#") ? "number" : "");
      cell.dataset.name = columns[i].replace("#", "");
      return cell;
    });
  };
};
const showRuns = place => {
  place.replaceChildren();
  const runs = overview.chosen.last_runs;
  if (!runs.length) return;
  make("h3", place, "Run history");
  const timed = runs.filter(r => r.ended && r.wall_seconds > 0).slice(0, 12).reverse();
  if (timed.length > 1)
    bars(make("div", place, null, "charts"), "Wall time, oldest first", timed.map(r => ({
      name: age(r.began).replace(" ago", ""), value: r.wall_seconds,
      text: r.wall_seconds.toFixed(2) + " s", kind: r.mode })));
  const add = table(place, ["Command", "By", "Began", "Weight#", "Status#", "Time#"]);
  runs.slice(0, 20).forEach(r => add([r.command, r.method, age(r.began),
    r.weight ? r.weight.toFixed(2) : "", r.ended ? String(r.status) : "no end was seen",
    r.ended ? r.wall_seconds.toFixed(2) + " s" : ""]));
};
const running = i => {
  const runs = overview.chosen.runs;
  if (i.left_alone) return "original";
  if (i.on_disk != "same" || i.lost?.includes(runs)) return "original";
  return runs != "original" && version(i, runs) ? runs : "original";
};
const showVersions = (cell, i) => {
  if (!i.versions.length) return;
  const details = make("details", cell);
  make("summary", details, plural(i.versions.length, "version"));
  const fill = () => {
    if (details.children.length > 1) return;
    const box = make("div", details), mark = version(i, running(i));
    for (const v of i.versions)
      make("p", box, v.failure ? v.kind + " failed " + age(v.made) + ": " + v.failure
        : v.kind + ", " + age(v.made) + ", " + size(v.bytes) + (v.options ? ", " + v.options : "")
          + (v == mark ? " (runs)" : ""));
    make("p", box, "content " + i.content);
  };
  details.addEventListener("toggle", fill);
};
const matching = () => images.filter(i => i.path.toLowerCase().includes(filter.toLowerCase()));
const showRows = place => {
  place.replaceChildren();
  const found = matching();
  const add = table(place, ["Image", "Runs", "Versions", "Counted", "Executed#"]);
  for (const i of found.slice(0, shown)) {
    const c = i.profile?.coverage;
    const cells = add(["", running(i), "", i.profile ? (i.profile.method == "counters" ? "" : i.profile.method + ", ")
      + age(i.profile.last) + ", " + plural(i.profile.files, "time") : "", c ? percent(c.executed_functions, c.functions) : ""]);
    make("p", cells[0], i.path);
    if (i.left_alone) make("p", cells[0], "left alone: " + i.left_alone, "soft");
    if (i.on_disk != "same")
      make("p", cells[0], i.on_disk == "gone" ? "the file is gone"
        : "the file has changed since; nothing made before is used", "bad");
    for (const kind of i.lost || [])
      make("p", cells[0], "the " + kind + " version is not in the store any more", "bad");
    showVersions(cells[2], i);
  }
  if (found.length > shown)
    button(place, "Show " + Math.min(ROWS, found.length - shown) + " more of " + (found.length - shown),
      () => {
        const before = shown;
        shown += ROWS;
        showRows(place);
        const row = place.querySelectorAll("tbody tr")[before];
        row.tabIndex = -1;
        row.focus();
      });
  say(filter ? plural(found.length, "image") + " found" : "");
};
const showImages = place => {
  place.replaceChildren();
  make("h3", place, "Images");
  if (overview.chosen.image_count > 10) {
    const label = make("label", make("div", place, null, "find"), "Find an image"), input = make("input", label);
    input.type = "search";
    input.value = filter;
    input.addEventListener("input", () => {
      filter = input.value;
      shown = ROWS;
      showRows(rows);
    });
  }
  const rows = make("div", place, null, "rows");
  showRows(rows);
};

// --- One application ---------------------------------------------------------

const showHead = place => {
  const a = overview.chosen;
  make("h2", place, a.name);
  make("p", place, a.main, "soft");
  const runs = make("fieldset", place);
  make("legend", runs, "graupel run runs");
  for (const mode of ["original", "instrumented", "optimized"]) {
    const label = make("label", runs), radio = make("input", label);
    radio.type = "radio";
    radio.name = "mode";
    radio.value = mode;
    radio.checked = a.runs == mode;
    radio.disabled = overview.read_only;
    label.append(mode);
    radio.addEventListener("change", () => act({ action: "choose", application: a.name, mode }));
  }
  const row = make("div", place, null, "buttons");
  button(row, "Optimize", () => act({ action: "optimize", application: a.name }), "main").id = "optimize";
  button(row, "Instrument", () => act({ action: "instrument", application: a.name })).id = "instrument";
  button(row, "Unregister", unregister, "danger").id = "unregister";
  row.querySelectorAll("button").forEach(b => { b.disabled = overview.read_only; });
  const more = make("details", place), form = (make("summary", more, "Export optimized images"), make("form", more));
  const label = make("label", form, "Folder "), folder = make("input", label);
  more.open = exporting;
  more.addEventListener("toggle", () => { exporting = more.open; });
  more.querySelector("summary").id = "export";
  folder.id = "folder";
  folder.value = exportFolder;
  folder.addEventListener("input", () => { exportFolder = folder.value; });
  folder.required = true;
  folder.placeholder = "/path/of/a/folder";
  make("button", form, "Export").disabled = overview.read_only;
  form.addEventListener("submit", e => {
    e.preventDefault();
    act({ action: "export", application: a.name, folder: folder.value });
  });
};
const unregister = () => {
  const name = overview.chosen.name, ask = at("ask");
  at("question").textContent = "Forget " + name + "? What was counted stays.";
  ask.dataset.name = name;
  ask.returnValue = "no";
  ask.showModal();
};
// What has the focus gets it again.
const keepFocus = (place, work) => {
  const old = document.activeElement, inside = place.contains(old);
  const value = inside && old.name == "mode" ? `[name=mode][value=${old.value}]` : old?.id && "#" + old.id;
  work();
  if (inside) (value && place.querySelector(value) || place).focus({ preventScroll: true });
};
const showChosen = () => {
  const place = at("chosen");
  keepFocus(place, () => {
    place.replaceChildren();
    if (!overview.chosen) {
      showNothing(place);
      return;
    }
    showHead(place);
    for (const name of ["sums", "charts", "runs", "images"])
      make("section", place).id = name;
    showSums(at("sums"));
    showImages(at("images"));
  });
};
const showRest = () => {
  showSums(at("sums"));
  showCharts(at("charts"));
  showRuns(at("runs"));
  showRows(document.querySelector("#images .rows"));
};

// --- Loading -----------------------------------------------------------------

const showOverview = got => {
  overview = got;
  complete = false;
  images = got.chosen ? got.chosen.images : [];
  at("state").textContent = got.state + (got.read_only ? " (cannot be written: nothing can be changed)" : "");
  for (const e of [at("gc"), ...at("register").elements]) e.disabled = got.read_only;
  if (got.warnings.length) trouble(got.warnings.join("\n"));
  history.replaceState(null, "", got.chosen ? "?" + new URLSearchParams({ application: got.chosen.name }) : "?");
  wanted = null;
  showApplications();
  showChosen();
};
// All images of an application; nothing if something newer has been asked for.
const loadImages = async (name, mine) => {
  const all = [];
  for (;;) {
    const piece = await get("images", { application: name, from: all.length, count: PIECE });
    if (mine != serial) return null;
    all.push(...piece.images);
    if (!piece.images.length || all.length >= piece.image_count) return all;
  }
};
const load = async (name, got) => {
  const mine = ++serial;
  wanted = name;
  try {
    got ||= await get("overview", { application: name });
    if (got.error) throw Error(got.error);
  } catch (e) {
    if (mine == serial) wanted = null;
    throw e;
  }
  if (mine != serial) return;
  // What is seen already stays until all of the new is there.
  const isNew = !complete || got.chosen?.name != overview.chosen?.name;
  if (isNew) {
    showOverview(got);
    // The rest comes when that is painted.
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    performance.mark("filled", { detail: { rows: document.querySelectorAll("#images tbody tr").length } });
  }
  const all = got.chosen ? await loadImages(got.chosen.name, mine) : [];
  if (!all) return;
  if (!isNew) showOverview(got);
  if (!got.chosen) return;
  got.chosen.image_count = all.length;
  images = all;
  complete = true;
  showRest();
};

const showMachine = guarded(async () => {
  const place = at("machine"), open = place.hidden;
  at("doctor").setAttribute("aria-expanded", open);
  place.hidden = !open;
  if (!open) return;
  place.textContent = "Looking …";
  const { findings } = await get("doctor");
  place.replaceChildren();
  const list = make("ul", place);
  for (const f of findings) {
    const item = make("li", list);
    make("b", item, f.grade, f.grade == "good" ? "good" : f.grade == "bad" ? "bad" : "");
    item.append(" " + f.what);
    if (f.fix) make("p", item, f.fix, "soft");
  }
  say(plural(findings.length, "finding"));
});

at("refresh").addEventListener("click", () => {
  trouble("");
  guarded(load)(chosenName()).then(() => say("up to date"));
});
at("gc").addEventListener("click", () => act({ action: "gc" }));
at("doctor").addEventListener("click", showMachine);
at("register").addEventListener("submit", e => {
  e.preventDefault();
  const fields = new FormData(e.target);
  act({ action: "register", program: fields.get("program"), name: fields.get("name") });
});
// One listener for good: the event of a dialog that was closed may come when the next is open.
at("ask").addEventListener("close", e => {
  if (e.target.returnValue == "yes" && !e.target.open)
    act({ action: "unregister", application: e.target.dataset.name });
});
at("skip").addEventListener("click", e => {
  e.preventDefault();
  at("chosen").focus();
});
guarded(load)("", JSON.parse(at("first").textContent)).then(() => guarded(follow)(false));
