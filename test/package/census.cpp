// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the functions and blocks that BOLT may rewrite.

#include "graupel/BoltPassPlugin.h"

namespace {

class CensusPass : public llvm::bolt::BinaryFunctionPass {
public:
  CensusPass() : BinaryFunctionPass(/*PrintPass=*/false) {}

  const char *getName() const override { return "census"; }

  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override {
    size_t Functions = 0, Blocks = 0;
    for (const auto &[Address, Function] : BC.getBinaryFunctions()) {
      if (!shouldOptimize(Function))
        continue;
      ++Functions;
      Blocks += Function.size();
    }
    BC.outs() << "census: " << Functions << " functions, " << Blocks
              << " blocks\n";
    return llvm::Error::success();
  }
};

void registerPasses(graupel::BoltPassRegistry &Registry) {
  Registry.add(graupel::PassStage::Start, "census",
               [] { return std::make_unique<CensusPass>(); });
}

} // namespace

extern "C" graupel::BoltPassPluginInfo graupelGetBoltPassPluginInfo() {
  return {graupel::BoltPassPluginABI, LLVM_VERSION_STRING, "census", "1.0",
          registerPasses};
}
