//===- Numa/Report/PlanPage.cpp - A plan as a picture ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Draws a plan as a page, from top to bottom:
//
// 1. Title, total traffic, remote shares now and with the plan, and notes
//    (all).
// 2. One column a node (nodes): what it serves now and then, with its limit,
//    and its threads. All columns have one scale.
// 3. For each datum with a thousandth of the traffic or more (data): how it is
//    placed and its remote shares. A strip of its pages, in the color of the
//    node that uses each most, stands above one in the colors of the nodes
//    where the plan puts them. partsOf() joins pages to at most 240 columns.
// 4. Below the strips: why it is placed so, changes at phases, and why not
//    otherwise.
//
//===----------------------------------------------------------------------===//

#include "Numa/Plan/Reasons.h"
#include "PlanView.h"
#include "Report/Charts.h"
#include <algorithm>

using namespace graupel::numa;
using graupel::escapeHTML;

namespace {

const char Head[] = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Plan</title><style>
body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:60em;padding:0 1em;color:#222;background:#fff}
h1{font-size:1.4em}h2{font-size:1.1em;margin:1.6em 0 .2em}
p{margin:.3em 0}.not{color:#666}svg{display:block;margin:.4em 0}
text{font:12px system-ui,sans-serif;fill:#222}.how{font-family:monospace}
</style></head><body>
)";

class Page {
public:
  explicit Page(const PlanView &V);
  std::string all();

private:
  static std::string color(size_t Node);
  void nodes();
  void bar(double X, double Value, size_t Node, bool Before);
  void data(const PlannedData &D);
  void strip(const std::vector<std::vector<double>> &Parts, double Y,
             const char *Label);
  std::vector<std::vector<double>> partsOf(const std::vector<unsigned> &) const;

  const Topology &T;
  const Plan &P;
  const PlanView &V;
  double Most = 0; ///< The most that a node serves or can serve.
  std::string Text;
};

std::string number(double Value) {
  char Buffer[40];
  snprintf(Buffer, sizeof(Buffer), "%.1f", Value);
  return Buffer;
}

} // namespace

Page::Page(const PlanView &V) : T(V.T), P(V.P), V(V) {
  for (size_t N = 0; N < T.Nodes.size(); ++N)
    Most = std::max({Most, P.Before.Served[N], P.After.Served[N], P.Limits[N]});
}

std::string Page::color(size_t Node) {
  // Neighboring numbers are far apart on the wheel.
  return "hsl(" + std::to_string((Node * 137 + 210) % 360) + ",55%," +
         (Node % 2 ? "45%" : "60%") + ")";
}

void Page::bar(double X, double Value, size_t Node, bool Before) {
  double Height = Most > 0 ? 120 * Value / Most : 0;
  Text += "<rect x=\"" + number(X) + "\" y=\"" + number(140 - Height) +
          "\" width=\"26\" height=\"" + number(Height) + "\" fill=\"" +
          color(Node) + "\"" + (Before ? " opacity=\".45\"" : "") + "><title>" +
          escapeHTML(percentOf(Value, P.Bytes)) +
          " of all traffic</title></rect>";
}

void Page::nodes() {
  Text += "<h2>What each node serves: pale now, full with the plan; the line "
          "is what it can</h2><svg width=\"" +
          std::to_string(T.Nodes.size() * 90 + 20) +
          "\" height=\"190\" role=\"img\">";
  for (size_t N = 0; N < T.Nodes.size(); ++N) {
    double X = 10 + double(N) * 90, Y = 140;
    bar(X, P.Before.Served[N], N, true);
    bar(X + 30, P.After.Served[N], N, false);
    if (Most > 0)
      Y -= 120 * P.Limits[N] / Most;
    Text += "<line x1=\"" + number(X) + "\" x2=\"" + number(X + 56) +
            "\" y1=\"" + number(Y) + "\" y2=\"" + number(Y) +
            "\" stroke=\"#222\" stroke-dasharray=\"3 2\"/>";
    std::string Threads;
    for (size_t Thread = 0; Thread < P.ThreadNodes.size(); ++Thread)
      if (P.ThreadNodes[Thread] == N)
        Threads += (Threads.empty() ? "" : ",") + std::to_string(Thread);
    if (Threads.size() > 12)
      Threads = Threads.substr(0, 10) + "…";
    Text += "<text x=\"" + number(X) + "\" y=\"158\">node " +
            std::to_string(T.Nodes[N].Id) + "</text>";
    if (!Threads.empty())
      Text += "<text x=\"" + number(X) + "\" y=\"175\">threads " + Threads +
              "</text>";
  }
  Text += "</svg>\n";
}

/// The part of each node in each of up to 240 columns of pages.
std::vector<std::vector<double>>
Page::partsOf(const std::vector<unsigned> &Nodes) const {
  size_t Columns = std::min<size_t>(Nodes.size(), 240);
  std::vector<std::vector<double>> Parts(Columns,
                                         std::vector<double>(T.Nodes.size()));
  for (size_t N = 0; N < Nodes.size(); ++N)
    Parts[N * Columns / Nodes.size()][Nodes[N]] += 1;
  return Parts;
}

void Page::strip(const std::vector<std::vector<double>> &Parts, double Y,
                 const char *Label) {
  double Width = 720 / double(std::max<size_t>(Parts.size(), 1));
  Text += "<text x=\"0\" y=\"" + number(Y + 12) + "\">" + Label + "</text>";
  for (size_t C = 0; C < Parts.size(); ++C) {
    double All = 0, At = Y;
    for (double Part : Parts[C])
      All += Part;
    for (size_t N = 0; N < Parts[C].size(); ++N) {
      if (Parts[C][N] == 0)
        continue;
      double Height = 16 * Parts[C][N] / All;
      Text += "<rect x=\"" + number(90 + double(C) * Width) + "\" y=\"" +
              number(At) + "\" width=\"" + number(Width + .2) + "\" height=\"" +
              number(Height) + "\" fill=\"" + color(N) + "\"/>";
      At += Height;
    }
  }
}

void Page::data(const PlannedData &D) {
  const DataTraffic &O = V.Profile.Observed.Objects[D.Object];
  Text += "<h2>" + escapeHTML(O.Name) + "</h2><p><span class=\"how\">" +
          escapeHTML(D.Placement.text(T)) + "</span> · " +
          escapeHTML(percentOf(D.Bytes, P.Bytes)) +
          " of all traffic · remote " +
          escapeHTML(percentOf(D.RemoteBefore, D.Bytes)) + " now, " +
          escapeHTML(percentOf(D.RemoteAfter, D.Bytes)) + " then</p>";
  Demand ObjectDemand(T, P.ThreadNodes, O, O.Pages);
  Text += "<svg width=\"820\" height=\"40\" role=\"img\">";
  strip(partsOf(ObjectDemand.bestNodes()), 0, "used most by");
  strip(partsOf(ObjectDemand.nodesOf(D.Placement)), 20, "planned on");
  Text += "</svg><p>" + escapeHTML(D.Why) + "</p>";
  for (const PlannedChange &C : D.Changes)
    Text += "<p>From <span class=\"how\">" +
            escapeHTML(V.Profile.Observed.Phases[C.Phase].Function) +
            "</span> on: <span class=\"how\">" +
            escapeHTML(C.Placement.text(T)) + "</span></p>";
  for (const std::string &Not : D.WhyNot)
    Text += "<p class=\"not\">" + escapeHTML(Not) + "</p>";
  Text += "\n";
}

std::string Page::all() {
  Text = Head;
  Text += "<h1>Plan for " + escapeHTML(V.Profile.Observed.Program) + " on " +
          std::to_string(T.Nodes.size()) +
          (T.Nodes.size() == 1 ? " node" : " nodes") + "</h1><p>" +
          escapeHTML(T.Source) + ". " + amount(P.Bytes) +
          " of traffic; remote " + percentOf(P.Before.Remote, P.Bytes) +
          " as it is, " + percentOf(P.After.Remote, P.Bytes) +
          " with the plan.</p>";
  for (const std::string &Note : P.Notes)
    Text += "<p>" + escapeHTML(Note) + "</p>";
  nodes();
  for (const PlannedData &D : P.Data)
    if (D.Bytes >= 0.001 * P.Bytes && D.Bytes > 0)
      data(D);
  return std::move(Text) + "</body></html>\n";
}

std::string graupel::numa::pageOf(const PlanView &V) { return Page(V).all(); }
