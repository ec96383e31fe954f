//===- Error.h - How the runtime ends a job ---------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_NODE_ERROR_H
#define GRAUPEL_DSM_NODE_ERROR_H

namespace graupel::dsm {

/// Ends the job with `graupel dsm: error: ` and the message, on this node and,
/// if somebody can be told, on all others. Any thread, any time.
[[noreturn]] void fatal(const char *Format, ...)
    __attribute__((format(printf, 1, 2)));

/// Who is told before the process ends; null at first.
extern void (*OnFatal)(const char *Message);

} // namespace graupel::dsm

#endif
