//===- profile/LinkMap.cpp - Modules that the dynamic linker has loaded ---===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the loaded modules and their functions without the C library, and leads
// calls of a function elsewhere.
//
// 1. firstModule finds the program's dynamic section by the auxiliary vector.
//    loadedModules takes the list of modules from its DT_DEBUG entry, or from
//    _r_debug if the program is the dynamic linker itself.
// 2. Module notes the tables that a dynamic section names, relocated or not.
// 3. visit looks a name up in the GNU hash table, behind its filter, or in the
//    System V one, and shows the visitor each definition.
// 4. findFunction takes the first module whose definition is a function,
//    findLastFunction the last.
// 5. redirect writes the new address over each slot that is bound to the name,
//    and over each pointer in data that the loader has set to the function and
//    nobody to another since. In the first module that defines the name it
//    changes the symbol, too, for modules that are loaded later. redefineLast
//    changes the symbol in the last.
// 6. writeProtected makes pages writable for the store if they are read-only,
//    and protects them again.
//
//===----------------------------------------------------------------------===//

#include "LinkMap.h"
#include "ProcFile.h"
#include "Runtime.h"
#include "Text.h"
#include <linux/auxvec.h>

using namespace graupel;

namespace {

/// The start of the dynamic linker's struct r_debug.
struct Debug {
  int Version;
  const LinkMap *Modules;
};

template <typename T> const T *at(uint64_t Address) {
  return reinterpret_cast<const T *>(Address);
}

/// The contents of a module's dynamic section.
class Module {
public:
  Module(uint64_t Base, const Elf64_Dyn *Dynamic) : Base(Base) {
    for (; Dynamic && Dynamic->d_tag != DT_NULL; ++Dynamic)
      note(*Dynamic);
  }

  uint64_t debug() const { return DebugAddress; }
  const Elf64_Sym *find(const char *Name) const;
  uint64_t address(const Elf64_Sym &Symbol) const {
    return Base + Symbol.st_value;
  }
  void redirect(const char *Name, uint64_t From, uint64_t To) const;
  void redefine(const char *Name, uint64_t To) const;

private:
  template <typename Visitor> void visit(const char *Name, Visitor Visit) const;
  template <typename Visitor>
  void visitGNU(const char *Name, Visitor Visit) const;
  template <typename Visitor>
  void visitSysV(const char *Name, Visitor Visit) const;

  void note(const Elf64_Dyn &Entry);
  /// glibc relocates writable dynamic sections, musl none.
  uint64_t relocated(uint64_t Value) const {
    return Value < Base ? Base + Value : Value;
  }
  bool isDefined(uint32_t Index, const char *Name) const;
  void redirectTable(const Elf64_Rela *Table, uint64_t Size, const char *Name,
                     uint64_t From, uint64_t To) const;

  uint64_t Base;
  uint64_t DebugAddress = 0;
  const Elf64_Sym *Symbols = nullptr;
  const char *Strings = nullptr;
  const uint32_t *GNUHash = nullptr;
  const uint32_t *SysVHash = nullptr;
  const Elf64_Rela *Relocations = nullptr;
  uint64_t RelocationsSize = 0;
  const Elf64_Rela *Jumps = nullptr;
  uint64_t JumpsSize = 0;
};

void Module::note(const Elf64_Dyn &Entry) {
  const uint64_t Value = Entry.d_un.d_val;
  switch (Entry.d_tag) {
  case DT_DEBUG:
    DebugAddress = Value;
    break;
  case DT_SYMTAB:
    Symbols = at<Elf64_Sym>(relocated(Value));
    break;
  case DT_STRTAB:
    Strings = at<char>(relocated(Value));
    break;
  case DT_GNU_HASH:
    GNUHash = at<uint32_t>(relocated(Value));
    break;
  case DT_HASH:
    SysVHash = at<uint32_t>(relocated(Value));
    break;
  case DT_RELA:
    Relocations = at<Elf64_Rela>(relocated(Value));
    break;
  case DT_RELASZ:
    RelocationsSize = Value;
    break;
  case DT_JMPREL:
    Jumps = at<Elf64_Rela>(relocated(Value));
    break;
  case DT_PLTRELSZ:
    JumpsSize = Value;
    break;
  }
}

bool Module::isDefined(uint32_t Index, const char *Name) const {
  return Symbols[Index].st_shndx != SHN_UNDEF &&
         sameText(Strings + Symbols[Index].st_name, Name);
}

/// Calls Visit with every definition of Name, one for each version, until it
/// returns true.
template <typename Visitor>
void Module::visitGNU(const char *Name, Visitor Visit) const {
  const uint32_t Buckets = GNUHash[0], First = GNUHash[1];
  const uint32_t FilterWords = GNUHash[2];
  const uint32_t *Bucket = GNUHash + 4 + 2 * size_t(FilterWords);
  const uint32_t *Chain = Bucket + Buckets;
  uint32_t Hash = 5381;
  for (const char *C = Name; *C; ++C)
    Hash = Hash * 33 + static_cast<unsigned char>(*C);

  // The loader asks the filter first, too: what it never looks at may be wrong.
  const auto *Filter = reinterpret_cast<const uint64_t *>(GNUHash + 4);
  const uint64_t Word = Filter[Hash / 64 & (FilterWords - 1)];
  if (!(Word >> (Hash % 64) & Word >> ((Hash >> (GNUHash[3] & 31)) % 64) & 1))
    return;

  uint32_t Index = Buckets ? Bucket[Hash % Buckets] : 0;
  if (Index < First)
    return;
  for (;; ++Index) {
    const uint32_t Found = Chain[Index - First];
    if ((Found | 1) == (Hash | 1) && isDefined(Index, Name) &&
        Visit(Symbols[Index]))
      return;
    if (Found & 1)
      return;
  }
}

template <typename Visitor>
void Module::visitSysV(const char *Name, Visitor Visit) const {
  const uint32_t Buckets = SysVHash[0];
  const uint32_t *Bucket = SysVHash + 2, *Chain = Bucket + Buckets;
  uint32_t Hash = 0;
  for (const char *C = Name; *C; ++C) {
    Hash = (Hash << 4) + static_cast<unsigned char>(*C);
    Hash = (Hash ^ (Hash >> 24 & 0xf0)) & 0x0fffffff;
  }
  for (uint32_t I = Buckets ? Bucket[Hash % Buckets] : 0; I; I = Chain[I])
    if (isDefined(I, Name) && Visit(Symbols[I]))
      return;
}

template <typename Visitor>
void Module::visit(const char *Name, Visitor Visit) const {
  if (!Symbols || !Strings)
    return;
  if (GNUHash)
    visitGNU(Name, Visit);
  else if (SysVHash)
    visitSysV(Name, Visit);
}

const Elf64_Sym *Module::find(const char *Name) const {
  const Elf64_Sym *Found = nullptr;
  visit(Name, [&Found](const Elf64_Sym &Symbol) {
    Found = &Symbol;
    return true;
  });
  return Found;
}

/// PROT_NONE if nothing is mapped there.
int protectionOf(uint64_t Address) {
  Mapping M;
  for (Mappings Maps; Maps.next(M);)
    if (Address >= M.Begin && Address < M.End)
      return M.Protection;
  return PROT_NONE;
}

/// A page that can be written to as long as this exists.
class WritablePage {
public:
  explicit WritablePage(uint64_t Address)
      : Page(reinterpret_cast<void *>(Address & ~(PageSize - 1))),
        Protection(protectionOf(Address)) {
    if (!(Protection & PROT_READ))
      return;
    Locked = !(Protection & PROT_WRITE);
    Works =
        !Locked || sys::mprotect(Page, PageSize, Protection | PROT_WRITE) >= 0;
  }
  WritablePage(const WritablePage &) = delete;
  ~WritablePage() {
    if (Works && Locked)
      sys::mprotect(Page, PageSize, Protection);
  }
  bool works() const { return Works; }

private:
  void *Page;
  int Protection;
  bool Locked = false, Works = false;
};

/// Writes a value that may be read-only after relocation, and may lie on two
/// pages.
void writeProtected(uint64_t Address, uint64_t Value) {
  const WritablePage First(Address), Last(Address + sizeof(Value) - 1);
  if (First.works() && Last.works())
    __atomic_store_n(reinterpret_cast<uint64_t *>(Address), Value,
                     __ATOMIC_RELEASE);
}

void Module::redirectTable(const Elf64_Rela *Table, uint64_t Size,
                           const char *Name, uint64_t From, uint64_t To) const {
  for (uint64_t I = 0; Table && I < Size / sizeof(Elf64_Rela); ++I) {
    const uint64_t Type = ELF64_R_TYPE(Table[I].r_info);
    const uint64_t Symbol = ELF64_R_SYM(Table[I].r_info);
    const uint64_t Place = Base + Table[I].r_offset;
    const bool IsPointer = Type == R_X86_64_64;
    if (!IsPointer && Type != R_X86_64_JUMP_SLOT && Type != R_X86_64_GLOB_DAT)
      continue;
    if (sameText(Strings + Symbols[Symbol].st_name, Name) &&
        (!IsPointer || *at<uint64_t>(Place) == From))
      writeProtected(Place, To);
  }
}

void Module::redirect(const char *Name, uint64_t From, uint64_t To) const {
  if (!Symbols || !Strings)
    return;
  redirectTable(Relocations, RelocationsSize, Name, From, To);
  redirectTable(Jumps, JumpsSize, Name, From, To);
}

void Module::redefine(const char *Name, uint64_t To) const {
  visit(Name, [this, To](const Elf64_Sym &Symbol) {
    writeProtected(reinterpret_cast<uintptr_t>(&Symbol.st_value), To - Base);
    return false;
  });
}

/// The difference between a module's addresses and those it was linked for,
/// given its program headers. False if it is unknown; static programs do not
/// have it.
bool findBase(uint64_t Headers, const Elf64_Phdr *Self, uint64_t &Base) {
  if (Self) {
    Base = Headers - Self->p_vaddr;
    return true;
  }
  // The file's header if it was not moved, and may be read.
  if ((Headers & (PageSize - 1)) < sizeof(Elf64_Ehdr))
    return false;
  Base = Headers - sizeof(Elf64_Ehdr);
  const auto *File = at<Elf64_Ehdr>(Base);
  return sameBytes(File->e_ident, ELFMAG, SELFMAG) && File->e_type == ET_DYN &&
         File->e_phoff == sizeof(Elf64_Ehdr);
}

/// The program's dynamic section, or that of the dynamic linker if it was
/// started by hand and loaded the program itself.
Module firstModule() {
  const uint64_t Headers = auxiliaryValue(AT_PHDR);
  const uint64_t Count = auxiliaryValue(AT_PHNUM);
  const auto *Header = at<Elf64_Phdr>(Headers);
  const Elf64_Phdr *Dynamic = nullptr, *Self = nullptr;
  for (uint64_t I = 0; Headers && I < Count; ++I) {
    if (Header[I].p_type == PT_DYNAMIC)
      Dynamic = &Header[I];
    if (Header[I].p_type == PT_PHDR)
      Self = &Header[I];
  }
  uint64_t Base;
  if (!Dynamic || !findBase(Headers, Self, Base))
    return Module(0, nullptr);
  return Module(Base, at<Elf64_Dyn>(Base + Dynamic->p_vaddr));
}

void *functionOf(const LinkMap &Loaded, const char *Name) {
  const Module M(Loaded.Base, Loaded.Dynamic);
  const Elf64_Sym *Symbol = M.find(Name);
  if (!Symbol || ELF64_ST_TYPE(Symbol->st_info) != STT_FUNC)
    return nullptr;
  return reinterpret_cast<void *>(M.address(*Symbol));
}

} // namespace

const LinkMap *graupel::loadedModules() {
  const Module First = firstModule();
  uint64_t Found = First.debug();
  if (!Found)
    if (const Elf64_Sym *Symbol = First.find("_r_debug"))
      Found = First.address(*Symbol);
  return Found ? at<Debug>(Found)->Modules : nullptr;
}

void *graupel::findFunction(const LinkMap *Modules, const char *Name) {
  for (; Modules; Modules = Modules->Next)
    if (void *Found = functionOf(*Modules, Name))
      return Found;
  return nullptr;
}

void *graupel::findLastFunction(const LinkMap *Modules, const char *Name) {
  void *const First = findFunction(Modules, Name);
  void *Last = First;
  for (; Modules; Modules = Modules->Next)
    if (void *Found = functionOf(*Modules, Name))
      Last = Found;
  return Last == First ? nullptr : Last;
}

void graupel::redefineLast(const LinkMap *Modules, const char *Name, void *From,
                           void *To) {
  for (; Modules; Modules = Modules->Next)
    if (functionOf(*Modules, Name) == From)
      Module(Modules->Base, Modules->Dynamic)
          .redefine(Name, reinterpret_cast<uintptr_t>(To));
}

void graupel::redirect(const LinkMap *Modules, const char *Name, void *To) {
  const auto Address = reinterpret_cast<uintptr_t>(To);
  const auto From = reinterpret_cast<uintptr_t>(findFunction(Modules, Name));
  bool Defined = false;
  for (; Modules; Modules = Modules->Next) {
    const Module M(Modules->Base, Modules->Dynamic);
    M.redirect(Name, From, Address);
    // Only the first: another definition may be the one that To calls.
    if (!Defined && M.find(Name)) {
      M.redefine(Name, Address);
      Defined = true;
    }
  }
}
