//===- Driver/PluginLoader.cpp - --load-bolt-plugin -----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PluginLoader.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include <dlfcn.h>

using namespace llvm;
using namespace graupel;

// Read by loadPlugins before the command line is parsed; declared for -help and
// so that the parser accepts it.
static cl::list<std::string> LoadBoltPlugin(
    "load-bolt-plugin",
    cl::desc("load the pass plugin <file>, a shared object (may be repeated; "
             "default: none)"),
    cl::value_desc("file"), cl::cat(opts::BoltCategory));

static Error loadPlugin(const std::string &Path, BoltPassRegistry &Registry) {
  if (!sys::fs::exists(Path))
    return createStringError(Path + ": no such plugin file; check the name "
                                    "given with --load-bolt-plugin");
  // The system would look for a name without a folder where libraries are.
  SmallString<128> Absolute(Path);
  sys::fs::make_absolute(Absolute);
  // All symbols are resolved now, where an error can still be reported, and the
  // code stays to the very end: the registry is destroyed after libraries are
  // closed.
  void *Library =
      dlopen(Absolute.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!Library)
    return createStringError(Path + ": cannot load the plugin: " + dlerror() +
                             "; is it a shared object built for this "
                             "graupel-bolt?");
  auto *GetInfo = reinterpret_cast<decltype(&graupelGetBoltPassPluginInfo)>(
      dlsym(Library, "graupelGetBoltPassPluginInfo"));
  if (!GetInfo)
    return createStringError(
        Path + ": not a plugin of graupel-bolt: it does not export "
               "graupelGetBoltPassPluginInfo; see "
               "docs/writing-a-bolt-plugin.md");
  const BoltPassPluginInfo Info = GetInfo();
  if (Info.ABI != BoltPassPluginABI)
    return createStringError(
        Path + ": built for version " + Twine(Info.ABI) +
        " of the plugin interface, this graupel-bolt has version " +
        Twine(BoltPassPluginABI) + "; rebuild the plugin");
  if (StringRef(Info.LLVMVersion) != LLVM_VERSION_STRING)
    return createStringError(Path + ": built against LLVM " + Info.LLVMVersion +
                             ", this graupel-bolt is LLVM " +
                             LLVM_VERSION_STRING + "; rebuild the plugin");
  Info.RegisterPasses(Registry);
  return Error::success();
}

Error graupel::loadPlugins(ArrayRef<const char *> Args,
                           BoltPassRegistry &Registry) {
  for (size_t I = 0; I < Args.size(); ++I) {
    StringRef Arg = Args[I];
    if (Arg == "--")
      break;
    if (!Arg.consume_front("-"))
      continue;
    Arg.consume_front("-");
    if (!Arg.consume_front("load-bolt-plugin"))
      continue;
    std::string Path;
    if (Arg.consume_front("="))
      Path = Arg.str();
    else if (Arg.empty() && I + 1 < Args.size())
      Path = Args[++I];
    else
      continue; // The parser will say what is wrong with it.
    if (Error E = loadPlugin(Path, Registry))
      return E;
  }
  return Error::success();
}
