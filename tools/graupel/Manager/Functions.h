//===- Manager/Functions.h - Functions of images -------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two sources, joined by name:
//
// 1. A profile: the execution count and the number of instructions of each
//    block of a function.
// 2. The symbols of a file: the address and the size of each function. Parts
//    that splitting moved away have symbols NAME.cold.N of their own.
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
  uint64_t Calls = 0;        ///< Executions of the entry block.
  uint32_t Blocks = 0, ExecutedBlocks = 0;
};

/// All instrumented functions of the sealed profile \p Bytes, the hottest
/// first. An error if it is no profile of ours.
llvm::Expected<std::vector<FunctionCounts>>
functionCounts(llvm::StringRef Bytes);

struct FunctionPlace {
  uint64_t Address = 0, Size = 0;
  uint64_t ColdSize = 0; ///< Size of its parts elsewhere.
  size_t Rank = 0;       ///< By address, from 1 on, among functions.
};

/// The functions of the ELF file \p Path, by name. \p Content is its SHA-256;
/// an error if it is another by now.
llvm::Expected<std::map<std::string, FunctionPlace>>
functionPlaces(const std::string &Path, llvm::StringRef Content);

} // namespace graupel::ui

#endif
