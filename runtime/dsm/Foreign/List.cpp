//===- List.cpp - All calls that may leave checked code ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loader does not tell where an object's section gdsm_calls is; the file's
// section headers do. The records in memory have their callees' addresses.
//
//===----------------------------------------------------------------------===//

#include "Foreign/List.h"
#include "Foreign/Describe.h"
#include "Foreign/Marks.h"
#include "Node/Error.h"
#include "Transport/Fatal.h"
#include "graupel/dsm_checks.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <set>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace graupel::dsm {

namespace {

/// What a C++ program brings along takes references to anything, nearly always
/// to private objects.
bool isStandardLibrary(const char *File) {
  return !strncmp(File, "/usr/", 5) || !strncmp(File, "libstdc++/", 10);
}

struct Calls {
  std::set<std::string> Lines;
  unsigned Indirect = 0, Standard = 0;

  void add(const graupel_dsm_call &Call);
  void addSection(const char *File, uintptr_t Base);
};

void Calls::add(const graupel_dsm_call &Call) {
  CallNames N(Call);
  switch (Call.kind) {
  case GRAUPEL_DSM_CALL_INDIRECT:
    ++Indirect;
    return;
  case GRAUPEL_DSM_CALL_RESULT:
    return;
  case GRAUPEL_DSM_CALL_ASSEMBLY:
    Lines.insert(format("%s:%u: %s may give inline assembly shared memory",
                        N.File, Call.line, N.Caller));
    return;
  }
  if (isChecked(Call.callee))
    return;
  if (isStandardLibrary(N.File)) {
    ++Standard;
    return;
  }
  Lines.insert(format("%s:%u: %s may pass shared memory to %s%s%s", N.File,
                      Call.line, N.Caller,
                      describe(N.Callee, Call.callee).c_str(),
                      *N.Remedy ? ": " : "", N.Remedy));
}

void Calls::addSection(const char *File, uintptr_t Base) {
  int F = open(File, O_RDONLY | O_CLOEXEC);
  struct stat Status;
  if (F < 0 || fstat(F, &Status)) {
    close(F);
    return; // The kernel's own object has no file.
  }
  auto Size = static_cast<size_t>(Status.st_size);
  void *Map = mmap(nullptr, Size, PROT_READ, MAP_PRIVATE, F, 0);
  close(F);
  if (Map == MAP_FAILED)
    return;
  auto *Bytes = static_cast<const char *>(Map);
  auto *Header = reinterpret_cast<const ElfW(Ehdr) *>(Bytes);
  auto *Sections =
      reinterpret_cast<const ElfW(Shdr) *>(Bytes + Header->e_shoff);
  for (unsigned I = 0; I != Header->e_shnum; ++I) {
    const ElfW(Shdr) &S = Sections[I];
    const char *Name =
        Bytes + Sections[Header->e_shstrndx].sh_offset + S.sh_name;
    if (strcmp(Name, "gdsm_calls") || !(S.sh_flags & SHF_ALLOC))
      continue;
    auto *Call = reinterpret_cast<const graupel_dsm_call *>(Base + S.sh_addr);
    for (auto *End = Call + S.sh_size / sizeof(*Call); Call != End; ++Call)
      add(*Call);
  }
  munmap(Map, Size);
}

int addObject(dl_phdr_info *Object, size_t, void *All) {
  const char *File = *Object->dlpi_name ? Object->dlpi_name : "/proc/self/exe";
  static_cast<Calls *>(All)->addSection(File, Object->dlpi_addr);
  return 0;
}

} // namespace

void listCallsIfAsked() {
  if (!getenv("GRAUPEL_DSM_LIST_CALLS"))
    return;
  Calls All;
  dl_iterate_phdr(addObject, &All);
  for (const std::string &Line : All.Lines)
    printf("%s\n", Line.c_str());
  printf("%zu calls of code without checks would end the job if the memory is "
         "shared; %u in the standard library's code are not listed, %u through "
         "pointers are looked at when they are made\n",
         All.Lines.size(), All.Standard, All.Indirect);
  fflush(stdout);
  _exit(!All.Lines.empty());
}

} // namespace graupel::dsm
