//===- HotCold/UnreadCode.h - Functions without a flow graph ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT reads only functions with a profile, unless it is told otherwise. The
// others are disassembled here, on demand.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_UNREADCODE_H
#define GRAUPEL_HOTCOLD_UNREADCODE_H

#include "HotCold/Machine/RegisterSet.h"
#include "llvm/ADT/DenseMap.h"

namespace graupel {

/// True if \p BF has a flow graph, so that its bytes need not be read.
bool hasCode(const llvm::bolt::BinaryFunction &BF);

/// Reads and changes of registers against the ABI.
struct OwnConvention {
  RegisterSet Reads = 0;   ///< As its caller left them; no parameters.
  RegisterSet Changes = 0; ///< Saved registers.

  static OwnConvention unknown() { return {reg::All, reg::CalleeSaved}; }
  void join(const OwnConvention &Other) {
    Reads |= Other.Reads;
    Changes |= Other.Changes;
  }
};

/// Registers that hold no parameter by the ABI. The rest of the flags and of
/// x87 is state that functions share.
constexpr RegisterSet NoParameters = ~(reg::Parameters | reg::Float);

/// The saved register that \p Inst puts on the stack, if it does nothing else.
RegisterSet savedBy(const llvm::bolt::BinaryContext &BC,
                    const llvm::MCInst &Inst, const RegisterEffects &E);

class UnreadCode {
public:
  UnreadCode(llvm::bolt::BinaryContext &BC, const RegisterModel &Model)
      : BC(BC), Model(Model) {}

  /// Registers that \p BF or its callees certainly write on some path: a
  /// compiler that looks into it takes no value to survive in these.
  RegisterSet writes(const llvm::bolt::BinaryFunction &BF);

  /// Uses of registers in \p BF and its jump targets, in the order of their
  /// bytes, that no compiler generates by the ABI: assembly passes values in
  /// registers that hold no parameter (OpenSSL's __rsaz_512_mul). Unless
  /// \p Strict, a register of the function's own may be read further up than
  /// it is written.
  OwnConvention conventionOf(const llvm::bolt::BinaryFunction &BF, bool Strict);

private:
  struct Code {
    RegisterSet Writes = 0;
    std::vector<const llvm::bolt::BinaryFunction *> Callees;
    /// The callees that are jumped to.
    std::vector<const llvm::bolt::BinaryFunction *> JumpsTo;
    OwnConvention Own = OwnConvention::unknown(); ///< Without callees.
    /// Registers read further up than they are written, not at the beginning.
    RegisterSet ReadBefore = 0;
  };
  llvm::bolt::BinaryContext &BC;
  const RegisterModel &Model;
  llvm::DenseMap<const llvm::bolt::BinaryFunction *, RegisterSet> Known;
  llvm::DenseMap<const llvm::bolt::BinaryFunction *, Code> Codes;

  /// The state of reading a function.
  struct Reading {
    Code &Result;
    RegisterSet Unwritten = NoParameters, Unsaved = reg::CalleeSaved;
    bool HasBranched = false, AsksProcessor = false, CallsMiddle = false;
  };
  void noteRegisters(Reading &R, const llvm::MCInst &Inst) const;
  void noteTarget(Reading &R, const llvm::bolt::BinaryFunction &BF,
                  const llvm::MCInst &Inst, uint64_t Address,
                  uint64_t Size) const;
  const Code &read(const llvm::bolt::BinaryFunction &BF);
};

} // namespace graupel

#endif // GRAUPEL_HOTCOLD_UNREADCODE_H
