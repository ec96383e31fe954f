//===- Verify/FrameRows.cpp - The unwind state at each address ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes rows of unwind records, by the steps of FrameRows.h and with their
// numbers. Damaged records are errors that name the code.
//
// 1. UnwindTables::read() reads the records of all sections .eh_frame. If there
//    is an index (indexed), only the records that it names are kept.
// 2. When a record is first asked for (at), RowMaker executes the call frame
//    instructions of its CIE and its own. It adds a row where the state
//    changes; FrameStates numbers the states.
// 3. readSites() reads the exception table. handlerAt() finds the call site and
//    says what a throw there comes to.
//
//===----------------------------------------------------------------------===//

#include "FrameRows.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/LowLevel/DWARFExpression.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace graupel;

namespace {

constexpr StringLiteral Damaged = "the file is damaged, link it again";

std::string registerName(uint64_t Number) {
  static constexpr StringLiteral Names[] = {
      "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8",
      "r9",  "r10", "r11", "r12", "r13", "r14", "r15", "ra"};
  return Number < std::size(Names) ? Names[Number].str()
                                   : "r" + std::to_string(Number);
}

std::string offsetText(int64_t Offset) {
  return (Offset < 0 ? "" : "+") + std::to_string(Offset);
}

/// Executes the call frame instructions of one record.
class RowMaker {
public:
  RowMaker(const FrameRecord &Record, FrameStates &States,
           std::vector<UnwindTables::Row> &Rows)
      : Record(Record), Common(Record.Common), States(States), Rows(Rows),
        At(Record.Begin) {}

  Error make() {
    State.IsSignalFrame = Common.IsSignalFrame;
    State.ReturnRegister = Common.ReturnRegister;
    if (Error E = execute(Common.Program))
      return E;
    Initial = State;
    if (Error E = execute(Record.Program))
      return E;
    addRow();
    return Error::success();
  }

private:
  using Cursor = DataExtractor::Cursor;
  const FrameRecord &Record;
  const FrameCommon &Common;
  FrameStates &States;
  std::vector<UnwindTables::Row> &Rows;
  uint64_t At;
  uint64_t ArgumentsSize = 0;
  FrameState State, Initial;
  std::vector<FrameState> Remembered;

  Error bad(const Twine &Problem) const {
    return badFile("the unwind record of the code at " + hex(Record.Begin) +
                       " " + Problem,
                   Damaged);
  }

  void addRow() {
    const unsigned Number = States.number(State);
    if (!Rows.empty() && Rows.back().Begin == At)
      Rows.pop_back();
    if (!Rows.empty() && Rows.back().State == Number &&
        Rows.back().ArgumentsSize == ArgumentsSize)
      return;
    Rows.push_back({At, Number, ArgumentsSize});
  }

  void advance(uint64_t By) {
    addRow();
    At += By * Common.CodeAlignment;
  }

  void set(uint64_t Register, FrameState::Rule Rule) {
    // A register without a rule keeps its value.
    if (!Rule.Kind)
      State.Registers.erase(Register);
    else
      State.Registers[Register] = std::move(Rule);
  }

  void restore(uint64_t Register) {
    auto It = Initial.Registers.find(Register);
    if (It == Initial.Registers.end())
      State.Registers.erase(Register);
    else
      State.Registers[Register] = It->second;
  }

  static std::string expression(DataExtractor Data, Cursor &C) {
    const uint64_t Size = Data.getULEB128(C);
    return Data.getBytes(C, Size).str();
  }

  Error execute(StringRef Program) {
    DataExtractor Data(Program, /*IsLittleEndian=*/true, /*AddressSize=*/8);
    Cursor C(0);
    while (C && C.tell() < Program.size())
      if (Error E = step(Data, C)) {
        consumeError(C.takeError());
        return E;
      }
    if (Error E = C.takeError()) {
      consumeError(std::move(E));
      return bad("is cut off");
    }
    return Error::success();
  }

  int64_t factored(uint64_t Offset) const {
    return int64_t(Offset) * Common.DataAlignment;
  }

  Error step(const DataExtractor &Data, Cursor &C) {
    using namespace dwarf;
    const uint8_t Code = Data.getU8(C);
    const uint8_t Low = Code & 0x3f;
    switch (Code & 0xc0) {
    case DW_CFA_advance_loc:
      advance(Low);
      return Error::success();
    case DW_CFA_offset:
      set(Low, {'o', 0, factored(Data.getULEB128(C)), {}});
      return Error::success();
    case DW_CFA_restore:
      restore(Low);
      return Error::success();
    }
    return Low <= DW_CFA_def_cfa_expression && Low >= DW_CFA_def_cfa
               ? stepCFA(Low, Data, C)
               : stepOther(Low, Data, C);
  }

  Error stepCFA(uint8_t Code, const DataExtractor &Data, Cursor &C) {
    using namespace dwarf;
    switch (Code) {
    case DW_CFA_def_cfa: {
      const uint64_t Register = Data.getULEB128(C);
      State.CFA = {'r', Register, int64_t(Data.getULEB128(C)), {}};
      return Error::success();
    }
    case DW_CFA_def_cfa_register:
      State.CFA.Register = Data.getULEB128(C);
      return Error::success();
    case DW_CFA_def_cfa_offset:
      State.CFA.Offset = Data.getULEB128(C);
      return Error::success();
    default:
      State.CFA = {'e', 0, 0, expression(Data, C)};
      return Error::success();
    }
  }

  Error stepOther(uint8_t Code, const DataExtractor &Data, Cursor &C) {
    using namespace dwarf;
    switch (Code) {
    case DW_CFA_nop:
      return Error::success();
    case DW_CFA_advance_loc1:
      advance(Data.getU8(C));
      return Error::success();
    case DW_CFA_advance_loc2:
      advance(Data.getU16(C));
      return Error::success();
    case DW_CFA_advance_loc4:
      advance(Data.getU32(C));
      return Error::success();
    case DW_CFA_remember_state:
      Remembered.push_back(State);
      return Error::success();
    case DW_CFA_restore_state:
      if (Remembered.empty())
        return bad("restores a state that it did not remember");
      State = Remembered.back();
      Remembered.pop_back();
      return Error::success();
    case DW_CFA_GNU_args_size:
      ArgumentsSize = Data.getULEB128(C);
      return Error::success();
    case DW_CFA_def_cfa_sf: {
      const uint64_t Register = Data.getULEB128(C);
      State.CFA = {'r', Register, factored(Data.getSLEB128(C)), {}};
      return Error::success();
    }
    case DW_CFA_def_cfa_offset_sf:
      State.CFA.Offset = factored(Data.getSLEB128(C));
      return Error::success();
    default:
      return stepRegister(Code, Data, C);
    }
  }

  Error stepRegister(uint8_t Code, const DataExtractor &Data, Cursor &C) {
    using namespace dwarf;
    const uint64_t Register = Data.getULEB128(C);
    switch (Code) {
    case DW_CFA_offset_extended:
      set(Register, {'o', 0, factored(Data.getULEB128(C)), {}});
      return Error::success();
    case DW_CFA_offset_extended_sf:
      set(Register, {'o', 0, factored(Data.getSLEB128(C)), {}});
      return Error::success();
    case DW_CFA_val_offset:
      set(Register, {'v', 0, factored(Data.getULEB128(C)), {}});
      return Error::success();
    case DW_CFA_val_offset_sf:
      set(Register, {'v', 0, factored(Data.getSLEB128(C)), {}});
      return Error::success();
    case DW_CFA_restore_extended:
      restore(Register);
      return Error::success();
    case DW_CFA_undefined:
      set(Register, {'u', 0, 0, {}});
      return Error::success();
    case DW_CFA_same_value:
      set(Register, {});
      return Error::success();
    case DW_CFA_register:
      set(Register, {'r', Data.getULEB128(C), 0, {}});
      return Error::success();
    case DW_CFA_expression:
      set(Register, {'e', 0, 0, expression(Data, C)});
      return Error::success();
    case DW_CFA_val_expression:
      set(Register, {'x', 0, 0, expression(Data, C)});
      return Error::success();
    default:
      return bad("holds an unknown instruction");
    }
  }
};

} // namespace

std::string FrameState::text() const {
  auto text = [](const Rule &R) -> std::string {
    switch (R.Kind) {
    case 'o':
    case 'v':
      return (R.Kind == 'o' ? "[CFA" : "CFA") + offsetText(R.Offset) +
             (R.Kind == 'o' ? "]" : "");
    case 'r':
      return registerName(R.Register) + offsetText(R.Offset);
    case 'u':
      return "undefined";
    default:
      return "an expression";
    }
  };
  std::string Text = "CFA=" + text(CFA);
  for (const auto &[Register, Rule] : Registers)
    if (Register != ReturnRegister)
      Text += " " + registerName(Register) + "=" + text(Rule);
  return Text + (IsSignalFrame ? " of an interrupted frame" : "");
}

static DWARFExpression readExpression(StringRef Bytes) {
  constexpr uint8_t AddressSize = 8;
  return DWARFExpression(
      DataExtractor(Bytes, /*IsLittleEndian=*/true, AddressSize), AddressSize);
}

static bool readsCode(StringRef Expression, uint64_t InstructionPointer) {
  return any_of(
      readExpression(Expression), [&](const DWARFExpression::Operation &O) {
        return O.isError() || O.getCode() == dwarf::DW_OP_addr ||
               O.getCode() == dwarf::DW_OP_breg0 + InstructionPointer ||
               (O.getCode() == dwarf::DW_OP_bregx &&
                O.getRawOperand(0) == InstructionPointer);
      });
}

namespace {

/// A number, or how far a register's value is from it.
struct Term {
  std::optional<uint64_t> Register;
  uint64_t Number = 0;
};

} // namespace

static std::optional<Term> combine(uint8_t Operation, const Term &A,
                                   const Term &B) {
  if (Operation == dwarf::DW_OP_plus && !(A.Register && B.Register))
    return Term{A.Register ? A.Register : B.Register, A.Number + B.Number};
  if (A.Register || B.Register)
    return std::nullopt;
  switch (Operation) {
  case dwarf::DW_OP_and:
    return Term{std::nullopt, A.Number & B.Number};
  case dwarf::DW_OP_ge:
    return Term{std::nullopt, int64_t(A.Number) >= int64_t(B.Number)};
  case dwarf::DW_OP_shl:
    return Term{std::nullopt, B.Number < 64 ? A.Number << B.Number : 0};
  default:
    return std::nullopt;
  }
}

/// The value of an expression for code at \p Address, if it is a distance from a
/// register: what linkers write for stubs of the PLT,
/// rsp + 8 + ((rip & 15) >= 11) << 3.
static std::optional<Term>
valueAt(StringRef Expression, uint64_t InstructionPointer, uint64_t Address) {
  SmallVector<Term, 8> Stack;
  for (const DWARFExpression::Operation &O : readExpression(Expression)) {
    if (O.isError())
      return std::nullopt;
    const uint8_t Code = O.getCode();
    if (Code >= dwarf::DW_OP_lit0 && Code <= dwarf::DW_OP_lit31) {
      Stack.push_back({std::nullopt, uint64_t(Code - dwarf::DW_OP_lit0)});
    } else if (Code >= dwarf::DW_OP_breg0 && Code <= dwarf::DW_OP_breg31) {
      const uint64_t Register = Code - dwarf::DW_OP_breg0;
      if (Register == InstructionPointer)
        Stack.push_back({std::nullopt, Address + O.getRawOperand(0)});
      else
        Stack.push_back({Register, O.getRawOperand(0)});
    } else {
      if (Stack.size() < 2)
        return std::nullopt;
      const Term Second = Stack.pop_back_val(), First = Stack.pop_back_val();
      const std::optional<Term> Result = combine(Code, First, Second);
      if (!Result)
        return std::nullopt;
      Stack.push_back(*Result);
    }
  }
  if (Stack.size() != 1 || !Stack.front().Register)
    return std::nullopt;
  return Stack.front();
}

FrameState FrameState::at(uint64_t Address) const {
  FrameState Here = *this;
  if (CFA.Kind == 'e')
    if (auto Value = valueAt(CFA.Expression, ReturnRegister, Address))
      Here.CFA = {'r', *Value->Register, int64_t(Value->Number), {}};
  return Here;
}

bool FrameState::dependsOnCode() const {
  auto depends = [&](const Rule &R) {
    return (R.Kind == 'e' || R.Kind == 'x') &&
           readsCode(R.Expression, ReturnRegister);
  };
  return depends(CFA) || any_of(make_second_range(Registers), depends);
}

unsigned FrameStates::number(const FrameState &State) {
  auto [It, New] = Numbers.try_emplace(State, List.size());
  if (New)
    List.push_back(&It->first);
  return It->second;
}

/// The addresses of the records in the index; none if there is no index.
std::vector<uint64_t> UnwindTables::indexed() const {
  constexpr uint64_t HeaderSize = 12, EntrySize = 8;
  std::vector<uint64_t> Places;
  for (const ElfView::Segment &S : File.segments()) {
    StringRef Bytes = File.content(S);
    if (S.p_type != ELF::PT_GNU_EH_FRAME || Bytes.size() < HeaderSize ||
        uint8_t(Bytes[2]) != dwarf::DW_EH_PE_udata4 ||
        uint8_t(Bytes[3]) != (dwarf::DW_EH_PE_datarel | dwarf::DW_EH_PE_sdata4))
      continue;
    const uint64_t Entries = support::endian::read32le(Bytes.data() + 8);
    for (uint64_t I = 0; I < Entries; ++I) {
      const uint64_t At = HeaderSize + I * EntrySize + 4;
      if (At + 4 > Bytes.size())
        break;
      Places.push_back(S.p_vaddr +
                       int32_t(support::endian::read32le(Bytes.data() + At)));
    }
  }
  llvm::sort(Places);
  return Places;
}

Error UnwindTables::read() {
  const std::vector<uint64_t> Places = indexed();
  // Beside the section that is in use BOLT leaves the old one. UnwindCheck sees
  // to it that nobody registers that.
  std::vector<const ElfView::Section *> Sections;
  for (const ElfView::Section &S : File.sections())
    if (File.name(S).ends_with(".eh_frame") && S.sh_flags & ELF::SHF_ALLOC)
      Sections.push_back(&S);
  llvm::stable_sort(Sections, [&](const auto *A, const auto *B) {
    return (File.name(*A) == ".eh_frame") > (File.name(*B) == ".eh_frame");
  });
  for (const ElfView::Section *Current : Sections) {
    const ElfView::Section &S = *Current;
    Expected<std::vector<FrameRecord>> Records = readFrames(File, S);
    if (!Records)
      return Records.takeError();
    for (FrameRecord &R : *Records)
      if (R.Begin && R.End > R.Begin &&
          (Places.empty() || llvm::binary_search(Places, S.sh_addr + R.Offset)))
        // Without an index the first wins: BOLT puts the old behind the new.
        Frames.try_emplace(R.Begin, Frame{std::move(R), {}, {}, false, false});
  }
  return Error::success();
}

Error UnwindTables::readRows(Frame &F) {
  return RowMaker(F.Record, States, F.Rows).make();
}

Error UnwindTables::readSites(Frame &F) {
  if (!F.Record.LSDA)
    return Error::success();
  const ElfView::Section *Table = File.sectionAt(F.Record.LSDA);
  if (!Table || !File.name(*Table).contains("gcc_except_table")) {
    F.IsForeign = true; // It is of another language.
    return Error::success();
  }
  Expected<std::vector<CallSite>> Sites = readCallSites(File, *Table, F.Record);
  if (!Sites)
    return Sites.takeError();
  F.Sites = std::move(*Sites);
  return Error::success();
}

bool UnwindTables::hasRecord(uint64_t Address) const {
  auto It = Frames.upper_bound(Address);
  return It != Frames.begin() && Address < std::prev(It)->second.Record.End;
}

Expected<const UnwindTables::Frame *> UnwindTables::at(uint64_t Address) {
  auto It = Frames.upper_bound(Address);
  if (It == Frames.begin() || Address >= std::prev(It)->second.Record.End)
    return nullptr;
  Frame &F = std::prev(It)->second;
  if (F.IsRead)
    return &F;
  F.IsRead = true;
  if (Error E = readRows(F))
    return std::move(E);
  if (Error E = readSites(F))
    return std::move(E);
  return &F;
}

const UnwindTables::Row &UnwindTables::rowAt(const Frame &F, uint64_t Address) {
  auto It = llvm::upper_bound(
      F.Rows, Address, [](uint64_t A, const Row &R) { return A < R.Begin; });
  return It == F.Rows.begin() ? F.Rows.front() : *std::prev(It);
}

HandlerAt UnwindTables::handlerAt(const Frame *F, uint64_t End) {
  if (!F || !F->Record.LSDA || F->IsForeign)
    return {};
  auto It = llvm::partition_point(
      F->Sites, [&](const CallSite &S) { return S.End < End; });
  if (It == F->Sites.end() || End - 1 < It->Begin)
    return {HandlerAt::Terminates, 0, nullptr};
  if (!It->LandingPad)
    return {};
  return {HandlerAt::Lands, It->LandingPad, &It->Handlers};
}
