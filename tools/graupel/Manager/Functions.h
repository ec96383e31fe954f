//===- Manager/Functions.h - Functions of images -------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two sources, joined by name:
//
// 1. A profile: how often each block of a function was executed, and how many
//    instructions it has.
// 2. The symbols of a file: where each function is, and how large. What
//    splitting moved away has a symbol NAME.cold.N of its own.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_MANAGER_FUNCTIONS_H
#define GRAUPEL_TOOLS_MANAGER_FUNCTIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace graupel::ui {

struct FunctionCounts {
  std::string Name;
  uint64_t Instructions = 0; ///< Executed.
  uint64_t Calls = 0;        ///< Of the entry block.
  uint32_t Blocks = 0, ExecutedBlocks = 0;
};

/// Of the sealed profile \p Bytes, the hottest first; all functions that were
/// instrumented. An error if it is no profile of ours.
llvm::Expected<std::vector<FunctionCounts>>
functionCounts(llvm::StringRef Bytes);

struct FunctionPlace {
  uint64_t Address = 0, Size = 0;
  uint64_t ColdSize = 0; ///< Of its parts elsewhere.
  size_t Rank = 0;       ///< By address, from 1 on, among functions.
};

/// The functions of the ELF file \p Path, by name. \p Content is its SHA-256;
/// an error if it is another by now.
llvm::Expected<std::map<std::string, FunctionPlace>>
functionPlaces(const std::string &Path, llvm::StringRef Content);

} // namespace graupel::ui

#endif
