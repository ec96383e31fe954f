//===- Build/LinkCommand.h - Arguments of a linker ------------ -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_BUILD_LINKCOMMAND_H
#define GRAUPEL_BUILD_LINKCOMMAND_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace graupel::build {

/// The symbols that the linker was asked to leave out of its output.
enum class Strip { Nothing, Locals, All };

/// The option of strip(1) that does the same afterwards; empty for Nothing.
llvm::StringRef stripOption(Strip S);

struct LinkCommand {
  std::string Output = "a.out";
  /// A program or a shared library for x86-64 results, so relocations are
  /// wanted.
  bool MakesImage = false;
  /// It asks for relocations itself.
  bool KeepsRelocations = false;
  Strip Asked = Strip::Nothing;
  /// The arguments that make the same image with relocations and symbols.
  std::vector<std::string> Altered;
};

/// The text of a response file (`@FILE`), or nothing.
using ReadFile = std::function<std::optional<std::string>(llvm::StringRef)>;

/// Arguments of a GNU ld, gold, lld or mold, without the linker's name.
LinkCommand readLinkCommand(llvm::ArrayRef<std::string> Arguments,
                            const ReadFile &Read);

} // namespace graupel::build

#endif // GRAUPEL_BUILD_LINKCOMMAND_H
