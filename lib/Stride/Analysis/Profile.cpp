//===- Stride/Analysis/Profile.cpp ----------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adds a record's shares up by line, loop and data:
//
// 1. Names: Line::shortName(), readableFunction(), and briefFunction(), which
//    drops arguments of long names.
// 2. Steps knows by how much a counted loop advances each site. ofSource()
//    divides a step by the copies of the site in an unrolled loop and by the
//    lanes of a vector, if it is a multiple of these.
// 3. addShares() computes the pattern of each share, and adds it to the whole,
//    the line, the loop and the use.
// 4. A use gets the loop and the step of its site with most references. The
//    step is 0 if its sites disagree, else limitLines() limits the estimate of
//    lines entered. Uses are sorted by references.
// 5. Loops get their executions and iterations. addBulk() adds calls like
//    memcpy up by line and data.
//
//===----------------------------------------------------------------------===//

#include "Profile.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>

namespace graupel::stride {

std::string Line::shortName() const {
  if (File.empty() || !Number)
    return File.empty() ? "?" : File.substr(File.rfind('/') + 1);
  return File.substr(File.rfind('/') + 1) + ":" + std::to_string(Number);
}

std::string readableFunction(const std::string &Name) {
  return readableSymbol(Name);
}

/// The end of an operator's name that stands at `At`, or `At`.
static size_t endOfOperator(llvm::StringRef Name, size_t At) {
  constexpr llvm::StringLiteral Word = "operator";
  if (!Name.substr(At).starts_with(Word))
    return At;
  At += Word.size();
  if (Name.substr(At).starts_with("()"))
    return At + 2;
  return std::min(Name.find_first_not_of("+-*/%^&|~!=<>,[]", At), Name.size());
}

std::string briefFunction(const std::string &Readable) {
  constexpr size_t Long = 60;
  if (Readable.size() <= Long)
    return Readable;
  std::string Result;
  size_t Space = 0; // A template's return type stands before its name.
  unsigned Inside = 0;
  for (size_t At = 0; At < Readable.size(); ++At) {
    const size_t End = endOfOperator(Readable, At);
    if (End != At && !Inside)
      Result += Readable.substr(At, End - At);
    if (End != At)
      At = End;
    if (At >= Readable.size())
      break;
    const char C = Readable[At];
    if (C == '>' || C == ')')
      Inside -= Inside != 0;
    if (!Inside)
      Result += C;
    if (C == ' ' && !Inside && Result.find("(...)") == std::string::npos)
      Space = Result.size();
    if ((C == '<' || C == '(') && !Inside++)
      Result += "...";
  }
  return Result.substr(Space);
}

void Code::add(const Site &S) {
  ++Sites;
  MostBytes = std::max(MostBytes, S.Facts.Bytes);
  MostLanes = std::max<uint32_t>(MostLanes, S.Facts.Lanes);
  ElementBytes = std::max<uint32_t>(ElementBytes, S.Facts.ElementBytes);
  Gathered |= (S.Facts.Flags & SiteGathered) != 0;
  Masked |= (S.Facts.Flags & SiteMasked) != 0;
  Atomic |= (S.Facts.Flags & SiteAtomic) != 0;
  Volatile |= (S.Facts.Flags & SiteVolatile) != 0;
  NonTemporal |= (S.Facts.Flags & SiteNonTemporal) != 0;
}

namespace {

/// Strides of sites in counted loops.
class Steps {
public:
  explicit Steps(const Record &R);
  const int64_t *of(uint32_t Site) const {
    auto Found = BySite.find(Site);
    return Found == BySite.end() ? nullptr : &Found->second;
  }
  /// The stride per iteration in the source: an unrolled loop has a copy of the
  /// site for each.
  uint64_t ofSource(const Record &R, uint32_t Site) const;

private:
  using Copies = std::tuple<uint32_t, uint32_t, uint32_t, SiteKind, int64_t>;
  static Copies key(const Record &R, uint32_t Site, int64_t Step) {
    const SiteRecord &F = R.Sites[Site].Facts;
    return {F.Loop, F.Line, F.Column, F.Kind, Step};
  }
  std::map<uint32_t, int64_t> BySite;
  std::map<Copies, uint32_t> Count;
};

} // namespace

Steps::Steps(const Record &R) {
  for (const MemberRecord &M : R.Members) {
    int64_t Step = M.StepIsConstant ? M.Step : 0;
    if (BySite.try_emplace(M.Site, Step).second && Step)
      ++Count[key(R, M.Site, Step)];
  }
}

uint64_t Steps::ofSource(const Record &R, uint32_t Site) const {
  const int64_t *Step = of(Site);
  if (!Step || !*Step)
    return 0;
  uint64_t Bytes = static_cast<uint64_t>(std::llabs(*Step));
  const uint64_t Parts = uint64_t(Count.at(key(R, Site, *Step))) *
                         std::max<uint16_t>(R.Sites[Site].Facts.Lanes, 1);
  return Bytes % Parts == 0 ? Bytes / Parts : Bytes;
}

/// An iteration passes its step and enters no more lines than are in that, in
/// whatever order the compiler makes its references.
static void limitLines(Use &U) {
  if (!U.Step || U.Made.MostLanes > 1)
    return;
  double PerIteration = std::min<double>(U.Columns, double(U.Step) / LineBytes);
  U.P.Lines = std::min(U.P.Lines,
                       double(U.P.References) / U.Columns * PerIteration + 1);
}

Profile::Profile(const Record &R, const Objects &O) {
  addShares(R, O);
  addBulk(R, O);
}

void Profile::addShares(const Record &R, const Objects &O) {
  const Steps Known(R);
  using Key = std::tuple<Line, std::string, uint32_t, bool>;
  std::map<Key, Use> Found;
  std::map<Key, std::map<uint32_t, uint64_t>> Sites;
  std::set<uint32_t> Counted;
  for (const ShareCounts &S : R.Shares) {
    const Site &Where = R.Sites[S.Facts.Site];
    const bool Store = Where.Facts.Kind == SiteKind::Store;
    const Line At{Where.File, Where.Facts.Line};
    const uint32_t Object = O.numberOf(S.Facts.Object);
    const Pattern P =
        patternOf(S, Where, R.Header.Threshold, R.Header.PassEqual != 0,
                  Known.of(S.Facts.Site));
    All.add(P);
    LineSum &L = Lines[At];
    (Store ? L.Stores : L.Loads).add(P);
    if (Counted.insert(S.Facts.Site).second)
      L.Made.add(Where);
    if (Where.Facts.Loop != NoNumber) {
      LoopSum &Around = Loops[Where.Facts.Loop];
      (Store ? Around.Stores : Around.Loads).add(P);
    }
    Key K{At, Where.Function, Object, Store};
    Use &U = Found[K];
    if (U.P.References == 0 && U.Made.Sites == 0) {
      U.Where = At;
      U.Function = readableFunction(Where.Function);
      U.Object = Object;
      U.Store = Store;
    }
    U.P.add(P);
    auto [It, New] = Sites[K].try_emplace(S.Facts.Site, 0);
    It->second += P.References;
    if (New)
      U.Made.add(Where);
  }
  for (auto &[K, U] : Found) {
    auto Most =
        std::max_element(Sites[K].begin(), Sites[K].end(),
                         [](auto &A, auto &B) { return A.second < B.second; });
    U.Loop = R.Sites[Most->first].Facts.Loop;
    U.Step = Known.ofSource(R, Most->first);
    std::set<uint32_t> Columns;
    for (auto &[Site, References] : Sites[K]) {
      Columns.insert(R.Sites[Site].Facts.Column);
      if (Known.ofSource(R, Site) != U.Step)
        U.Step = 0;
    }
    U.Columns = static_cast<uint32_t>(Columns.size());
    limitLines(U);
    Uses.push_back(std::move(U));
  }
  std::stable_sort(Uses.begin(), Uses.end(), [](const Use &A, const Use &B) {
    return A.P.References > B.P.References;
  });
  for (const LoopCounts &L : R.LoopExecutions) {
    LoopSum &Sum = Loops[L.Loop];
    Sum.Executions += L.Executions;
    Sum.Iterations += L.Iterations;
  }
}

void Profile::addBulk(const Record &R, const Objects &O) {
  std::map<std::tuple<Line, std::string, uint32_t, bool>, BulkSum> Sums;
  for (const BulkRecord &B : R.Bulk) {
    const Site &Where = R.Sites[B.Site];
    const bool Store = Where.Facts.Kind == SiteKind::BulkStore;
    const Line At{Where.File, Where.Facts.Line};
    BulkSum &Sum = Sums[{At, Where.Function, O.numberOf(B.Object), Store}];
    Sum.Where = At;
    Sum.Function = readableFunction(Where.Function);
    Sum.Object = O.numberOf(B.Object);
    Sum.Store = Store;
    Sum.Calls += B.Calls;
    Sum.Bytes += B.Bytes;
  }
  for (auto &[Key, Sum] : Sums)
    Bulk.push_back(std::move(Sum));
}

} // namespace graupel::stride
