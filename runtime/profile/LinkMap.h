//===- profile/LinkMap.h - Modules of the dynamic linker --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILE_LINKMAP_H
#define GRAUPEL_PROFILE_LINKMAP_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

namespace graupel {

/// The part of the dynamic linker's struct link_map that debuggers rely on.
struct LinkMap {
  uint64_t Base;
  const char *Name;
  const Elf64_Dyn *Dynamic;
  LinkMap *Next;
  LinkMap *Previous;
};

/// All loaded modules, or nullptr in static programs.
const LinkMap *loadedModules();

/// The symbol that dlsym(RTLD_DEFAULT) would find, whatever its version.
void *findFunction(const LinkMap *Modules, const char *Name);

/// The last symbol of this name, which is the C library's own, if that is not
/// the one that findFunction finds. A program or a library may define a
/// function of the C library and call its own by dlsym(RTLD_NEXT).
void *findLastFunction(const LinkMap *Modules, const char *Name);

/// Makes dlsym(RTLD_NEXT) and the like find To instead of From, which
/// findLastFunction has found.
void redefineLast(const LinkMap *Modules, const char *Name, void *From,
                  void *To);

/// Makes all calls of a function that are bound at run time go to To: those of
/// loaded modules, and, by another value of the symbol that findFunction found,
/// those of modules that are loaded later.
void redirect(const LinkMap *Modules, const char *Name, void *To);

} // namespace graupel

#endif // GRAUPEL_PROFILE_LINKMAP_H
