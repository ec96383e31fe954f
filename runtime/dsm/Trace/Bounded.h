//===- Bounded.h - Tables by address that cannot outgrow memory -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Events are counted by block. When there are too many blocks, new ones are
// counted by their page, and then by their chunk: nothing is lost, only less is
// known of where it was. An allocation may share a page with others, and then
// the reader says so.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRACE_BOUNDED_H
#define GRAUPEL_DSM_TRACE_BOUNDED_H

#include "Base/Layout.h"
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace graupel::dsm::trace {

/// A block, a page or a chunk. Zero bytes: memory that is not shared.
struct Unit {
  uintptr_t Address;
  uint32_t Bytes;

  bool operator==(const Unit &) const = default;
  /// The next larger unit around it; the same if there is none.
  Unit larger() const {
    if (Bytes == 0 || Bytes >= ChunkBytes)
      return *this;
    uint32_t To = Bytes < PageBytes ? PageBytes : ChunkBytes;
    return {Address & ~uintptr_t(To - 1), To};
  }
};

/// Values by a unit and something else (`Detail`: comparable, with a hash()).
template <class Detail, class Value> class Bounded {
public:
  struct Key {
    Unit Where;
    Detail Extra;
    bool operator==(const Key &) const = default;
  };

  /// `Limit`: entries for each size of units.
  explicit Bounded(size_t Limit) : Limit(Limit) {}

  /// The value for the unit or one around it; null if even that does not fit.
  Value *at(Unit Where, const Detail &Extra) {
    for (unsigned Level = 0; Level != Levels; ++Level) {
      auto Found = Entries.find({Where, Extra});
      if (Found != Entries.end())
        return &Found->second;
      if (Used[Level] < Limit) {
        ++Used[Level];
        return &Entries[{Where, Extra}];
      }
      if (Where.larger() == Where && Level != 0)
        break;
      Where = Where.larger();
    }
    return nullptr;
  }

  template <class F> void forEach(F Visit) const {
    for (const auto &[K, V] : Entries)
      Visit(K.Where, K.Extra, V);
  }

private:
  static constexpr unsigned Levels = 3;
  struct Hash {
    size_t operator()(const Key &K) const {
      uint64_t H = (K.Where.Address ^ K.Where.Bytes) * 0x9e3779b97f4a7c15u;
      return static_cast<size_t>((H ^ H >> 29) + K.Extra.hash());
    }
  };

  size_t Limit;
  size_t Used[Levels] = {};
  std::unordered_map<Key, Value, Hash> Entries;
};

} // namespace graupel::dsm::trace

#endif
