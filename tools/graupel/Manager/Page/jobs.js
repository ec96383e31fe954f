// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs: what buttons have started.
//
// 1. act() asks for an action. The tray at the bottom of the window says how it goes, wherever the
//    page is scrolled to: one job, the one that goes on or that ended last.
// 2. follow() asks for jobs until all have ended; then what is seen is loaded again.
// 3. The button `Jobs` opens the tray: all jobs, with their logs.
//
// What never ends by itself (watching) is shown there, and in its application.
"use strict";

const POLL = 250;
let jobs = [];          // Newest first.
let asked = [];         // Jobs that this page has started, with their actions.
let dismissed = 0;      // The last job that need not be seen any more.
let allJobs = false;
let logs = {};          // Of jobs whose log is open: the lines.
let ending = new Set(); // Jobs that were told to end.
let following = false, onceMore = false;
let afterJobs = () => {}; // Called when jobs have ended.
let clock = 0;          // The server's.

const act = guarded(async action => {
  trouble("");
  const { job } = await post("action", JSON.stringify(action));
  asked.push({ job, action });
  await follow(true);
});
const goesOn = job => job.state == "waiting" || job.state == "running";
const isOpen = job => goesOn(job) && (!job.beside || ending.has(job.id));
const cancel = guarded(async job => {
  ending.add(job.id);
  await post("cancel?" + new URLSearchParams({ job: job.id }));
  await follow(true);
});

const showJob = (parent, job, whole) => {
  const row = make("div", parent, null, "job"), words = make("div", row);
  const state = job.state == "in part" ? "done in part" : job.state;
  const head = make("p", words, job.title + ": ");
  make("b", head, state, job.state == "done" ? "good" : goesOn(job) ? "" : "bad");
  if (whole && job.began) head.append(", " + age(job.began, clock)
    + (job.ended > job.began ? ", " + (job.ended - job.began) + " s" : ""));
  if (job.state == "running" && !job.beside) {
    const bar = make("progress", words);
    bar.setAttribute("aria-label", job.title);
    if (job.total) {
      bar.max = job.total;
      bar.value = job.done;
      make("p", words, job.done + " of " + job.total + (job.image ? ": " + job.image : ""), "soft");
    }
  }
  (whole ? job.lines : job.lines.slice(0, 3)).forEach(line => sentence(words, line, "soft"));
  const buttons = make("div", row, null, "buttons");
  const label = (b, text) => {
    b.setAttribute("aria-label", text + ": " + job.title);
    b.dataset.key = text + job.id;
    return b;
  };
  if (goesOn(job)) label(button(buttons, job.beside ? "Stop" : "Cancel", () => cancel(job)), "Cancel");
  if (whole && job.logged) {
    const b = label(button(buttons, "Log", () => showLog(job)), "Log");
    b.setAttribute("aria-expanded", job.id in logs);
    if (logs[job.id]) make("pre", row, logs[job.id].join("\n")).tabIndex = 0;
  }
  if (!whole && !goesOn(job))
    label(button(buttons, "Dismiss", () => {
      dismissed = job.id;
      showJobs();
      at("history").focus();
    }), "Dismiss");
};
const loadLog = async job => { logs[job.id] = (await get("log", { job: job.id })).log; };
const showLog = guarded(async job => {
  if (job.id in logs) delete logs[job.id];
  else await loadLog(job);
  showJobs();
});
// The job that matters: what goes on, else what this page has started last.
const seenJob = () => jobs.findLast(j => isOpen(j) && j.state == "running") || jobs.find(isOpen)
  || jobs.find(j => j.id > dismissed && asked.some(a => a.job == j.id));
const showJobs = () => {
  const seen = seenJob(), place = at("jobs");
  at("history").setAttribute("aria-expanded", allJobs);
  place.hidden = !allJobs && !seen;
  place.className = allJobs ? "whole" : "";
  replace(place, made => {
    if (!allJobs) {
      if (seen) showJob(made, seen, false);
      return;
    }
    const head = make("div", made, null, "find");
    make("h2", head, "Jobs");
    button(head, "Close", () => toggleJobs(false)).id = "close";
    if (!jobs.length) make("p", made, "Nothing has been started on this page.", "soft");
    jobs.forEach(j => showJob(made, j, true));
  });
  document.body.classList.toggle("tray", !place.hidden);
  if (seen) say(seen.title + ": " + (seen.state == "running" && seen.total
    ? seen.done + " of " + seen.total : seen.state));
};
const toggleJobs = guarded(async open => {
  allJobs = open;
  await lookAtJobs();
  (open ? at("jobs") : at("history")).focus();
});
const lookAtJobs = async () => {
  ({ jobs, now: clock } = await get("jobs"));
  for (const job of jobs) if (allJobs && job.id in logs && goesOn(job)) await loadLog(job);
  showJobs();
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
      await lookAtJobs();
      if (!jobs.some(isOpen)) {
        if (hasBegun) await afterJobs();
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
const watching = name => jobs.find(j => j.beside && goesOn(j) && j.title == "Watch " + name);

at("history").addEventListener("click", () => toggleJobs(!allJobs));
at("jobs").addEventListener("keydown", e => {
  if (e.key == "Escape" && allJobs) toggleJobs(false);
});
