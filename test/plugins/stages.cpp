// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plugin with a pass at each stage that says when it runs; with
// -end-by-signal the last one ends the process.
#include "graupel/BoltPassPlugin.h"
#include <csignal>

using namespace graupel;

static llvm::cl::opt<std::string> Greeting("greeting", llvm::cl::init("stage"));
static llvm::cl::opt<bool> EndBySignal("end-by-signal", llvm::cl::init(false));

// second.cpp has one of the same name; each must call its own.
const char *whoAmI() { return Greeting.c_str(); }

namespace {
struct Speak : llvm::bolt::BinaryFunctionPass {
  std::string Stage;
  explicit Speak(std::string Stage)
      : BinaryFunctionPass(/*PrintPass=*/false), Stage(std::move(Stage)) {}
  const char *getName() const override { return "speak"; }
  llvm::Error runOnFunctions(llvm::bolt::BinaryContext &BC) override {
    BC.outs() << whoAmI() << ' ' << Stage << ": "
              << BC.getBinaryFunctions().size() << " functions\n";
    if (EndBySignal && Stage == "Late")
      std::raise(SIGTERM);
    return llvm::Error::success();
  }
};

void speakAt(BoltPassRegistry &Registry, PassStage Stage, const char *Name) {
  Registry.add(Stage, Name, [=] { return std::make_unique<Speak>(Name); });
}
} // namespace

extern "C" BoltPassPluginInfo graupelGetBoltPassPluginInfo() {
  return {BoltPassPluginABI, LLVM_VERSION_STRING, "stages", "1",
          [](BoltPassRegistry &Registry) {
            // Not in the order in which they run.
            speakAt(Registry, PassStage::Late, "Late");
            speakAt(Registry, PassStage::Split, "Split");
            speakAt(Registry, PassStage::FunctionOrder, "FunctionOrder");
            speakAt(Registry, PassStage::Start, "Start");
            speakAt(Registry, PassStage::BlockOrder, "BlockOrder");
            speakAt(Registry, PassStage::PreLayout, "PreLayout");
            Registry.add(PassStage::Start, "absent", [] { return nullptr; });
          }};
}
