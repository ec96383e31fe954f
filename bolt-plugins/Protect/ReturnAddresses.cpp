//===- Protect/ReturnAddresses.cpp - Uses of return addresses -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assembly passes constants behind the call: "call print; .asciz "text"". The
// callee reads them by its return address, and returns behind them. They are
// decoded as instructions of the caller, and would be encoded anew.
//
// 1. Follow the depth of the stack through a function, from its beginning, and
//    which registers hold its return address or something computed from it.
//    Where edges meet with two depths, the depth is unknown; a register holds
//    the address if it does so on one of the edges.
// 2. A load by such a register reads code. A jump or call to a computed one, or
//    writing one over the return address, leads behind the call. Code that
//    takes the address of the return address may do any of that.
// 3. A function that jumps to such a one with the stack of its own caller is
//    one, too.
// 4. The callers of these are protected.
//
// A function without a flow graph is decoded, if one with a flow graph calls
// it. An address that is given to another function is not followed, nor are
// callers of such a function through a pointer.
//
//===----------------------------------------------------------------------===//

#include "ReturnAddresses.h"
#include "Support/Decoding.h"
#include "Support/FunctionEntry.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include <deque>
#include <map>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static constexpr StringRef Names[] = {"RAX", "RCX", "RDX", "RBX", "RSP", "RBP",
                                      "RSI", "RDI", "R8",  "R9",  "R10", "R11",
                                      "R12", "R13", "R14", "R15"};
static constexpr unsigned RSP = 4, RBP = 5;
/// RBX, RSP, RBP, R12 to R15.
static constexpr uint16_t KeptByCalls = 0xf038;

ReturnAddresses::ReturnAddresses(BinaryContext &BC)
    : BC(BC), Forms(BC.MII->getNumOpcodes(), Form::Other),
      NumberOf(BC.MRI->getNumRegs(), -1) {
  for (unsigned I = 0; I < Forms.size(); ++I) {
    StringRef Name = BC.MII->getName(I);
    Forms[I] = StringSwitch<Form>(Name)
                   .Case("PUSH64r", Form::Push)
                   .Cases({"PUSH64i8", "PUSH64i32", "PUSH64rmm", "PUSHF64"},
                          Form::PushOther)
                   .Case("POP64r", Form::Pop)
                   .Cases({"POP64rmm", "POPF64"}, Form::PopOther)
                   .Cases({"ADD64ri8", "ADD64ri32"}, Form::Add)
                   .Cases({"SUB64ri8", "SUB64ri32"}, Form::Subtract)
                   .Case("LEA64r", Form::Address)
                   .Case("MOV64rr", Form::Move)
                   .Case("MOV64rm", Form::Load)
                   .Case("MOV64mr", Form::Store)
                   .Cases({"LEAVE64", "LEAVE"}, Form::Leave)
                   .Default(Form::Other);
    Name.consume_front("LOCK_");
    if (Name.contains("mi") &&
        is_contained({"OR", "ADD", "SUB", "XOR"}, Name.take_until(isDigit)))
      Forms[I] = Form::AddToMemory;
  }
  for (unsigned R = 1; R < NumberOf.size(); ++R) {
    const auto *Name = find(Names, BC.MRI->getName(R));
    if (Name == std::end(Names))
      continue;
    for (MCPhysReg Part : BC.MRI->subregs_inclusive(R))
      NumberOf[Part] = Name - Names;
  }
}

namespace {

/// A straight piece of code.
struct Piece {
  SmallVector<const MCInst *, 8> Instructions;
  SmallVector<unsigned, 2> Next;
};

/// The code of a function; its first piece is the beginning.
struct Pieces {
  std::vector<Piece> All;
  /// Instructions that \p All refers to, if nobody else has them.
  std::deque<MCInst> Decoded;
  /// Functions that are jumped to, by instruction.
  DenseMap<const MCInst *, const BinaryFunction *> JumpsTo;
};

/// The known state before an instruction. A depth is how far a register lies
/// below the address of the return address.
struct State {
  std::optional<int64_t> Top = 0, Frame;
  uint16_t Exact = 0, Computed = 0; ///< Registers, by number.

  bool meet(const State &Other) {
    const State Old = *this;
    if (Top != Other.Top)
      Top.reset();
    if (Frame != Other.Frame)
      Frame.reset();
    Exact |= Other.Exact;
    Computed |= Other.Computed;
    return Top != Old.Top || Frame != Old.Frame || Exact != Old.Exact ||
           Computed != Old.Computed;
  }
};

} // namespace

/// Nothing of a function that calls its own middle, which has two return
/// addresses.
static Pieces piecesOf(const BinaryFunction &BF) {
  const MCPlusBuilder &MIB = *BF.getBinaryContext().MIB;
  BinaryContext &BC = const_cast<BinaryContext &>(BF.getBinaryContext());
  Pieces P;
  DenseMap<const BinaryBasicBlock *, unsigned> Numbers;
  for (const BinaryBasicBlock &Block : BF)
    Numbers.try_emplace(&Block, Numbers.size());
  P.All.resize(Numbers.size());
  for (const BinaryBasicBlock &Block : BF) {
    Piece &To = P.All[Numbers[&Block]];
    for (const BinaryBasicBlock *Next : Block.successors())
      To.Next.push_back(Numbers[Next]);
    for (const MCInst &Inst : Block) {
      if (MIB.isPseudo(Inst) || MIB.isCFI(Inst))
        continue;
      To.Instructions.push_back(&Inst);
      const MCSymbol *Target =
          MIB.isCall(Inst) ? MIB.getTargetSymbol(Inst) : nullptr;
      if (!Target)
        continue;
      if (!MIB.isTailCall(Inst) && BF.getBasicBlockForLabel(Target) &&
          BF.getBasicBlockForLabel(Target) != &BF.front())
        return Pieces();
      const FunctionEntry Callee = findFunctionEntry(BC, Target);
      if (MIB.isTailCall(Inst) && Callee.Function && Callee.IsBeginning)
        P.JumpsTo[&Inst] = Callee.Function;
    }
  }
  return P;
}

/// Each instruction is a piece. Nothing if something is none, or as above.
static Pieces decode(const BinaryFunction &BF) {
  const BinaryContext &BC = BF.getBinaryContext();
  Pieces P;
  ErrorOr<ArrayRef<uint8_t>> Code = BF.getData();
  if (!Code)
    return P;
  std::map<uint64_t, unsigned> At;
  std::vector<uint64_t> Ends;
  const uint64_t End =
      decodeInOrder(BC, *Code, BF.getAddress(),
                    [&](const MCInst &Inst, uint64_t Offset, uint64_t Size) {
                      P.Decoded.push_back(Inst);
                      At[Offset] = Ends.size();
                      Ends.push_back(Offset + Size);
                    });
  if (End != Code->size())
    return Pieces(); // Data, or beyond what is known.
  P.All.resize(Ends.size());
  uint64_t Begin = 0;
  for (unsigned I = 0; I < Ends.size(); Begin = Ends[I++]) {
    const MCInst &Inst = P.Decoded[I];
    const MCInstrDesc &Desc = BC.MII->get(Inst.getOpcode());
    P.All[I].Instructions.push_back(&Inst);
    auto follow = [&](uint64_t Offset) {
      if (const auto To = At.find(Offset); To != At.end())
        P.All[I].Next.push_back(To->second);
    };
    if (!Desc.isBarrier())
      follow(Ends[I]);
    uint64_t Target;
    if (!BC.MIA->evaluateBranch(Inst, BF.getAddress() + Begin, Ends[I] - Begin,
                                Target))
      continue;
    if (Desc.isCall()) {
      if (Target - BF.getAddress() - 1 < Code->size() - 1)
        return Pieces();
      continue;
    }
    if (Target - BF.getAddress() < Code->size())
      follow(Target - BF.getAddress());
    else if (const BinaryFunction *To = BC.getBinaryFunctionAtAddress(Target))
      P.JumpsTo[&Inst] = To;
  }
  return P;
}

namespace graupel {

/// The analysis of one function.
class ReturnAddressFlow {
public:
  ReturnAddressFlow(const ReturnAddresses &Context, const Pieces &Code)
      : Context(Context), BC(Context.BC), MIB(*Context.BC.MIB), Code(Code) {}

  bool IsStrange = false;
  std::vector<const BinaryFunction *> JumpsTo; ///< With the caller's stack.

  void run() {
    if (Code.All.empty())
      return;
    std::vector<std::optional<State>> Into(Code.All.size());
    std::vector<unsigned> Worklist{0};
    Into[0] = State();
    while (!Worklist.empty()) {
      const unsigned I = Worklist.back();
      Worklist.pop_back();
      S = *Into[I];
      step(Code.All[I]);
      for (unsigned Next : Code.All[I].Next) {
        if (Into[Next] && !Into[Next]->meet(S))
          continue;
        if (!Into[Next])
          Into[Next] = S;
        Worklist.push_back(Next);
      }
    }
    IsFixed = true;
    for (unsigned I = 0; I < Into.size(); ++I)
      if (Into[I]) {
        S = *Into[I];
        step(Code.All[I]);
      }
  }

private:
  using Form = ReturnAddresses::Form;
  using Memory = std::optional<MCPlusBuilder::X86MemOperand>;
  const ReturnAddresses &Context;
  const BinaryContext &BC;
  const MCPlusBuilder &MIB;
  const Pieces &Code;
  bool IsFixed = false; ///< Nothing changes any more: note what is found.
  State S;

  void found() { IsStrange |= IsFixed; }
  /// As a set.
  uint16_t bits(MCPhysReg Register) const {
    const int Number = number(Register);
    return Number < 0 ? 0 : 1 << Number;
  }
  int number(MCPhysReg Register) const { return Context.NumberOf[Register]; }
  void forget(uint16_t Registers) {
    S.Exact &= ~Registers;
    S.Computed &= ~Registers;
  }

  void step(const Piece &P) {
    for (const MCInst *Inst : P.Instructions)
      execute(*Inst);
  }

  /// Whether \p M is where the return address is.
  bool isReturnAddress(const Memory &M) const {
    if (!M || M->DispExpr || M->IndexRegNum || M->SegRegNum)
      return false;
    const int Base = number(MCPhysReg(M->BaseRegNum));
    return (Base == int(RSP) && S.Top == M->DispImm) ||
           (Base == int(RBP) && S.Frame == M->DispImm);
  }

  void execute(const MCInst &Inst) {
    const MCInstrDesc &Desc = BC.MII->get(Inst.getOpcode());
    const Form Operation = Context.Forms[Inst.getOpcode()];
    const bool Accesses = Desc.mayLoad() || Desc.mayStore();
    const Memory M = Accesses || Operation == Form::Address
                         ? MIB.evaluateX86MemoryOperand(Inst)
                         : std::nullopt;
    if (Desc.mayLoad() && M &&
        (S.Exact | S.Computed) & bits(MCPhysReg(M->BaseRegNum)))
      found(); // Reads behind its call.
    if (Desc.isCall() || Desc.isBranch() || Desc.isReturn())
      return control(Inst, Desc);
    if (!executeStack(Inst, Operation))
      compute(Inst, Desc, Operation, M);
  }

  void control(const MCInst &Inst, const MCInstrDesc &Desc) {
    for (const MCOperand &Op : MCPlus::primeOperands(Inst))
      if (Op.isReg() && Op.getReg() && S.Computed & bits(Op.getReg()))
        found(); // Goes on behind what is behind its call.
    if (const auto To = Code.JumpsTo.find(&Inst);
        To != Code.JumpsTo.end() && IsFixed && S.Top == 0)
      JumpsTo.push_back(To->second);
    if (Desc.isCall())
      forget(uint16_t(~KeptByCalls));
  }

  /// \p By is pushed if positive, popped if negative.
  void grow(int64_t By) {
    if (S.Top)
      *S.Top += By;
  }

  bool executeStack(const MCInst &Inst, Form Operation) {
    const bool HasRegister =
        Inst.getNumOperands() && Inst.getOperand(0).isReg();
    const MCPhysReg First =
        HasRegister ? MCPhysReg(Inst.getOperand(0).getReg()) : MCPhysReg(0);
    switch (Operation) {
    case Form::Push:
      grow(8);
      if (S.Top == 0 && S.Computed & bits(First))
        found(); // Returns there.
      return true;
    case Form::PushOther:
      grow(8);
      return true;
    case Form::Pop: {
      const bool IsIt = S.Top == 0;
      grow(-8);
      define(number(First), std::nullopt);
      if (IsIt)
        S.Exact |= bits(First);
      return true;
    }
    case Form::PopOther:
      grow(-8);
      return true;
    case Form::Leave:
      S.Top = S.Frame;
      grow(-8);
      S.Frame.reset();
      return true;
    default:
      return false;
    }
  }

  /// Register number \p To gets an address so far below the return address.
  void define(int To, std::optional<int64_t> Depth) {
    if (To < 0)
      return;
    forget(1 << To);
    if (To == int(RSP))
      S.Top = Depth;
    if (To == int(RBP))
      S.Frame = Depth;
  }

  std::optional<int64_t> depthOf(int Register) const {
    return Register == int(RSP)   ? S.Top
           : Register == int(RBP) ? S.Frame
                                  : std::nullopt;
  }

  void compute(const MCInst &Inst, const MCInstrDesc &Desc, Form Operation,
               const Memory &M) {
    const MCOperand *Second =
        Inst.getNumOperands() > 1 ? &Inst.getOperand(1) : nullptr;
    switch (Operation) {
    case Form::Move: {
      const unsigned From = Second->getReg();
      const bool IsExact = S.Exact & bits(From),
                 IsNew = S.Computed & bits(From);
      const int To = number(Inst.getOperand(0).getReg());
      define(To, depthOf(number(From)));
      const uint16_t Bits = bits(Inst.getOperand(0).getReg());
      S.Exact |= IsExact ? Bits : 0;
      S.Computed |= IsNew ? Bits : 0;
      return;
    }
    case Form::Add:
    case Form::Subtract: {
      const int To = number(Inst.getOperand(0).getReg());
      const std::optional<int64_t> Old = depthOf(To);
      const MCOperand &By = Inst.getOperand(2);
      if (!Old || !By.isImm())
        break;
      return define(
          To, *Old + (Operation == Form::Add ? -By.getImm() : By.getImm()));
    }
    case Form::Address: {
      const int To = number(Inst.getOperand(0).getReg());
      const std::optional<int64_t> Old =
          M && !M->DispExpr && !M->IndexRegNum
              ? depthOf(number(MCPhysReg(M->BaseRegNum)))
              : std::nullopt;
      if (!Old)
        break;
      // Code that has its address can change it; compilers never need that.
      if (*Old == M->DispImm && To != int(RSP) && To != int(RBP))
        found();
      return define(To, *Old - M->DispImm);
    }
    case Form::Load:
      if (!isReturnAddress(M))
        break;
      define(number(Inst.getOperand(0).getReg()), std::nullopt);
      S.Exact |= bits(Inst.getOperand(0).getReg());
      return;
    case Form::Store:
      if (isReturnAddress(M) &&
          S.Computed &
              bits(Inst.getOperand(MCPlus::getNumPrimeOperands(Inst) - 1)
                       .getReg()))
        found();
      return;
    default:
      break;
    }
    computeOther(Inst, Desc, M);
  }

  /// Compilers put a fence on top of the stack: "lock or $0, (%rsp)".
  bool addsNothing(const MCInst &Inst) const {
    const MCOperand &Last =
        Inst.getOperand(MCPlus::getNumPrimeOperands(Inst) - 1);
    return Context.Forms[Inst.getOpcode()] == Form::AddToMemory &&
           Last.isImm() && Last.getImm() == 0;
  }

  void computeOther(const MCInst &Inst, const MCInstrDesc &Desc,
                    const Memory &M) {
    const bool IsOfIt = isReturnAddress(M);
    if (IsOfIt && Desc.mayLoad() && Desc.mayStore() && !addsNothing(Inst))
      found(); // Adds to it.
    uint16_t Read = 0, Written = 0;
    for (unsigned I = 0, E = MCPlus::getNumPrimeOperands(Inst); I < E; ++I) {
      const MCOperand &Op = Inst.getOperand(I);
      if (Op.isReg() && Op.getReg())
        (I < Desc.getNumDefs() ? Written : Read) |= bits(Op.getReg());
    }
    for (MCPhysReg Register : Desc.implicit_uses())
      Read |= bits(Register);
    for (MCPhysReg Register : Desc.implicit_defs())
      Written |= bits(Register);
    const bool IsNew = !MIB.isCleanRegXOR(Inst) &&
                       ((!Desc.mayLoad() && (S.Exact | S.Computed) & Read) ||
                        (IsOfIt && Desc.mayLoad()));
    for (unsigned I = 0; I < 16; ++I)
      if (Written & 1 << I)
        define(I, std::nullopt);
    if (IsNew)
      S.Computed |= Written;
  }
};

} // namespace graupel

/// Tells \p Do of each call of \p BF, and of the function that it calls.
static void
forEachCallee(const BinaryFunction &BF,
              function_ref<void(const MCInst &, const BinaryFunction &)> Do) {
  const BinaryContext &BC = BF.getBinaryContext();
  for (const BinaryBasicBlock &Block : BF)
    for (const MCInst &Inst : Block)
      if (BC.MIB->isCall(Inst))
        if (const MCSymbol *Target = BC.MIB->getTargetSymbol(Inst))
          if (const BinaryFunction *To = BC.getFunctionForSymbol(Target))
            Do(Inst, *To);
}

/// Nobody will look at \p BF by its flow graph.
static bool isUnread(const BinaryFunction &BF) {
  return !BF.isPLTFunction() && (!BF.hasCFG() || BF.isIgnored());
}

void ReturnAddresses::noteUnreadCallees(const BinaryFunction &BF) {
  forEachCallee(BF, [&](const MCInst &, const BinaryFunction &To) {
    if (!isUnread(To))
      return;
    std::lock_guard Locked(Lock);
    Unread.insert(&To);
  });
}

void ReturnAddresses::look(const BinaryFunction &BF) {
  noteUnreadCallees(BF);
  const Pieces Code = piecesOf(BF);
  ReturnAddressFlow Flow(*this, Code);
  Flow.run();
  if (!Flow.IsStrange && Flow.JumpsTo.empty())
    return;
  std::lock_guard Locked(Lock);
  if (Flow.IsStrange)
    Strange.insert(&BF);
  for (const BinaryFunction *To : Flow.JumpsTo)
    JumpedToBy[To].push_back(&BF);
}

void ReturnAddresses::lookAtUnread() {
  std::vector<const BinaryFunction *> Worklist(Unread.begin(), Unread.end());
  while (!Worklist.empty()) {
    const BinaryFunction *BF = Worklist.back();
    Worklist.pop_back();
    const Pieces Code = decode(*BF);
    ReturnAddressFlow Flow(*this, Code);
    Flow.run();
    if (Flow.IsStrange)
      Strange.insert(BF);
    for (const BinaryFunction *To : Flow.JumpsTo) {
      JumpedToBy[To].push_back(BF);
      if (isUnread(*To) && Unread.insert(To).second)
        Worklist.push_back(To);
    }
  }
}

bool ReturnAddresses::callsStrange(const BinaryFunction &BF) const {
  bool Calls = false;
  forEachCallee(BF, [&](const MCInst &Call, const BinaryFunction &To) {
    Calls |= !BC.MIB->isTailCall(Call) && Strange.contains(&To);
  });
  return Calls;
}

void ReturnAddresses::protectCallers(ProtectedFunctions &Protected) {
  lookAtUnread();
  // Step 3.
  std::vector<const BinaryFunction *> Worklist(Strange.begin(), Strange.end());
  while (!Worklist.empty()) {
    const BinaryFunction *BF = Worklist.back();
    Worklist.pop_back();
    for (const BinaryFunction *From : JumpedToBy.lookup(BF))
      if (Strange.insert(From).second)
        Worklist.push_back(From);
  }
  if (Strange.empty())
    return;
  // Step 4.
  for (auto &[Address, BF] : BC.getBinaryFunctions())
    if (BF.hasCFG() && !BF.isIgnored() && callsStrange(BF))
      Protected.add(BF, ProtectReason::ReadsBehindCall);
}
