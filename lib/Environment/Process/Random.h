//===- Process/Random.h - Names that nobody can guess --------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_PROCESS_RANDOM_H
#define GRAUPEL_ENVIRONMENT_PROCESS_RANDOM_H

#include <string>
#include <sys/random.h>

namespace graupel::environment {

/// \p Size random bytes (at most 256) as hexadecimal digits; empty if the
/// kernel has none.
inline std::string randomHex(size_t Size) {
  unsigned char Bytes[256];
  if (getrandom(Bytes, Size, 0) != ssize_t(Size))
    return "";
  std::string Text;
  for (size_t I = 0; I < Size; ++I)
    for (int Shift : {4, 0})
      Text += "0123456789abcdef"[Bytes[I] >> Shift & 15];
  return Text;
}

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_PROCESS_RANDOM_H
