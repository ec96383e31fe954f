//===- Verify/RecordingCheck.cpp - Effects of recording -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. While both files are followed, pieces of recording code are noted with the
//    place of the input before which they are executed (find, add).
// 2. When all of the input's code is known, it is searched from these places
//    for what reads the flags and registers that a piece changes (run).
// 3. The red zone is taken to be in use everywhere but at calls, at indirect
//    jumps that leave the function and where another function begins.
//
//===----------------------------------------------------------------------===//

#include "RecordingCheck.h"

using namespace llvm;
using namespace graupel;

RecordingCheck::RecordingCheck(const ElfView &Input, const ElfView &Output,
                               const SymbolMap &Symbols,
                               const AppliedRelocations &Places,
                               Disassembler &Decoder)
    : Output(Output), Decoder(Decoder), Flags(Decoder.instructions()),
      Registers(Decoder.instructions(), Decoder.registers()),
      Code(Input, Output, Decoder, Flags, Registers),
      Flow(Input, Symbols, Places, Decoder, Flags, Registers) {}

bool RecordingCheck::looksSame(const Instruction &A,
                               const Instruction &B) const {
  if (!A.Size || !B.Size || A.Kind != B.Kind ||
      Decoder.operation(A) != Decoder.operation(B) ||
      A.Inst.getNumOperands() != B.Inst.getNumOperands())
    return false;
  const bool Relative = Decoder.isRelative(A);
  for (unsigned I = 0; I < A.Inst.getNumOperands(); ++I) {
    const MCOperand &X = A.Inst.getOperand(I), &Y = B.Inst.getOperand(I);
    if (X.isReg() != Y.isReg() || (X.isReg() && X.getReg() != Y.getReg()))
      return false;
    const bool IsAddress =
        A.Target || (Relative && int(I) == A.MemoryOperand + 3);
    // Absolute addresses are small enough, and tables of them move.
    if (X.isImm() && !IsAddress && X.getImm() != Y.getImm() &&
        (!Output.isMapped(X.getImm()) || !Output.isMapped(Y.getImm())))
      return false;
  }
  return true;
}

/// Whether \p Next is what is executed next at \p At, but for recording code.
bool RecordingCheck::isFollowedBy(uint64_t At, const Instruction &Next) {
  constexpr unsigned Most = 64;
  Instruction I;
  for (unsigned N = 0; N < Most; ++N) {
    Decoder.decode(Output.isCode(At) ? Output.bytesAt(At) : StringRef(), At, I);
    if (I.Kind == FlowKind::Nop || I.Kind == FlowKind::Jump) {
      At = I.Kind == FlowKind::Nop ? I.end() : I.Target;
      continue;
    }
    if (looksSame(Next, I))
      return true;
    const auto Further = Code.at(At);
    if (!Further)
      return false;
    At = Further->End;
  }
  return false;
}

std::optional<RecordingCode::Piece>
RecordingCheck::find(const Instruction &Now, const Instruction *Next) {
  Why.clear();
  const bool LooksSame = Next && looksSame(*Next, Now);
  if (LooksSame && !Code.mayBegin(Now) && !Code.isRuntime(Now.Address))
    return std::nullopt;
  auto Found = Code.at(Now.Address);
  if (!Found && !LooksSame)
    Why = Code.why();
  if (Found && LooksSame && !isFollowedBy(Found->End, *Next))
    return std::nullopt;
  return Found;
}

std::string RecordingCheck::why() const {
  return Why.empty() ? Why : "; what is there records, but " + Why;
}

void RecordingCheck::add(const RecordingCode::Piece &P, uint64_t Output,
                         uint64_t Input, const Instruction *Next) {
  ++Pieces;
  const bool EndsUse =
      !Next || Next->isCall() ||
      (Next->Kind == FlowKind::IndirectJump && !Flow.hasLabels(Input));
  Change C = {Input, Output, P.Registers, P.Flags, P.RedZone && !EndsUse};
  // The loader, which enters the runtime, hands over nothing in these.
  if (Code.isRuntime(Output)) {
    C.Flags = 0;
    C.Registers &= ~(1 << R11);
  }
  if (C.Flags || C.Registers || C.RedZone)
    Changes.push_back(C);
}

bool RecordingCheck::recordsTarget(const RecordingCode::Piece &P,
                                   const Instruction &I) const {
  return (I.Kind == FlowKind::IndirectCall ||
          I.Kind == FlowKind::IndirectJump) &&
         P.Target->K != RecordedValue::Unknown && *P.Target == Code.targetOf(I);
}

Error RecordingCheck::run(
    function_ref<Error(const Twine &)> Bad,
    function_ref<std::string(uint64_t, bool IsOutput)> Place) {
  Flow.finish();
  for (const Change &C : Changes) {
    const std::string Where =
        "what is recorded at " + Place(C.Output, true) + " overwrites ";
    if (C.RedZone)
      return Bad(Where + "the red zone, which may be in use at the input's " +
                 Place(C.Input, false));
    // One after the other: the message is to name what is read.
    for (const auto &[Wanted, Names] :
         {std::pair(InputFlow::setOf(C.Flags, 0), flagNames(C.Flags)),
          std::pair(InputFlow::setOf(0, C.Registers),
                    registerNames(C.Registers))})
      if (const auto Reader = Flow.findReader(C.Input, Wanted))
        return Bad(Where + Names + " at the input's " + Place(C.Input, false) +
                   ", and " + Place(*Reader, false) + " reads that");
  }
  return Error::success();
}
