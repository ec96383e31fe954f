//===- HotCold/UnreadCode.h - Functions without a flow graph ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT reads only functions with a profile, unless it is told otherwise. The
// others are disassembled here, as far as somebody wants to know.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_UNREADCODE_H
#define GRAUPEL_HOTCOLD_UNREADCODE_H

#include "HotCold/Machine/RegisterSet.h"
#include "llvm/ADT/DenseMap.h"

namespace graupel {

class UnreadCode {
public:
  UnreadCode(llvm::bolt::BinaryContext &BC, const RegisterModel &Model)
      : BC(BC), Model(Model) {}

  /// Registers that \p BF writes for sure on some path, or others that it
  /// calls: a compiler that looks into it takes no value to survive in these.
  RegisterSet writes(const llvm::bolt::BinaryFunction &BF);

  /// True if \p BF looks as compilers make functions: in the order of its
  /// bytes it reads nothing but parameters before it is written, and changes no
  /// saved register that it has not put on the stack. Assembly hands values in
  /// registers that are nobody's parameters (OpenSSL's __rsaz_512_mul).
  bool followsABI(const llvm::bolt::BinaryFunction &BF);

private:
  struct Code {
    RegisterSet Writes = 0;
    std::vector<const llvm::bolt::BinaryFunction *> Callees;
    /// Those of them that go on for it.
    std::vector<const llvm::bolt::BinaryFunction *> JumpsTo;
    bool LooksCompiled = false; ///< By itself.
  };
  llvm::bolt::BinaryContext &BC;
  const RegisterModel &Model;
  llvm::DenseMap<const llvm::bolt::BinaryFunction *, RegisterSet> Known;
  llvm::DenseMap<const llvm::bolt::BinaryFunction *, Code> Codes;

  bool isSaved(const llvm::MCInst &Inst, const RegisterEffects &E) const;
  const Code &read(const llvm::bolt::BinaryFunction &BF);
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_UNREADCODE_H
