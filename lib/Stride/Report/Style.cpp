//===- Stride/Report/Style.cpp --------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Narrow screens show a row of a table as a paragraph: its cells one after the
// other, each with the name of its column.
//
//===----------------------------------------------------------------------===//

#include "Script.h"

namespace graupel::stride {

llvm::StringRef pageStyle() {
  return R"css(
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0.5rem 0 0; }
a { color: var(--first); }
h3 { font-size: 1rem; margin: 0; font-weight: normal; }
p, h2, summary, li { overflow-wrap: anywhere; }
.issues { margin: 0; padding: 0; list-style: none; }
.issues p { margin: 0.25rem 0; max-width: 60rem; }
.issues .kind { display: inline-block; min-width: 8.5rem; color: var(--second); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--back);
  padding: 0.4rem 0.6rem; border-radius: 0.3rem; margin: 0.4rem 0;
  font-size: 0.85rem; }
details { border-top: 1px solid var(--grid); padding: 0.35rem 0; }
details[open] { padding-bottom: 1rem; }
summary { cursor: pointer; }
summary .from { font-size: 0.875rem; }
:is(summary, button, a, input):focus-visible {
  outline: 2px solid var(--first); outline-offset: 1px; }
.charts { display: grid; gap: 0.75rem 1.5rem; margin: 0.5rem 0;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); }
.charts figure { margin: 0; min-width: 0; }
.charts figcaption { font-size: 0.875rem; color: var(--soft); }
.charts svg { margin: 0.25rem 0 0; }
button { font: inherit; padding: 0.2rem 0.8rem; margin: 0.25rem 0.5rem 0.25rem 0; }
.find { font: inherit; width: 100%; max-width: 24rem; padding: 0.3rem;
  margin: 0.25rem 0 0.5rem; }
.source td { border: 0; padding: 0 0.4rem; vertical-align: top; }
.source td.text { text-align: left; white-space: pre-wrap; width: 100%;
  overflow-wrap: anywhere; font-family: ui-monospace, monospace; tab-size: 4; }
.source tr.hot { background: color-mix(in srgb, var(--first) 12%, transparent); }
.source tr.sought { outline: 2px solid var(--second); }
.source td:first-child { min-width: 3rem; color: var(--soft); text-align: right; }
h3:not(:first-child) { margin-top: 1rem; }
.left td { white-space: normal; overflow-wrap: anywhere; }
.words td:first-child { min-width: 8rem; }
.words td:last-child { min-width: 12rem; }
@media (max-width: 40rem) {
  .issues .kind { min-width: 0; }
  thead { display: none; }
  tr, td { display: block; }
  td, td:first-child { text-align: left; white-space: normal; border: 0;
    padding: 0; min-width: 0; }
  tr { border-bottom: 1px solid var(--grid); padding: 0.3rem 0; }
  tr > td:not(:first-child) { display: inline-block; margin-right: 0.6rem; }
  .words tr > td:last-child { display: inline; }
  td[data-name]:not(:first-child)::before {
    content: attr(data-name) " "; color: var(--soft); }
  td:empty { display: none !important; }
  td:first-child { font-weight: 600; }
  .source tr { border: 0; padding: 0 0 0 2.6rem; display: flex;
    flex-wrap: wrap; align-items: baseline; }
  .source td:first-child { flex: 0 0 2.6rem; margin-left: -2.6rem;
    padding-right: 0.5rem; font-weight: normal; text-align: right; }
  .source td.text { order: 1; flex: 1 0 90%; width: 0; margin: 0; }
  .source tr > td[data-name] { order: 2; } }
)css";
}

} // namespace graupel::stride
