//===- StripMining.h - Loops run in checked strips --------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Carries out what StripPlan decided. The markers it leaves are all that
// Checks knows about strips:
//
//   call void @graupel.fgdsm.range(ptr %start, i64 %bytes, i1 %store, i64 ID)
//   call i1 @graupel.fgdsm.refused(ptr %start, i64 %bytes, i1 %store, i64 ID)
//   call void @graupel.fgdsm.poll()
//   load ..., !graupel.covered !{i64 ID}
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_STRIPMINING_H
#define GRAUPEL_FGDSM_STRIPMINING_H

#include "Pass.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace llvm {
class Instruction;
} // namespace llvm

namespace graupel::fgdsm {

/// Names of the markers and of the metadata. `Refused` tells whether the range,
/// which may never be marked, might be refused right now, and has no slow path.
inline constexpr char RangeMarkerName[] = "graupel.fgdsm.range";
inline constexpr char RefusedMarkerName[] = "graupel.fgdsm.refused";
inline constexpr char PollMarkerName[] = "graupel.fgdsm.poll";
inline constexpr char CoveredMetadataName[] = "graupel.covered";
/// On loops that poll once a strip or are too short to poll.
inline constexpr char StripLoopMetadataName[] = "graupel.fgdsm.strip";

/// Whether I is a call of the marker of that name.
bool isMarker(const llvm::Instruction &I, llvm::StringRef Name);
/// The number of the range that I marks, if it is such a marker.
std::optional<uint64_t> markedRange(const llvm::Instruction &I);
/// The numbers of the ranges that cover I.
llvm::SmallVector<uint64_t, 2> coveringRanges(const llvm::Instruction &I);
void setCoveringRanges(llvm::Instruction &I, llvm::ArrayRef<uint64_t> Numbers);

class StripMiningPass : public RequiredPass<StripMiningPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace graupel::fgdsm

#endif
