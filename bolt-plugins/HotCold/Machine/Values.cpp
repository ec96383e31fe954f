//===- HotCold/Machine/Values.cpp - Symbolic values -----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace graupel::symbolic;

constexpr ValueNo None = ~ValueNo(0);

ValueNo ValueTable::get(ValueKind Kind, ArrayRef<uint64_t> Words) {
  // The upper half keeps clear of the two hashes that the map reserves.
  const uint64_t Hash =
      (xxh3_64bits(ArrayRef(reinterpret_cast<const uint8_t *>(Words.data()),
                            Words.size() * sizeof(uint64_t))) ^
       (static_cast<uint64_t>(Kind) << 56)) >>
      1;
  auto [At, IsNew] = FirstOfHash.try_emplace(Hash, None);
  for (ValueNo V = At->second; V != None; V = Nodes[V].Next)
    if (Nodes[V].Kind == Kind && words(V) == Words)
      return V;
  Nodes.push_back(
      {Kind, static_cast<uint32_t>(Words.size()), Pool.size(), At->second});
  Pool.insert(Pool.end(), Words.begin(), Words.end());
  return At->second = Nodes.size() - 1;
}

ValueNo ValueTable::sum(ValueNo Base, int64_t Constant) {
  if (!Constant)
    return Base;
  if (const std::optional<int64_t> Offset = stackOffset(Base))
    return stackAddress(*Offset + Constant);
  if (!is(Base, ValueKind::Sum))
    return get(ValueKind::Sum, {Base, static_cast<uint64_t>(Constant)});
  const ValueNo Inner = words(Base)[0];
  return sum(Inner, static_cast<int64_t>(words(Base)[1]) + Constant);
}

std::optional<int64_t> ValueTable::stackOffset(ValueNo V) const {
  if (!is(V, ValueKind::StackAddress))
    return std::nullopt;
  return static_cast<int64_t>(words(V)[0]);
}
