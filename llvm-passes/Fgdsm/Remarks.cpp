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

static void remarkCheck(const Check &C, const Access &A,
                        OptimizationRemarkEmitter &Remarks) {
  StringRef Kind = C.Kind == CheckKind::Sentinel ? "its value" : "tags";
  if (C.Covers > 1 || C.Hoisted)
    Remarks.emit([&] {
      return OptimizationRemark(RemarkPass, "Shared", A.Inst)
             << "one check of " << ore::NV("Bytes", C.Size) << " bytes for "
             << ore::NV("Accesses", C.Covers)
             << (C.Covers > 1 ? " accesses" : " access")
             << (C.Hoisted ? ", before the loop" : "");
    });
  if (C.Hoisted)
    return;
  Remarks.emit([&] {
    return OptimizationRemarkMissed(RemarkPass, "Check", A.Inst)
           << nameOf(A) << " of " << ore::NV("Bytes", A.Bytes)
           << " bytes checks " << Kind
           << (C.Why.empty() ? "" : ": ") << C.Why;
  });
}

void emitRemarks(Function &F, const CheckPlan &Plan,
                 OptimizationRemarkEmitter &Remarks) {
  for (const Check &C : Plan.Checks)
    remarkCheck(C, Plan.Accesses[C.AccessIndex], Remarks);
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
