//===- Verify/RecordingCode.cpp - Inserted code that records --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recognizes recording code by executing it, by the steps of RecordingCode.h
// and with their numbers. findMemory() finds the runtime's sections and the
// counters first; without them nothing is recording code.
//
// 1. at() executes the instructions from an address on with a RecordingMachine,
//    up to the point after one count or call at which the stack pointer is
//    restored.
// 2. An instruction that the machine does not accept ends that (reject).
//    callRoutine() checks that a call gives the runtime a place to count at.
// 3. The registers and flags that differ at the end are the result. hookAt()
//    returns them for code of the runtime that goes on to the program.
// 4. routineAt() executes each function of the runtime once, on all of its
//    paths (walk, step). leave() checks that all paths end in the same way,
//    with the stack restored.
//
//===----------------------------------------------------------------------===//

#include "RecordingCode.h"
#include "graupel/profile.h"

using namespace llvm;
using namespace graupel;

namespace {

/// More instructions than any piece of recording code has.
constexpr unsigned LongestPiece = 24;
/// More than the paths of the runtime's functions have.
constexpr unsigned LongestWalk = 10000;

/// A section that the output has and the input has not.
const ElfView::Section *added(const ElfView &Input, const ElfView &Output,
                              StringRef Name) {
  return Input.find(Name) ? nullptr : Output.find(Name);
}

} // namespace

RecordingCode::RecordingCode(const ElfView &Input, const ElfView &Output,
                             Disassembler &Decoder, const FlagTable &Flags,
                             const RegisterTable &Registers)
    : Output(Output), Decoder(Decoder),
      Tables(Output, Decoder, Flags, Registers, Memory) {
  findMemory(Input);
}

void RecordingCode::findMemory(const ElfView &Input) {
  const ElfView::Section *Code = added(Input, Output, ".graupel.text"),
                         *Data = added(Input, Output, ".graupel.data"),
                         *Head = added(Input, Output, ".graupel.head");
  if (!Code || !Data || !Head)
    return;
  const auto Headers =
      Output.table<graupel_profile_header>(*Head).take_front(1);
  if (Headers.empty())
    return;
  // State; control and sites; room for the same and the counters.
  const uint64_t Sites = Headers[0].site_count * uint64_t(sizeof(graupel_site)),
                 Counters = sizeof(graupel_image_state) +
                            alignTo(sizeof(graupel_thread_control) + Sites,
                                    GRAUPEL_PROFILE_PAGE) +
                            sizeof(graupel_region_control) + Sites;
  if (Headers[0].site_count > Data->sh_size ||
      Headers[0].counter_count > Data->sh_size || Counters > Data->sh_size)
    return;
  Memory = {Code->sh_addr,
            Code->sh_addr + Code->sh_size,
            Data->sh_addr,
            Data->sh_addr + Data->sh_size,
            Data->sh_addr + Counters,
            Data->sh_addr + Counters + Headers[0].counter_count * 8};
}

Instruction RecordingCode::decode(uint64_t Address) const {
  Instruction I;
  Decoder.decode(Output.isCode(Address) ? Output.bytesAt(Address) : StringRef(),
                 Address, I);
  return I;
}

bool RecordingCode::mayBegin(const Instruction &I) const {
  const StringRef Name = Decoder.name(I);
  if (Name == "INC64m")
    return Decoder.isRelative(I) && Memory.isData(Decoder.relativeAddress(I));
  if (Name == "LEA64r")
    return Decoder.registerName(I.Inst.getOperand(0).getReg()) == "RSP";
  return Name.starts_with("PUSH") || Name == "LOCK_PREFIX";
}

std::optional<RecordingCode::Piece> RecordingCode::reject(Error E,
                                                          bool IsRecording) {
  std::string Text = toString(std::move(E));
  if (IsRecording)
    Why = std::move(Text);
  return std::nullopt;
}

std::optional<RecordingCode::Piece> RecordingCode::at(uint64_t Address) {
  Why.clear();
  if (Memory.isCode(Address))
    return hookAt(Address);
  RecordingMachine M(Tables);
  Piece P;
  P.End = Address;
  for (unsigned N = 0; N < LongestPiece; ++N) {
    const Instruction I = decode(P.End);
    if (!I.Size)
      break;
    const bool IsCall = I.Kind == FlowKind::Call && Memory.isCode(I.Target);
    const bool CountsAnew = Decoder.isRelative(I) &&
                            Memory.isData(Decoder.relativeAddress(I)) &&
                            Decoder.name(I) == "INC64m";
    if (M.hasCounted() && (IsCall || CountsAnew))
      return reject(createStringError("it records twice"), true);
    if (IsCall) {
      if (Error E = callRoutine(M, I.Target, P))
        return reject(std::move(E), true);
    } else if (Decoder.name(I) == "LOCK_PREFIX") {
      P.End = I.end();
      continue;
    } else if (I.Kind == FlowKind::Plain) {
      const bool IsRecording = M.hasCounted() || Decoder.name(I) == "INC64m";
      if (Error E = M.execute(I, /*IsRuntime=*/false))
        return reject(std::move(E), IsRecording);
    } else if (I.Kind != FlowKind::Nop) {
      break;
    }
    P.End = I.end();
    if (!M.hasCounted() || M.get(RSP) != RecordedValue{RecordedValue::Stack, 0})
      continue;
    P.Registers = M.changedRegisters();
    P.Flags = M.changedFlags();
    P.RedZone = M.changesRedZone();
    return P;
  }
  return reject(createStringError("it does not restore the stack pointer"),
                M.hasCounted());
}

/// A call of the runtime. The value that it takes from the stack is a target;
/// the address of the place where that is counted is in R11.
Error RecordingCode::callRoutine(RecordingMachine &M, uint64_t Address,
                                 Piece &P) {
  const Routine &R = routineAt(Address);
  if (!R.Why.empty())
    return createStringError("the runtime's function " + hex(Address) +
                             " is not known to restore everything: " + R.Why);
  if (!R.Returns || R.JumpsTo)
    return createStringError("the runtime's function " + hex(Address) +
                             " does not return");
  if (R.Pops > 8) {
    const RecordedValue Site = M.get(R11);
    if (Site.K != RecordedValue::Constant || !Memory.isData(Site.N))
      return createStringError("it gives the runtime no place to count at");
    P.Target = M.top();
  }
  return M.applyCall(R.Registers, R.Flags, R.Pops);
}

/// The place where the loader or a pointer enters the runtime, which then goes
/// on.
std::optional<RecordingCode::Piece> RecordingCode::hookAt(uint64_t Address) {
  const Routine &R = routineAt(Address);
  if (!R.Why.empty())
    return reject(createStringError(R.Why), true);
  if (!R.JumpsTo || R.Returns)
    return reject(createStringError("the runtime does not go on to it"), true);
  Piece P;
  P.End = R.JumpsTo;
  P.Registers = R.Registers;
  P.Flags = R.Flags;
  return P;
}

/// Step 4.
const RecordingCode::Routine &RecordingCode::routineAt(uint64_t Address) {
  const auto [It, IsNew] = Routines.try_emplace(Address);
  if (IsNew) {
    Routine R;
    if (Error E = walk(Address, R))
      R.Why = toString(std::move(E));
    Routines[Address] = R;
  }
  return Routines[Address];
}

Error RecordingCode::walk(uint64_t Address, Routine &R) {
  std::vector<Path> Paths = {{Address, RecordingMachine(Tables)}};
  for (unsigned Steps = 0; !Paths.empty(); ++Steps) {
    if (Steps == LongestWalk)
      return createStringError("it has loops");
    Path P = std::move(Paths.back());
    Paths.pop_back();
    if (Error E = step(std::move(P), Paths, R))
      return E;
  }
  return Error::success();
}

Error RecordingCode::leave(const RecordingMachine &M, Routine &R, bool ByReturn,
                           int64_t Pops, uint64_t To) {
  const RecordedValue Begin = {RecordedValue::Stack, 0};
  if (M.get(RSP) != Begin || M.top() != RecordedValue{RecordedValue::Slot, 0})
    return createStringError("it returns to somewhere else");
  const bool IsFirst = !R.Returns && !R.JumpsTo;
  if (!IsFirst && (ByReturn != R.Returns || Pops != R.Pops || To != R.JumpsTo))
    return createStringError("its paths end differently");
  R.Returns = ByReturn;
  R.Pops = Pops;
  R.JumpsTo = To;
  R.Registers |= M.changedRegisters();
  R.Flags |= M.changedFlags();
  return Error::success();
}

/// Executes one instruction of \p P and adds what comes behind it.
Error RecordingCode::step(Path P, std::vector<Path> &Paths, Routine &R) {
  const Instruction I = decode(P.At);
  if (!I.Size || !Memory.isCode(P.At))
    return createStringError("it leaves the runtime's code at " + hex(P.At));
  auto goOn = [&](uint64_t To) { Paths.push_back({To, P.Machine}); };
  switch (I.Kind) {
  case FlowKind::Nop:
    goOn(I.end());
    return Error::success();
  case FlowKind::Jump:
    goOn(I.Target);
    return Error::success();
  case FlowKind::Call:
    P.Machine.callByConvention();
    goOn(I.end());
    return Error::success();
  case FlowKind::Branch: {
    constexpr int64_t IfEqual = 4, IfNot = 5;
    const int64_t Condition = I.Inst.getOperand(1).getImm();
    std::optional<bool> Taken;
    if (Condition == IfEqual || Condition == IfNot)
      if (const std::optional<bool> Equal = P.Machine.isEqual())
        Taken = *Equal == (Condition == IfEqual);
    if (Taken.value_or(true))
      goOn(I.Target);
    if (!Taken.value_or(false))
      goOn(I.end());
    return Error::success();
  }
  case FlowKind::Return:
    return leave(P.Machine, R, true,
                 8 + (I.Inst.getNumOperands() && I.Inst.getOperand(0).isImm()
                          ? I.Inst.getOperand(0).getImm()
                          : 0),
                 0);
  case FlowKind::IndirectJump: {
    const RecordedValue To = P.Machine.target(I);
    if (To.K != RecordedValue::Constant)
      return createStringError("it jumps to somewhere else");
    return leave(P.Machine, R, false, 0, To.N);
  }
  case FlowKind::Plain:
    if (Error E = P.Machine.execute(I, /*IsRuntime=*/true))
      return E;
    goOn(I.end());
    return Error::success();
  default:
    return createStringError("it has an instruction that is not known, " +
                             Decoder.name(I));
  }
}
