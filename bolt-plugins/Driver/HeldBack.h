//===- Driver/HeldBack.h - Messages that may not be printed -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_HELDBACK_H
#define GRAUPEL_DRIVER_HELDBACK_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace graupel {

/// Holds back what is written to a file descriptor.
class HeldBack {
public:
  explicit HeldBack(int FD)
      : FD(FD), Buffer(memfd_create("graupel-messages", MFD_CLOEXEC)) {}
  HeldBack(const HeldBack &) = delete;
  ~HeldBack() {
    if (Buffer >= 0)
      close(Buffer);
  }
  bool valid() const { return Buffer >= 0; }
  /// From here on this process writes to memory.
  void divert() const { dup2(Buffer, FD); }
  /// Writes all of it to where it was to go. Not in a process that diverts.
  void release() const {
    forEachChunk([&](llvm::StringRef Chunk) { write(Chunk); });
  }
  /// Writes \p Text to where it was to go.
  void write(llvm::StringRef Text) const {
    for (ssize_t Now; !Text.empty(); Text = Text.drop_front(Now))
      if ((Now = ::write(FD, Text.data(), Text.size())) <= 0)
        return;
  }
  std::string text() const {
    std::string Text;
    forEachChunk([&](llvm::StringRef Chunk) { Text += Chunk; });
    return Text;
  }

private:
  template <typename Action> void forEachChunk(Action Do) const {
    char Chunk[65536];
    lseek(Buffer, 0, SEEK_SET);
    for (ssize_t Size; (Size = read(Buffer, Chunk, sizeof(Chunk))) > 0;)
      Do(llvm::StringRef(Chunk, Size));
  }

  int FD;
  int Buffer;
};

} // namespace graupel

#endif // GRAUPEL_DRIVER_HELDBACK_H
