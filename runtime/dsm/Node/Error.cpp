//===- Error.cpp - How the runtime ends a job -------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Node/Error.h"
#include "Trace/Trace.h"
#include "Transport/Fatal.h"
#include <cstdarg>
#include <cstdio>
#include <unistd.h>

namespace graupel::dsm {

Bootstrap *JobToFail = nullptr;

void fail(const char *Format, ...) {
  char Message[1024];
  va_list Arguments;
  va_start(Arguments, Format);
  vsnprintf(Message, sizeof(Message), Format, Arguments);
  va_end(Arguments);
  trace::fail(Message);
  if (JobToFail) {
    JobToFail->abortJob(Message);
    _exit(1);
  }
  fatal("%s", Message);
}

} // namespace graupel::dsm
