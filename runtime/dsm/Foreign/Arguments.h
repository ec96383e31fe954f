//===- Arguments.h - Arguments in a va_list ---------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing tells which pointers are to a va_list, and a list does not tell where
// it ends. By the x86-64 ABI a list is two offsets into an area where registers
// are saved, and the addresses of that area and of the arguments on the stack.
//
//  1. A pointer into this thread's stack, to what looks like that, is a list.
//  2. Its arguments are the words from the first offset, then those on the
//     stack, up to GRAUPEL_DSM_LIST_END. If that does not come there are none:
//     the caller passed nothing shared, or has no checks.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_FOREIGN_ARGUMENTS_H
#define GRAUPEL_DSM_FOREIGN_ARGUMENTS_H

#include <cstdint>

namespace graupel::dsm {

/// The remaining arguments of a list.
class ListedArguments {
public:
  /// Has no arguments if List is not a va_list.
  explicit ListedArguments(const void *List);

  /// The next word that may be a pointer; null: there are no more.
  const void *const *next();

private:
  /// The registers' words, and those on the stack.
  struct {
    const uint64_t *At, *End;
  } Parts[2] = {};
  unsigned Part = 0;
};

} // namespace graupel::dsm

#endif
