//===- Objects.cpp - Files of the program's code ----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Objects.h"
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace graupel::dsm {

ObjectFile::ObjectFile(const char *Name, uintptr_t Base)
    : Name(Name), Base(Base) {
  int File = open(*Name ? Name : "/proc/self/exe", O_RDONLY | O_CLOEXEC);
  struct stat Status;
  if (File < 0)
    return; // The kernel's own object has no file.
  if (!fstat(File, &Status) && Status.st_size) {
    Size = static_cast<size_t>(Status.st_size);
    void *Map = mmap(nullptr, Size, PROT_READ, MAP_PRIVATE, File, 0);
    Bytes = Map == MAP_FAILED ? nullptr : static_cast<const char *>(Map);
  }
  close(File);
}

ObjectFile::~ObjectFile() {
  if (Bytes)
    munmap(const_cast<char *>(Bytes), Size);
}

const ElfW(Shdr) * ObjectFile::find(const char *Section) const {
  auto *Header = reinterpret_cast<const ElfW(Ehdr) *>(Bytes);
  if (!Bytes || Size < sizeof(*Header) ||
      Header->e_shoff + Header->e_shnum * sizeof(ElfW(Shdr)) > Size ||
      Header->e_shstrndx >= Header->e_shnum)
    return nullptr;
  auto *Sections =
      reinterpret_cast<const ElfW(Shdr) *>(Bytes + Header->e_shoff);
  const char *Names = Bytes + Sections[Header->e_shstrndx].sh_offset;
  for (unsigned I = 0; I != Header->e_shnum; ++I)
    if (!strcmp(Names + Sections[I].sh_name, Section))
      return &Sections[I];
  return nullptr;
}

void ObjectFile::forEachFunction(
    const std::function<void(uintptr_t, size_t, const char *)> &Use) const {
  const char *Names = inFile<char>(".strtab").begin();
  if (!Names)
    return;
  for (const ElfW(Sym) &S : inFile<ElfW(Sym)>(".symtab"))
    if (ELF64_ST_TYPE(S.st_info) == STT_FUNC && S.st_shndx != SHN_UNDEF)
      Use(Base + S.st_value, S.st_size, Names + S.st_name);
}

bool isSystemFile(const char *Name) {
  return !strncmp(Name, "/usr/", 5) || !strncmp(Name, "/lib", 4);
}

void forEachObject(const std::function<void(const ObjectFile &)> &Use) {
  dl_iterate_phdr(
      [](dl_phdr_info *Object, size_t, void *Function) {
        ObjectFile File(Object->dlpi_name, Object->dlpi_addr);
        (*static_cast<const std::function<void(const ObjectFile &)> *>(
            Function))(File);
        return 0;
      },
      const_cast<void *>(static_cast<const void *>(&Use)));
}

} // namespace graupel::dsm
