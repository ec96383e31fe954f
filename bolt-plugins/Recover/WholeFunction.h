//===- Recover/WholeFunction.h - A function with its parts ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compilers move what they believe to be cold out of a function. BOLT sees the
// function and its cold part as two, and where the part jumps back as one more
// entry, about which nothing is known. Here they are one.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_RECOVER_WHOLEFUNCTION_H
#define GRAUPEL_RECOVER_WHOLEFUNCTION_H

#include "bolt/Core/BinaryFunction.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <set>
#include <vector>

namespace graupel {

struct DecodedInst {
  const llvm::bolt::BinaryFunction *Owner;
  uint64_t Offset; ///< In that function or part.
  uint64_t Size;
  llvm::MCInst Inst;

  uint64_t address() const { return Owner->getAddress() + Offset; }
};

/// The instructions of a function that has been disassembled, decoded anew,
/// then those of its parts. The parts are left out if control could come to
/// them, or from them into the function, by anything but direct jumps.
class WholeFunction {
public:
  explicit WholeFunction(const llvm::bolt::BinaryFunction &BF);

  /// Empty if the function cannot be read.
  llvm::ArrayRef<DecodedInst> code() const { return Code; }
  /// The number of these that are not in a part.
  uint32_t numOwn() const { return NumOwn; }
  std::optional<uint32_t> indexAt(uint64_t Address) const;
  /// Whether a jump of a part leads to \p Offset of the function.
  bool isEnteredByPart(uint64_t Offset) const { return Entries.count(Offset); }
  /// Keeps where the parts enter the function, for isUnderstoodEntry().
  void noteEntries() const;

private:
  const llvm::bolt::BinaryFunction &BF;
  std::vector<DecodedInst> Code;
  uint32_t NumOwn = 0;
  llvm::DenseMap<uint64_t, uint32_t> IndexAt; ///< By address.
  std::set<uint64_t> Entries;

  bool add(const llvm::bolt::BinaryFunction &Owner, uint64_t Offset,
           llvm::ArrayRef<uint8_t> Bytes);
  bool addPart(const llvm::bolt::BinaryFunction &Part);
  bool refersInside(const DecodedInst &D) const;
};

} // namespace graupel

#endif // GRAUPEL_RECOVER_WHOLEFUNCTION_H
