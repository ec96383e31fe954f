//===- StripPlanner.h - Inside of StripPlan and StripNest -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_STRIPPLANNER_H
#define GRAUPEL_FGDSM_STRIPPLANNER_H

#include "StripPlan.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace llvm {
class BasicBlock;
class Value;
} // namespace llvm

namespace graupel::fgdsm {

/// A range of so many bytes lies in two pages and is checked inline.
inline constexpr uint64_t MaxRange = 4096;
/// Bytes that may lie between two accesses of a stream. No smaller block
/// exists.
inline constexpr uint64_t MaxGap = 32;
/// Instructions of a strip: about a microsecond.
inline constexpr uint64_t StripBudget = 6000;
/// Shorter strips are not worth their checks.
inline constexpr uint64_t MinStrip = 4;
/// Instructions of a loop or nest that the program has a copy of, for sizes
/// that do not fit.
inline constexpr unsigned MaxCopied = 160;
/// Rows in a strip whose length is not known: some microseconds at most.
inline constexpr uint64_t MaxRows = 16;
/// An area, of which three pages' summaries tell.
inline constexpr uint64_t MaxArea = 8192;
/// The end of the user's half of the address space, which has summaries.
inline constexpr uint64_t EndOfAddresses = uint64_t(1) << 47;
/// The streams of a loop; each may hold two registers across it.
inline constexpr unsigned MaxStreams = 16;

/// A load or store that a stream may cover.
struct StripAccess {
  llvm::Value *Pointer = nullptr;
  uint64_t Bytes = 0;
  bool Store = false;
  /// Some of the lanes may not be accessed.
  bool Masked = false;
};

std::optional<StripAccess> simpleAccess(llvm::Instruction &I);

inline uint64_t magnitude(int64_t N) {
  return N < 0 ? -static_cast<uint64_t>(N) : N;
}

/// An access, or several that became one, relative to a loop: in iteration i it
/// touches the Extent bytes from First + i * Step on.
struct Footprint {
  const llvm::SCEV *First;
  int64_t Step;
  uint64_t Extent;
  bool Store;
  /// Executed in each iteration.
  bool Always;
  llvm::SmallVector<llvm::Instruction *, 4> Accesses;
};

/// The same with sizes known at run time.
struct Slice {
  const llvm::SCEV *First, *Step, *Extent;
  bool Store, Always;
  llvm::SmallVector<llvm::Instruction *, 4> Accesses;
};

/// Appends runs without gaps of those prints that are executed always and of
/// one kind. They have constant distances, by which they are sorted.
void mergeDense(llvm::ArrayRef<std::pair<int64_t, Footprint *>> Sorted,
                bool Store, llvm::SmallVectorImpl<Footprint> &Out);

class StripPlanner {
public:
  StripPlanner(llvm::LoopInfo &LI, llvm::ScalarEvolution &SE,
               llvm::DominatorTree &DT, const StripQueries &Ask)
      : LI(LI), SE(SE), DT(DT), Ask(Ask) {}

  /// Plans L or, if that is no good, what is in it.
  void plan(llvm::Loop &L, bool Nests, llvm::SmallVectorImpl<LoopPlan> &Plans);

private:
  using Condition = std::pair<const llvm::SCEV *, const llvm::SCEV *>;

  bool hasWork(llvm::Loop &L) const;
  std::string refuse(llvm::Loop &L, LoopPlan &Plan) const;
  LoopPlan planInnermost(llvm::Loop &L);
  void expectOneStrip(LoopPlan &Plan) const;
  void collect(llvm::Loop &L, llvm::SmallVectorImpl<Footprint> &Out,
               std::string &Gap);
  void forEachGroup(
      llvm::SmallVectorImpl<Footprint> &Prints,
      llvm::function_ref<void(llvm::ArrayRef<std::pair<int64_t, Footprint *>>)>
          Each);
  void cluster(llvm::SmallVectorImpl<Footprint> &Prints, LoopPlan &Plan,
               std::string &Gap);
  void chooseLength(LoopPlan &Plan, const std::string &Gap);
  /// Roughly the instructions of one iteration.
  uint64_t cost(const llvm::Loop &L) const;
  /// Can S be computed before L?
  bool canCompute(const llvm::SCEV *S, const llvm::Loop &L) const;
  /// The number of bytes from A to B, if that is constant.
  std::optional<int64_t> distance(const llvm::SCEV *A,
                                  const llvm::SCEV *B) const;
  const llvm::SCEV *constant(int64_t N) const;

  // Areas.
  struct Bounded;
  void findAreas(LoopPlan &Plan);
  std::optional<Bounded> boundedAccess(llvm::Instruction &I,
                                       const llvm::Loop &L);
  void addArea(llvm::MutableArrayRef<Bounded> Found, LoopPlan &Plan);

  // Loops around others.
  std::optional<LoopPlan> planOuter(llvm::Loop &L);

  // Nests.
  std::optional<LoopPlan> planNest(llvm::Loop &L);
  bool foldable(llvm::Loop &L) const;
  bool goesOn(llvm::Loop &C, const llvm::Loop &Before) const;
  llvm::DenseSet<const llvm::BasicBlock *> alwaysEntered(llvm::Loop &L) const;
  void collectBlocks(llvm::Loop &C, bool Entered,
                     llvm::SmallVectorImpl<Footprint> &Out);
  bool slice(llvm::Loop &L, llvm::Loop &Innermost, const Footprint &Print,
             LoopPlan &Plan, llvm::SmallVectorImpl<Slice> &Out);
  bool spanStarts(llvm::Loop &L, const llvm::SCEV *&Low, const llvm::SCEV *High,
                  llvm::SmallVectorImpl<const llvm::SCEV *> &Bounds);
  bool knownAtMost(const llvm::SCEV *Small, const llvm::SCEV *Large);
  bool require(const llvm::SCEV *Small, const llvm::SCEV *Large,
               LoopPlan &Plan);
  bool clusterMeasured(llvm::Loop &L, llvm::ArrayRef<Slice> Slices,
                       LoopPlan &Plan);

  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  llvm::DominatorTree &DT;
  const StripQueries &Ask;
};

} // namespace graupel::fgdsm

#endif
