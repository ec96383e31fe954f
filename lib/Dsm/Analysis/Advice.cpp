//===- Dsm/Analysis/Advice.cpp - Changes that may make a program faster ---===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns the misses of each object into the advice of Advice.h, for the objects
// of Profile::ByTime in their order. Adviser::advise(), for one object:
//
// 1. Skip it if it has no known allocation, fewer than 50 misses, or less than
//    2 % both of the time lost and of the misses. Its misses count in the job's
//    sums as they are.
// 2. If there is a log of its misses, replay that as recorded. The misses of
//    the object divided by those of this replay scale all later figures.
// 3. Call block(), apart() and home(). Each replays what it proposes against
//    the placement that the functions before have left. A placement that
//    differs from the recorded one goes into AdviceList::Placements.
// 4. Call fetchToWrite() and fetchInBulk(). They need 20 % of the object's
//    misses and 1 % of the job's.
// 5. Without advice so far, nothing() writes the causes of the misses, and what
//    the best other block would bring or why there is no replay.
// 6. Add the object's least and most misses to the job's sums.
//
//===----------------------------------------------------------------------===//

#include "Advice.h"
#include "Placements.h"
#include "Report/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace graupel;
using namespace graupel::dsm;

namespace {

/// Objects below these are not worth a change of the program. The share is of
/// all misses or of the time lost, which a busy machine gives to whom it likes.
constexpr uint64_t LeastMisses = 50;
constexpr double LeastShare = 2;

/// Percentages from which a reason counts.
constexpr double LeastOfJob = 1; // Little is left after others.
constexpr double MuchFalseSharing = 25, MuchLoadedBefore = 20, MuchWaiting = 20;

std::string share(uint64_t Part, uint64_t Whole) {
  return grouped(Part) + " of " + grouped(Whole) + " (" +
         percentText(percent(Part, Whole)) + ")";
}

class Adviser {
public:
  Adviser(const Profile &P, const Accesses &A, unsigned Index, AdviceList &To)
      : P(P), A(A), Index(Index), O(P.Data[Index]), U(P.Uses[Index]),
        Log(A[Index].Log.get()), To(To) {
    for (const NodeUse &N : P.Nodes)
      Messages += N.Messages;
  }

  void advise();

private:
  bool small() const;
  void block();
  void apart();
  void home();
  void fetchToWrite();
  void fetchInBulk();
  void nothing();

  std::string seen() const;
  std::string causes() const;
  std::string avoidedBy(uint64_t Block) const;
  std::string lineOf(bool Store) const;
  Forecast forecast(const Prediction &Then) const;
  uint64_t count(Cause C) const { return U.ByCause[size_t(C)].Count; }
  uint64_t scaled(uint64_t N) const { return uint64_t(double(N) * Scale + .5); }
  void add(Advice::Kind, int64_t Value, std::string Text, std::string Reasons,
           std::optional<Forecast> = std::nullopt);

  const Profile &P;
  const Accesses &A;
  const unsigned Index;
  const Object &O;
  const ObjectUse &U;
  const Replay *Log;
  AdviceList &To;

  double Scale = 1; ///< All misses per miss in the log.
  Placement Now{};
  Prediction Here;       ///< With what was advised so far.
  uint64_t Messages = 0; ///< All messages of the job.
  uint64_t Avoided = 0;  ///< Misses that no replay counts.
  bool Any = false;
};

bool Adviser::small() const {
  return percent(U.Misses.Nanoseconds, P.Misses.Nanoseconds) < LeastShare &&
         percent(U.Misses.Count, P.Misses.Count) < LeastShare;
}

void Adviser::add(Advice::Kind Kind, int64_t Value, std::string Text,
                  std::string Reasons, std::optional<Forecast> Then) {
  if (!Any)
    Reasons = seen() + "; " + Reasons;
  Any = true;
  To.All.push_back(
      {Index, Kind, Value, std::move(Text), std::move(Reasons), Then});
}

Forecast Adviser::forecast(const Prediction &Then) const {
  return {scaled(Here.Least.Misses),   scaled(Then.Least.Misses),
          scaled(Then.Most.Misses),    scaled(Here.Least.Messages),
          scaled(Then.Least.Messages), scaled(Then.Most.Messages)};
}

/// The line that misses most, to load or to store.
std::string Adviser::lineOf(bool Store) const {
  std::map<const SourceLine *, uint64_t> Counts;
  for (const MissRow &R : P.Rows)
    if (R.Object == Index && R.Store == Store && isMiss(R.Why))
      Counts[R.Line] += R.Lost.Count;
  auto Most = max_element(
      Counts, [](const auto &A, const auto &B) { return A.second < B.second; });
  return Most == Counts.end() ? "" : Most->first->shortName();
}

/// The most frequent pattern of the object's misses, and where they are.
std::string Adviser::seen() const {
  const Pattern &S = A[Index].Seen;
  std::pair<uint64_t, const char *> Kinds[] = {
      {S.OneWriterAllRead,
       "one node stores to a block, and all others read it"},
      {S.OneWriter, "one node stores to a block, and others read it"},
      {S.OneUser, "a block has one user besides its home"},
      {S.ReadOnly, "nodes read what its home has stored"},
      {S.Passed, "blocks go from node to node, which load and then store"},
      {S.Written, "several nodes store to a block"}};
  auto Most = max_element(Kinds, less_first());
  uint64_t Sum = 0;
  for (const auto &[Count, Text] : Kinds)
    Sum += Count;
  std::string Text =
      percentText(percent(U.Misses.Nanoseconds, P.Misses.Nanoseconds)) +
      " of the time lost";
  if (Most->first)
    Text += std::string(", ") + Most->second + " (" +
            percentText(percent(Most->first, Sum)) + " of its misses)";
  if (std::string L = lineOf(false); !L.empty())
    Text += ", loads most at " + L;
  if (std::string L = lineOf(true); !L.empty())
    Text += ", stores most at " + L;
  return Text;
}

std::string Adviser::causes() const {
  static constexpr std::pair<Cause, const char *> Texts[] = {
      {Cause::Cold, "are the first of their node"},
      {Cause::TrueSharing, "find what another node has stored since"},
      {Cause::FalseSharing, "are false sharing"},
      {Cause::Unchanged, "find nothing changed"},
      {Cause::NotCompared, "were not compared"},
      {Cause::Upgrade, "store to what others may read"}};
  std::string Text;
  for (auto [Why, Words] : Texts)
    if (percent(count(Why), U.Misses.Count) >= 10)
      Text += (Text.empty() ? "" : ", ") + share(count(Why), U.Misses.Count) +
              " " + Words;
  return Text;
}

/// A size avoids what it and larger ones keep apart.
std::string Adviser::avoidedBy(uint64_t Block) const {
  uint64_t Avoided = 0;
  for (unsigned I = 0; I < U.ApartAt.size(); ++I)
    if (uint64_t(32) << I >= Block)
      Avoided += U.ApartAt[I];
  return Avoided ? "; blocks of " + std::to_string(Block) +
                       " bytes would have avoided " +
                       share(Avoided, count(Cause::FalseSharing)) + " of these"
                 : "";
}

void Adviser::block() {
  Placement Best = chooseBlock(*Log, Now);
  if (Best == Now)
    return;
  Prediction Then = Log->predict(Best);
  std::string Reasons =
      count(Cause::FalseSharing)
          ? share(count(Cause::FalseSharing), U.Misses.Count) +
                " misses are false sharing"
          : std::string("no miss is false sharing");
  if (Best.Block > Now.Block)
    Reasons = share(U.Sequential, U.Misses.Count) +
              " misses follow one of the neighboring block, and " + Reasons;
  else
    Reasons += avoidedBy(Best.Block);
  add(Best.Block > Now.Block ? Advice::Kind::LargerBlock
                             : Advice::Kind::SmallerBlock,
      int64_t(Best.Block),
      formatv("allocate it with blocks of {0} bytes instead of {1}", Best.Block,
              Now.Block),
      Reasons, forecast(Then));
  Now = Best;
  Here = Then;
}

/// Misses by false sharing would go, all others stay.
void Adviser::apart() {
  uint64_t False = count(Cause::FalseSharing);
  uint64_t Kept = U.Misses.Count - False;
  if (percent(False, U.Misses.Count) < MuchFalseSharing ||
      scaled(Here.Most.Misses) * 4 < Kept * 5)
    return;
  Forecast F = forecast(Log->predict({8, Now.Home}));
  F.LeastMisses = std::min(F.LeastMisses, Kept);
  F.MostMisses = Kept;
  F.LeastMessages = std::min(F.LeastMessages, F.Messages);
  F.MostMessages = uint64_t(double(F.Messages) * double(Kept) /
                            double(std::max<uint64_t>(U.Misses.Count, 1)));
  F.LeastMessages = std::min(F.LeastMessages, F.MostMessages);
  uint64_t Apart = A[Index].Seen.Apart;
  uint64_t Distance = std::max<uint64_t>(
      Apart ? alignTo(Apart, Now.Block) : Now.Block, Now.Block);
  std::string Reasons = share(False, U.Misses.Count) +
                        " misses are false sharing, which no block size avoids";
  if (Apart)
    Reasons += formatv("; nodes store {0} bytes from each other", Apart);
  add(Advice::Kind::Apart, int64_t(Distance),
      formatv("put what different nodes store to further apart: pad and align "
              "it to {0} bytes",
              Distance),
      Reasons, F);
  // A wide access counts several times where blocks are small.
  if (scaled(Here.Least.Misses) > F.LeastMisses)
    Avoided += scaled(Here.Least.Misses) - F.LeastMisses;
}

void Adviser::home() {
  Placement Best = chooseHome(*Log, Now, P.NodesOfJob);
  if (Best == Now || (Best.Home == O.Home && !O.SeveralHomes))
    return;
  Prediction Then = Log->predict(Best);
  if (percent(scaled(Here.Most.Messages - Then.Most.Messages), Messages) <
      LeastOfJob)
    return;
  std::string Text =
      Best.Home >= 0
          ? formatv("allocate it with node {0} as its home", Best.Home).str()
      : Best.Home == -1 ? "allocate it with GDSM_HOME_ROUND_ROBIN"
      : Best.Home == -2 ? "allocate it with GDSM_HOME_FIRST_TOUCH"
                        : "allocate each node's part by itself, with "
                          "GDSM_HOME_LOCAL on the node that stores most to it";
  add(Advice::Kind::Home, Best.Home, Text,
      "home has no messages to send for what only it uses, and fewer for what "
      "others use; it is " +
          homeName(O) + " now",
      forecast(Then));
  Now = Best;
  Here = Then;
}

void Adviser::fetchToWrite() {
  uint64_t Pairs = Here.Least.LoadedBefore;
  if (percent(Pairs, Here.Least.Misses) < MuchLoadedBefore ||
      percent(scaled(Pairs), P.Misses.Count) < LeastOfJob)
    return;
  Prediction Then = Here;
  for (Cost *C : {&Then.Least, &Then.Most}) {
    C->Misses -= std::min(C->Misses, Pairs);
    C->Messages -= std::min(C->Messages, 2 * Pairs);
  }
  std::string Line = lineOf(false);
  add(Advice::Kind::FetchToWrite, 0,
      "call gdsm_fetch(..., GDSM_WRITE) for what is read and then stored to, "
      "before " +
          (Line.empty() ? std::string("it is read") : "the load at " + Line) +
          ", and gdsm_release after the store",
      share(scaled(Pairs), scaled(Here.Least.Misses)) +
          " misses store to what the node has just loaded, and nobody else "
          "wanted in between",
      forecast(Then));
  Here = Then;
}

void Adviser::fetchInBulk() {
  for (const BulkFetch &F : findBulkFetches(*Log, Now)) {
    if (percent(F.Waits, Here.Least.Misses) < MuchWaiting ||
        2 * F.WaitsThen > F.Waits ||
        percent(scaled(F.Waits), P.Misses.Count) < LeastOfJob)
      continue;
    const SourceLine &L =
        A.line(Access{0, 0, 0, 0, 0, 0, 0, false, false, F.Place});
    add(Advice::Kind::FetchInBulk, int64_t(F.Bytes),
        formatv("call gdsm_fetch(..., {0}, GDSM_READ) for the bytes that the "
                "loop around {1} reads, and gdsm_release behind it",
                F.Bytes, L.shortName()),
        share(scaled(F.Waits), scaled(F.Misses)) +
            " misses there are waited for one by one; fetched " +
            "32 blocks at a time they are " + grouped(scaled(F.WaitsThen)) +
            " waits for at most " + grouped(scaled(F.MissesMost)) + " misses");
  }
}

void Adviser::nothing() {
  std::string Reasons = causes();
  if (Log) {
    uint64_t Block = 0, Misses = ~uint64_t(0);
    for (uint64_t B = 32; B <= Log->largestBlock(); B *= 2) {
      uint64_t Most = Log->predict({B, Now.Home}).Most.Misses;
      if (B != Now.Block && Most < Misses)
        std::tie(Block, Misses) = std::tie(B, Most);
    }
    if (Block)
      Reasons += formatv("; blocks of {0} bytes, the best others, would bring "
                         "up to {1} misses",
                         Block, grouped(scaled(Misses)));
  } else if (!O.Block) {
    Reasons += "; its blocks have several sizes, which cannot be replayed";
  } else {
    Reasons += "; no misses of it are in the nodes' logs, so other blocks and "
               "homes cannot be tried";
  }
  add(Advice::Kind::Nothing, 0,
      "no block, home, padding or fetch saves a seventh of its misses or "
      "messages; less of it takes another algorithm",
      Reasons);
}

void Adviser::advise() {
  uint64_t Least = U.Misses.Count, Most = U.Misses.Count;
  if (O.Known && !small() && U.Misses.Count >= LeastMisses) {
    if (Log) {
      Now = {O.Block, Placement::AsRecorded};
      Here = Log->predict(Now);
      Scale = double(U.Misses.Count) /
              double(std::max<uint64_t>(Here.Least.Misses, 1));
      const Placement Before = Now;
      block();
      apart();
      home();
      if (!(Now == Before))
        To.Placements.push_back({Index, Before, Now});
      fetchToWrite();
      fetchInBulk();
      Least = scaled(Here.Least.Misses);
      Most = scaled(Here.Most.Misses);
      Least -= std::min(Avoided, Least);
    }
    if (!Any)
      nothing();
  }
  To.LeastMisses += Least;
  To.MostMisses += Most;
}

} // namespace

StringRef graupel::dsm::kindName(Advice::Kind K) {
  switch (K) {
  case Advice::Kind::SmallerBlock:
    return "smaller block";
  case Advice::Kind::LargerBlock:
    return "larger block";
  case Advice::Kind::Apart:
    return "further apart";
  case Advice::Kind::Home:
    return "home";
  case Advice::Kind::FetchToWrite:
    return "fetch to write";
  case Advice::Kind::FetchInBulk:
    return "fetch in bulk";
  case Advice::Kind::Nothing:
    return "nothing";
  }
  return "";
}

AdviceList graupel::dsm::advise(const Profile &P, const Accesses &A) {
  AdviceList L;
  L.Misses = P.Misses.Count;
  for (unsigned Object : P.ByTime)
    Adviser(P, A, Object, L).advise();
  return L;
}
