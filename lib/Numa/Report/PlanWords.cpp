//===- Numa/Report/PlanWords.cpp - A plan in words ------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numa/Plan/Reasons.h"
#include "PlanView.h"
#include <cstdio>

using namespace graupel::numa;

std::string graupel::numa::amount(double Bytes) {
  static const char *const Units[] = {"bytes", "KB", "MB", "GB", "TB"};
  unsigned Unit = 0;
  for (; Bytes >= 1000 && Unit + 1 < std::size(Units); ++Unit)
    Bytes /= 1000;
  char Text[40];
  snprintf(Text, sizeof(Text), Unit ? "%.1f %s" : "%.0f %s", Bytes,
           Units[Unit]);
  return Text;
}

namespace {

class Words {
public:
  explicit Words(const PlanView &V) : T(V.T), P(V.P), V(V) {}
  std::string all();

private:
  void nodes();
  void threads();
  void data(const PlannedData &D);

  const Topology &T;
  const Plan &P;
  const PlanView &V;
  std::string Text;
};

} // namespace

void Words::nodes() {
  Text += "\nnode    served now      served then     pages on it then\n";
  for (size_t N = 0; N < T.Nodes.size(); ++N) {
    char Line[120];
    snprintf(Line, sizeof(Line), "%-7u %-15s %-15s %s\n", T.Nodes[N].Id,
             percentOf(P.Before.Served[N], P.Bytes).c_str(),
             percentOf(P.After.Served[N], P.Bytes).c_str(),
             amount(P.After.Held[N]).c_str());
    Text += Line;
  }
}

void Words::threads() {
  Text += "\nThreads\n";
  for (size_t N = 0; N < T.Nodes.size(); ++N) {
    std::string List;
    for (size_t Thread = 0; Thread < P.ThreadNodes.size(); ++Thread)
      if (P.ThreadNodes[Thread] == N)
        List += (List.empty() ? "" : ", ") + std::to_string(Thread);
    if (!List.empty())
      Text += "  node " + std::to_string(T.Nodes[N].Id) + ": " + List + "\n";
  }
}

void Words::data(const PlannedData &D) {
  const DataTraffic &O = V.Profile.Observed.Objects[D.Object];
  Text += "\n" + O.Name + ", " + percentOf(D.Bytes, P.Bytes) +
          " of all traffic: " + D.Placement.text(T) + "\n";
  Text += "  " + D.Why + "\n";
  for (const PlannedChange &C : D.Changes)
    Text += "  From " + V.Profile.Observed.Phases[C.Phase].Function +
            " on (after " +
            std::to_string(V.Profile.Observed.Phases[C.Phase].Begin) +
            " ms): " + C.Placement.text(T) + "\n";
  Text += "  Remote: " + percentOf(D.RemoteBefore, D.Bytes) + " now, " +
          percentOf(D.RemoteAfter, D.Bytes) + " then.\n";
  for (const std::string &Not : D.WhyNot)
    Text += "  " + Not + "\n";
}

std::string Words::all() {
  Text = "Plan for " + V.Profile.Observed.Program + " on " +
         std::to_string(T.Nodes.size()) +
         (T.Nodes.size() == 1 ? " node" : " nodes") + " (" + T.Source + ")\n";
  Text += amount(P.Bytes) + " of traffic; remote " +
          percentOf(P.Before.Remote, P.Bytes) + " as it is, " +
          percentOf(P.After.Remote, P.Bytes) + " with the plan.\n";
  for (const std::string &Note : P.Notes)
    Text += Note + "\n";
  for (const std::string &Gap : T.gaps())
    Text += Gap + "\n";
  nodes();
  threads();
  constexpr double Small = 0.001;
  double Rest = 0;
  unsigned Others = 0;
  for (const PlannedData &D : P.Data)
    if (D.Bytes >= Small * P.Bytes && D.Bytes > 0) {
      data(D);
    } else {
      Rest += D.Bytes;
      ++Others;
    }
  if (Others)
    Text += "\n" + std::to_string(Others) + " more data objects have " +
            percentOf(Rest, P.Bytes) + " of all traffic together.\n";
  return std::move(Text);
}

std::string graupel::numa::wordsOf(const PlanView &V) { return Words(V).all(); }
