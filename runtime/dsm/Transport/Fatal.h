//===- Fatal.h - The end of a process that cannot go on ------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRANSPORT_FATAL_H
#define GRAUPEL_DSM_TRANSPORT_FATAL_H

#include <string>

namespace graupel::dsm {

/// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string format(const char *Format, ...);

/// Prints `graupel dsm: error: ...` and ends this process with status 1,
/// without the program's exit functions. The message says what is wrong and
/// what to do. For a job's other nodes to hear of it use Bootstrap::abortJob
/// first.
[[noreturn, gnu::format(printf, 1, 2)]] void fatal(const char *Format, ...);

} // namespace graupel::dsm

#endif
