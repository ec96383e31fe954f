//===- stride/Homes.cpp ---------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Homes.h"

namespace graupel::stride {

Homes::Homes(RecordFile &File, uint32_t Thread)
    : R(static_cast<HomesRecord *>(
          File.append(HomesChunk, sizeof(HomesRecord), true))),
      LastBytes(&Ignored),
      PageOf(static_cast<uint64_t *>(reserve(Slots * sizeof(uint64_t)))),
      BytesOf(static_cast<uint64_t *>(reserve(Slots * sizeof(uint64_t)))) {
  if (!R)
    return;
  R->Thread = Thread;
  File.commit(R);
}

__attribute__((noinline)) void Homes::find(uint64_t Page) {
  if (Count == MostPages)
    ask();
  uint32_t N = static_cast<uint32_t>(Page * 0x9e3779b97f4a7c15 >> 40) % Slots;
  while (PageOf[N] && PageOf[N] != Page)
    N = (N + 1) % Slots;
  if (!PageOf[N]) {
    PageOf[N] = Page;
    Used[Count++] = N;
  }
  Last = Page;
  LastBytes = &BytesOf[N];
}

void Homes::ask() {
  unsigned Own = 0;
  const bool Known = syscall(SYS_getcpu, nullptr, &Own, nullptr) == 0;
  constexpr uint32_t Batch = 256;
  void *Pages[Batch];
  int Nodes[Batch];
  for (uint32_t First = 0; First < Count; First += Batch) {
    const uint32_t Some = Count - First < Batch ? Count - First : Batch;
    for (uint32_t N = 0; N < Some; ++N) {
      Pages[N] = reinterpret_cast<void *>(PageOf[Used[First + N]] * PageBytes);
      Nodes[N] = -1;
    }
    if (R && Known)
      syscall(SYS_move_pages, 0, static_cast<unsigned long>(Some), Pages,
              nullptr, Nodes, 0);
    for (uint32_t N = 0; N < Some; ++N) {
      uint64_t &Bytes = BytesOf[Used[First + N]];
      if (R)
        (Nodes[N] < 0                             ? R->Unknown
         : static_cast<unsigned>(Nodes[N]) == Own ? R->Local
                                                  : R->Remote) += Bytes;
      Bytes = 0;
      PageOf[Used[First + N]] = 0;
    }
  }
  Count = 0;
  Last = 0;
  LastBytes = &Ignored;
}

} // namespace graupel::stride
