//===- Error.h - Errors that end a job --------------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_ERRORS_ERROR_H
#define GRAUPEL_DSM_ERRORS_ERROR_H

#include "Transport/Bootstrap.h"

namespace graupel::dsm {

/// Ends the job with `graupel dsm: error: ` and the message (printf's), which
/// says what is wrong and what to do; on all nodes, if there is a job yet. Any
/// thread, any time.
[[noreturn]] void fail(const char *Format, ...)
    __attribute__((format(printf, 1, 2)));

/// The same, where the job's exit status is to be another than 1.
[[noreturn]] void failWithStatus(int Status, const char *Format, ...)
    __attribute__((format(printf, 2, 3)));

/// The job that fail() ends; null until there is one.
extern Bootstrap *JobToFail;

} // namespace graupel::dsm

#endif
