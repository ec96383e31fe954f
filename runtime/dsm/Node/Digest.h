//===- Digest.h - Whether nodes have the same -------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_NODE_DIGEST_H
#define GRAUPEL_DSM_NODE_DIGEST_H

#include "Transport/Fatal.h"
#include <cinttypes>
#include <cstddef>
#include <cstring>
#include <string>

namespace graupel::dsm {

/// FNV-1a, eight bytes at a time.
class Digest {
public:
  void add(const void *Data, size_t Bytes) {
    auto *P = static_cast<const char *>(Data);
    for (uint64_t Word; Bytes >= sizeof(Word);
         P += sizeof(Word), Bytes -= sizeof(Word)) {
      memcpy(&Word, P, sizeof(Word));
      mix(Word);
    }
    uint64_t Rest = 0;
    memcpy(&Rest, P, Bytes);
    mix(Rest ^ uint64_t(Bytes) << 56);
  }
  std::string text() const { return format("%016" PRIx64, Value); }

private:
  void mix(uint64_t Word) {
    Value = (Value ^ Word) * 0x100000001b3u;
    Value ^= Value >> 29;
  }
  uint64_t Value = 0xcbf29ce484222325u;
};

} // namespace graupel::dsm

#endif
