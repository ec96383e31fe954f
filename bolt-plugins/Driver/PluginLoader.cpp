//===- Driver/PluginLoader.cpp - --load-bolt-plugin -----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PluginLoader.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"

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
    return createStringError(Path + ": no such plugin file");
  std::string Reason;
  sys::DynamicLibrary Library =
      sys::DynamicLibrary::getPermanentLibrary(Path.c_str(), &Reason);
  if (!Library.isValid())
    return createStringError(Path + ": cannot load the plugin: " + Reason);
  auto *GetInfo = reinterpret_cast<decltype(&graupelGetBoltPassPluginInfo)>(
      Library.getAddressOfSymbol("graupelGetBoltPassPluginInfo"));
  if (!GetInfo)
    return createStringError(
        Path + ": not a plugin of graupel-bolt: it does not export "
               "graupelGetBoltPassPluginInfo");
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
