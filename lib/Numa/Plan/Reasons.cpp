//===- Numa/Plan/Reasons.cpp - Why, and why not ---------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reasons.h"
#include <algorithm>
#include <cstdio>

using namespace graupel::numa;

bool Weight::isBetterThan(const Weight &W, double AllBytes, double Bytes,
                          double Margin) const {
  if (Missing != W.Missing)
    return Missing < W.Missing;
  constexpr double Little = 0.01;
  if (Congested < W.Congested - Little * AllBytes)
    return true;
  if (Congested > W.Congested + Little * AllBytes)
    return false;
  return Far < W.Far - Margin * Bytes;
}

std::string graupel::numa::percentOf(double Part, double Whole) {
  char Text[32];
  snprintf(Text, sizeof(Text), "%.1f %%", Whole > 0 ? 100 * Part / Whole : 0);
  return Text;
}

std::string Reasons::why(const Choice &C, const Outcome &O, const Demand &D,
                         bool Nameless) const {
  if (Nameless)
    return "Placement files have no name for it; it stays where it is touched "
           "first, " +
           percentOf(Bytes - O.Remote, Bytes) + " local.";
  std::string Local = percentOf(Bytes - O.Remote, Bytes) + " of its traffic";
  switch (C.Policy) {
  case Choice::FirstTouch:
    return "Fine as it is: " + Local +
           " is local where threads touch it first.";
  case Choice::On:
    return "Threads of node " + std::to_string(T.Nodes[C.Nodes[0]].Id) +
           " make " + Local + ".";
  case Choice::Block:
    return "Each part belongs to threads of one node: " + Local +
           " becomes local.";
  case Choice::RoundRobin:
    return "Nodes own stretches of " + std::to_string(C.UnitPages * 4) +
           " KiB in turn: " + Local + " becomes local.";
  case Choice::Interleave:
    return "No page has an owner: spread evenly, so that no node serves more "
           "than it can.";
  case Choice::Replicate:
    return std::to_string(D.users()) + " nodes read it, and " +
           percentOf(D.stores(), Bytes) +
           " are stores: each node reads its own copy.";
  }
  return "";
}

std::string Reasons::whyNot(const Choice &C, const Outcome &O, const Weight &W,
                            bool Later) const {
  constexpr size_t Readable = 50;
  std::string Description = C.text(T);
  if (Description.size() > Readable)
    Description = Description.substr(0, Description.find(' ')) + " in " +
                  std::to_string(C.Nodes.size()) + " stretches";
  std::string Text = "Not " + Description + ": ";
  if (W.Missing > Chosen.Missing)
    return Text + "there is not enough memory free.";
  if (W.Congested > Chosen.Congested + 0.01 * P.Bytes) {
    size_t Most = size_t(std::max_element(O.Served.begin(), O.Served.end()) -
                         O.Served.begin());
    return Text + "node " + std::to_string(T.Nodes[Most].Id) +
           " would serve too much, " + percentOf(W.Congested, P.Bytes) +
           " of all traffic beyond what nodes can.";
  }
  Text += percentOf(O.Remote, Bytes) + " would be remote";
  if (W.Far > Chosen.Far + 0.01 * Bytes)
    return Text + ".";
  return Text + (Later ? ", no better and less plain." : ", no better.");
}

std::string graupel::numa::sayNoFunction(uint64_t Milliseconds) {
  return "Its pages change owners after " + std::to_string(Milliseconds) +
         " ms, but no function begins then: only `graupel numa run --auto` can "
         "follow.";
}

std::string graupel::numa::sayChanges(double Before, double After,
                                      double Bytes) {
  return "Pages change owners between phases: they move when a phase begins, "
         "which leaves " +
         percentOf(After, Bytes) + " remote instead of " +
         percentOf(Before, Bytes) + " at the best fixed place.";
}

std::string graupel::numa::sayNoCopies(const Demand &D) {
  return "Not replicate: " + std::to_string(D.users()) +
         " nodes read it and few write, so a copy on each node would do; "
         "compile with graupel-numa.cfg for that.";
}
