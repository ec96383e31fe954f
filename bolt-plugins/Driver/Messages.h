//===- Driver/Messages.h - Messages that the user sees ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT says a lot about each pass. Without -v=1 and options that print, only
// these lines reach the user: our own "graupel-bolt: ..." (Summary.h),
// errors, warnings that need an action, and everything that is no message.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_MESSAGES_H
#define GRAUPEL_DRIVER_MESSAGES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace graupel {

/// Whether details are to be dropped. Call when the options have been parsed.
bool isQuiet();

/// \p Text without the lines that are details. All of it unless isQuiet().
std::string withoutDetails(llvm::StringRef Text);

} // namespace graupel

#endif // GRAUPEL_DRIVER_MESSAGES_H
