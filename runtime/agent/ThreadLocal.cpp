//===- agent/ThreadLocal.cpp - Room for thread-local storage --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadLocal.h"
#include "profile/Syscall.h"
#include <linux/elf.h>

using namespace graupel;

namespace {

constexpr char Key[] = GRAUPEL_AGENT_TUNABLE "=";
constexpr size_t KeyLength = sizeof(Key) - 1;

bool isKey(const char *Text) {
  for (size_t N = 0; N < KeyLength; ++N)
    if (Text[N] != Key[N])
      return false;
  return true;
}

const char *endOf(const char *Item) {
  while (*Item && *Item != ':')
    ++Item;
  return Item;
}

} // namespace

uint64_t graupel::reserveIn(const char *Text) {
  uint64_t Reserve = GRAUPEL_AGENT_USUAL_RESERVE;
  while (Text && *Text) {
    const char *End = endOf(Text);
    if (isKey(Text)) {
      Reserve = 0;
      for (const char *C = Text + KeyLength; *C >= '0' && *C <= '9'; ++C)
        Reserve = Reserve * 10 + static_cast<uint64_t>(*C - '0');
    }
    Text = *End ? End + 1 : End;
  }
  return Reserve;
}

void graupel::putTunables(TextWriter &To, const char *Before,
                          uint64_t Reserve) {
  while (Before && *Before) {
    const char *End = endOf(Before);
    if (!isKey(Before)) {
      for (const char *C = Before; C != End; ++C)
        To.put(*C);
      To.put(':');
    }
    Before = *End ? End + 1 : End;
  }
  To.put(Key);
  To.putDecimal(Reserve);
}

uint64_t graupel::threadLocalBytes(const char *Path) {
  // The program headers of graupel-bolt's output are not at its beginning, and
  // their address in memory is not known.
  const int File = sys::open(Path, O_RDONLY);
  if (File < 0)
    return 0;
  Elf64_Ehdr Header;
  uint64_t Bytes = 0;
  if (sys::pread(File, &Header, sizeof(Header), 0) == sizeof(Header) &&
      sameBytes(Header.e_ident, ELFMAG, SELFMAG)) {
    Elf64_Phdr Segments[32];
    const long Got =
        sys::pread(File, Segments, sizeof(Segments), Header.e_phoff);
    const long Count =
        Got > 0 ? Got / static_cast<long>(sizeof(Elf64_Phdr)) : 0;
    for (long S = 0; S < Count && S < Header.e_phnum; ++S)
      if (Segments[S].p_type == PT_TLS)
        Bytes = Segments[S].p_memsz + Segments[S].p_align;
  }
  sys::close(File);
  return Bytes;
}
