//===- agent/ThreadLocal.h - Room for thread-local storage ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With an audit library, glibc lays out static thread-local storage before it
// knows the program's libraries: each takes its part of a small reserve, which
// is 512 bytes and does not do for jemalloc's 2.6 kB ("cannot allocate memory
// in static TLS block"). A tunable says how large the reserve is. So:
//
//   1. `graupel learn` makes it a little larger for all.
//   2. The agent adds up the needs of a program's libraries as they are mapped,
//      which is before anything is laid out.
//   3. If the reserve is too small, the program is started again with one that
//      will do, before any code of it has run.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_AGENT_THREADLOCAL_H
#define GRAUPEL_AGENT_THREADLOCAL_H

#include "graupel/agent.h"
#include "profile/Text.h"
#include <stdint.h>

namespace graupel {

/// The reserve that the tunables \p Text ask for, or glibc's own.
uint64_t reserveIn(const char *Text);

/// Writes tunables that are those of \p Before but for the reserve.
void putTunables(TextWriter &To, const char *Before, uint64_t Reserve);

/// The bytes of the reserve that a library takes, at most.
uint64_t threadLocalBytes(const char *Path);

} // namespace graupel

#endif // GRAUPEL_AGENT_THREADLOCAL_H
