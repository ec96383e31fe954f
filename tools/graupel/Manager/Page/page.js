// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page: applications, and the one that is chosen, or one image of it.
//
// 1. The page has with it what is seen at once: names, one application, its first
//    images. `overview` brings the same later.
// 2. `images` brings the rest in pieces, with coverage; sums over all images are
//    shown when the last piece is there.
// 3. Every two seconds `changes` is asked whether something else is known now, also
//    by commands in a terminal; then 1 and 2 again. What is the same stays as it is:
//    focus, what is open, where the page is scrolled to.
"use strict";

const PIECE = 100, LOOK = 2000;
let overview = null;   // What the server said last.
let images = [];       // Of the chosen application.
let complete = false;  // All images, with coverage, are there.
let imagePath = "";    // Of the image that is seen; empty: the application.
let openForm = "";     // The form that is open.
let kept = {};         // What was typed into forms.
let view = {};         // What is compared and explained of the image that is seen.
let serial = 0;        // Of load(): answers to older ones are of no use.
let stamp = null;      // Of what was loaded last.
const narrow = matchMedia("(max-width: 48rem)");

// --- Applications ------------------------------------------------------------

// What was asked for last; else what the address says.
let wanted = null;
const parameter = name => new URLSearchParams(location.search).get(name) || "";
const chosenName = () => wanted ?? parameter("application");
const address = () => {
  const now = new URLSearchParams();
  if (overview.chosen) now.set("application", overview.chosen.name);
  if (overview.chosen && imagePath) now.set("image", imagePath);
  history.replaceState(null, "", "?" + now);
};
// In a narrow window the list is above, and closes.
const showTop = () => {
  if (narrow.matches) at("list").open = false;
  at("chosen").focus({ preventScroll: true });
  at("chosen").scrollIntoView({ block: "start" });
};
const choose = async name => {
  filter = "";
  shown = ROWS;
  imagePath = openForm = "";
  kept = {};
  await guarded(load)(name);
  if (narrow.matches) showTop();
};
const RUNS = { original: "runs the original", instrumented: "is counting", optimized: "runs optimized" };
const showApplications = () => {
  const list = at("applications");
  replace(list, made => {
    for (const a of overview.applications) {
      const b = button(make("li", made), a.name, () => choose(a.name));
      b.dataset.name = b.dataset.key = a.name;
      b.title = a.main;
      b.setAttribute("aria-current", overview.chosen.name == a.name);
      make("small", b, RUNS[a.runs]);
    }
  });
  at("list").hidden = !overview.applications.length;
  at("list").querySelector("summary").textContent = "Applications (" + overview.applications.length + ")";
};
const showNothing = place => {
  make("h2", place, "No application is registered yet");
  make("p", place, "Run your program once, in a terminal, with typical work:");
  make("code", make("p", place), "graupel learn -- ./app --typical work");
  make("p", place, "It appears here, and can be optimized. Or register a program with the form, "
    + "then instrument it. Programs and libraries have to be linked with -Wl,--emit-relocs "
    + "and not stripped; what cannot be optimized runs as it is.");
};

// --- One application ---------------------------------------------------------

// Forms: what a button with dots opens. Each asks for its fields and does its action.
const FORMS = {
  measure: ["Measure …", "Measure", (form, a) => {
    make("p", form, "Runs the command in rounds, with originals and with optimized versions, and compares the "
      + "times. It has to end by itself, and with the same status each time.", "soft");
    field(form, "Command", kept, "command", { required: true, value: a.measured[0]?.command || a.main });
    field(form, "Folder", kept, "folder", { required: true, value: overview.folder });
    field(form, "Rounds", kept, "rounds", { required: true, value: "12" }).inputMode = "numeric";
  }, (a, f) => ({ action: "measure", application: a.name, command: f.command, folder: f.folder,
    rounds: Number(f.rounds) })],
  import: ["Import …", "Import", (form, a) => {
    make("p", form, "Adds counters from another machine, or samples (perf.data), or takes fdata or YAML.", "soft");
    const choice = select(form, "Image", images.filter(i => !i.left_alone).map(i => [i.path, i.path]),
      kept.image || a.main, value => { kept.image = value; });
    choice.name = "image";
    field(form, "File", kept, "file", { required: true, placeholder: "/path/of/a/profile" });
  }, (a, f) => ({ action: "import", image: f.image, file: f.file })],
  export: ["Export …", "Export", form => {
    make("p", form, "Writes optimized images, by their paths, into a folder.", "soft");
    field(form, "Folder", kept, "exported", { required: true, placeholder: "/path/of/a/folder" });
  }, (a, f) => ({ action: "export", application: a.name, folder: f.exported })],
  options: ["Options …", "Optimize with these", form => {
    make("p", form, "Options for graupel-bolt; the version can be compared with others then.", "soft");
    field(form, "Options", kept, "options", { placeholder: "-hco=false" });
  }, (a, f) => ({ action: "optimize", application: a.name, options: f.options })],
};
const showForm = (place, a) => {
  if (!openForm) return;
  const [, text, fill, action] = FORMS[openForm];
  const form = make("form", place, null, "panel");
  form.id = openForm;
  fill(form, a);
  make("button", form, text).id = "do-" + openForm;
  form.addEventListener("submit", e => {
    e.preventDefault();
    act(action(a, Object.fromEntries(new FormData(form))));
  });
};
const toggleForm = name => {
  openForm = openForm == name ? "" : name;
  at("forms").replaceChildren();
  showHeads();
  showForm(at("forms"), overview.chosen);
  at("forms").querySelector("input, select")?.focus();
};
const showHead = (place, a) => {
  make("h2", place, a.name);
  make("p", place, a.main, "soft");
  const runs = make("fieldset", place);
  sentence(runs, "`graupel run` runs", "", "legend");
  for (const mode of ["original", "instrumented", "optimized"]) {
    const label = make("label", runs), radio = make("input", label);
    radio.type = "radio";
    radio.name = "mode";
    radio.value = mode;
    radio.toggleAttribute("checked", a.runs == mode);
    radio.disabled = overview.read_only;
    label.append(mode);
    radio.addEventListener("change", () => act({ action: "choose", application: a.name, mode }));
  }
  const row = make("div", place, null, "buttons");
  const add = (id, text, work, name) => {
    const b = button(row, text, work, name);
    b.id = id;
    b.disabled = overview.read_only;
    return b;
  };
  add("optimize", "Optimize", () => act({ action: "optimize", application: a.name }), "main");
  add("instrument", "Instrument", () => act({ action: "instrument", application: a.name }));
  const job = watching(a.name);
  add("watch", job ? "Stop watching" : "Watch", () => job ? cancel(job)
    : act({ action: "watch", application: a.name })).title
    = "Makes versions again when files or counts change, as long as graupel ui runs";
  for (const [name, [text]] of Object.entries(FORMS)) {
    const b = add("open-" + name, text, () => toggleForm(name));
    b.setAttribute("aria-expanded", openForm == name);
    b.setAttribute("aria-controls", "forms");
  }
  add("unregister", "Unregister", unregister, "danger");
  if (job) make("p", place, "It is watched: versions are made again when files or counts change.", "soft");
};
const unregister = () => {
  const name = overview.chosen.name, ask = at("ask");
  at("question").textContent = "Forget " + name + "? What was counted stays.";
  ask.dataset.name = name;
  ask.returnValue = "no";
  ask.showModal();
};
const openImage = path => {
  imagePath = path;
  view = {};
  address();
  build();
  showTop();
};
const again = () => showRows(at("rows"), images, overview.chosen.runs, overview.now, openImage);

// --- One image ---------------------------------------------------------------

const seenImage = () => images.find(i => i.path == imagePath);
const closeImage = () => {
  const path = imagePath;
  imagePath = "";
  address();
  build();
  const row = at("rows").querySelector(`[data-key="${CSS.escape(path)}"]`);
  (row || at("chosen")).focus();
};
const showImageHead = (place, image) => {
  button(place, "← " + overview.chosen.name, closeImage).id = "back";
  make("h2", place, image.path);
  const mark = runningVersion(image, overview.chosen.runs), c = image.profile?.coverage;
  make("p", place, "Runs: " + (mark ? versionName(mark, overview.now) : "original") + ". "
    + (c ? percent(c.executed_functions, c.functions) + " of " + plural(c.functions, "function") + " were executed, counted "
      + age(image.profile.last, overview.now) + "." : ""), "soft");
};
// Parts of the view that have to be asked for. What was asked for last is what is seen.
const PARTS = {
  two: (place, image) => showTwo(place, image, view, overview.now, () => loadPart("two")),
  functions: (place, image) => showFunctions(place, image, view, overview.chosen.runs),
  reports: (place, image) => showReport(place, image, overview.chosen.runs, overview.read_only),
};
const loadPart = guarded(async id => {
  const part = make("section", null), seen = view, mine = view[id] = (view[id] || 0) + 1;
  await PARTS[id](part, seenImage());
  if (view != seen || view[id] != mine || !at(id)) return;
  const had = at(id).contains(document.activeElement) && document.activeElement.id;
  at(id).replaceChildren(...part.childNodes);
  if (had) at(had)?.focus();
  if (id == "functions") jumpToCode(view);
});
// Again if the image is known otherwise.
const loadImageParts = async image => {
  const state = JSON.stringify([image.versions, image.profile?.last, image.chosen, overview.chosen.runs, view.reported]);
  if (view.state == state) return;
  view.state = state;
  for (const id of Object.keys(PARTS)) await loadPart(id);
};
const updateImage = () => {
  const image = seenImage();
  if (!image) {
    if (complete) closeImage();
    return;
  }
  replace(at("head"), place => showImageHead(place, image));
  replace(at("versions"), place => {
    showVersions(place, image, overview.chosen.runs, overview.now, overview.read_only);
    if (!image.left_alone) showChoice(place, image, overview.now, overview.read_only);
  });
  const choice = at("choice");
  if (choice && document.activeElement != choice) choice.value = image.chosen || "default";
  if (complete) loadImageParts(image);
};

// --- What is seen ------------------------------------------------------------

const showHeads = () => {
  replace(at("head"), place => showHead(place, overview.chosen));
  for (const radio of document.querySelectorAll("[name=mode]")) radio.checked = radio.value == overview.chosen.runs;
};
const updateApplication = () => {
  const a = overview.chosen, now = overview.now;
  showHeads();
  replace(at("sums"), place => showSums(place, a, images, complete, now));
  if (complete) {
    replace(at("charts"), place => showCharts(place, a, images, now));
    replace(at("runs"), place => showRuns(place, a.last_runs, now));
  }
  if (a.image_count > 3 && !at("finder").querySelector("input") || !at("finder").children.length) {
    at("finder").replaceChildren();
    showFinder(at("finder"), a.image_count > 3, again);
  }
  again();
};
const update = () => {
  if (!overview.chosen) return;
  if (imagePath) updateImage();
  else updateApplication();
};
// A view from the beginning.
const build = () => {
  const place = at("chosen");
  place.replaceChildren();
  if (!overview.chosen) {
    showNothing(place);
    return;
  }
  place.dataset.name = overview.chosen.name;
  const parts = imagePath ? ["head", "versions", "two", "functions", "reports"]
    : ["head", "forms", "sums", "finder", "rows", "charts", "runs"];
  for (const name of parts) make("section", place).id = name;
  if (!imagePath) showForm(at("forms"), overview.chosen);
  update();
};

// --- Loading -----------------------------------------------------------------

const showOverview = (got, isNew) => {
  overview = got;
  at("state").textContent = got.state + (got.read_only ? " (cannot be written: nothing can be changed)" : "");
  for (const e of [at("gc"), ...at("register").elements]) e.disabled = got.read_only;
  if (got.warnings.length) trouble(got.warnings.join("\n"));
  if (!got.chosen) imagePath = "";
  address();
  wanted = null;
  showApplications();
  if (!got.applications.length) at("adding").open = true;
  if (isNew) build();
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
    complete = false;
    images = got.chosen ? got.chosen.images : [];
    showOverview(got, true);
    // The rest comes when that is painted.
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    performance.mark("filled", { detail: { rows: document.querySelectorAll("#rows tbody tr").length } });
  }
  const all = got.chosen ? await loadImages(got.chosen.name, mine) : [];
  if (!all) return;
  complete = true;
  images = all;
  if (got.chosen) got.chosen.image_count = all.length;
  if (!isNew) showOverview(got, !got.chosen);
  update();
};
// What has been registered is what somebody wants to see.
afterJobs = async () => {
  let name = chosenName();
  const last = asked[asked.length - 1], job = last && jobs.find(j => j.id == last.job);
  if (job?.state == "done" && last.action.action == "register" && !last.seen) {
    last.seen = true;
    name = job.lines[0].slice(0, job.lines[0].lastIndexOf(": "));
    imagePath = "";
    at("adding").open = false;
    at("register").reset();
  }
  view.reported = jobs.find(j => !goesOn(j))?.id;
  await load(name);
};
// Something may have changed that this page has not asked for.
const look = guarded(async () => {
  if (document.hidden || following) return;
  const now = await get("changes");
  if (now.jobs && (now.jobs != stamp?.jobs || allJobs)) {
    await follow(false);
    update();
  }
  const changed = stamp && now.stamp != stamp.stamp;
  stamp = now;
  if (changed) await load(chosenName());
});

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
    const words = make("div", item);
    sentence(words, f.what);
    if (f.fix) sentence(words, f.fix, "soft");
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
narrow.addEventListener("change", () => { at("list").open = !narrow.matches; });
document.addEventListener("visibilitychange", look);
imagePath = parameter("image");
guarded(load)("", JSON.parse(at("first").textContent)).then(() => {
  if (narrow.matches && overview?.applications.length > 3) at("list").open = false;
  return guarded(follow)(false);
}).then(look).then(() => setInterval(look, LOOK));
