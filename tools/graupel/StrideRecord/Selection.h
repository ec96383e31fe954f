//===- StrideRecord/Selection.h - Options of a recording --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options of `graupel stride record` become the variable GRAUPEL_STRIDE,
// which the program reads when it starts. Errors are reported before that,
// within the bounds of runtime/stride/Options.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_STRIDERECORD_SELECTION_H
#define GRAUPEL_TOOLS_STRIDERECORD_SELECTION_H

#include <cstdint>
#include <string>

namespace graupel::stride {

class Selection {
public:
  Selection();

  /// Adds an option, named without its dashes. Returns an error in its value,
  /// or nothing.
  std::string add(const std::string &Name, const std::string &Value);

  /// An error in the combination of all options, or nothing.
  std::string check() const;

  /// The value of GRAUPEL_STRIDE.
  const std::string &text() const { return Text; }

private:
  std::string Text;
  bool Samples = false, HasCaches = false;
  uint64_t Burst, Every;
};

} // namespace graupel::stride

#endif // GRAUPEL_TOOLS_STRIDERECORD_SELECTION_H
