//===- Stride/Analysis/CacheAdvice.cpp ------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// adviseOnCaches adds issues if caches were simulated. A miss of a level is
// worth four of the one before:
//
// 1. conflicts() adds conflict misses up by level and pair of objects. A pair
//    with at least 100 misses and 1 % of all becomes an issue, at the use that
//    has most of them.
// 2. utilization() finds uses that refer to less than half of the bytes they
//    fetch. It skips those with mostly conflict misses, and those that have an
//    issue about their layout.
// 3. sharing() adds transfers of lines between threads up by pair of objects.
//    The issue is false or true sharing, by which of the two is more.
// 4. costs() gives each issue without a cost the misses of its use as its cost:
//    half of them for padding and alignment, none for reloads and gathers. It
//    sorts by cost, then by lines.
// 5. leaveOut() drops issues below 0.5 % of all references and misses, except
//    those about instructions.
//
//===----------------------------------------------------------------------===//

#include "CacheAdvice.h"
#include "Report/Table.h"
#include <algorithm>

namespace graupel::stride {

namespace {

/// Issues with less than this part of all misses are not reported.
constexpr double LeastShare = 0.01;
constexpr uint64_t LeastMisses = 100;
/// If an issue costs less than this part of all references and misses, its
/// removal would not be noticed.
constexpr double LeastCost = 0.005;
/// Lines of which less is used are a waste.
constexpr double LittleUsed = 0.5;

class CacheRules {
public:
  CacheRules(const Record &R, const Objects &O, const Profile &P,
             const Misses &M, std::vector<Issue> &Issues)
      : R(R), O(O), P(P), M(M), Issues(Issues),
        AllMisses(M.All.weight(M.LevelCount)) {}

  void conflicts();
  void utilization();
  void sharing();
  void costs();
  /// After costs().
  void leaveOut();

private:
  using Measure = double (*)(const MissCounts &, unsigned Level);
  /// The use of an object that has most by some measure, or NoNumber.
  uint32_t worstUse(uint32_t Object, unsigned Level, Measure Metric) const;
  uint32_t useOf(uint32_t Site, uint32_t Object) const;
  /// Whether misses of a level are so many that they are worth a line.
  bool matters(uint64_t Misses, unsigned Level) const {
    return Misses >= LeastMisses &&
           weightOf(Misses, Level) >= LeastShare * AllMisses;
  }
  static double weightOf(uint64_t Misses, unsigned Level) {
    return double(Misses) * double(uint64_t(1) << 2 * Level);
  }
  std::string level(unsigned Number) const {
    return R.Caches.Levels[Number].Name;
  }
  std::string place(uint32_t Site) const {
    const struct Site &S = R.Sites[Site];
    return (S.Facts.Kind == SiteKind::Store ? "the store at "
                                            : "the load at ") +
           Line{S.File, S.Facts.Line}.shortName();
  }
  void conflict(uint32_t A, uint32_t B, unsigned Level, uint64_t Misses);
  void shared(const SharedLine &Worst, uint64_t Lines, uint64_t True,
              uint64_t False);

  const Record &R;
  const Objects &O;
  const Profile &P;
  const Misses &M;
  std::vector<Issue> &Issues;
  const double AllMisses;
};

} // namespace

uint32_t CacheRules::worstUse(uint32_t Object, unsigned Level,
                              Measure Metric) const {
  uint32_t Worst = NoNumber;
  double Most = 0;
  for (uint32_t N = 0; N < P.Uses.size(); ++N) {
    const MissCounts *C = M.of(P.Uses[N]);
    if (P.Uses[N].Object != Object || !C || Metric(*C, Level) <= Most)
      continue;
    Most = Metric(*C, Level);
    Worst = N;
  }
  return Worst;
}

uint32_t CacheRules::useOf(uint32_t Site, uint32_t Object) const {
  const struct Site &S = R.Sites[Site];
  const Line Where{S.File, S.Facts.Line};
  const bool Store = S.Facts.Kind == SiteKind::Store;
  for (uint32_t N = 0; N < P.Uses.size(); ++N) {
    const Use &U = P.Uses[N];
    if (U.Object == Object && U.Store == Store && U.Where == Where)
      return N;
  }
  return NoNumber;
}

//===--- Conflicts --------------------------------------------------------===//

void CacheRules::conflict(uint32_t A, uint32_t B, unsigned Level,
                          uint64_t Misses) {
  auto Conflicts = [](const MissCounts &C, unsigned L) {
    return double(C.conflict(L));
  };
  uint32_t Use = worstUse(A, Level, Conflicts);
  if (Use == NoNumber)
    return;
  const std::string Name = O[A].Name, Other = O[B].Name;
  const uint32_t Bytes = R.Caches.Levels[Level].LineBytes;
  std::string Problem = grouped(Misses) + " misses of " + level(Level) +
                        " are of lines of " + Name;
  std::string Advice;
  if (A == B) {
    Problem +=
        " that other lines of it had driven out, though the cache is large "
        "enough: they compete for a few of its sets.";
    Advice = "Pad the rows of " + Name + " by a line of " +
             std::to_string(Bytes) +
             " bytes, so that what is used together lies in different sets.";
  } else {
    Problem += " and " + Other +
               " that had driven each other out, though the cache is large "
               "enough: they lie a multiple of a way's size apart.";
    Advice =
        "Pad one of them, or allocate both in one block, so that they are "
        "not a multiple of " +
        grouped(R.Caches.Levels[Level].Bytes / R.Caches.Levels[Level].Ways) +
        " bytes apart: " + std::to_string(Bytes) + " bytes more between " +
        Name + " and " + Other + " will do if both are walked side by side.";
  }
  Issues.push_back({IssueKind::Conflict, Use, double(Misses),
                    std::move(Problem), std::move(Advice),
                    weightOf(Misses, Level),
                    grouped(Misses) + " misses of " + level(Level)});
}

void CacheRules::conflicts() {
  std::map<std::tuple<unsigned, uint32_t, uint32_t>, uint64_t> Sums;
  for (const ConflictPair &C : M.Conflicts)
    if (C.Victim != NoNumber && C.Evictor != NoNumber)
      Sums[{C.Level, std::min(C.Victim, C.Evictor),
            std::max(C.Victim, C.Evictor)}] += C.Misses;
  for (auto &[Key, Sum] : Sums) {
    auto [Level, A, B] = Key;
    if (matters(Sum, Level))
      conflict(A, B, Level, Sum);
  }
}

//===--- Use of lines -----------------------------------------------------===//

void CacheRules::utilization() {
  for (uint32_t N = 0; N < P.Uses.size(); ++N) {
    const MissCounts *C = M.of(P.Uses[N]);
    if (!C || !C->LinesLeft || !matters(C->Levels[0].Misses, 0) ||
        C->utilization(R.Caches) >= LittleUsed ||
        // Conflicts drove the lines out too early.
        2 * C->conflict(0) > C->Levels[0].Misses)
      continue;
    auto Says = [&](const Issue &I) {
      return I.Use == N &&
             (I.Kind == IssueKind::SplitStructure ||
              I.Kind == IssueKind::Interchange || I.Kind == IssueKind::Block);
    };
    if (std::any_of(Issues.begin(), Issues.end(), Says))
      continue;
    const std::string Name = O[P.Uses[N].Object].Name;
    double Wasted =
        (1 - C->utilization(R.Caches)) * double(C->Levels[0].Misses);
    Issues.push_back(
        {IssueKind::LowUtilization, N, Wasted,
         percentText(100 * C->utilization(R.Caches)) + " of the bytes of " +
             grouped(C->LinesLeft) + " lines of " + Name +
             " that were fetched here were used before the lines left " +
             level(0) + " again.",
         "Put what is used together next to each other: split the structure "
         "and keep the members that are used here in arrays of their own, use "
         "smaller types, or renumber, so that neighbors are used soon.",
         (1 - C->utilization(R.Caches)) * C->weight(M.LevelCount), ""});
  }
}

//===--- Sharing ----------------------------------------------------------===//

void CacheRules::shared(const SharedLine &Worst, uint64_t Lines, uint64_t True,
                        uint64_t False) {
  const unsigned Last = M.LevelCount - 1;
  const bool IsFalse = False >= True;
  const uint64_t Times = IsFalse ? False : True;
  uint32_t Use = useOf(Worst.Writer, Worst.Object);
  if (Use == NoNumber || Times < LeastMisses ||
      weightOf(Times, Last) < LeastShare * AllMisses)
    return;
  const uint32_t Bytes = R.Caches.Levels[0].LineBytes;
  std::string Data = O[Worst.Object].Name;
  if (Worst.OtherObject != Worst.Object)
    Data += " and " + O[Worst.OtherObject].Name;
  std::string Problem =
      "Threads take " + counted(Lines, "line") + " of " + Data +
      " from each other about " + grouped(Times) + " times" +
      (IsFalse ? ", and do not use what the other one stored: "
               : " to use what the other one stored: ") +
      place(Worst.Writer) + " (bytes " + nameOfParts(Worst.Written, Bytes) +
      " of a line) and " + place(Worst.Other) + " (bytes " +
      nameOfParts(Worst.Used, Bytes) + ").";
  std::string Advice =
      IsFalse ? "Give each thread lines of its own: align and pad what one "
                "thread writes to " +
                    std::to_string(Bytes) + " bytes (alignas(" +
                    std::to_string(Bytes) +
                    ")), or let each thread work on a local copy and store it "
                    "at the end."
              : "Let threads work on copies of their own and combine these at "
                "the end; or store less often, and hand over more at a time.";
  Issues.push_back({IsFalse ? IssueKind::FalseSharing : IssueKind::TrueSharing,
                    Use, double(Times), std::move(Problem), std::move(Advice),
                    weightOf(Times, Last),
                    "about " + grouped(Times) + " transfers of lines"});
}

void CacheRules::sharing() {
  struct Sum {
    const SharedLine *Worst;
    std::map<uint64_t, bool> Lines;
    uint64_t True = 0, False = 0;
  };
  std::map<std::pair<uint32_t, uint32_t>, Sum> Sums;
  for (const SharedLine &S : M.Sharing) {
    // Worst first.
    auto [It, New] = Sums.try_emplace(
        {std::min(S.Object, S.OtherObject), std::max(S.Object, S.OtherObject)});
    if (New)
      It->second.Worst = &S;
    It->second.Lines[S.Address] = true;
    It->second.True += S.True;
    It->second.False += S.False;
  }
  for (auto &[Key, S] : Sums)
    shared(*S.Worst, S.Lines.size(), S.True, S.False);
}

//===--- Order ------------------------------------------------------------===//

/// Whether it is about instructions, not about misses.
static bool isOfCode(IssueKind Kind) {
  return Kind == IssueKind::Reload || Kind == IssueKind::VectorGather ||
         Kind == IssueKind::Alignment || Kind == IssueKind::NonTemporal;
}

void CacheRules::leaveOut() {
  // A reference that hits the first level is worth a quarter of its misses.
  const double All = double(P.All.References) / 4 + AllMisses;
  Issues.erase(std::remove_if(Issues.begin(), Issues.end(),
                              [&](const Issue &I) {
                                return !isOfCode(I.Kind) &&
                                       I.Cost < LeastCost * All;
                              }),
               Issues.end());
}

void CacheRules::costs() {
  for (Issue &I : Issues) {
    const MissCounts *C = M.of(P.Uses[I.Use]);
    if (I.Cost > 0 || !C)
      continue;
    // Padding and alignment are part of what a use costs.
    const bool Part =
        I.Kind == IssueKind::Pad || I.Kind == IssueKind::Alignment;
    I.Cost = C->weight(M.LevelCount) * (Part ? 0.5 : 1);
    if (I.Kind == IssueKind::Reload || I.Kind == IssueKind::VectorGather)
      I.Cost = 0;
  }
  for (Issue &I : Issues) {
    const MissCounts *C = M.of(P.Uses[I.Use]);
    if (!I.Measured.empty())
      continue;
    for (unsigned N = 0; N < M.LevelCount; ++N)
      I.Measured += (N ? ", " : "") + grouped(C ? C->Levels[N].Misses : 0) +
                    " misses of " + level(N);
  }
  std::stable_sort(
      Issues.begin(), Issues.end(), [](const Issue &A, const Issue &B) {
        return A.Cost != B.Cost ? A.Cost > B.Cost : A.Lines > B.Lines;
      });
}

void adviseOnCaches(const Record &R, const Objects &O, const Profile &P,
                    const Misses &M, std::vector<Issue> &Issues) {
  if (!M.any())
    return;
  CacheRules Rules(R, O, P, M, Issues);
  Rules.conflicts();
  Rules.utilization();
  Rules.sharing();
  Rules.costs();
  Rules.leaveOut();
}

} // namespace graupel::stride
