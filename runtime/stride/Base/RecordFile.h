//===- stride/RecordFile.h - The mapped record -----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A .gstride file that is written through memory (graupel/stride_record.h). No
// descriptor is kept: programs close descriptors that they do not know.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_BASE_RECORDFILE_H
#define GRAUPEL_STRIDE_BASE_RECORDFILE_H

#include "System.h"
#include "graupel/stride_record.h"
#include <sys/types.h>

namespace graupel::stride {

class RecordFile {
public:
  /// Makes the file, with a header that is all zero except for the fields that
  /// this class writes. On failure complains, and nothing is recorded.
  bool create(const char *Path);
  /// Seals the header's constant part, once it is filled in.
  void begin();
  bool isOpen() const { return Base != nullptr; }
  RecordHeader &header() const {
    return *reinterpret_cast<RecordHeader *>(Base);
  }

  /// A chunk's payload, zero, at an address that stays; null if the file cannot
  /// grow any more. Thread-safe. Several chunks stand side by side, each of
  /// nextChunk(0, Bytes).
  void *append(ChunkKind Kind, uint64_t Bytes, bool Live, unsigned Count = 1);
  /// The payload is filled in.
  void commit(void *Payload);
  uint64_t offsetOf(const void *Payload) const {
    return static_cast<const char *>(Payload) - Base - sizeof(ChunkHeader);
  }
  /// Sets the state. If it is Ended, truncates the file to the part in use.
  void end(RecordState State, uint64_t Nanoseconds);
  void lockOverFork(bool Take);
  /// In the child of a fork: the file is the parent's.
  void abandon();

private:
  bool grow(uint64_t To);

  Lock Mutex;
  char *Base = nullptr;
  uint64_t Mapped = 0, Space = 0;
  bool Failed = false;
  dev_t Device = 0;
  ino_t Inode = 0;
  char Path[4096];
};

} // namespace graupel::stride

#endif
