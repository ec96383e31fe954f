//===- Protect/Protected.cpp - Functions that have to stay ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Protected.h"
#include "Driver/BoltInternals.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static const char *explain(ProtectReason Reason) {
  switch (Reason) {
  case ProtectReason::EscapedAddress:
    return "a code address inside it escapes";
  case ProtectReason::LabelDifferences:
    return "it computes jumps from differences of labels";
  case ProtectReason::DataInCode:
    return "it reads its own code";
  case ProtectReason::TrapsThrow:
    return "instructions other than calls throw";
  case ProtectReason::StrangeTypes:
    return "the types in its exception table are none, or cannot be moved";
  case ProtectReason::StrangeTable:
    return "its exception table cannot be rewritten";
  case ProtectReason::FallsThrough:
    return "control runs past its end";
  case ProtectReason::Fragment:
    return "it belongs to one of the others";
  }
  llvm_unreachable("unknown reason");
}

/// What \p N functions have in common.
static const char *summarize(ProtectReason Reason, size_t N) {
  switch (Reason) {
  case ProtectReason::EscapedAddress:
    return N == 1 ? "has a code address that escapes"
                  : "have code addresses that escape";
  case ProtectReason::LabelDifferences:
    return N == 1 ? "computes jumps from differences of labels"
                  : "compute jumps from differences of labels";
  case ProtectReason::DataInCode:
    return N == 1 ? "reads its own code" : "read their own code";
  case ProtectReason::TrapsThrow:
    return N == 1 ? "has instructions other than calls that throw"
                  : "have instructions other than calls that throw";
  case ProtectReason::StrangeTypes:
    return N == 1 ? "has types in its exception table that are none, or cannot "
                    "be moved"
                  : "have types in their exception tables that are none, or "
                    "cannot be moved";
  case ProtectReason::StrangeTable:
    return N == 1 ? "has an exception table that cannot be rewritten"
                  : "have exception tables that cannot be rewritten";
  case ProtectReason::FallsThrough:
    return N == 1 ? "runs past its end" : "run past their ends";
  case ProtectReason::Fragment:
    return N == 1 ? "belongs to one of these" : "belong to one of these";
  }
  llvm_unreachable("unknown reason");
}

void ProtectedFunctions::addFragments() {
  std::vector<BinaryFunction *> Worklist;
  for (const auto &[BF, Reason] : Reasons)
    Worklist.push_back(BF);
  while (!Worklist.empty()) {
    BinaryFunction &BF = *Worklist.back();
    Worklist.pop_back();
    for (auto *Related : {&(BF.*member(internals::FragmentsTag())),
                          &(BF.*member(internals::ParentFragmentsTag()))})
      for (BinaryFunction *Other : *Related)
        if (Reasons.insert({Other, ProtectReason::Fragment}).second)
          Worklist.push_back(Other);
  }
}

void ProtectedFunctions::print(raw_ostream &OS) const {
  for (const auto &[BF, Reason] : Reasons)
    OS << "GRAUPEL-INFO: " << BF->getPrintName()
       << " left as it is: " << explain(Reason) << '\n';
}

void ProtectedFunctions::printSummary(raw_ostream &OS) const {
  const char *Separator = ": ";
  OS << "GRAUPEL-INFO: " << Reasons.size()
     << (Reasons.size() == 1 ? " function left as it is"
                             : " functions left as they are");
  for (ProtectReason Reason :
       {ProtectReason::EscapedAddress, ProtectReason::LabelDifferences,
        ProtectReason::DataInCode, ProtectReason::TrapsThrow,
        ProtectReason::StrangeTypes, ProtectReason::StrangeTable,
        ProtectReason::FallsThrough, ProtectReason::Fragment}) {
    const size_t N = count_if(
        Reasons, [&](const auto &Entry) { return Entry.second == Reason; });
    if (!N)
      continue;
    OS << Separator << N << ' ' << summarize(Reason, N);
    Separator = ", ";
  }
  OS << '\n';
}
