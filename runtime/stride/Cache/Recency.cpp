//===- Cache/Recency.cpp --------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recency.h"

namespace graupel::stride {

template <class T> static T *room(uint64_t Count) {
  return static_cast<T *>(allocate(Count * sizeof(T)));
}

Recency::Recency(uint32_t Lines, Replacement Policy)
    : Lines(Lines), LogSize(4 * Lines + 64), Policy(Policy),
      Blocks(room<uint64_t>(Lines)), Places(room<uint32_t>(Lines)),
      Log(room<uint32_t>(LogSize)), Index(Lines) {
  // Before the first entry: no line.
  Log[0] = None;
}

// At most a quarter of the log are lines' latest uses.
void Recency::compact() {
  uint32_t To = 1;
  for (uint32_t At = Oldest; At < LogSize; ++At)
    if (uint32_t Node = Log[At]; Places[Node] == At) {
      Places[Node] = To;
      Log[To++] = Node;
    }
  Oldest = 1;
  Next = To;
}

uint32_t Recency::victim() {
  if (Used < Lines)
    return Used;
  if (Policy == Replacement::Random)
    return Chance.below(Lines);
  while (Places[Log[Oldest]] != Oldest)
    ++Oldest;
  return Log[Oldest];
}

void Recency::put(uint32_t Node, uint64_t Block) {
  if (Node == Used)
    ++Used;
  else
    Index.remove(Blocks[Node]);
  Blocks[Node] = Block;
  Index.insert(Block, Node);
  note(Node);
}

} // namespace graupel::stride
