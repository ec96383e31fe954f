//===- Driver/PluginLoader.h - --load-bolt-plugin ---------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_PLUGINLOADER_H
#define GRAUPEL_DRIVER_PLUGINLOADER_H

#include "graupel/BoltPassPlugin.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace graupel {

/// Loads the plugins named by --load-bolt-plugin in \p Args and lets each
/// register its passes in \p Registry. Called before the command line is
/// parsed, since plugins may define options. The plugins stay loaded.
///
/// Errors name the file and say what to do; a plugin built against another
/// version of the interface or of LLVM is one.
llvm::Error loadPlugins(llvm::ArrayRef<const char *> Args,
                        BoltPassRegistry &Registry);

} // namespace graupel

#endif // GRAUPEL_DRIVER_PLUGINLOADER_H
