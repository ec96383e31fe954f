//===- Driver/ExplainedPass.h - Why a pass gives functions up ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some of BOLT's passes give functions up, each for one reason of its own, and
// say nothing. The summary names such functions with that reason.
//
// 1. Before the pass: note the functions that are still to be rewritten.
// 2. Behind it: those that are not any more were given up by this pass.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_EXPLAINEDPASS_H
#define GRAUPEL_DRIVER_EXPLAINEDPASS_H

#include "Summary.h"
#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/BinaryFunction.h"
#include <vector>

namespace graupel {

/// Runs \p PassT; functions that it gives up are skipped because of \p Why.
template <typename PassT> class ExplainedPass : public PassT {
public:
  template <typename... ArgTs>
  explicit ExplainedPass(const char *Why, ArgTs &&...Args)
      : PassT(std::forward<ArgTs>(Args)...), Why(Why) {}

  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override {
    std::vector<const llvm::bolt::BinaryFunction *> Before;
    for (const auto &[Address, BF] : BC.getBinaryFunctions())
      if (isRewritten(BF))
        Before.push_back(&BF);
    if (llvm::Error E = PassT::runOnFunctions(BC))
      return E;
    for (const llvm::bolt::BinaryFunction *BF : Before)
      if (!isRewritten(*BF))
        Summary::get().skip(*BF, Why);
    return llvm::Error::success();
  }

private:
  const char *Why;

  static bool isRewritten(const llvm::bolt::BinaryFunction &BF) {
    return BF.isSimple() && !BF.isIgnored();
  }
};

} // namespace graupel

#endif // GRAUPEL_DRIVER_EXPLAINEDPASS_H
