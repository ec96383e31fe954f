//===- OldContents.h - Contents of lost blocks ------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRACE_OLDCONTENTS_H
#define GRAUPEL_DSM_TRACE_OLDCONTENTS_H

#include <cstdint>
#include <cstring>
#include <memory>
#include <unordered_map>

namespace graupel::dsm::trace {

/// Copies of the blocks that this node had and lost. Beyond a limit of memory
/// it only knows that they were there.
class OldContents {
public:
  explicit OldContents(size_t Limit) : Limit(Limit) {}

  void keep(uintptr_t Block, const void *Data, uint32_t Size) {
    Copy &C = Copies[Block];
    if (!C && Bytes + Size <= Limit) {
      C = std::make_unique<uint8_t[]>(Size);
      Bytes += Size;
    }
    if (C)
      memcpy(C.get(), Data, Size);
  }

  bool had(uintptr_t Block) const { return Copies.count(Block); }

  /// Null if there is no copy.
  const void *find(uintptr_t Block) const {
    auto Found = Copies.find(Block);
    return Found == Copies.end() ? nullptr : Found->second.get();
  }

  /// It is back.
  void forget(uintptr_t Block, uint32_t Size) {
    auto Found = Copies.find(Block);
    if (Found == Copies.end())
      return;
    if (Found->second)
      Bytes -= Size;
    Copies.erase(Found);
  }

private:
  using Copy = std::unique_ptr<uint8_t[]>;
  size_t Limit, Bytes = 0;
  std::unordered_map<uintptr_t, Copy> Copies;
};

} // namespace graupel::dsm::trace

#endif
