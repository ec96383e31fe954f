//===- Verify/RecordingCheck.h - Effects of recording -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_VERIFY_RECORDINGCHECK_H
#define GRAUPEL_VERIFY_RECORDINGCHECK_H

#include "InputFlow.h"
#include "RecordingCode.h"

namespace graupel {

/// The recording code of an instrumented output by the places of the input
/// before which it is executed. Nothing reads there what it changes.
class RecordingCheck {
public:
  RecordingCheck(const ElfView &Input, const ElfView &Output,
                 const SymbolMap &Symbols, const AppliedRelocations &Places,
                 Disassembler &Decoder);

  bool any() const { return Code.any(); }
  uint64_t pieces() const { return Pieces; }

  /// Whether \p A and \p B are the same but for addresses.
  bool looksSame(const Instruction &A, const Instruction &B) const;
  /// The piece of recording code that the output's \p Now begins, if there is
  /// one and the input's instruction \p Next is not meant. \p Next may be null.
  std::optional<RecordingCode::Piece> find(const Instruction &Now,
                                           const Instruction *Next);
  /// The problem with apparent recording code, or nothing.
  std::string why() const;

  /// The piece at \p Output is executed before \p Input; \p Next is its
  /// instruction, or null at the beginning of a function.
  void add(const RecordingCode::Piece &P, uint64_t Output, uint64_t Input,
           const Instruction *Next);
  /// Whether \p P records where the output's call or jump \p I goes.
  bool recordsTarget(const RecordingCode::Piece &P, const Instruction &I) const;

  /// The input's code that is executed, and the addresses that are taken.
  InputFlow &flow() { return Flow; }

  /// Checks all pieces when all code is known. \p Bad makes an error.
  llvm::Error
  run(llvm::function_ref<llvm::Error(const llvm::Twine &)> Bad,
      llvm::function_ref<std::string(uint64_t, bool IsOutput)> Place);

private:
  struct Change {
    uint64_t Input, Output;
    uint32_t Registers;
    uint8_t Flags;
    bool RedZone;
  };
  const ElfView &Output;
  Disassembler &Decoder;
  const FlagTable Flags;
  const RegisterTable Registers;
  RecordingCode Code;
  InputFlow Flow;
  std::vector<Change> Changes;
  std::string Why;
  uint64_t Pieces = 0;

  bool isFollowedBy(uint64_t At, const Instruction &Next);
};

} // namespace graupel

#endif // GRAUPEL_VERIFY_RECORDINGCHECK_H
