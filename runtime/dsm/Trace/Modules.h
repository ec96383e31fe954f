//===- Modules.h - Places in code, as files know them -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRACE_MODULES_H
#define GRAUPEL_DSM_TRACE_MODULES_H

#include <cstdint>
#include <link.h>
#include <string>
#include <vector>

namespace graupel::dsm::trace {

/// A program or a shared library of this process.
struct Module {
  std::string Path;
  std::string BuildId; ///< Hexadecimal; empty if it has none.
  uintptr_t Base;      ///< The value added to the file's addresses.
  std::vector<std::pair<uintptr_t, uintptr_t>> Code; ///< Start and end.
  const ElfW(Phdr) * Headers;                        ///< The loader's.
  unsigned HeaderCount;

  bool has(uintptr_t Pc) const {
    for (auto [Start, End] : Code)
      if (Pc >= Start && Pc < End)
        return true;
    return false;
  }
};

/// All that are loaded now.
std::vector<Module> loadedModules();

} // namespace graupel::dsm::trace

#endif
