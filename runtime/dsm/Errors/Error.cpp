//===- Error.cpp - Errors that end a job ------------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Error.h"
#include "Trace/Trace.h"
#include "Transport/Fatal.h"
#include <cstdarg>
#include <cstdio>
#include <unistd.h>

namespace graupel::dsm {

Bootstrap *JobToFail = nullptr;

[[noreturn]] static void fail(int Status, const char *Format,
                              va_list Arguments) {
  char Message[1024];
  vsnprintf(Message, sizeof(Message), Format, Arguments);
  trace::fail(Message);
  if (JobToFail)
    JobToFail->abortJob(Message, Status);
  fatal("%s", Message);
}

void fail(const char *Format, ...) {
  va_list Arguments;
  va_start(Arguments, Format);
  fail(1, Format, Arguments);
}

void failWithStatus(int Status, const char *Format, ...) {
  va_list Arguments;
  va_start(Arguments, Format);
  fail(Status, Format, Arguments);
}

} // namespace graupel::dsm
