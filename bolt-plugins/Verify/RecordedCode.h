//===- Verify/RecordedCode.h - Files without a symbol table -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of a file without a symbol table are those of the loader's
// symbols and of the unwind records; nothing else was known to the optimizer.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_VERIFY_RECORDEDCODE_H
#define GRAUPEL_VERIFY_RECORDEDCODE_H

#include "SymbolMap.h"
#include <memory>
#include <optional>

namespace graupel {

class RecordedCode {
public:
  /// Nothing if \p Input has a symbol table.
  static llvm::Expected<std::optional<RecordedCode>>
  read(const ElfView &Input, const ElfView &Output);

  const SymbolMap &functions() const { return *Functions; }

  /// Checks that what is in no function of the input and is no padding is where
  /// and as it was.
  llvm::Error checkGaps() const;

private:
  const ElfView *Input, *Output;
  std::unique_ptr<SymbolMap> Functions;

  RecordedCode(const ElfView &Input, const ElfView &Output)
      : Input(&Input), Output(&Output) {}
  llvm::Error checkGap(class Disassembler &Decoder, uint64_t Begin,
                       uint64_t End) const;
};

} // namespace graupel

#endif // GRAUPEL_VERIFY_RECORDEDCODE_H
