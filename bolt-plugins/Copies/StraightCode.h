//===- Copies/StraightCode.h - Decoding without a doubt ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_COPIES_STRAIGHTCODE_H
#define GRAUPEL_COPIES_STRAIGHTCODE_H

#include "KnownAddresses.h"
#include "bolt/Core/BinaryContext.h"

namespace graupel {

/// Instructions of functions and of what is between them, decoded one behind the
/// other.
class StraightCode {
public:
  /// \p Tables are the ends of proved jump tables by their beginnings. All must
  /// outlive this.
  StraightCode(llvm::bolt::BinaryContext &BC, const KnownAddresses &Known,
               const std::map<uint64_t, uint64_t> &Tables)
      : BC(BC), Known(Known), Tables(Tables) {}

  /// False if \p Hit is between the bytes of another instruction. Without a
  /// doubt: the code is decoded to its end, and all its branches, and those of
  /// others into it, lead to instructions.
  bool isReal(const KnownAddresses::Hit &Hit);

  /// Whether \p Hit is the operand of a call, in code that is decoded to its end.
  bool isCall(const KnownAddresses::Hit &Hit);

  /// Where addresses are fixed, many numbers look like one: letters at the end of
  /// a string, parts of two operands. False if \p Hit is no word of data of 8
  /// bytes, none of 4 beside another one that is code, no distance, and not what
  /// an instruction takes that would begin right before it.
  bool isWhole(const KnownAddresses::Hit &Hit) const;

  /// Whether all of \p BF is decoded without a doubt.
  bool isSound(const llvm::bolt::BinaryFunction &BF);

private:
  struct Code {
    bool IsDecoded = false; ///< All of it; its branches lead to instructions.
    bool IsSound = false;   ///< Nor is anything else known to lead elsewhere.
    std::vector<uint64_t> Begins; ///< Of instructions.
  };

  llvm::bolt::BinaryContext &BC;
  const KnownAddresses &Known;
  const std::map<uint64_t, uint64_t> &Tables;
  std::map<uint64_t, Code> Codes; ///< By their beginnings.

  bool isInTable(uint64_t Address) const;
  const Code &codeAround(const llvm::bolt::BinarySection &Home,
                         uint64_t Address);
  void decode(const llvm::bolt::BinarySection &Home, uint64_t Begin,
              uint64_t End, Code &C) const;
  bool leadsTo(const llvm::bolt::BinarySection &Home, uint64_t Address,
               uint64_t Target) const;
};

} // namespace graupel

#endif // GRAUPEL_COPIES_STRAIGHTCODE_H
