//===- Surviving.h - Not to die in the middle -------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between the making of a System V segment and its attachment nobody but the
// maker knows it: if the process is killed there, the segment stays for ever.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRANSPORT_SURVIVING_H
#define GRAUPEL_DSM_TRANSPORT_SURVIVING_H

#include <sys/types.h>

namespace graupel::dsm {

/// While one lives, the end of the launcher does not end this process: it does
/// so afterwards. In the thread that the launcher started, one at a time; for
/// what ends soon.
class Surviving {
public:
  Surviving();
  ~Surviving();
  Surviving(const Surviving &) = delete;
  Surviving &operator=(const Surviving &) = delete;

private:
  int Signal = 0;
  pid_t Parent;
};

/// Ends this process by SIGKILL, once nothing is Surviving. Any thread.
[[noreturn]] void dieWithLauncher();

} // namespace graupel::dsm

#endif
