//===- ProfileMatch/ProfileMatch.cpp - A profile for another build --------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides which counts of a profile another build of the program gets.
//
// 1. ProfiledImage makes graphs of the profile's functions: blocks with shapes
//    and successors (shape), callees (nameCallees) and the counts of all edges
//    (count).
// 2. sitePlaces() finds the block of each indirect call by the offsets.
// 3. ProfileMatch matches the functions of both builds. Shapes of instructions
//    count only if both have them.
// 4. decide() matches the blocks of each executed function. Its counts are
//    transferred if enough of its execution is in matched blocks and, unless
//    its name matched, in blocks that are alike. Otherwise the function is
//    dropped.
// 5. calledAt() and newPlace() translate the targets and the places of indirect
//    calls.
// 6. printSummary() and print() report how functions were matched, and which
//    were dropped.
//
//===----------------------------------------------------------------------===//

#include "ProfileMatch.h"
#include "Profile/EdgeCounts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace graupel;

namespace {

/// The counts of a function with less in common would say nothing. Without a
/// name to tell that it is the right one, that much must be alike.
constexpr double LeastKept = 0.1, LeastAlike = 0.25;

double percent(uint64_t Part, uint64_t Whole) {
  return Whole ? 100.0 * double(Part) / double(Whole) : 0;
}

} // namespace

ProfiledImage::ProfiledImage(const Profile &P, bool WithInstructions)
    : OfName(P.Meta.Names.size()) {
  Image.HasInstructions = WithInstructions;
  for (auto [Index, F] : llvm::enumerate(P.Meta.Functions)) {
    Image.HasInstructions &= F.Shapes.size() == F.Blocks.size();
    Image.Functions.push_back(shape(P, F));
    OfName[F.Name] = Index;
  }
  nameCallees(P);
  count(P);
  if (!Image.HasInstructions)
    Image.forgetInstructions();
  Image.complete();
}

ShapedFunction ProfiledImage::shape(const Profile &P,
                                    const FunctionProfile &F) {
  ShapedFunction Result;
  Result.Name = P.Meta.Names[F.Name];
  Result.Blocks.resize(F.numBlocks());
  for (auto [Block, Shape] : llvm::zip(Result.Blocks, F.Shapes))
    Block.Shape = Shape;
  const uint32_t Outside = F.numBlocks();
  for (const FunctionProfile::Edge &Edge : F.Edges) {
    if (Edge.From < Outside && Edge.To < Outside)
      Result.Blocks[Edge.From].Successors.push_back(Edge.To);
    else if (Edge.From == Outside && Edge.To < Outside && Edge.To)
      Result.Blocks[Edge.To].IsEntered = true;
  }
  for (const FunctionProfile::Call &Call : F.Calls)
    if (Call.IsEdge && F.Edges[Call.Index].From < Outside)
      Result.Blocks[F.Edges[Call.Index].From].MayLeave = true;
  return Result;
}

void ProfiledImage::nameCallees(const Profile &P) {
  for (auto [F, Shaped] : llvm::zip(P.Meta.Functions, Image.Functions))
    for (const FunctionProfile::Call &Call : F.Calls) {
      const uint32_t Block =
          Call.IsEdge ? F.Edges[Call.Index].From : Call.Index;
      if (Block >= F.numBlocks())
        continue;
      const std::optional<uint32_t> Callee = functionNamed(Call.Callee);
      Shaped.Blocks[Block].Callees.push_back(
          Callee ? *Callee : externalNumber(P.Meta.Names[Call.Callee]));
    }
}

void ProfiledImage::count(const Profile &P) {
  for (auto [F, Shaped] : llvm::zip(P.Meta.Functions, Image.Functions)) {
    FunctionCounts &Result = Counts.emplace_back(Shaped);
    const Flow Solved = edgeCounts(P, F);
    const uint32_t Outside = F.numBlocks();
    std::vector<uint32_t> Next(F.numBlocks());
    for (const auto &[Edge, Count] : llvm::zip(F.Edges, Solved.Counts)) {
      if (Edge.From < Outside) {
        if (Edge.To < Outside)
          Result.Edges[Edge.From][Next[Edge.From]++] = Count;
      } else if (Edge.To < Outside) {
        Result.Entered[Edge.To] = SaturatingAdd(Result.Entered[Edge.To], Count);
      }
      if (Edge.To < Outside)
        Result.Blocks[Edge.To] = SaturatingAdd(Result.Blocks[Edge.To], Count);
    }
  }
}

std::optional<uint32_t> ProfiledImage::functionNamed(uint32_t Index) const {
  return OfName[Index];
}

uint64_t ProfiledImage::executedInstructions(uint32_t Function) const {
  uint64_t Sum = 0;
  for (const auto &[Block, Count] :
       llvm::zip(Image.Functions[Function].Blocks, Counts[Function].Blocks))
    Sum = SaturatingMultiplyAdd<uint64_t>(Block.Shape.Instructions, Count, Sum);
  return Sum;
}

std::vector<SitePlace> graupel::sitePlaces(const Profile &P) {
  std::vector<SitePlace> Places;
  for (auto [Index, F] : llvm::enumerate(P.Meta.Functions)) {
    std::map<uint32_t, uint32_t> ByOffset; // The last of two at one place.
    for (uint32_t B = 0; B < F.numBlocks(); ++B)
      ByOffset[F.Blocks[B]] = B;
    std::vector<uint32_t> InBlock(F.numBlocks());
    for (uint32_t Offset : F.Sites) {
      const auto Next = ByOffset.upper_bound(Offset);
      const uint32_t Block =
          Next == ByOffset.begin() ? 0 : std::prev(Next)->second;
      Places.push_back({uint32_t(Index), Block, InBlock[Block]++});
    }
  }
  return Places;
}

static ShapedImage asDetailedAs(const ShapedImage &Old, ShapedImage New) {
  if (!Old.HasInstructions)
    New.forgetInstructions();
  New.complete();
  return New;
}

ProfileMatch::ProfileMatch(const Profile &P, ShapedImage NewImage)
    : Old(P, NewImage.HasInstructions),
      New(asDetailedAs(Old.Image, std::move(NewImage))),
      Functions(matchFunctions(Old.Image, New)) {
  for (uint32_t F = 0; F < Old.Image.Functions.size(); ++F)
    if (llvm::any_of(Old.Counts[F].Blocks, [](uint64_t C) { return C != 0; }))
      decide(F);
  llvm::stable_sort(Decisions, [](const Decision &A, const Decision &B) {
    return A.Executed > B.Executed;
  });
}

void ProfileMatch::decide(uint32_t Function) {
  const ShapedFunction &F = Old.Image.Functions[Function];
  Decision D = {
      Function, Functions.find(Function),  Old.executedInstructions(Function),
      0,        uint32_t(F.Blocks.size()), 0};
  Executed = SaturatingAdd(Executed, D.Executed);
  if (D.Match) {
    const ShapedFunction &To = New.Functions[D.Match->New];
    BlockMatches Found = matchBlocks(F, To, Functions);
    uint64_t Alike = 0;
    for (uint32_t B = 0; B < F.Blocks.size(); ++B)
      if (Found.NewOf[B]) {
        const BlockShape &Shape = F.Blocks[B].Shape;
        const uint64_t Here = SaturatingMultiply<uint64_t>(
            Shape.Instructions, Old.Counts[Function].Blocks[B]);
        ++D.MatchedBlocks;
        D.Kept = SaturatingAdd(D.Kept, Here);
        if (areAlike(Shape, To.Blocks[*Found.NewOf[B]].Shape))
          Alike = SaturatingAdd(Alike, Here);
      }
    if (D.Kept >= LeastKept * D.Executed &&
        (D.Match->By == MatchedBy::Name || Alike >= LeastAlike * D.Executed)) {
      Counts.emplace(D.Match->New,
                     transferCounts(F, Old.Counts[Function], To, Found));
      Blocks.emplace(Function, std::move(Found));
      Kept = SaturatingAdd(Kept, D.Kept);
    } else {
      D.Kept = 0;
    }
  }
  Decisions.push_back(D);
}

std::optional<uint32_t> ProfileMatch::calledAt(const Profile &P,
                                               int64_t Address) const {
  const EntryPoint *At = P.Meta.entryPointAt(Address);
  if (!At || At->Offset)
    return std::nullopt;
  const std::optional<uint32_t> Function = Old.functionNamed(At->Function);
  return Function ? newFunction(*Function) : std::nullopt;
}

std::optional<SitePlace> ProfileMatch::newPlace(const SitePlace &Place) const {
  const auto Found = Blocks.find(Place.Function);
  if (Found == Blocks.end() || !Found->second.NewOf[Place.Block])
    return std::nullopt;
  return SitePlace{*newFunction(Place.Function),
                   *Found->second.NewOf[Place.Block], Place.Number};
}

void ProfileMatch::printSummary(raw_ostream &OS) const {
  struct Sum {
    uint64_t Functions = 0, Executed = 0;
  };
  std::map<MatchedBy, Sum> ByWhat;
  Sum Matched, Partly, Dropped;
  auto add = [](Sum &S, const Decision &D, uint64_t Instructions) {
    ++S.Functions;
    S.Executed = SaturatingAdd(S.Executed, Instructions);
  };
  for (const Decision &D : Decisions) {
    if (!Blocks.count(D.Old)) {
      add(Dropped, D, D.Executed);
      continue;
    }
    add(Matched, D, D.Kept);
    add(ByWhat[D.Match->By], D, D.Kept);
    if (D.MatchedBlocks < D.Blocks)
      add(Partly, D, D.Executed - D.Kept);
  }
  auto share = [&](const Sum &S) {
    OS << S.Functions << " (" << format("%.1f", percent(S.Executed, Executed))
       << " %)";
  };
  OS << "matched " << Matched.Functions << " of " << Decisions.size()
     << " executed functions, with " << format("%.1f", percent(Kept, Executed))
     << " % of the executed instructions: ";
  bool First = true;
  for (const auto &[By, S] : ByWhat) {
    OS << (First ? "by " : ", ") << describe(By) << ' ';
    share(S);
    First = false;
  }
  OS << (First ? "dropped " : "; dropped ");
  share(Dropped);
  OS << ", and ";
  share(Partly);
  OS << " in part\n";
}

void ProfileMatch::print(raw_ostream &OS) const {
  for (const Decision &D : Decisions) {
    OS << "profile match: " << Old.Image.Functions[D.Old].Name << ": "
       << format("%.2f", percent(D.Executed, Executed)) << " %: ";
    if (!D.Match) {
      OS << "dropped: no function is similar\n";
      continue;
    }
    const StringRef Name = New.Functions[D.Match->New].Name;
    OS << (Name.empty() ? "function without a name" : Name) << ", by "
       << describe(D.Match->By) << ", similarity "
       << format("%.2f", D.Match->Similarity) << "; " << D.MatchedBlocks
       << " of " << D.Blocks << " blocks, "
       << format("%.1f", percent(D.Kept, D.Executed)) << " % of it";
    OS << (Blocks.count(D.Old) ? "\n"
                               : ": dropped: has too few blocks in common\n");
  }
}
