//===- stride/Homes.h - Nodes of the pages referred to ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of PageTraffic: asks the kernel for the nodes of the pages that a buffer
// refers to, each time a buffer has been read. Pages may move meanwhile, so the
// result is exact only to a buffer.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_HOMES_H
#define GRAUPEL_STRIDE_HOMES_H

#include "Base/RecordFile.h"
#include "graupel/stride_pages.h"

namespace graupel::stride {

/// Used by one thread.
class Homes {
public:
  Homes(RecordFile &File, uint32_t Thread);

  void count(uint64_t Page, uint64_t Bytes) {
    if (Page != Last)
      find(Page);
    *LastBytes += Bytes;
  }
  /// The buffer ends.
  void ask();

private:
  void find(uint64_t Page);

  static constexpr uint32_t Slots = 512, MostPages = Slots / 2;
  HomesRecord *R;
  uint64_t Last = 0;
  uint64_t *LastBytes;
  uint64_t Ignored = 0;
  uint64_t *PageOf, *BytesOf; ///< By slot; page 0: none.
  uint32_t Used[MostPages];
  uint32_t Count = 0;
};

} // namespace graupel::stride

#endif
