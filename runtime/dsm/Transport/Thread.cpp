//===- Thread.cpp - Threads of the runtime's own -------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transport/Thread.h"
#include "Transport/Fatal.h"
#include <csignal>
#include <cstring>

using namespace graupel;

pthread_t dsm::startThread(const char *Name, void *(*Main)(void *),
                           void *Argument) {
  sigset_t All, Before;
  sigfillset(&All);
  pthread_attr_t Attributes;
  pthread_attr_init(&Attributes);
  pthread_attr_setstacksize(&Attributes, 256 * 1024);
  pthread_t Thread;
  // Threads inherit the mask.
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  int Error = pthread_create(&Thread, &Attributes, Main, Argument);
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  pthread_attr_destroy(&Attributes);
  if (Error)
    fatal("cannot start a thread: %s; raise the limits of this host",
          strerror(Error));
  pthread_setname_np(Thread, Name);
  return Thread;
}
