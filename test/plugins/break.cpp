// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plugin with a defect: the function that -break-function names is stopped at
// its entry.
#include "graupel/BoltPassPlugin.h"

using namespace graupel;

static llvm::cl::opt<std::string> BreakFunction("break-function");

namespace {
struct Break : llvm::bolt::BinaryFunctionPass {
  Break() : BinaryFunctionPass(/*PrintPass=*/false) {}
  const char *getName() const override { return "break"; }
  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override {
    for (auto &[Address, BF] : BC.getBinaryFunctions())
      if (shouldOptimize(BF) && BF.hasName(BreakFunction)) {
        llvm::MCInst Trap;
        BC.MIB->createTrap(Trap);
        BF.front().insertInstruction(BF.front().begin(), Trap);
      }
    return llvm::Error::success();
  }
};
} // namespace

extern "C" BoltPassPluginInfo graupelGetBoltPassPluginInfo() {
  return {BoltPassPluginABI, LLVM_VERSION_STRING, "break", "1",
          [](BoltPassRegistry &Registry) {
            Registry.add(PassStage::Late, "break",
                         [] { return std::make_unique<Break>(); });
          }};
}
