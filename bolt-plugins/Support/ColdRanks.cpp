//===- Support/ColdRanks.cpp ----------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ColdRanks.h"

using namespace llvm::bolt;

namespace graupel {

static ColdRanks &ranks() {
  static ColdRanks Ranks;
  return Ranks;
}

void setColdOrder(std::vector<const BinaryFunction *> Functions) {
  for (const BinaryFunction *BF : Functions)
    ranks().try_emplace(BF, ranks().size());
}

const ColdRanks &coldRanks() { return ranks(); }

} // namespace graupel
