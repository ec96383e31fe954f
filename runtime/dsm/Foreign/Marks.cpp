//===- Marks.cpp - Which functions have checks ------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//  1. A function whose first bytes are the mark has checks.
//  2. One that begins with a jump is as good as the function that it jumps to:
//     a stub of a procedure linkage table, a linker's thunk, a jump table of
//     control-flow integrity. A stub that the loader has not bound yet jumps to
//     the symbol that its relocation names.
//  3. Functions of this library with its own names take shared memory. Those
//     that it interposes (Node/Interpose.h) pass on what they get.
//  4. A library function that is known to be harmless is so if it is the one in
//     the system's files, or what this library or a sanitizer, which is part of
//     the program, has in its place.
//
//===----------------------------------------------------------------------===//

#include "Foreign/Marks.h"
#include "Base/Objects.h"
#include "Entries/Entries.h"
#include "graupel/dsm_checks.h"
#include <atomic>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <string>

// Bounds of this library, by the linker.
extern "C" GRAUPEL_DSM_INTERNAL const char __ehdr_start, etext;

namespace graupel::dsm {

namespace {

const uint8_t EndBranch[] = {0xf3, 0x0f, 0x1e, 0xfa};

/// A procedure linkage table's slot and the symbol it stands for.
struct Slot {
  uintptr_t Address;
  const char *Symbol;
};

const char *symbolIn(const dl_phdr_info &Object, uintptr_t Address) {
  const ElfW(Dyn) *Dynamic = nullptr;
  bool Contains = false;
  for (unsigned I = 0; I != Object.dlpi_phnum; ++I) {
    const ElfW(Phdr) &P = Object.dlpi_phdr[I];
    if (P.p_type == PT_DYNAMIC)
      Dynamic =
          reinterpret_cast<const ElfW(Dyn) *>(Object.dlpi_addr + P.p_vaddr);
    if (P.p_type == PT_LOAD)
      Contains |= Address - (Object.dlpi_addr + P.p_vaddr) < P.p_memsz;
  }
  if (!Dynamic || !Contains)
    return nullptr;
  uintptr_t Table = 0, Size = 0, Symbols = 0, Strings = 0;
  for (; Dynamic->d_tag != DT_NULL; ++Dynamic)
    switch (Dynamic->d_tag) {
    case DT_JMPREL:
      Table = Dynamic->d_un.d_ptr;
      break;
    case DT_PLTRELSZ:
      Size = Dynamic->d_un.d_val;
      break;
    case DT_SYMTAB:
      Symbols = Dynamic->d_un.d_ptr;
      break;
    case DT_STRTAB:
      Strings = Dynamic->d_un.d_ptr;
      break;
    }
  auto *R = reinterpret_cast<const ElfW(Rela) *>(Table);
  for (auto *End = R + Size / sizeof(*R); R != End; ++R)
    if (Object.dlpi_addr + R->r_offset == Address) {
      auto *S =
          reinterpret_cast<const ElfW(Sym) *>(Symbols) + ELF64_R_SYM(R->r_info);
      return reinterpret_cast<const char *>(Strings) + S->st_name;
    }
  return nullptr;
}

int findSymbol(dl_phdr_info *Object, size_t, void *Wanted) {
  auto *S = static_cast<Slot *>(Wanted);
  S->Symbol = symbolIn(*Object, S->Address);
  return S->Symbol != nullptr;
}

template <class T> T read(const uint8_t *At) {
  T Value;
  memcpy(&Value, At, sizeof(Value));
  return Value;
}

/// The loader binds lazily: before the first call the slot leads back to its
/// stub, which pushes a number.
const uint8_t *behindSlot(const uint8_t *SlotAddress) {
  auto *Target = read<const uint8_t *>(SlotAddress);
  const uint8_t *Code = Target;
  if (!memcmp(Code, EndBranch, sizeof(EndBranch)))
    Code += sizeof(EndBranch);
  if (*Code != 0x68)
    return Target;
  Slot S = {reinterpret_cast<uintptr_t>(SlotAddress), nullptr};
  dl_iterate_phdr(findSymbol, &S);
  return S.Symbol ? static_cast<const uint8_t *>(dlsym(RTLD_DEFAULT, S.Symbol))
                  : Target;
}

/// Where a function jumps at once; null if it does not.
const uint8_t *jumpOf(const uint8_t *Code) {
  if (*Code == 0xf2) // bnd
    ++Code;
  if (Code[0] == 0xff && Code[1] == 0x25)
    return behindSlot(Code + 6 + read<int32_t>(Code + 2));
  if (Code[0] == 0xe9)
    return Code + 5 + read<int32_t>(Code + 1);
  return nullptr;
}

bool hasMark(const uint8_t *Code) {
  return read<uint32_t>(Code) == GRAUPEL_DSM_MARK;
}

/// Skips instructions that may stand before a mark or a jump: endbr64, and
/// `lock incq N(%rip)`, a counter of graupel-bolt -instrument.
const uint8_t *skipPreliminaries(const uint8_t *Code) {
  static const uint8_t Count[] = {0xf0, 0x48, 0xff, 0x05};
  for (;;)
    if (!memcmp(Code, EndBranch, sizeof(EndBranch)))
      Code += sizeof(EndBranch);
    else if (!memcmp(Code, Count, sizeof(Count)))
      Code += sizeof(Count) + 4;
    else
      return Code;
}

/// A function of this library. Which of its names it has is remembered: looking
/// up symbols takes long.
bool takesShared(const void *Function) {
  static std::atomic<uintptr_t> Known[64];
  auto A = reinterpret_cast<uintptr_t>(Function);
  if (!isOfThisLibrary(Function))
    return false;
  std::atomic<uintptr_t> &Cell = Known[(A >> 4) % 64];
  if (Cell.load(std::memory_order_relaxed) == A)
    return true;
  Dl_info There;
  if (!dladdr(Function, &There) || !There.dli_sname)
    return false;
  for (const char *Prefix : {"graupel_dsm_", "gdsm_", "tempest_"})
    if (!strncmp(There.dli_sname, Prefix, strlen(Prefix))) {
      Cell.store(A, std::memory_order_relaxed);
      return true;
    }
  return false;
}

} // namespace

bool isOfThisLibrary(const void *Function) {
  return Function >= static_cast<const void *>(&__ehdr_start) &&
         Function < static_cast<const void *>(&etext);
}

const void *functionBehind(const void *Function) {
  auto *Code = static_cast<const uint8_t *>(Function);
  // More jumps than linkers make are a loop.
  for (unsigned Jumps = 0; Code && Jumps != 8; ++Jumps) {
    const uint8_t *Next = jumpOf(skipPreliminaries(Code));
    if (!Next)
      break;
    Code = Next;
  }
  return Code;
}

bool isSystems(const void *Function, const char *Name) {
  const void *Behind = functionBehind(Function);
  if (isOfThisLibrary(Behind))
    return true;
  Dl_info There, Library;
  void *Map = nullptr;
  if (!dladdr1(Behind, &There, &Map, RTLD_DL_LINKMAP))
    return false;
  // The program has no name, wherever it is.
  const char *File = static_cast<link_map *>(Map)->l_name;
  if (!*File)
    return dlsym(RTLD_DEFAULT,
                 (std::string("___interceptor_") + Name).c_str()) != nullptr;
  // Wherever the C library is.
  const void *Known = dlsym(RTLD_NEXT, "__libc_start_main");
  return isSystemFile(File) || (Known && dladdr(Known, &Library) &&
                                There.dli_fbase == Library.dli_fbase);
}

bool isRightFor(const graupel_dsm_call &Call, const void *Callee) {
  return isChecked(Callee) || (Call.kind == GRAUPEL_DSM_CALL_LIBRARY &&
                               isSystems(Callee, Call.text));
}

bool isChecked(const void *Function) {
  auto *Code = static_cast<const uint8_t *>(functionBehind(Function));
  // A call of null ends by itself.
  if (!Code)
    return true;
  Code = skipPreliminaries(Code);
  return hasMark(Code) || takesShared(Code);
}

} // namespace graupel::dsm
