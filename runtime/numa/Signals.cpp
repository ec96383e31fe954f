//===- numa/Signals.cpp - Handlers that the program installs --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Faults.h"

using namespace graupel::numa;

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT int sigaction(int Signal, const struct sigaction *New,
                     struct sigaction *Old) noexcept {
  if (Signal == SIGSEGV && ownsFaults())
    return setProgramsHandler(New, Old);
  return realSigaction(Signal, New, Old);
}

EXPORT sighandler_t signal(int Signal, sighandler_t Handler) noexcept {
  struct sigaction New = {}, Old;
  New.sa_handler = Handler;
  New.sa_flags = SA_RESTART;
  sigaddset(&New.sa_mask, Signal);
  if (sigaction(Signal, &New, &Old) != 0)
    return SIG_ERR;
  return Old.sa_handler;
}
