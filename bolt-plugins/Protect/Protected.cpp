//===- Protect/Protected.cpp - Functions that have to stay ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Protected.h"
#include "Options/CopyPlan.h"
#include "Support/BoltInternals.h"
#include "Support/FunctionEntry.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

/// The words for one reason.
struct Wording {
  ProtectReason Reason;
  const char *Why, *One, *Many;
};

constexpr Wording Wordings[] = {
#define REASON(Name, Why, One, Many) {ProtectReason::Name, Why, One, Many},
#include "Reasons.def"
};

} // namespace

/// A copy does not change the address of the function, and what is found from
/// there. Control that enters code to which no known jump leads enters the
/// original.
static bool holdsForCopies(ProtectReason Reason) {
  return Reason != ProtectReason::KnownByNumber &&
         Reason != ProtectReason::BehindSection &&
         Reason != ProtectReason::UnreachedCode;
}

void ProtectedFunctions::add(BinaryFunction &BF, ProtectReason Reason) {
  if (!makesCopies() || holdsForCopies(Reason))
    Reasons.insert({&BF, Reason});
}

std::string ProtectedFunctions::explain(const BinaryFunction &BF) const {
  const BinaryFunction *Root = Roots.lookup(&BF);
  const ProtectReason Reason =
      Reasons.lookup(const_cast<BinaryFunction *>(Root ? Root : &BF));
  const std::string Why = Wordings[unsigned(Reason)].Why;
  return Root ? "it belongs to " + Root->getOneName().str() + ": " + Why : Why;
}

/// Calls \p Do with what the compiler split off from \p BF and what it was
/// split from.
template <typename Action>
static void forEachRelated(BinaryFunction &BF, Action Do) {
  for (auto *Related : {&(BF.*member(internals::FragmentsTag())),
                        &(BF.*member(internals::ParentFragmentsTag()))})
    for (BinaryFunction *Other : *Related)
      Do(*Other);
}

void ProtectedFunctions::addPartsOf(ArrayRef<BinaryFunction *> Ignored) {
  Unread.insert_range(Ignored);
  for (BinaryFunction *BF : Ignored)
    forEachRelated(*BF, [&](BinaryFunction &Other) {
      if (!Unread.contains(&Other))
        add(Other, ProtectReason::PartOfUnread);
    });
}

void ProtectedFunctions::addFragments() {
  std::vector<BinaryFunction *> Worklist;
  for (const auto &[BF, Reason] : Reasons)
    Worklist.push_back(BF);
  while (!Worklist.empty()) {
    BinaryFunction &BF = *Worklist.back();
    Worklist.pop_back();
    forEachRelated(BF, [&](BinaryFunction &Other) {
      if (Unread.contains(&Other) ||
          !Reasons.insert({&Other, ProtectReason::Fragment}).second)
        return;
      const BinaryFunction *Root = Roots.lookup(&BF);
      Roots[&Other] = Root ? Root : &BF;
      Worklist.push_back(&Other);
    });
  }
}

void ProtectedFunctions::print(raw_ostream &OS) const {
  for (const auto &[BF, Reason] : Reasons)
    OS << "GRAUPEL-INFO: " << BF->getPrintName()
       << " left as it is: " << explain(*BF) << '\n';
}

void ProtectedFunctions::printSummary(raw_ostream &OS) const {
  const char *Separator = ": ";
  OS << "GRAUPEL-INFO: " << Reasons.size()
     << (Reasons.size() == 1 ? " function left as it is"
                             : " functions left as they are");
  for (const Wording &W : Wordings) {
    const size_t N = count_if(
        Reasons, [&](const auto &Entry) { return Entry.second == W.Reason; });
    if (!N)
      continue;
    OS << Separator << N << ' ' << (N == 1 ? W.One : W.Many);
    Separator = ", ";
  }
  OS << '\n';
}
