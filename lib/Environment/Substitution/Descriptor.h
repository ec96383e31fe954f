//===- Descriptor.h - A file that closes itself --------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_SUBSTITUTION_DESCRIPTOR_H
#define GRAUPEL_ENVIRONMENT_SUBSTITUTION_DESCRIPTOR_H

#include <unistd.h>
#include <utility>

namespace graupel::substitution {

class Descriptor {
public:
  explicit Descriptor(int Number = -1) : Number(Number) {}
  Descriptor(Descriptor &&From) : Number(std::exchange(From.Number, -1)) {}
  Descriptor &operator=(Descriptor &&From) {
    std::swap(Number, From.Number);
    return *this;
  }
  ~Descriptor() {
    if (Number >= 0)
      close(Number);
  }
  explicit operator bool() const { return Number >= 0; }
  int number() const { return Number; }

private:
  int Number;
};

} // namespace graupel::substitution

#endif
