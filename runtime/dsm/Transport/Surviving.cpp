//===- Surviving.cpp ------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transport/Surviving.h"
#include <csignal>
#include <mutex>
#include <sys/prctl.h>
#include <unistd.h>

using namespace graupel::dsm;

static std::mutex Working;

void graupel::dsm::dieWithLauncher() {
  Working.lock();
  for (;;)
    kill(getpid(), SIGKILL);
}

// The launcher is the parent if it has asked for a signal.
Surviving::Surviving() : Parent(getppid()) {
  Working.lock();
  prctl(PR_GET_PDEATHSIG, &Signal);
  prctl(PR_SET_PDEATHSIG, 0);
}

Surviving::~Surviving() {
  prctl(PR_SET_PDEATHSIG, Signal);
  bool IsOrphan = Signal && getppid() != Parent;
  Working.unlock();
  if (IsOrphan)
    dieWithLauncher();
}
