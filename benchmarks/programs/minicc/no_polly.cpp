// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Debian's clang libraries were built with Polly and ask for its plugin entry by
// name. The benchmark has no use for Polly, so this supplies a plugin that
// registers nothing, which keeps Polly's libraries out of the link.

#include "llvm/Plugins/PassPlugin.h"

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  llvm::PassPluginLibraryInfo Info;
  Info.APIVersion = LLVM_PLUGIN_API_VERSION;
  Info.PluginName = "no-polly";
  Info.PluginVersion = "0";
  Info.RegisterPassBuilderCallbacks = [](llvm::PassBuilder &) {};
  return Info;
}
