//===- Remarks.cpp --------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Remarks.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"

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
}

} // namespace graupel::fgdsm
