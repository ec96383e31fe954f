//===- Stride/Analysis/Advice.cpp -----------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules::apply looks for issues in one use, the references of a line to an
// object:
//
// 1. Skip uses with less than 0.2 % of all references.
// 2. reload() and gathered() look for elements that are referred to again at
//    once, and for neighbors that gathers make.
// 3. Skip the use if its data fit into 32 KB, or seem to.
// 4. steadyAndFar() handles constant steps beyond the threshold. It advises
//    another layout outside of nests, blocking if other data go side by side in
//    the same loop, and else an interchange; also padding if the step is a
//    multiple of 4096.
// 5. near(), irregular(), streaming() and aligned() look for structures of
//    which little is used, for missing patterns, for stores that nothing loads,
//    and for vectors that are not aligned.
// 6. add() drops issues worth fewer lines than the first cache holds. run()
//    sorts the rest by lines; adviseOnCaches() adds to them and sorts by misses
//    if caches were simulated.
//
//===----------------------------------------------------------------------===//

#include "CacheAdvice.h"
#include "Report/Table.h"
#include <algorithm>
#include <functional>
#include <numeric>

namespace graupel::stride {

const char *nameOfIssue(IssueKind Kind) {
  static const char *const Names[] = {
      "interchange", "block",        "split-structure", "pad",
      "prefetch",    "non-temporal", "alignment",       "vector-gather",
      "reload",      "conflict",     "low-utilisation", "false-sharing",
      "true-sharing"};
  return Names[static_cast<unsigned>(Kind)];
}

namespace {

/// A size that fits into the first cache of most machines.
constexpr uint64_t SmallBytes = 32 << 10;
/// Fewer lines than that cache holds are not worth a word.
constexpr double LeastLines = SmallBytes / LineBytes;
/// A size that no core's own cache holds.
constexpr uint64_t LargeBytes = 8 << 20;
/// Distances that are multiples of this meet in the same sets of a cache.
constexpr uint64_t SetBytes = 4096;
/// References that are less than this of all are not worth a line.
constexpr double LeastShare = 0.002;
/// A pattern is what most references do.
constexpr double Most = 0.5, NearlyAll = 0.9;

class Rules {
public:
  Rules(const Record &R, const Objects &O, const Profile &P)
      : R(R), O(O), P(P) {}
  std::vector<Issue> run();

private:
  void apply(uint32_t Number);
  void steadyAndFar(uint32_t Number);
  void near(uint32_t Number);
  void irregular(uint32_t Number);
  void gathered(uint32_t Number);
  void reload(uint32_t Number);
  void streaming(uint32_t Number);
  void aligned(uint32_t Number);

  bool isSmall(const Use &U) const;
  /// Whether it goes on by the size of a structure, and not now by this, now by
  /// that.
  bool isSteadyNear(const Use &U) const;
  bool isLoaded(uint32_t Object) const;
  /// Another use in the loop that walks side by side through data that are not
  /// small.
  const Use *companion(const Use &U) const;
  uint32_t depth(const Use &U) const {
    return U.Loop == NoNumber ? 0 : R.Loops[U.Loop].Facts.Depth;
  }
  std::string name(const Use &U) const { return O[U.Object].Name; }
  std::string references(const Use &U, uint64_t Part) const;
  std::string loop(const Use &U) const;
  std::string step(const Use &U) const;
  void add(IssueKind Kind, uint32_t Number, double Lines, std::string Problem,
           std::string Advice) {
    if (Lines < LeastLines && Kind != IssueKind::Reload &&
        Kind != IssueKind::VectorGather)
      return;
    Found.push_back(
        {Kind, Number, Lines, std::move(Problem), std::move(Advice), 0, ""});
  }

  const Record &R;
  const Objects &O;
  const Profile &P;
  std::vector<Issue> Found;
};

double excess(const Pattern &P) {
  return std::max(0.0, P.Lines - P.Bytes / LineBytes);
}

std::string bytes(uint64_t Bytes) {
  return grouped(Bytes) + (Bytes == 1 ? " byte" : " bytes");
}

} // namespace

bool Rules::isSmall(const Use &U) const {
  const NamedObject &Data = O[U.Object];
  if (Data.Bytes)
    return Data.Bytes <= SmallBytes;
  // Nobody knows; it is large if something is far away in it.
  return U.P.Lag1[Bins - 1 - ExactBins] == 0;
}

bool Rules::isSteadyNear(const Use &U) const {
  // A structure's members in one stream have several distances.
  constexpr size_t Members = 4;
  if (U.Step)
    return true;
  std::vector<uint64_t> Counts(std::begin(U.P.Near), std::end(U.P.Near));
  std::partial_sort(Counts.begin(), Counts.begin() + Members, Counts.end(),
                    std::greater<>());
  const uint64_t All = std::accumulate(Counts.begin(), Counts.end(), 0ull);
  const uint64_t Top =
      std::accumulate(Counts.begin(), Counts.begin() + Members, 0ull);
  return double(Top) >= NearlyAll * double(All);
}

bool Rules::isLoaded(uint32_t Object) const {
  return std::any_of(P.Uses.begin(), P.Uses.end(), [&](const Use &U) {
    return U.Object == Object && !U.Store && U.P.References > 1;
  });
}

const Use *Rules::companion(const Use &U) const {
  if (U.Loop == NoNumber)
    return nullptr;
  const LoopRecord &Mine = R.Loops[U.Loop].Facts;
  for (const Use &Other : P.Uses) {
    if (Other.P.References * 2 < U.P.References)
      return nullptr; // They are sorted.
    if (&Other == &U || Other.Loop == NoNumber || isSmall(Other) ||
        Other.P.share(Other.P.Unit) < Most)
      continue;
    const LoopRecord &Its = R.Loops[Other.Loop].Facts;
    if (Its.Line == Mine.Line && Its.Column == Mine.Column &&
        R.Loops[Other.Loop].File == R.Loops[U.Loop].File)
      return &Other;
  }
  return nullptr;
}

std::string Rules::references(const Use &U, uint64_t Part) const {
  return percentText(100 * U.P.share(Part)) + " of " + grouped(U.P.References) +
         (U.Store ? " stores to " : " loads of ") + name(U);
}

std::string Rules::loop(const Use &U) const {
  if (U.Loop == NoNumber)
    return "the code";
  const Loop &L = R.Loops[U.Loop];
  return "the loop at " + Line{L.File, L.Facts.Line}.shortName();
}

std::string Rules::step(const Use &U) const {
  if (U.Step)
    return bytes(U.Step);
  const uint64_t *Top =
      std::max_element(std::begin(U.P.Lag1), std::end(U.P.Lag1));
  if (!*Top)
    return "less than " + bytes(ExactBins);
  uint64_t Least = firstOf(ExactBins + unsigned(Top - U.P.Lag1));
  return "at least " + bytes(Least);
}

void Rules::steadyAndFar(uint32_t Number) {
  const Use &U = P.Uses[Number];
  if (U.P.share(U.P.Far) < Most || U.P.share(U.P.Constant) < Most)
    return;
  const double Lines = excess(U.P);
  std::string Problem = references(U, U.P.Far) + " jump: " + loop(U) +
                        " goes on by " + step(U) + " where an element has " +
                        bytes(U.Made.ElementBytes) + ".";
  if (depth(U) < 2) {
    add(IssueKind::SplitStructure, Number, Lines, Problem,
        "Each reference enters a line of its own. If this is one member of a "
        "structure, keep that member in an array of its own; if it is a column "
        "of a matrix, store the matrix the other way round.");
  } else if (const Use *Other = companion(U)) {
    add(IssueKind::Block, Number, Lines,
        Problem + " " + name(*Other) + " goes side by side in the same loop.",
        "Exchanging the loops would make " + name(*Other) +
            " jump instead. Block (tile) both loops, so that the lines of a "
            "block, for example 32 x 32 elements, are used up while they are "
            "in the cache; or store " +
            name(U) + " transposed.");
  } else {
    add(IssueKind::Interchange, Number, Lines, Problem,
        "Interchange the loops, so that the innermost one goes from an element "
        "of " +
            name(U) + " to its neighbor.");
  }
  if (U.Step && U.Step % SetBytes == 0)
    add(IssueKind::Pad, Number, Lines / 2,
        references(U, U.P.Far) + " are multiples of " + bytes(SetBytes) +
            " apart (" + bytes(U.Step) +
            "), so that they compete for a few sets of the cache.",
        "Pad the rows of " + name(U) + " by a line: " +
            bytes(U.Step + LineBytes) + " instead of " + bytes(U.Step) + ".");
}

void Rules::near(uint32_t Number) {
  const Use &U = P.Uses[Number];
  const uint64_t Near = U.P.Constant > U.P.Far ? U.P.Constant - U.P.Far : 0;
  if (U.P.share(Near) < Most || !isSteadyNear(U))
    return;
  double Used = U.Step && U.Made.MostLanes == 1
                    ? double(U.Columns) * U.Made.MostBytes / double(U.Step)
                    : U.P.NearBytes / U.P.NearDistance;
  if (Used > 0.5)
    return;
  add(IssueKind::SplitStructure, Number, excess(U.P),
      references(U, Near) +
          " go on by more than they use: " + percentText(100 * Used) +
          " of the bytes they pass are referred to here.",
      "The rest of each line is fetched for nothing. Split the structure: "
      "keep the members that " +
          loop(U) + " needs in arrays of their own, or next to each other.");
}

void Rules::irregular(uint32_t Number) {
  const Use &U = P.Uses[Number];
  if (U.P.share(U.P.Irregular) < Most)
    return;
  std::string Problem = references(U, U.P.Irregular) + " follow no pattern.";
  if (U.Store)
    return add(IssueKind::Prefetch, Number, excess(U.P), Problem,
               "Sort or bin what is stored by its place first, so that stores "
               "come block by block; or prefetch the places some iterations "
               "ahead (__builtin_prefetch(address, 1)).");
  add(IssueKind::Prefetch, Number, excess(U.P), Problem,
      "If the address is known early, as in a[index[i]], prefetch "
      "a[index[i + 16]] (__builtin_prefetch). Better: renumber or sort, so "
      "that what is used together lies together. Lists and trees: keep their "
      "nodes in an array, in the order of the walk.");
}

void Rules::gathered(uint32_t Number) {
  const Use &U = P.Uses[Number];
  const uint64_t Near = U.P.Unit + U.P.Same;
  if (!U.Made.Gathered || U.P.share(Near) < 0.75)
    return;
  add(IssueKind::VectorGather, Number, double(U.P.References) / 16,
      references(U, Near) +
          " are neighbors, but made by a vector gather or scatter: a lane at "
          "a time.",
      "Let the compiler see that the indices are consecutive (a signed or "
      "pointer-sized loop variable, no table of indices, restrict), so that it "
      "uses plain vectors; or load whole vectors and shuffle.");
}

void Rules::reload(uint32_t Number) {
  const Use &U = P.Uses[Number];
  if (U.Loop == NoNumber || U.Made.Atomic || U.Made.Volatile ||
      U.P.share(U.P.Same) < 0.4 ||
      double(U.P.Same) < 0.02 * double(P.All.References))
    return;
  // A reference to the first cache is a small part of a line from memory.
  add(IssueKind::Reload, Number, double(U.P.Same) / 32,
      references(U, U.P.Same) +
          " refer to the element that the one before did.",
      U.Store
          ? "The value could stay in a register until " + loop(U) +
                " ends: use a local variable, or restrict, if nothing else "
                "refers to it there."
          : "The compiler did not keep the value in a register: it has to "
            "expect that a store in between changed it. Use a local variable "
            "or restrict.");
}

void Rules::streaming(uint32_t Number) {
  const Use &U = P.Uses[Number];
  if (!U.Store || U.Made.NonTemporal || O[U.Object].Bytes < LargeBytes ||
      isLoaded(U.Object) || U.P.Bytes < double(O[U.Object].Bytes) / 2)
    return;
  // Side by side, also if what is beside was stored by another line.
  const bool Sparse = U.P.share(U.P.Constant) > 1 - NearlyAll &&
                      U.P.NearDistance > 1.5 * U.P.NearBytes;
  if (Sparse || U.P.share(U.P.Far + U.P.Same) > 1 - NearlyAll)
    return;
  add(IssueKind::NonTemporal, Number, U.P.Bytes / LineBytes,
      grouped(U.P.References) + " stores fill " + name(U) + ", " +
          bytes(O[U.Object].Bytes) + ", which nothing here loads.",
      "Each line is read from memory before it is overwritten, and drives out "
      "others. Use non-temporal stores (__builtin_nontemporal_store, or "
      "`!dir$ vector nontemporal` in Fortran compilers that have it).");
}

void Rules::aligned(uint32_t Number) {
  const Use &U = P.Uses[Number];
  const NamedObject &Data = O[U.Object];
  if (Data.Kind != ObjectKind::Global || U.Made.MostBytes < 32 ||
      U.Made.Gathered || Data.Address % U.Made.MostBytes == 0 || isSmall(U))
    return;
  add(IssueKind::Alignment, Number,
      double(U.P.References) * U.Made.MostBytes / LineBytes / 8,
      name(U) + " begins " + bytes(Data.Address % U.Made.MostBytes) +
          " after a multiple of the " + bytes(U.Made.MostBytes) +
          " of a vector; vectors that cross two lines take twice the time.",
      "Align it: alignas(64) " + name(U) + ".");
}

void Rules::apply(uint32_t Number) {
  const Use &U = P.Uses[Number];
  if (double(U.P.References) < LeastShare * double(P.All.References))
    return;
  reload(Number);
  gathered(Number);
  if (isSmall(U))
    return;
  steadyAndFar(Number);
  near(Number);
  irregular(Number);
  streaming(Number);
  aligned(Number);
}

std::vector<Issue> Rules::run() {
  for (uint32_t N = 0; N < P.Uses.size(); ++N)
    apply(N);
  std::stable_sort(
      Found.begin(), Found.end(),
      [](const Issue &A, const Issue &B) { return A.Lines > B.Lines; });
  return std::move(Found);
}

std::vector<Issue> advise(const Record &R, const Objects &O, const Profile &P,
                          const Misses &M) {
  std::vector<Issue> Issues = Rules(R, O, P).run();
  adviseOnCaches(R, O, P, M, Issues);
  return Issues;
}

} // namespace graupel::stride
