//===- Manager/PageFiles.h - The page's files, compiled in ---- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_MANAGER_PAGEFILES_H
#define GRAUPEL_TOOLS_MANAGER_PAGEFILES_H

#include <string_view>

namespace graupel::ui {

/// The content of the file \p Name in the folder Page/ at build time.
/// Embed.cmake writes the function.
std::string_view pageFile(std::string_view Name);

} // namespace graupel::ui

#endif
