// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plugin with one pass that says "second".
#include "graupel/BoltPassPlugin.h"

// stages.cpp has one of the same name; each must call its own.
const char *whoAmI() { return "second"; }

namespace {
struct Second : llvm::bolt::BinaryFunctionPass {
  Second() : BinaryFunctionPass(/*PrintPass=*/false) {}
  const char *getName() const override { return "second"; }
  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override {
    BC.outs() << whoAmI() << '\n';
    return llvm::Error::success();
  }
};
} // namespace

extern "C" graupel::BoltPassPluginInfo graupelGetBoltPassPluginInfo() {
  return {graupel::BoltPassPluginABI, LLVM_VERSION_STRING, "second", "1",
          [](graupel::BoltPassRegistry &Registry) {
            Registry.add(graupel::PassStage::Start, "second",
                         [] { return std::make_unique<Second>(); });
          }};
}
