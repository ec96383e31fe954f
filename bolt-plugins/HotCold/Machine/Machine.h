//===- HotCold/Machine/Machine.h - State of an execution --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_HOTCOLD_MACHINE_MACHINE_H
#define GRAUPEL_HOTCOLD_MACHINE_MACHINE_H

#include "AccessSizes.h"
#include "MachineModel.h"
#include "Values.h"
#include "bolt/Core/BinaryFunction.h"
#include <array>
#include <functional>

namespace graupel::symbolic {

/// The registers, the stack and all other memory at one point of an execution.
/// Places on the stack are named by their distance from the return address,
/// which the original and the hot version have in common.
struct Machine {
  /// A part of the stack whose content is known. No two overlap.
  struct Cell {
    int64_t At;
    int64_t Size;
    ValueNo Content;
    int64_t end() const { return At + Size; }
    friend bool operator==(const Cell &, const Cell &) = default;
  };
  std::array<ValueNo, 64> Registers; ///< By the bits of RegisterSet.
  ValueNo Memory;                    ///< Except the function's own frame.
  std::vector<Cell> Cells;           ///< By place.
  /// False behind a call that never returns.
  bool Runs = true;
};

/// An effect of \p Inst that is visible from outside or decides where control
/// goes.
struct Event {
  const llvm::MCInst *Inst;
  ValueNo Value;
};

/// The effects of a call on registers. Initially those of a function that never
/// returns.
struct CallEffects {
  RegisterSet MayRead = 0;    ///< As the caller left them.
  RegisterSet MayChange = 0;  ///< When it has returned.
  RegisterSet MayHoldOld = 0; ///< Something of what they held before.
  bool Returns = false;
  /// It comes back behind its call, with the stack as it was.
  bool IsOrdinary = true;
  friend bool operator==(const CallEffects &, const CallEffects &) = default;

  void join(const CallEffects &Other) {
    MayRead |= Other.MayRead;
    MayChange |= Other.MayChange;
    MayHoldOld |= Other.MayHoldOld;
    Returns |= Other.Returns;
    IsOrdinary &= Other.IsOrdinary;
  }
};

/// Known facts about other functions, and about the callers of this one.
struct Surroundings {
  std::function<CallEffects(const llvm::MCInst &Call)> EffectsOf;
  RegisterSet Results; ///< Callers may read them behind a return.
};

/// Executes instructions for one function.
class Executor {
public:
  Executor(const MachineModel &Context, const llvm::bolt::BinaryFunction &BF,
           Surroundings Others, ValueTable &Values, AccessSizes &Sizes);

  Machine entry();
  /// \p Strict if the machine runs the hot version, where nothing may rely on
  /// what is below the red zone.
  std::optional<Event> execute(const llvm::MCInst &Inst, Machine &M,
                               bool Strict);

  ValueNo read(const Machine &M, int64_t At, int64_t Size);
  void write(Machine &M, int64_t At, int64_t Size, ValueNo Content);
  /// Splits cells so that \p At is in none of them but at its beginning.
  void splitAt(Machine &M, int64_t At);

  ValueNo rsp(const Machine &M) const { return M.Registers[RSPIndex]; }
  /// True if only restores read \p Content: no pointer leads there.
  bool isPrivate(ValueNo Content) const;
  /// The value in part \p Part, a subregister's index, of a register with \p V.
  ValueNo partOf(ValueNo V, uint64_t Part) const;
  /// True if other than plain accesses may reach the frame, so that Memory
  /// includes it.
  bool frameEscapes() const { return Escapes; }
  /// Something was stored below the red zone since it was last asked.
  bool leftRedZone() { return std::exchange(BelowRedZone, false); }

  static constexpr unsigned RSPIndex = 4, RBPIndex = 5;

private:
  const MachineModel &Context;
  const Surroundings Others;
  const llvm::bolt::BinaryContext &BC;
  const llvm::bolt::MCPlusBuilder &MIB;
  ValueTable &Values;
  AccessSizes &Sizes;
  unsigned MoveHalf = 0; ///< MOV between 32-bit registers.
  bool Escapes = false;
  bool BelowRedZone = false;
  std::optional<Event> Pending;

  /// An access to memory by the operand that has five parts.
  struct Access {
    unsigned FirstOperand = ~0u;
    ValueNo Address = 0;
    std::optional<int64_t> At; ///< On the stack.
    int64_t Size = 0;
  };
  Access findAccess(const llvm::MCInst &Inst, const Machine &M);
  bool findEscapes(const llvm::bolt::BinaryFunction &BF);
  ValueNo byteOf(const Machine::Cell &C, int64_t Index);
  bool isRoom(ValueNo Content) const;
  bool isVisible(int64_t At, ValueNo Content) const;
  /// The content of a place before the function stored anything.
  ValueNo untouched(const Machine &M, int64_t At, int64_t Size);
  ValueNo operand(llvm::MCPhysReg Register, const Machine &M);
  ValueNo partOperand(llvm::MCPhysReg Register, const Machine &M);
  uint64_t part(llvm::MCPhysReg Register) const;
  std::vector<uint64_t> describe(const llvm::MCInst &Inst, const Machine &M,
                                 const Access &A);
  ValueNo visibleCells(const Machine &M);
  /// All that is in the frame and the red zone.
  ValueNo frameCells(const Machine &M);
  void storeToFrame(const llvm::MCInst &Inst, Machine &M, int64_t At,
                    int64_t Size, ValueNo Content, bool Strict);
  void storeAnywhere(const llvm::MCInst &Inst, Machine &M, ValueNo Stored);
  void setMemory(const llvm::MCInst &Inst, Machine &M, ValueNo Stored);
  bool executeStack(const llvm::MCInst &Inst, Machine &M, bool Strict);
  std::optional<Event> executeCall(const llvm::MCInst &Inst, Machine &M);
  Event executeExit(const llvm::MCInst &Inst, const Machine &M);
  void executeOther(const llvm::MCInst &Inst, Machine &M, bool Strict);
  bool setKnownResult(const llvm::MCInst &Inst, Machine &M, const Access &A);
  void setOutputs(const llvm::MCInst &Inst, Machine &M, ValueNo Key);
  void spoilBelowRedZone(Machine &M, ValueNo OldRSP);
};

} // namespace graupel::symbolic

#endif // GRAUPEL_HOTCOLD_MACHINE_MACHINE_H
