//===- Verify/RecordingCode.h - Inserted code that records ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recognizes code of an instrumented output that records something and that the
// input has not, by what its instructions do (RecordingMachine):
//
// 1. Recording code increments a counter or calls the runtime once. It ends
//    where the stack pointer is what it was after that.
// 2. It may write to counters and below the stack pointer only, and read
//    nothing of the program's but the operand of the call that it records.
// 3. Its changes at its end are the result: the caller has to show that nothing
//    reads these.
// 4. The changes of the runtime's functions are found by executing each on all
//    of its paths. The functions that these call, in C++, keep to the ABI.
//
// The runtime's code and its data are known by their sections, and the counters
// by the head of a profile that the output carries.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_VERIFY_RECORDINGCODE_H
#define GRAUPEL_VERIFY_RECORDINGCODE_H

#include "RecordingMachine.h"
#include "llvm/ADT/DenseMap.h"

namespace graupel {

class RecordingCode {
public:
  /// The effects of one piece of recording code.
  struct Piece {
    uint64_t End = 0;
    uint32_t Registers = 0; ///< Changed registers.
    uint8_t Flags = 0;      ///< The same.
    bool RedZone = false;   ///< So is what is below the stack pointer.
    /// The target of the call or jump that it records.
    std::optional<RecordedValue> Target;
  };

  /// Nothing is recording code in an \p Output that is not instrumented.
  RecordingCode(const ElfView &Input, const ElfView &Output,
                Disassembler &Decoder, const FlagTable &Flags,
                const RegisterTable &Registers);

  bool any() const { return Memory.DataBegin != Memory.DataEnd; }
  bool isRuntime(uint64_t Address) const { return Memory.isCode(Address); }

  /// Whether recording code may begin with \p I, although the input may have
  /// the same instruction.
  bool mayBegin(const Instruction &I) const;
  /// The recording code at \p Address; nothing if there is none. Then why()
  /// says what is wrong with what looks like it, or is empty.
  std::optional<Piece> at(uint64_t Address);
  llvm::StringRef why() const { return Why; }

  /// The target of the call or jump \p I, before it.
  RecordedValue targetOf(const Instruction &I) const {
    return RecordingMachine(Tables).target(I);
  }

private:
  /// The effects of a function of the runtime.
  struct Routine {
    std::string Why; ///< It is not known.
    int64_t Pops = 0;
    uint32_t Registers = 0;
    uint8_t Flags = 0;
    bool Returns = false;
    uint64_t JumpsTo = 0; ///< Instead.
  };
  struct Path {
    uint64_t At;
    RecordingMachine Machine;
  };

  const ElfView &Output;
  Disassembler &Decoder;
  RecordingMemory Memory;
  RecordingMachine::Tables Tables;
  llvm::DenseMap<uint64_t, Routine> Routines;
  std::string Why;

  void findMemory(const ElfView &Input);
  Instruction decode(uint64_t Address) const;
  std::optional<Piece> reject(llvm::Error E, bool IsRecording);
  llvm::Error callRoutine(RecordingMachine &M, uint64_t Address, Piece &P);
  std::optional<Piece> hookAt(uint64_t Address);
  const Routine &routineAt(uint64_t Address);
  llvm::Error walk(uint64_t Address, Routine &R);
  llvm::Error step(Path P, std::vector<Path> &Paths, Routine &R);
  static llvm::Error leave(const RecordingMachine &M, Routine &R, bool ByReturn,
                           int64_t Pops, uint64_t To);
};

} // namespace graupel

#endif // GRAUPEL_VERIFY_RECORDINGCODE_H
