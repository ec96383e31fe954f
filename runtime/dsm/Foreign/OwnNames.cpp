//===- OwnNames.cpp - Functions named like the C library's ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//  1. The wrappers that the program calls are undefined symbols of it. These
//     come first in its table, before those that its hash table is about.
//  2. For each: whose is the function of the plain name, as the loader finds
//  it?
//     If it is the program's, it has the name in an object without checks, for
//     the passes would have given it the wrapper's name as well.
//  3. Sanitizers have such functions, too: they call the library's.
//
//===----------------------------------------------------------------------===//

#include "Foreign/OwnNames.h"
#include "Errors/Error.h"
#include "Foreign/Marks.h"
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <string>

namespace graupel::dsm {

namespace {

struct Wrapper {
  const char *Symbol, *Function;
};
constexpr Wrapper Wrappers[] = {
#define WRAPPED_AS(NAME, WRAPPER) {"graupel_dsm_" #WRAPPER, #NAME},
#include "graupel/dsm_library.def"
};

struct Symbols {
  const ElfW(Sym) *First = nullptr;
  const char *Names = nullptr;
  uint32_t Unhashed = 0;
};

Symbols symbolsOf(const link_map &Object) {
  Symbols S;
  for (const ElfW(Dyn) *D = Object.l_ld; D->d_tag != DT_NULL; ++D)
    switch (D->d_tag) {
    case DT_SYMTAB:
      S.First = reinterpret_cast<const ElfW(Sym) *>(D->d_un.d_ptr);
      break;
    case DT_STRTAB:
      S.Names = reinterpret_cast<const char *>(D->d_un.d_ptr);
      break;
    case DT_GNU_HASH:
      S.Unhashed = reinterpret_cast<const uint32_t *>(D->d_un.d_ptr)[1];
      break;
    }
  return S;
}

/// The function of the C library's that a wrapper stands for; or null.
const char *wrappedBy(const char *Symbol) {
  for (const Wrapper &W : Wrappers)
    if (!strcmp(W.Symbol, Symbol))
      return W.Function;
  return nullptr;
}

/// The program's function, as other objects see it; or null.
const void *ownFunction(const link_map &Program, const char *Name) {
  const void *Function = dlsym(RTLD_DEFAULT, Name);
  Dl_info Where;
  void *Map = nullptr;
  if (!Function || !dladdr1(Function, &Where, &Map, RTLD_DL_LINKMAP) ||
      Map != &Program ||
      dlsym(RTLD_DEFAULT, (std::string("___interceptor_") + Name).c_str()))
    return nullptr;
  return Function;
}

} // namespace

void refuseUncheckedOwnNames() {
  auto *Program = static_cast<link_map *>(dlopen(nullptr, RTLD_NOW));
  if (!Program)
    return;
  Symbols S = symbolsOf(*Program);
  if (!S.First || !S.Names)
    return;
  for (uint32_t I = 1; I < S.Unhashed; ++I) {
    const char *Name = wrappedBy(S.Names + S.First[I].st_name);
    const void *Own = Name ? ownFunction(*Program, Name) : nullptr;
    if (Own && !isChecked(Own))
      fail(
          "the program's own '%s' is not compiled with checks, and calls of it "
          "would go to the C library's; compile it with graupel-dsm.cfg, or "
          "rename it",
          Name);
  }
}

} // namespace graupel::dsm
