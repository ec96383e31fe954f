//===- stride/Consumers.cpp -----------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Base/Consumer.h"
#include "Options.h"
#include <cstring>

namespace graupel::stride {

namespace {

class StreamWriter final : public Consumer {
public:
  explicit StreamWriter(RecordFile &File) : File(File) {}

  void consume(uint32_t Thread, const Reference *Batch, size_t Count,
               const SiteFacts *) override {
    size_t Bytes = Count * sizeof(Reference);
    auto *S = static_cast<StreamRecord *>(
        File.append(ChunkKind::Stream, sizeof(StreamRecord) + Bytes, false));
    if (!S)
      return;
    *S = {Thread, static_cast<uint32_t>(Count), Order++};
    memcpy(S + 1, Batch, Bytes);
    File.commit(S);
  }

private:
  RecordFile &File;
  uint64_t Order = 0;
};

} // namespace

Consumers makeConsumers(RecordFile &File, const Options &O) {
  Consumers All{};
  if (O.Stream)
    All.List[All.Count++] = make<StreamWriter>(File);
  return All;
}

} // namespace graupel::stride
