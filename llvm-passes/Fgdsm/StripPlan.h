//===- StripPlan.h - Which loops are cut into strips -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides which loops StripMining cuts, and which ranges of memory one strip
// relies on. Nothing is changed here.
//
// A *stream* is what the accesses of a loop touch when their addresses differ
// by a constant and advance by the same constant each iteration, without gaps
// that could hold a block nobody asked for. A *strip* is so many iterations
// that each of its streams stays within a page's length and that the strip
// lasts about a microsecond, after which the loop polls.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_STRIPPLAN_H
#define GRAUPEL_FGDSM_STRIPPLAN_H

#include "Pass.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <functional>
#include <memory>
#include <string>

namespace llvm {
class DominatorTree;
class Instruction;
class Loop;
class LoopInfo;
class ScalarEvolution;
class SCEV;
class TargetLibraryInfo;
} // namespace llvm

namespace graupel::fgdsm {

class Handshakes;
class PointerPrivacy;

/// Memory that one strip relies on: in iteration i of the loop the Extent bytes
/// from First + i * Step on, and so without gaps from the strip's first
/// iteration to its last. Nothing in it changes while the loop runs. Only
/// constant steps may be negative.
struct Stream {
  const llvm::SCEV *First = nullptr;
  const llvm::SCEV *Step = nullptr;
  const llvm::SCEV *Extent = nullptr;
  bool Store = false;
  /// The loads and stores that need no check of their own.
  llvm::SmallVector<llvm::Instruction *, 4> Covers;
};

/// Memory that a loop accesses here and there, but nowhere outside of the Extent
/// bytes from First on: counters that are found by a few bits of a key. Neither
/// changes while the loop runs.
struct Area {
  const llvm::SCEV *First = nullptr;
  const llvm::SCEV *Extent = nullptr;
  /// The maximum of Extent if Small is null, or is at most Large as an unsigned
  /// number. If it is more, there is no such area.
  uint64_t MostBytes = 0;
  const llvm::SCEV *Small = nullptr, *Large = nullptr;
  bool Store = false;
  /// The loads and stores that lie in it.
  llvm::SmallVector<llvm::Instruction *, 4> Covers;
};

/// The plan of one loop.
struct LoopPlan {
  llvm::Loop *L = nullptr;
  /// Iterations after the first one.
  const llvm::SCEV *Last = nullptr;
  /// Iterations of a strip; 0 if the loop is so small that it is one strip.
  uint64_t StripLength = 0;
  llvm::SmallVector<Stream, 4> Streams;
  /// The program has a copy of the loop, without checks of these, for when all
  /// of them happens to be valid as a strip begins.
  llvm::SmallVector<Area, 2> Areas;
  /// Some accesses are in none of them and keep checks of their own.
  bool OwnChecks = false;
  /// The loops in it are none of its business.
  bool Around = false;
  /// Why the loop is skipped; empty if it is not.
  std::string Refusal;

  /// If the streams' sizes are known at run time only: strips are as long as
  /// fits, and at most StripLength; and the plan holds only if of each pair the
  /// first is at most the second, as unsigned numbers.
  bool Measured = false;
  llvm::SmallVector<std::pair<const llvm::SCEV *, const llvm::SCEV *>, 4>
      Conditions;
};

/// Questions about instructions that Classification and Checks answer.
struct StripQueries {
  /// Does this load or store possibly touch shared memory?
  llvm::function_ref<bool(const llvm::Instruction &)> NeedsCheck;
  /// May the protocol take blocks away while this instruction runs?
  llvm::function_ref<bool(const llvm::Instruction &)> MayHandshake;
};

/// The answers.
class StripFacts {
public:
  StripFacts(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  ~StripFacts();
  /// For F, valid until the next function is asked about.
  StripQueries of(llvm::Function &F);

private:
  bool mayHandshake(const llvm::Instruction &I) const;

  llvm::FunctionAnalysisManager &FAM;
  const PointerPrivacy &Privacy;
  std::unique_ptr<Handshakes> HandshakePoints;
  const llvm::TargetLibraryInfo *Library = nullptr;
  llvm::DenseSet<const llvm::Instruction *> Plain, Served;
  std::function<bool(const llvm::Instruction &)> Needs, Ends;
};

/// One entry a loop that has accesses to check, inner loops first. Loops need
/// not be in any canonical form, but those that are not get refused.
llvm::SmallVector<LoopPlan, 8> planStrips(llvm::LoopInfo &LI,
                                          llvm::ScalarEvolution &SE,
                                          llvm::DominatorTree &DT,
                                          const StripQueries &Ask,
                                          llvm::Loop *Within = nullptr);

/// Whether the program may have a copy of L: what jumps by the address of a
/// block would leave the copy.
bool mayCopy(const llvm::Loop &L);

/// print<fgdsm-strips>
class StripPlanPrinterPass : public PrinterPass<StripPlanPrinterPass> {
public:
  using PrinterPass::PrinterPass;
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace graupel::fgdsm

#endif
