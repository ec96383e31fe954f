//===- ProfileMatch/FunctionMatching.cpp - Which function is which --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Functions that nothing else looks like, in either image, and whose content
//    is the same, are the same; so are those whose names and contents are.
// 2. Names, where there are any, of functions that are similar.
// 3. Between the pairs that are in order, the shortest list of insertions,
//    deletions and changes that makes one list of functions of the other (Cohn,
//    Goodwin, Lowney 1997, with changes beside insertions and deletions).
// 4. Functions that moved: by the blocks that few functions have.
// 5. Functions that matched functions call from the same place.
//
//===----------------------------------------------------------------------===//

#include "FunctionMatching.h"
#include "BlockMatching.h"
#include "Subsequence.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>

using namespace llvm;
using namespace graupel;

namespace {

using Bag = ShapedFunction::Bag;

/// The size of what is in both bags.
uint64_t common(const Bag &A, const Bag &B) {
  uint64_t Sum = 0;
  for (auto X = A.begin(), Y = B.begin(); X != A.end() && Y != B.end();) {
    if (*X == *Y) {
      Sum += X->second;
      ++X;
      ++Y;
    } else if (*X < *Y) {
      ++X;
    } else {
      ++Y;
    }
  }
  return Sum;
}

/// A name without what the compiler and BOLT put behind it.
StringRef stem(StringRef Name) {
  Name = Name.take_until([](char C) { return C == '/'; });
  for (StringRef Suffix : {".constprop.", ".isra.", ".part.", ".lto_priv.",
                           ".llvm.", ".localalias"})
    Name = Name.take_front(std::min(Name.find(Suffix), Name.size()));
  return Name;
}

class FunctionMatcher {
public:
  FunctionMatcher(const ShapedImage &Old, const ShapedImage &New)
      : Old(Old.Functions), New(New.Functions),
        Result(this->Old.size(), this->New.size()) {}

  FunctionMatches run() {
    matchContents();
    matchNames();
    // The surest first: the call graph is known better behind them.
    for (double Least : {0.6, 0.3}) {
      alignLists(Least);
      matchMoved();
      matchCalls();
    }
    alignLists(0.3);
    return std::move(Result);
  }

private:
  ArrayRef<ShapedFunction> Old, New;
  FunctionMatches Result;
  double LeastAligned = 0;

  /// Least likeness of functions that the same place calls, and of those that
  /// only their code speaks for.
  static constexpr double LeastCalled = 0.1, LeastMoved = 0.4;
  /// Least likeness of functions that have different names: one that went and
  /// one that came are rarely the same.
  static constexpr double LeastRenamed = 0.6;
  /// Most pairs of functions between two sure pairs that are compared.
  static constexpr size_t MostCompared = 1 << 20;

  void add(uint32_t O, uint32_t N, MatchedBy By) {
    if (Old[O].Content == New[N].Content && By != MatchedBy::Name)
      By = MatchedBy::Content;
    Result.add({O, N, By, similarity(Old[O], New[N])});
  }

  bool isOpen(uint32_t O, uint32_t N) const {
    return !Result.isOldTaken(O) && !Result.isNewTaken(N);
  }

  /// Pairs what has the same key and nothing else has.
  template <typename KeyT>
  void
  matchUnique(function_ref<std::optional<KeyT>(const ShapedFunction &)> Key,
              function_ref<void(uint32_t, uint32_t)> Found) {
    struct Owners {
      uint32_t NumOld = 0, NumNew = 0, Old = 0, New = 0;
    };
    std::map<KeyT, Owners> ByKey;
    for (uint32_t I = 0; I < Old.size(); ++I)
      if (!Result.isOldTaken(I))
        if (std::optional<KeyT> K = Key(Old[I])) {
          Owners &O = ByKey[*K];
          ++O.NumOld;
          O.Old = I;
        }
    for (uint32_t I = 0; I < New.size(); ++I)
      if (!Result.isNewTaken(I))
        if (std::optional<KeyT> K = Key(New[I])) {
          Owners &O = ByKey[*K];
          ++O.NumNew;
          O.New = I;
        }
    for (const auto &[K, O] : ByKey)
      if (O.NumOld == 1 && O.NumNew == 1)
        Found(O.Old, O.New);
  }

  void matchContents() {
    using NameAndContent = std::pair<StringRef, uint64_t>;
    matchUnique<NameAndContent>(
        [](const ShapedFunction &F) {
          return F.Name.empty()
                     ? std::nullopt
                     : std::optional(NameAndContent(stem(F.Name), F.Content));
        },
        [&](uint32_t O, uint32_t N) { add(O, N, MatchedBy::Content); });
    matchUnique<uint64_t>(
        [](const ShapedFunction &F) { return std::optional(F.Content); },
        [&](uint32_t O, uint32_t N) {
          // The content of the smallest functions is not unique.
          if (Old[O].Size > 6)
            add(O, N, MatchedBy::Content);
        });
  }

  void matchNames() {
    auto found = [&](uint32_t O, uint32_t N) {
      if (haveLikeSizes(Old[O], New[N]))
        add(O, N, MatchedBy::Name);
    };
    auto nonEmpty = [](StringRef Name) {
      return Name.empty() ? std::nullopt : std::optional(Name);
    };
    matchUnique<StringRef>(
        [&](const ShapedFunction &F) { return nonEmpty(F.Name); }, found);
    matchUnique<StringRef>(
        [&](const ShapedFunction &F) { return nonEmpty(stem(F.Name)); }, found);
  }

  /// Step 3, of functions that are alike by \p Least.
  void alignLists(double Least) {
    LeastAligned = Least;
    std::vector<std::pair<uint32_t, uint32_t>> Pairs;
    for (const FunctionMatches::Match &M : Result.all())
      Pairs.push_back({M.Old, M.New});
    llvm::sort(Pairs);
    std::vector<uint32_t> Order;
    for (const auto &[O, N] : Pairs)
      Order.push_back(N);
    uint32_t OldBegin = 0, NewBegin = 0;
    for (uint32_t Index : longestIncreasing(Order)) {
      alignGap(OldBegin, Pairs[Index].first, NewBegin, Pairs[Index].second);
      OldBegin = Pairs[Index].first + 1;
      NewBegin = Pairs[Index].second + 1;
    }
    alignGap(OldBegin, Old.size(), NewBegin, New.size());
  }

  void alignGap(uint32_t OldBegin, uint32_t OldEnd, uint32_t NewBegin,
                uint32_t NewEnd) {
    std::vector<uint32_t> Olds, News;
    for (uint32_t I = OldBegin; I < OldEnd; ++I)
      if (!Result.isOldTaken(I))
        Olds.push_back(I);
    for (uint32_t I = NewBegin; I < NewEnd; ++I)
      if (!Result.isNewTaken(I))
        News.push_back(I);
    if (Olds.empty() || News.empty())
      return;
    if (Olds.size() * News.size() > MostCompared)
      return alignGraphs(Olds, News);
    alignment(
        Olds.size(), News.size(),
        [&](size_t I, size_t J) { return gain(Olds[I], News[J]); },
        [&](size_t I, size_t J) { addAligned(Olds[I], News[J]); });
  }

  void addAligned(uint32_t O, uint32_t N) {
    add(O, N,
        Old[O].Graph == New[N].Graph ? MatchedBy::Shape : MatchedBy::Distance);
  }

  /// The savings of changing one function into the other against deleting and
  /// inserting them; 0 if it cannot be a change.
  double gain(uint32_t O, uint32_t N) const {
    if (!haveLikeSizes(Old[O], New[N]))
      return 0;
    const double Like = likenessByCode(O, N);
    return Like < LeastAligned ? 0 : Like * (Old[O].Size + New[N].Size);
  }

  static bool haveLikeSizes(const ShapedFunction &O, const ShapedFunction &N) {
    return O.Size <= 4 * N.Size + 16 && N.Size <= 4 * O.Size + 16;
  }

  /// The likelihood that one was made of the other, by their code and by the
  /// call graph, as far as that is known. 0 to 1.
  double likeness(uint32_t O, uint32_t N) const {
    const ShapedFunction &X = Old[O], &Y = New[N];
    const double Same = similarity(X, Y);
    const double Mixed = std::max(0.0, cosine(X.Mixture, Y.Mixture));
    double Around = Same;
    if (const size_t All = X.Neighbors.size() + Y.Neighbors.size()) {
      const size_t Common = llvm::count_if(X.Neighbors, [&](uint32_t F) {
        const std::optional<uint32_t> Now = Result.newOf(F);
        return Now && llvm::binary_search(Y.Neighbors, *Now);
      });
      Around = 2.0 * Common / All;
    }
    const double Like = 0.5 * Same + 0.25 * Mixed + 0.25 * Around;
    return X.Graph == Y.Graph && X.Blocks.size() > 4 ? (1 + Like) / 2 : Like;
  }

  /// The same for functions that nothing but their code and place speaks for.
  double likenessByCode(uint32_t O, uint32_t N) const {
    const bool HaveNames = !Old[O].Name.empty() && !New[N].Name.empty();
    const double Like = likeness(O, N);
    return HaveNames && Like < LeastRenamed ? 0 : Like;
  }

  static double cosine(ArrayRef<float> A, ArrayRef<float> B) {
    double Dot = 0, NormA = 0, NormB = 0;
    for (const auto &[X, Y] : llvm::zip_equal(A, B)) {
      Dot += X * Y;
      NormA += X * X;
      NormB += Y * Y;
    }
    return NormA && NormB ? Dot / std::sqrt(NormA * NormB) : 0;
  }

  /// For lists too long for comparing all with all: the edit distance without
  /// changes, by the graphs that occur once.
  void alignGraphs(ArrayRef<uint32_t> Olds, ArrayRef<uint32_t> News) {
    DenseMap<uint64_t, std::pair<uint32_t, uint32_t>> Count;
    DenseMap<uint64_t, uint32_t> Position;
    for (uint32_t O : Olds)
      ++Count[Old[O].Graph].first;
    for (auto [Index, N] : llvm::enumerate(News)) {
      ++Count[New[N].Graph].second;
      Position[New[N].Graph] = Index;
    }
    std::vector<uint32_t> Candidates, Order;
    for (uint32_t O : Olds)
      if (Old[O].Blocks.size() > 4 &&
          Count[Old[O].Graph] == std::pair(1u, 1u)) {
        Candidates.push_back(O);
        Order.push_back(Position[Old[O].Graph]);
      }
    const std::vector<uint32_t> Kept = longestIncreasing(Order);
    if (Kept.empty())
      return;
    uint32_t OldBegin = Olds.front(), NewBegin = News.front();
    for (uint32_t Index : Kept) {
      const uint32_t O = Candidates[Index], N = News[Order[Index]];
      addAligned(O, N);
      alignGap(OldBegin, O, NewBegin, N);
      OldBegin = O + 1;
      NewBegin = N + 1;
    }
    alignGap(OldBegin, Olds.back() + 1, NewBegin, News.back() + 1);
  }

  /// Step 4.
  void matchMoved() {
    constexpr uint32_t LeastSize = 4;
    constexpr size_t MostOwners = 8;
    DenseMap<uint32_t, SmallVector<uint32_t, 2>> Owners;
    for (uint32_t N = 0; N < New.size(); ++N)
      if (!Result.isNewTaken(N))
        for (const auto &[Hash, Size] : New[N].Exact)
          if (Size >= LeastSize)
            if (auto &List = Owners[Hash]; List.empty() || List.back() != N)
              List.push_back(N);
    struct Candidate {
      double Likeness;
      uint32_t Old, New;
    };
    std::vector<Candidate> Candidates;
    for (uint32_t O = 0; O < Old.size(); ++O) {
      if (Result.isOldTaken(O))
        continue;
      SmallVector<uint32_t, 16> Seen;
      for (const auto &[Hash, Size] : Old[O].Exact)
        if (auto At = Owners.find(Hash);
            At != Owners.end() && At->second.size() <= MostOwners)
          llvm::append_range(Seen, At->second);
      llvm::sort(Seen);
      Seen.erase(llvm::unique(Seen), Seen.end());
      for (uint32_t N : Seen)
        if (double S = likenessByCode(O, N); S >= LeastMoved)
          Candidates.push_back({S, O, N});
    }
    llvm::stable_sort(Candidates,
                      [](auto &A, auto &B) { return A.Likeness > B.Likeness; });
    for (const Candidate &C : Candidates)
      if (isOpen(C.Old, C.New))
        add(C.Old, C.New, MatchedBy::Blocks);
  }

  /// Step 5. Each round may name functions that the next one looks into.
  void matchCalls() {
    size_t Begin = 0;
    while (Begin < Result.all().size()) {
      std::map<std::pair<uint32_t, uint32_t>, uint32_t> Votes;
      const size_t End = Result.all().size();
      for (; Begin < End; ++Begin)
        collectCalls(Result.all()[Begin], Votes);
      std::vector<std::pair<double, std::pair<uint32_t, uint32_t>>> Ranked;
      for (const auto &[Pair, Number] : Votes)
        if (double Like = likeness(Pair.first, Pair.second);
            Like >= LeastCalled)
          Ranked.push_back({Like * Number, Pair});
      llvm::stable_sort(Ranked,
                        [](auto &A, auto &B) { return A.first > B.first; });
      for (const auto &[Rank, Pair] : Ranked)
        if (isOpen(Pair.first, Pair.second))
          add(Pair.first, Pair.second, MatchedBy::Calls);
    }
  }

  void collectCalls(FunctionMatches::Match M,
                    std::map<std::pair<uint32_t, uint32_t>, uint32_t> &Votes) {
    const ShapedFunction &O = Old[M.Old], &N = New[M.New];
    auto isOpenCallee = [&](uint32_t Callee) {
      return !isExternal(Callee) && !Result.isOldTaken(Callee);
    };
    if (llvm::none_of(O.Blocks, [&](const ShapedFunction::Block &B) {
          return llvm::any_of(B.Callees, isOpenCallee);
        }))
      return;
    const BlockMatches Blocks = matchBlocks(O, N, Result);
    for (uint32_t B = 0; B < O.Blocks.size(); ++B) {
      if (!Blocks.NewOf[B])
        continue;
      const auto &From = O.Blocks[B].Callees;
      const auto &To = N.Blocks[*Blocks.NewOf[B]].Callees;
      if (From.size() == To.size())
        for (const auto &[X, Y] : llvm::zip(From, To))
          if (isOpenCallee(X) && !isExternal(Y) && !Result.isNewTaken(Y))
            ++Votes[{X, Y}];
    }
  }
};

} // namespace

void FunctionMatches::add(Match M) {
  assert(!isOldTaken(M.Old) && !isNewTaken(M.New) && "matched twice");
  NewOf[M.Old] = OldOf[M.New] = Matches.size();
  Matches.push_back(M);
}

StringRef graupel::describe(MatchedBy By) {
  switch (By) {
  case MatchedBy::Content:
    return "same code";
  case MatchedBy::Name:
    return "name";
  case MatchedBy::Shape:
    return "shape";
  case MatchedBy::Distance:
    return "edit distance";
  case MatchedBy::Blocks:
    return "rare blocks";
  case MatchedBy::Calls:
    return "calls";
  }
  llvm_unreachable("covered switch");
}

double graupel::similarity(const ShapedFunction &Old,
                           const ShapedFunction &New) {
  const double Both = Old.Size + New.Size;
  if (!Both)
    return 1;
  const double Same =
      (common(Old.Exact, New.Exact) + common(Old.Mnemonics, New.Mnemonics)) /
      Both;
  const size_t Calls = Old.Externals.size() + New.Externals.size();
  if (!Calls)
    return Same;
  const double SameCalls =
      2.0 * common(Old.Externals, New.Externals) / double(Calls);
  return 0.8 * Same + 0.2 * SameCalls;
}

FunctionMatches graupel::matchFunctions(const ShapedImage &Old,
                                        const ShapedImage &New) {
  return FunctionMatcher(Old, New).run();
}
