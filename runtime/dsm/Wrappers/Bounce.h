//===- Bounce.h - Private memory between kernel and blocks ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_WRAPPERS_BOUNCE_H
#define GRAUPEL_DSM_WRAPPERS_BOUNCE_H

#include <cstddef>
#include <cstdlib>

namespace graupel::dsm {

/// Private memory for a call: a little of the stack, or from malloc. It is
/// aligned as files with O_DIRECT want it.
class Bounce {
public:
  static constexpr size_t Alignment = 4096;

  explicit Bounce(size_t Bytes)
      : Data(Bytes <= sizeof(Small)
                 ? Small
                 : static_cast<char *>(aligned_alloc(
                       Alignment, (Bytes + Alignment - 1) & -Alignment))) {}
  ~Bounce() {
    if (Data != Small)
      free(Data);
  }
  Bounce(const Bounce &) = delete;
  Bounce &operator=(const Bounce &) = delete;

  /// Null if there is no memory.
  char *data() { return Data; }

private:
  alignas(Alignment) char Small[4096];
  char *Data;
};

} // namespace graupel::dsm

#endif
