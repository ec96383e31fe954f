//===- Modules.cpp - Places in code, as files know them -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trace/Modules.h"
#include "common/BuildId.h"
#include <climits>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace graupel::dsm::trace {

namespace {

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
  M.BuildId = findBuildId(*Info).hexadecimal();
  for (unsigned I = 0; I != Info->dlpi_phnum; ++I) {
    const ElfW(Phdr) &P = Info->dlpi_phdr[I];
    uintptr_t Start = M.Base + P.p_vaddr;
    if (P.p_type == PT_LOAD && (P.p_flags & PF_X))
      M.Code.push_back({Start, Start + P.p_memsz});
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
