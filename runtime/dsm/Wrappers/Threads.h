//===- Threads.h - What a thread needs for a miss ---------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_WRAPPERS_THREADS_H
#define GRAUPEL_DSM_WRAPPERS_THREADS_H

#include <pthread.h>

namespace graupel::dsm {

/// \p Given, or, if a miss does not fit on its stack, \p Copy with a larger one.
/// The copy holds as long as \p Given does. Ends the job if the program has made
/// the stack itself and it is too small.
const pthread_attr_t *roomier(const pthread_attr_t *Given,
                              pthread_attr_t &Copy);

} // namespace graupel::dsm

#endif // GRAUPEL_DSM_WRAPPERS_THREADS_H
