//===- Profile/FdataExport.cpp - Profiles for llvm-bolt -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a profile as fdata.
//
// 1. The constructor escapes all names. A name with a line feed is left out.
// 2. writeFunction solves a function's edge counts. It writes an edge between
//    two blocks by the offset of its branch (writeInner); an edge without one
//    is counted as unnamed, unless its call says it. Edges from outside to the
//    entry are kept for step 4. Computed gotos are shared out over their labels
//    (writeGotos).
// 3. It writes the function's direct calls, with the count of their block or
//    edge, and adds them to their targets. writeIndirectCalls does that for
//    each site and recorded target; an unknown target is written as such.
// 4. writeUnexplainedEntries writes entries from an unknown place, for
//    functions that were entered more often than calls explain.
// 5. run refuses a profile whose text becomes impossibly long.
//
//===----------------------------------------------------------------------===//

#include "FdataExport.h"
#include "EdgeCounts.h"
#include "GotoShares.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace graupel;

namespace {

/// A place as fdata names it.
struct Place {
  uint32_t Name;
  uint32_t Offset;
};

class FdataWriter {
public:
  FdataWriter(const Profile &P, raw_ostream &OS)
      : P(P), OS(OS),
        End(OS.tell() + MostWritten + MostGrowth * P.MetadataBytes.size()) {
    for (StringRef Name : P.Meta.Names)
      Names.push_back(escape(Name));
  }

  Expected<ExportSummary> run() {
    for (const FunctionProfile &F : P.Meta.Functions)
      writeFunction(F);
    writeIndirectCalls();
    writeUnexplainedEntries();
    if (isFull())
      return createStringError("damaged profile: its names are impossibly "
                               "long; remove it and record again");
    return Summary;
  }

private:
  // Branches take 3 bytes or more and lead to lines with two names.
  static constexpr uint64_t MostWritten = 64 << 20, MostGrowth = 256;

  const Profile &P;
  raw_ostream &OS;
  const uint64_t End;
  ExportSummary Summary;
  /// Empty for names that fdata cannot say.
  std::vector<std::string> Names;
  /// Executions of a function's entry that calls explain, and all of them.
  DenseMap<uint64_t, uint64_t> Called;
  std::vector<std::pair<Place, uint64_t>> Entered;

  static std::string escape(StringRef Name) {
    std::string Escaped;
    if (Name.contains('\n'))
      return Escaped;
    for (char C : Name) {
      if (C == ' ' || C == '\\')
        Escaped += '\\';
      Escaped += C;
    }
    return Escaped;
  }

  static uint64_t keyOf(Place At) {
    return uint64_t(At.Name) << 32 | At.Offset;
  }

  raw_ostream &operator<<(Place At) {
    return OS << "1 " << Names[At.Name] << ' '
              << format_hex_no_prefix(At.Offset, 1) << ' ';
  }

  bool isFull() const { return OS.tell() > End; }
  bool canSay(Place At) const { return !Names[At.Name].empty() && !isFull(); }

  void writeTransfer(Place From, Place To, uint64_t Count) {
    if (!Count || !canSay(From) || !canSay(To))
      return;
    *this << From;
    *this << To;
    OS << "0 " << Count << '\n';
  }

  void addCall(Place To, uint64_t Count) {
    uint64_t &Sum = Called[keyOf(To)];
    Sum = SaturatingAdd(Sum, Count);
  }

  /// A conditional jump out of the function has a block of its own in the
  /// profile, which begins where the block of the jump begins.
  static bool isJumpOut(const FunctionProfile &F,
                        const FunctionProfile::Edge &E) {
    return E.From != E.To && F.Blocks[E.From] == F.Blocks[E.To];
  }

  /// For blocks that end in a conditional jump out of the function, the offset
  /// of that jump: fdata names the fall-through by it. Profiles of older
  /// versions do not have it there.
  static DenseMap<uint32_t, uint32_t> jumpsOut(const FunctionProfile &F) {
    DenseMap<uint32_t, uint32_t> OffsetOfExit, OffsetOfJump;
    for (const FunctionProfile::Call &Call : F.Calls)
      if (!Call.IsEdge)
        OffsetOfExit[Call.Index] = Call.Offset;
    for (const FunctionProfile::Edge &E : F.Edges)
      if (isInner(F, E) && isJumpOut(F, E))
        if (auto It = OffsetOfExit.find(E.To); It != OffsetOfExit.end())
          OffsetOfJump[E.From] = It->second;
    return OffsetOfJump;
  }

  static bool isInner(const FunctionProfile &F,
                      const FunctionProfile::Edge &E) {
    return E.From < F.numBlocks() && E.To < F.numBlocks();
  }

  /// Writes an edge between two blocks. Edges that cannot be named are counted:
  /// their targets would be laid out as code that does not run.
  void writeInner(const FunctionProfile &F, const FunctionProfile::Edge &E,
                  const DenseMap<uint32_t, uint32_t> &JumpsOut,
                  uint64_t Count) {
    if (isJumpOut(F, E))
      return; // Its call says it.
    std::optional<uint32_t> Branch = E.Branch;
    if (auto It = JumpsOut.find(E.From); !Branch && It != JumpsOut.end())
      Branch = It->second;
    if (Branch)
      writeTransfer({F.Name, *Branch}, {F.Name, F.Blocks[E.To]}, Count);
    else
      Summary.Unnamed = SaturatingAdd(Summary.Unnamed, Count);
  }

  void writeFunction(const FunctionProfile &F) {
    const Flow Solved = edgeCounts(P, F);
    if (llvm::all_of(Solved.Counts, [](uint64_t Count) { return !Count; }))
      return;
    ++Summary.Functions;
    Summary.Irregular += Solved.Residual != 0;
    Summary.Residual = SaturatingAdd(Summary.Residual, Solved.Residual);
    std::vector<uint64_t> BlockCounts(F.numBlocks() + 1);
    const DenseMap<uint32_t, uint32_t> JumpsOut = jumpsOut(F);
    for (const auto &[Edge, Count] : llvm::zip(F.Edges, Solved.Counts)) {
      BlockCounts[Edge.To] = SaturatingAdd(BlockCounts[Edge.To], Count);
      if (isInner(F, Edge))
        writeInner(F, Edge, JumpsOut, Count);
      // Landing pads are entered from the outside, but by no call.
      else if (Edge.From == F.numBlocks() && isEntry(F, Edge.To))
        Entered.push_back({{F.Name, F.Blocks[Edge.To]}, Count});
    }
    writeGotos(F, Solved.Counts);
    for (const FunctionProfile::Call &Call : F.Calls) {
      const Place Callee = {Call.Callee, Call.CalleeOffset};
      const uint64_t Count =
          Call.IsEdge ? Solved.Counts[Call.Index] : BlockCounts[Call.Index];
      writeTransfer({F.Name, Call.Offset}, Callee, Count);
      addCall(Callee, Count);
    }
  }

  /// The counts of single pairs of a jump and a label are not known.
  void writeGotos(const FunctionProfile &F, ArrayRef<uint64_t> Counts) {
    std::vector<uint32_t> Jumps, Labels;
    std::vector<uint64_t> Left, Entered;
    for (const auto &[Edge, Count] : zip(F.Edges, Counts)) {
      if (!Edge.Branch || isInner(F, Edge))
        continue;
      const bool Leaves = Edge.To == F.numBlocks();
      (Leaves ? Jumps : Labels).push_back(*Edge.Branch);
      (Leaves ? Left : Entered).push_back(Count);
    }
    const std::vector<std::vector<uint64_t>> Shares = shareOut(Left, Entered);
    for (const auto &[Jump, Row] : zip(Jumps, Shares))
      for (const auto &[Label, Count] : zip(Labels, Row))
        writeTransfer({F.Name, Jump}, {F.Name, Label}, Count);
  }

  static bool isEntry(const FunctionProfile &F, uint32_t Block) {
    return Block < F.numBlocks() && F.Blocks[Block] == F.Blocks.front();
  }

  void writeIndirectCalls() {
    std::vector<Place> Sites(P.Header.site_count, Place{0, 0});
    for (const FunctionProfile &F : P.Meta.Functions)
      for (const auto &[Index, Offset] : llvm::enumerate(F.Sites))
        Sites[F.FirstSite + Index] = {F.Name, Offset};
    for (const auto &[Key, Count] : P.Targets) {
      const Place Site = Sites[(Key >> GRAUPEL_TARGET_BITS) - 1];
      const uint64_t Address = Key & ((UINT64_C(1) << GRAUPEL_TARGET_BITS) - 1);
      const EntryPoint *Target =
          Address == GRAUPEL_TARGET_FAR
              ? nullptr
              : P.Meta.entryPointAt(SignExtend64<GRAUPEL_TARGET_BITS>(Address));
      if (Target) {
        const Place To = {Target->Function, Target->Offset};
        writeTransfer(Site, To, Count);
        addCall(To, Count);
      } else if (Count && canSay(Site)) {
        *this << Site;
        OS << "0 [unknown] 0 0 " << Count << '\n';
      }
    }
  }

  void writeUnexplainedEntries() {
    for (const auto &[Entry, Count] : Entered) {
      const uint64_t Explained = Called.lookup(keyOf(Entry));
      if (Count <= Explained || !canSay(Entry))
        continue;
      OS << "0 [unknown] 0 ";
      *this << Entry;
      OS << "0 " << Count - Explained << '\n';
    }
  }
};

} // namespace

Expected<ExportSummary> graupel::writeFdata(const Profile &P, raw_ostream &OS) {
  return FdataWriter(P, OS).run();
}
