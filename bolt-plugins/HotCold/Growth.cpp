//===- HotCold/Growth.cpp - Limits of code growth -------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Growth.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <sys/mman.h>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

GrowthBudget::GrowthBudget() {
  static Shared Private;
  void *At = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  // Without it there is no second attempt.
  Memory = At == MAP_FAILED ? &Private : static_cast<Shared *>(At);
  Memory->Limit = UINT64_MAX;
}

GrowthBudget &GrowthBudget::get() {
  static GrowthBudget Budget;
  return Budget;
}

void GrowthBudget::start(uint64_t Allowed) {
  Memory->Limit = std::min(Memory->Limit, Allowed);
  Memory->Spent = 0;
}

bool GrowthBudget::spend(int64_t Bytes) {
  if (Bytes > 0 && Memory->Spent + Bytes > int64_t(Memory->Limit))
    return false;
  Memory->Spent += Bytes;
  return true;
}

/// The bytes that the sections of code would take over the old text, with the
/// alignment of each, as BOLT lays them out.
static uint64_t neededSize(const BinaryContext &BC) {
  std::vector<const BinarySection *> Sections;
  for (const BinarySection &Section :
       const_cast<BinaryContext &>(BC).textSections())
    if (Section.hasValidSectionID() && Section.isAllocatable())
      Sections.push_back(&Section);
  sort(Sections, [](const BinarySection *A, const BinarySection *B) {
    return A->getOutputAddress() < B->getOutputAddress();
  });
  uint64_t End = BC.OldTextSectionAddress;
  for (const BinarySection *Section : Sections)
    End = alignTo(End, Section->getAlignment()) + Section->getOutputSize();
  return End - BC.OldTextSectionAddress;
}

void GrowthBudget::noteFailure(const BinaryContext &BC) {
  const uint64_t Needed = neededSize(BC);
  // BOLT may also have put something between the sections.
  constexpr uint64_t Padding = 64;
  Memory->Missing = Padding;
  if (Needed > BC.OldTextSectionSize)
    Memory->Missing += Needed - BC.OldTextSectionSize;
}

bool GrowthBudget::tryWithLess() {
  // A byte more is more than one when long branches follow, and another attempt
  // costs more than what the last bytes bring.
  const int64_t Less = Memory->Spent - int64_t(Memory->Missing * 3 / 2);
  if (!Memory->Missing || Memory->Spent <= 0 || Less == Memory->Spent)
    return false;
  Memory->Limit = std::max<int64_t>(0, Less);
  Memory->Missing = 0;
  return true;
}

void GrowthBudget::forget() { Memory->Limit = UINT64_MAX; }
