//===- Modules.cpp - Places in code, as files know them -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trace/Modules.h"
#include <climits>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace graupel::dsm::trace {

namespace {

std::string hexadecimal(const uint8_t *Bytes, size_t Count) {
  static const char Digits[] = "0123456789abcdef";
  std::string Text;
  for (size_t I = 0; I != Count; ++I) {
    Text += Digits[Bytes[I] >> 4];
    Text += Digits[Bytes[I] & 15];
  }
  return Text;
}

std::string buildId(const char *Notes, size_t Bytes, size_t Alignment) {
  auto Aligned = [&](size_t Size) {
    return (Size + Alignment - 1) & ~(Alignment - 1);
  };
  for (size_t At = 0; At + sizeof(ElfW(Nhdr)) <= Bytes;) {
    ElfW(Nhdr) N;
    memcpy(&N, Notes + At, sizeof(N));
    size_t Name = At + sizeof(N), Content = Name + Aligned(N.n_namesz);
    if (Content + N.n_descsz > Bytes)
      break;
    if (N.n_type == NT_GNU_BUILD_ID && N.n_namesz == 4 &&
        memcmp(Notes + Name, "GNU", 4) == 0)
      return hexadecimal(reinterpret_cast<const uint8_t *>(Notes + Content),
                         N.n_descsz);
    At = Content + Aligned(N.n_descsz);
  }
  return "";
}

std::string pathOf(const char *Name) {
  char Path[PATH_MAX];
  if (*Name)
    return realpath(Name, Path) ? Path : Name;
  // The program.
  ssize_t Length = readlink("/proc/self/exe", Path, sizeof(Path));
  return Length > 0 ? std::string(Path, static_cast<size_t>(Length)) : "";
}

int add(dl_phdr_info *Info, size_t, void *To) {
  Module M;
  M.Path = pathOf(Info->dlpi_name);
  M.Base = Info->dlpi_addr;
  M.Headers = Info->dlpi_phdr;
  M.HeaderCount = Info->dlpi_phnum;
  for (unsigned I = 0; I != Info->dlpi_phnum; ++I) {
    const ElfW(Phdr) &P = Info->dlpi_phdr[I];
    uintptr_t Start = M.Base + P.p_vaddr;
    if (P.p_type == PT_LOAD && (P.p_flags & PF_X))
      M.Code.push_back({Start, Start + P.p_memsz});
    else if (P.p_type == PT_NOTE && M.BuildId.empty())
      M.BuildId = buildId(reinterpret_cast<const char *>(Start), P.p_memsz,
                          P.p_align < 8 ? 4 : 8);
  }
  static_cast<std::vector<Module> *>(To)->push_back(std::move(M));
  return 0;
}

} // namespace

std::vector<Module> loadedModules() {
  std::vector<Module> Result;
  dl_iterate_phdr(add, &Result);
  return Result;
}

} // namespace graupel::dsm::trace
