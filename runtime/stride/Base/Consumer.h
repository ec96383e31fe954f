//===- stride/Consumer.h - Consumers of references --------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The drain hands all selected references, summaries written out, to a consumer
// if there is one: the writer of Stream chunks, a simulator of caches.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_BASE_CONSUMER_H
#define GRAUPEL_STRIDE_BASE_CONSUMER_H

#include "RecordFile.h"

namespace graupel::stride {

struct Options;

/// Facts of a site for consumers; arrays are indexed by its number.
struct SiteFacts {
  uint32_t Bytes; ///< The size of a reference.
  bool Store;
};

class Consumer {
public:
  /// Consumes references of one thread in program order, also across calls.
  /// Calls are made one at a time, by any thread, in the order in which buffers
  /// are drained. Must not allocate with malloc: use allocate(). `Facts[Site]`
  /// is valid for each site in the batch.
  virtual void consume(uint32_t Thread, const Reference *Batch, size_t Count,
                       const SiteFacts *Facts) = 0;
  /// All threads are drained; the record can still be appended to. Also after
  /// an exec that failed, so it may be called more than once.
  virtual void finish() {}

protected:
  ~Consumer() = default;
};

/// In the order in which they are called.
struct Consumers {
  Consumer *List[4];
  unsigned Count;
};

/// Those that GRAUPEL_STRIDE asks for (`stream`), made for a new record.
Consumers makeConsumers(RecordFile &File, const Options &O);

} // namespace graupel::stride

#endif
