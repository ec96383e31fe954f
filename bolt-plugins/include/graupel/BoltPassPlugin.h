//===- graupel/BoltPassPlugin.h - Pass plugins of graupel-bolt --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface between graupel-bolt and the passes that run in it. A plugin is
// a shared object that graupel-bolt loads with --load-bolt-plugin=X.so; the
// passes of bolt-plugins/ register through the same BoltPassRegistry. A
// complete plugin of under 60 lines is in docs/writing-a-bolt-plugin.md.
//
// A pass is a class derived from llvm::bolt::BinaryFunctionPass. BOLT's classes
// change from one LLVM release to the next, so a plugin works with exactly the
// LLVM version it was compiled against; the driver checks that when it loads.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_BOLTPASSPLUGIN_H
#define GRAUPEL_BOLTPASSPLUGIN_H

#include "bolt/Passes/BinaryPasses.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Config/llvm-config.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace graupel {

/// Changes whenever a declaration of this header changes its meaning or layout.
inline constexpr uint32_t BoltPassPluginABI = 1;

/// The position of a pass in the pipeline. At one stage, passes run in the
/// order of their registration: Graupel's own first, then the plugins' in
/// command-line order.
enum class PassStage {
  /// The control flow graphs carry the profile; nothing has been changed yet.
  Start,
  /// After BOLT's code-changing passes (identical code folding, inlining,
  /// promotion of indirect calls), before the order of blocks is decided.
  PreLayout,
  /// Decide the order of the blocks of each function.
  BlockOrder,
  /// Decide which blocks leave the main fragment of their function.
  Split,
  /// Branches agree with the block order from here on. Decide the order of
  /// functions with BinaryFunction::setIndex().
  FunctionOrder,
  /// The order of functions is final and so are branches. A pass may still
  /// change instructions, but no control flow.
  Late,
};

/// Makes one pass for one run of the pipeline. May return null: the pass is
/// then left out of this run. Called once a run, after the command line has
/// been parsed.
using PassFactory =
    std::function<std::unique_ptr<llvm::bolt::BinaryFunctionPass>()>;

/// The passes that graupel-bolt adds to BOLT's. Not thread-safe: passes are
/// registered before the pipeline starts.
class BoltPassRegistry {
public:
  struct Entry {
    PassStage Stage;
    std::string Name;
    PassFactory Make;
  };

  /// Adds the pass \p Name to \p Stage.
  void add(PassStage Stage, llvm::StringRef Name, PassFactory Make) {
    Entries.push_back({Stage, Name.str(), std::move(Make)});
  }

  const std::vector<Entry> &entries() const { return Entries; }

private:
  std::vector<Entry> Entries;
};

/// The description of a plugin. The strings must outlive the process.
struct BoltPassPluginInfo {
  /// BoltPassPluginABI and LLVM_VERSION_STRING as the plugin was compiled; the
  /// driver refuses the plugin unless both are its own.
  uint32_t ABI;
  const char *LLVMVersion;
  /// Shown in messages.
  const char *Name;
  const char *Version;
  /// Called once, after loading, to register the plugin's passes.
  void (*RegisterPasses)(BoltPassRegistry &Registry);
};

} // namespace graupel

/// The one symbol a plugin exports. Return the five fields of
/// BoltPassPluginInfo, the first two from the constants named there.
extern "C" graupel::BoltPassPluginInfo graupelGetBoltPassPluginInfo();

#endif // GRAUPEL_BOLTPASSPLUGIN_H
