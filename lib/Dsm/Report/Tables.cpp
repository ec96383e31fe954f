//===- Dsm/Report/Tables.cpp - Common to text and pages -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The common parts of the text and the page of a report:
//
// 1. Numbers: milliseconds() and microseconds(), with commas and fixed digits.
// 2. Sentences: describe() on an object, summary() on the job, predicted() and
//    sumOf() on advice.
// 3. Tables of nodes, misses and objects. The last two have at most Report::Top
//    rows, most time lost first.
// 4. pollBins() puts each poll interval by its middle into bins: one below a
//    microsecond, then a doubling each. pollsTable() adds shares and their
//    sums.
// 5. messagesTable() sums messages by type. peersTable() sums them by sender
//    and receiver, with the most frequent type.
//
//===----------------------------------------------------------------------===//

#include "Writers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace graupel;
using namespace graupel::dsm;

/// With commas, as the other numbers have.
static std::string decimal(double Value, unsigned Digits) {
  std::string Text = formatv(Digits == 3   ? "{0:F3}"
                             : Digits == 2 ? "{0:F2}"
                                           : "{0:F1}",
                             Value)
                         .str();
  size_t Point = Text.find('.');
  return grouped(std::stoull(Text.substr(0, Point))) + Text.substr(Point);
}

std::string graupel::dsm::milliseconds(uint64_t Nanoseconds) {
  return decimal(double(Nanoseconds) / 1e6, 3);
}

std::string graupel::dsm::microseconds(uint64_t Nanoseconds) {
  return decimal(double(Nanoseconds) / 1e3, 2);
}

std::string graupel::dsm::describe(const Object &O) {
  if (!O.Known)
    return "";
  return (O.Block ? "blocks of " + std::to_string(O.Block) + " bytes"
                  : std::string("blocks of several sizes")) +
         ", home " + homeName(O);
}

std::string graupel::dsm::summary(const Profile &P) {
  double Seconds = 0;
  for (const NodeUse &N : P.Nodes)
    Seconds += N.Seconds * N.Threads;
  double Lost = double(P.Misses.Nanoseconds + P.Other.Nanoseconds) / 1e9;
  uint64_t Messages = 0, Bytes = 0;
  for (const NodeUse &N : P.Nodes) {
    Messages += N.Messages;
    Bytes += N.Bytes;
  }
  return grouped(P.Misses.Count) + " misses; " +
         formatv("{0:F3} s of {1:F3} s of all threads lost ({2:F1} %); ", Lost,
                 Seconds, Seconds > 0 ? 100 * Lost / Seconds : 0)
             .str() +
         grouped(Messages) + " messages with " + grouped(Bytes) + " bytes";
}

std::string graupel::dsm::limits(uint64_t Least, uint64_t Most) {
  return grouped(Least) + (Least == Most ? "" : " to " + grouped(Most));
}

static std::string fromTo(uint64_t Now, uint64_t Least, uint64_t Most) {
  return grouped(Now) + " -> " + limits(Least, Most);
}

std::string graupel::dsm::predicted(const Advice &A) {
  if (!A.Then)
    return "";
  const Forecast &F = *A.Then;
  return "misses " + fromTo(F.Misses, F.LeastMisses, F.MostMisses) +
         ", messages " + fromTo(F.Messages, F.LeastMessages, F.MostMessages);
}

std::string graupel::dsm::sumOf(const AdviceList &L) {
  if (L.All.empty())
    return "Nothing to advise: there are too few misses to tell.";
  if (L.LeastMisses == L.Misses)
    return "For what loses most time first. Nothing of it saves misses.";
  return "For what loses most time first; each prediction counts on the advice "
         "above it. All of it together: misses " +
         fromTo(L.Misses, L.LeastMisses, L.MostMisses) + ".";
}

Table graupel::dsm::nodesTable(const Profile &P) {
  Table T;
  T.Title = "Nodes";
  T.Columns = {"node",   "run s",    "threads", "misses",  "lost ms",
               "of run", "messages", "bytes",   "checks*", "host"};
  T.Sentences = {"* Accesses that came to the runtime without a miss: valid "
                 "data that look like the sentinel, or a page's summary that "
                 "refuses a valid range. Their time counts as lost."};
  T.LastIsText = true;
  for (const NodeUse &N : P.Nodes)
    T.Rows.push_back({std::to_string(N.Node), decimal(N.Seconds, 3),
                      std::to_string(N.Threads), grouped(N.Misses.Count),
                      milliseconds(N.Misses.Nanoseconds + N.Other.Nanoseconds),
                      percentText(N.share()), grouped(N.Messages),
                      grouped(N.Bytes), grouped(N.Other.Count), N.Host});
  return T;
}

Table graupel::dsm::missesTable(const Report &R) {
  Table T;
  T.Title = "Misses by line, cause and data";
  T.Columns = {"line",  "cause",  "access", "misses", "lost ms",
               "share", "p50 us", "p99 us", "data"};
  T.LastIsText = true;
  uint64_t All = R.P.Misses.Nanoseconds + R.P.Other.Nanoseconds;
  for (const MissRow &M : ArrayRef(R.P.Rows).take_front(R.Top))
    T.Rows.push_back({M.Line->shortName(), causeName(M.Why).str(),
                      M.Store ? "store" : "load", grouped(M.Lost.Count),
                      milliseconds(M.Lost.Nanoseconds),
                      percentText(percent(M.Lost.Nanoseconds, All)),
                      M.Median ? microseconds(M.Median) : "",
                      M.Percentile99 ? microseconds(M.Percentile99) : "",
                      R.P.Data[M.Object].Name});
  if (R.P.Rows.size() > R.Top)
    T.Sentences.push_back(formatv("The {0} of {1} on which most time is lost.",
                                  R.Top, R.P.Rows.size()));
  return T;
}

Table graupel::dsm::objectsTable(const Report &R) {
  Table T;
  T.Title = "Misses by data";
  T.Columns = {"data",    "bytes",   "block",         "home",  "misses",
               "lost ms", "cold",    "true",          "false", "same",
               "?",       "upgrade", "lost to others"};
  T.Sentences = {
      "Causes: cold: never there before; true, false: others changed "
      "bytes of the access, or only others of the block; same: "
      "nothing had changed; ?: old contents were not kept; upgrade: "
      "a store to what others may read."};
  for (unsigned I : ArrayRef(R.P.ByTime).take_front(R.Top)) {
    const Object &O = R.P.Data[I];
    const ObjectUse &U = R.P.Uses[I];
    uint64_t Lost = 0;
    for (const auto &Row : U.Heat)
      for (const HeatCell &C : Row)
        Lost += C.Lost;
    std::string Name = O.Name;
    if (O.Allocations > 1)
      Name += " (" + grouped(O.Allocations) + " allocations)";
    std::vector<std::string> Row = {Name,
                                    O.Known ? grouped(O.Bytes) : "",
                                    O.Block ? std::to_string(O.Block) : "",
                                    O.Known ? homeName(O) : "",
                                    grouped(U.Misses.Count),
                                    milliseconds(U.Misses.Nanoseconds)};
    for (Cause C : {Cause::Cold, Cause::TrueSharing, Cause::FalseSharing,
                    Cause::Unchanged, Cause::NotCompared, Cause::Upgrade})
      Row.push_back(grouped(U.ByCause[size_t(C)].Count));
    Row.push_back(grouped(Lost));
    T.Rows.push_back(std::move(Row));
  }
  return T;
}

std::vector<PollBin> graupel::dsm::pollBins(const Profile &P) {
  std::vector<PollBin> Bins;
  if (P.Polls.empty())
    return Bins;
  // From a microsecond on, doubling.
  std::map<unsigned, uint64_t> Counts;
  for (const Bucket &B : P.Polls) {
    uint64_t Middle = B.Least + (B.End - B.Least) / 2;
    Counts[Middle < 1000 ? 0 : Log2_64(Middle / 1000) + 1] += B.Count;
  }
  for (unsigned I = 0; I <= Counts.rbegin()->first; ++I)
    Bins.push_back({"< " + grouped(uint64_t(1) << I) + " us", Counts[I]});
  return Bins;
}

Table graupel::dsm::pollsTable(const Profile &P) {
  Table T;
  T.Title = "Poll intervals";
  uint64_t All = 0, Sum = 0;
  std::vector<PollBin> Bins = pollBins(P);
  for (const PollBin &B : Bins)
    All += B.Count;
  if (!All) {
    T.Sentences = {"No samples: the run was too short, or its threads hardly "
                   "ran the program's code."};
    return T;
  }
  T.Sentences = {
      formatv("From a random time in the program's code to the next "
              "handshake point: {0} samples, p50 {1} us, p99 {2} us.",
              grouped(All), microseconds(quantile(P.Polls, 0.5)),
              microseconds(quantile(P.Polls, 0.99)))};
  T.Columns = {"interval", "samples", "share", "up to here"};
  for (const PollBin &B : Bins) {
    Sum += B.Count;
    T.Rows.push_back({B.Label, grouped(B.Count),
                      percentText(percent(B.Count, All)),
                      percentText(percent(Sum, All))});
  }
  return T;
}

Table graupel::dsm::messagesTable(const Profile &P) {
  Table T;
  T.Title = "Messages by type";
  T.Sentences = {"Sent to other nodes, with the bytes of their contents; "
                 "acknowledgements go with them."};
  T.Columns = {"type", "messages", "bytes"};
  for (const auto &[Type, ByPeers] : P.Messages) {
    MessageUse Sum;
    for (const auto &[Peers, Use] : ByPeers)
      Sum.add(Use);
    T.Rows.push_back({Type, grouped(Sum.Count), grouped(Sum.Bytes)});
  }
  return T;
}

Table graupel::dsm::peersTable(const Profile &P) {
  Table T;
  T.Title = "Messages by sender and receiver";
  T.Columns = {"from", "to", "messages", "bytes", "most of them"};
  T.LastIsText = true;
  struct Pair {
    MessageUse Sum;
    uint64_t Most = 0;
    StringRef Type;
  };
  std::map<std::pair<int, int>, Pair> Pairs;
  for (const auto &[Type, ByPeers] : P.Messages)
    for (const auto &[Peers, Use] : ByPeers) {
      Pair &All = Pairs[Peers];
      All.Sum.add(Use);
      if (Use.Count > All.Most) {
        All.Most = Use.Count;
        All.Type = Type;
      }
    }
  for (const auto &[Peers, All] : Pairs)
    T.Rows.push_back({std::to_string(Peers.first), std::to_string(Peers.second),
                      grouped(All.Sum.Count), grouped(All.Sum.Bytes),
                      All.Type.str() + " (" + grouped(All.Most) + ")"});
  return T;
}
