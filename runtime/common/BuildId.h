//===- common/BuildId.h - Build-ids of mapped files -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_COMMON_BUILDID_H
#define GRAUPEL_COMMON_BUILDID_H

#include <cstddef>
#include <cstring>
#include <elf.h>
#include <link.h>
#include <string>

namespace graupel {

/// The bytes of a build-id, where the file was mapped. None: At is null.
struct BuildId {
  const unsigned char *At = nullptr;
  size_t Bytes = 0;

  std::string hexadecimal() const {
    std::string Text;
    for (size_t N = 0; N != Bytes; ++N)
      for (unsigned Digit : {At[N] / 16u, At[N] % 16u})
        Text += "0123456789abcdef"[Digit];
    return Text;
  }
};

/// The build-id among \p Bytes of notes, each part of which begins at a
/// multiple of \p Alignment (4 or 8). Notes that do not fit end the search:
/// nothing behind them is read. Allocates nothing.
inline BuildId findBuildId(const void *Notes, size_t Bytes, size_t Alignment) {
  auto *Begin = static_cast<const unsigned char *>(Notes);
  auto Aligned = [&](size_t Size) {
    return (Size + Alignment - 1) & ~(Alignment - 1);
  };
  for (size_t At = 0; At <= Bytes && Bytes - At >= sizeof(ElfW(Nhdr));) {
    ElfW(Nhdr) Note;
    memcpy(&Note, Begin + At, sizeof(Note));
    const size_t Name = At + sizeof(Note);
    const size_t Value = Aligned(Name + Note.n_namesz);
    if (Value > Bytes || Bytes - Value < Note.n_descsz)
      break;
    if (Note.n_type == NT_GNU_BUILD_ID && Note.n_namesz == 4 &&
        memcmp(Begin + Name, "GNU", 4) == 0)
      return {Begin + Value, Note.n_descsz};
    At = Aligned(Value + Note.n_descsz);
  }
  return {};
}

/// The build-id of a loaded file, valid as long as the file stays loaded.
inline BuildId findBuildId(const dl_phdr_info &Info) {
  for (size_t N = 0; N != Info.dlpi_phnum; ++N) {
    const ElfW(Phdr) &P = Info.dlpi_phdr[N];
    if (P.p_type != PT_NOTE)
      continue;
    BuildId Found =
        findBuildId(reinterpret_cast<const void *>(Info.dlpi_addr + P.p_vaddr),
                    P.p_memsz, P.p_align < 8 ? 4 : 8);
    if (Found.At)
      return Found;
  }
  return {};
}

} // namespace graupel

#endif
