//===- Remarks.cpp --------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Remarks.h"
#include "DeferredTests.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace graupel::fgdsm {

static constexpr char RemarkPass[] = "fgdsm";

static StringRef nameOf(const Access &A) { return A.Store ? "store" : "load"; }

static void remarkReason(const Reason &R, const Access &A,
                         OptimizationRemarkEmitter &Remarks) {
  if (R.Covers > 1 || R.Hoisted)
    Remarks.emit([&] {
      return OptimizationRemark(RemarkPass, "Shared", A.Inst)
             << "one check of " << ore::NV("Bytes", R.Size) << " bytes for "
             << ore::NV("Accesses", R.Covers)
             << (R.Covers > 1 ? " accesses" : " access")
             << (R.Hoisted ? ", before the loop" : "");
    });
  if (R.Hoisted)
    return;
  Remarks.emit([&] {
    return OptimizationRemarkMissed(RemarkPass, "Check", A.Inst)
           << nameOf(A) << " of " << ore::NV("Bytes", A.Bytes)
           << " bytes checks " << (R.ByValue ? "its value: " : "tags: ")
           << R.Why;
  });
}

void emitRemarks(Function &F, const CheckPlan &Plan,
                 OptimizationRemarkEmitter &Remarks) {
  for (const Reason &R : Plan.Reasons)
    remarkReason(R, Plan.Accesses[R.AccessIndex], Remarks);
  for (const Elision &E : Plan.Elisions) {
    const Access &A = Plan.Accesses[E.AccessIndex];
    Remarks.emit([&] {
      return OptimizationRemark(RemarkPass, "Elided", A.Inst)
             << nameOf(A) << " without a check of its own: "
             << (E.ByStrip ? "the strip's covers it"
                           : "an earlier check covers it");
    });
  }
  for (Instruction &I : instructions(F))
    if (I.hasMetadata(DeferredMetadataName))
      Remarks.emit([&] {
        return OptimizationRemark(RemarkPass, "Deferred", &I)
               << "load without a check of its own: the sum behind the loop "
                  "tells whether it was valid";
      });
}

} // namespace graupel::fgdsm
