// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the other scripts are made of: elements, words, tables, requests.
//
// Text comes in through textContent alone.
"use strict";

const ACTION = document.querySelector("meta[name=graupel-action]").content;
const at = id => document.getElementById(id);

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
// A field with a name in front of it. What is typed stays in `kept`, which outlives the field.
const field = (parent, text, kept, name, more) => {
  const e = make("input", make("label", parent, text + " "));
  e.name = name;
  e.value = kept[name] ?? more?.value ?? "";
  e.autocomplete = "off";
  e.spellcheck = false;
  Object.assign(e, { placeholder: more?.placeholder ?? "", required: more?.required ?? false });
  e.addEventListener("input", () => { kept[name] = e.value; });
  return e;
};
const select = (parent, text, options, value, act) => {
  const e = make("select", make("label", parent, text + " "));
  for (const [key, words] of options) make("option", e, words).value = key;
  e.value = value;
  e.addEventListener("change", () => act(e.value));
  return e;
};
// Text in which `words` between backquotes are code; in a paragraph, unless it is in something else.
const sentence = (parent, text, name, tag) => {
  const e = make(tag || "p", parent, null, name);
  text.split("`").forEach((part, i) => i % 2 ? make("code", e, part) : e.append(part));
  return e;
};
const say = text => { at("said").textContent = text; };

// A table; the function that it returns adds a row. A # behind a column's name: numbers.
const table = (place, columns, caption) => {
  const t = make("table", place);
  if (caption) make("caption", t, caption);
  const head = make("tr", make("thead", t));
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

// Puts what `fill` makes into a place, unless that is what is there. What has the focus gets it again.
const replace = (place, fill) => {
  const made = place.cloneNode(false);
  fill(made);
  if (place.isEqualNode(made)) return;
  const had = place.contains(document.activeElement) && place != document.activeElement
    ? document.activeElement : null;
  const find = !had ? null : had.id ? "#" + CSS.escape(had.id)
    : had.dataset.key ? `[data-key="${CSS.escape(had.dataset.key)}"]`
    : had.name == "mode" ? `[name=mode][value=${had.value}]` : null;
  place.replaceChildren(...made.childNodes);
  if (had) ((find && place.querySelector(find)) || at("chosen")).focus({ preventScroll: true });
};

// --- Words -------------------------------------------------------------------

const plural = (n, word) => n.toLocaleString("en-US") + " " + word + (n == 1 ? "" : "s");
const age = (time, now) => {
  const seconds = Math.max(0, now - time);
  for (const [length, word] of [[86400, "day"], [3600, "hour"], [60, "minute"]])
    if (seconds >= length) return plural(Math.floor(seconds / length), word) + " ago";
  return "just now";
};
const count = n => n.toLocaleString("en-US");
const percent = (part, all) => all ? (100 * part / all).toFixed(1) + " %" : "";
const size = bytes => bytes < 1e6 ? (bytes / 1e3).toFixed(1) + " kB" : (bytes / 1e6).toFixed(1) + " MB";
const short = n => n >= 1e9 ? (n / 1e9).toFixed(2) + " G" : n >= 1e6 ? (n / 1e6).toFixed(2) + " M"
    : n >= 1e4 ? (n / 1e3).toFixed(1) + " k" : Math.round(n).toLocaleString("en-US");
// A change that would be rounded to nothing is one all the same.
const change = (before, after) => before == after ? "as before"
  : (after < before ? "−" : "+") + (before && Math.abs(before - after) < before / 2000 ? "<0.1 %"
    : percent(Math.abs(before - after), before) || count(after));

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
const post = (path, body) => request(path, {
  method: "POST", body,
  headers: { "Content-Type": "application/json", "X-Graupel-Action": ACTION } });
const guarded = work => async (...all) => {
  try {
    return await work(...all);
  } catch (e) {
    trouble(e.message);
  }
};
