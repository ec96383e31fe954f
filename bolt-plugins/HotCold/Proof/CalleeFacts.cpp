//===- HotCold/Proof/CalleeFacts.cpp - Effects of calls -------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Find the registers that each function and its callees write, restored or
//    not. Functions without a flow graph are scanned as bytes (RawCode).
// 2. Find the effects of each function on its caller's registers (Provenance),
//    callees first, and again until nothing changes. Sets only grow, so that it
//    ends. Caller-saved registers may change if they are written at all. The
//    effects of calls through pointers are those of their possible targets
//    (Strangers).
// 3. Registers that callers need behind their calls are results, whatever the
//    ABI says (NeededRegisters), and again until there is nothing new.
//
//===----------------------------------------------------------------------===//

#include "CalleeFacts.h"
#include "ExtraResults.h"
#include "HotCold/Machine/Parts.h"
#include "HotCold/Machine/UnwindRules.h"
#include "NeededRegisters.h"
#include "Provenance.h"
#include "RawCode.h"
#include "StayingCallers.h"
#include "Strangers.h"
#include "Support/ComputedGoto.h"
#include "Support/FunctionEntry.h"
#include "Support/Rounds.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;
using namespace graupel::symbolic;

/// Registers in which code that breaks the ABI may return values.
static constexpr RegisterSet PossibleResults =
    (reg::General | reg::Flags) & reg::CallerSaved & ~reg::Results;

CallEffects graupel::symbolic::unknownEffects() {
  CallEffects E;
  E.MayRead = E.MayHoldOld = reg::All;
  E.MayChange = reg::All & ~reg::RSP;
  E.Returns = true;
  E.IsOrdinary = false;
  return E;
}

/// The effects of code that follows the ABI.
static CallEffects effectsByABI() {
  CallEffects E;
  E.MayRead = reg::Parameters;
  E.MayChange = reg::CallerSaved;
  E.MayHoldOld = reg::All;
  E.Returns = true;
  return E;
}

const BinaryBasicBlock *graupel::symbolic::entryBlock(const BinaryFunction &BF,
                                                      const MCSymbol &Label) {
  for (const BinaryBasicBlock &Block : BF)
    if (Block.getLabel() == &Label ||
        (Block.isEntryPoint() && &Block != &BF.front() &&
         BF.getSecondaryEntryPointSymbol(Block) == &Label))
      return &Block;
  return is_contained(BF.getSymbols(), &Label) ? &BF.front() : nullptr;
}

void CalleeFacts::forEachCall(Function &BF,
                              function_ref<void(const MCInst &)> Do) const {
  for (const BinaryBasicBlock &Block : BF)
    for (const MCInst &Inst : Block)
      if (!Model.Registers.isPseudo(Inst) && Model.Registers.isCall(Inst))
        Do(Inst);
}

CalleeFacts::CalleeFacts(BinaryContext &BC, const MachineModel &Model)
    : BC(BC), Model(Model), Sizes(BC), Forms(BC.MII->getNumOpcodes()),
      Stayers(std::make_unique<StayingCallers>(Model, PossibleResults)) {
  for (unsigned I = 0; I < Forms.size(); ++I) {
    const StringRef Name = BC.MII->getName(I);
    if (!Name.ends_with("64ri8") && !Name.ends_with("64ri32"))
      continue;
    const StringRef Mnemonic = Name.take_front(3);
    Forms[I] = Mnemonic == "ADD"   ? 1
               : Mnemonic == "SUB" ? -1
               : Mnemonic == "AND" ? 2
                                   : 0;
  }
  orderFunctions();
  RawCode Raw(BC, Model);
  findWrites(Raw);
  const Strangers Pointed(BC);
  findEffects(Pointed, Raw);
  findResults(Pointed, Raw);
  Solved = true;
}

CalleeFacts::~CalleeFacts() = default;

/// Depth first along calls; each function is added behind its callees.
void CalleeFacts::orderFunctions() {
  DenseSet<Function *> Seen;
  std::vector<std::pair<Function *, bool>> Open; ///< True: leave it.
  for (const auto &[Address, First] : BC.getBinaryFunctions())
    Open.push_back({&First, false});
  while (!Open.empty()) {
    const auto [BF, IsDone] = Open.back();
    Open.pop_back();
    if (IsDone) {
      Order.push_back(BF);
      continue;
    }
    if (!isRead(*BF) || !Seen.insert(BF).second)
      continue;
    findCallers(*BF);
    Open.push_back({BF, true});
    forEachCall(*BF, [&](const MCInst &Call) {
      const MCSymbol *Target = BC.MIB->getTargetSymbol(Call);
      if (const BinaryFunction *To =
              Target ? BC.getFunctionForSymbol(Target) : nullptr)
        Open.push_back({To, false});
    });
  }
}

void CalleeFacts::findCallers(Function &BF) {
  forEachCall(BF, [&](const MCInst &Call) {
    const FunctionEntry To =
        findFunctionEntry(BC, BC.MIB->getTargetSymbol(Call));
    if (!To.Function || !isRead(*To.Function))
      return;
    Callers[To.Function].insert(&BF);
    if (!To.IsBeginning || partOfSame(BF, Call))
      Composite.insert(&BF);
  });
}

void CalleeFacts::findEffects(const Strangers &Pointed, RawCode &Raw) {
  findOthers(Pointed, Raw);
  DenseSet<Function *> All(Order.begin(), Order.end());
  for (Function *BF : Order)
    if (BF->isFragment() || hasUnknownEdges(*BF)) {
      Known[BF] = unknownEffects();
      Known[BF].IsOrdinary = !BF->isFragment();
      All.erase(BF);
    } else {
      Known[BF].MayChange = Writes[BF] & reg::CallerSaved;
    }
  for (DenseSet<Function *> ToDo = All; !ToDo.empty();) {
    solveEffects(ToDo);
    ToDo = addChanges(Pointed, Raw) ? AsksOthers : addHandedOn(All);
  }
}

/// Registers that functions that stay hand on are read by their callers.
/// Returns the functions in \p All with a callee that hands on more than
/// before.
DenseSet<CalleeFacts::Function *>
CalleeFacts::addHandedOn(const DenseSet<Function *> &All) {
  DenseMap<Function *, RegisterSet> Taken;
  DenseSet<Function *> Changed, ToDo;
  for (const StayingFunction &S : stayingFunctions()) {
    const RegisterSet Found = Stayers->handedOn(S, [&](Function &To) {
      const auto [At, IsNew] = Taken.try_emplace(&To);
      if (IsNew)
        At->second = of(To).MayRead & NotGiven & ~reg::RSP;
      return At->second;
    });
    RegisterSet &Its = HandedOn[S.Function];
    if (Found & ~Its)
      Changed.insert(S.Function);
    Its |= Found;
  }
  if (Changed.empty())
    return ToDo;
  for (Function *BF : All)
    forEachCall(*BF, [&](const MCInst &Call) {
      const MCSymbol *Target = BC.MIB->getTargetSymbol(Call);
      if (Target && Changed.contains(BC.getFunctionForSymbol(Target)))
        ToDo.insert(BF);
    });
  // Functions that stay may hand on registers that others of them hand on.
  return ToDo.empty() ? addHandedOn(All) : ToDo;
}

/// Finds the registers that functions that pointers lead to take and change,
/// except those found with the effects of functions with a flow graph.
void CalleeFacts::findOthers(const Strangers &Pointed, RawCode &Raw) {
  OfOthers = effectsByABI();
  OfOthers.MayRead |= Pointed.taken(Model);
  for (const auto &[Address, BF] : BC.getBinaryFunctions()) {
    if (BF.isFragment() || BF.isPLTFunction() || BF.isPseudo() ||
        !Pointed.contains(BF))
      continue;
    // If control may go anywhere, its bytes tell more than its effects.
    if (isRead(BF) && !hasUnknownEdges(BF))
      continue;
    const RawCode::Liberties Its = Raw.liberties(BF, /*ByOrder=*/false);
    OfOthers.MayRead |= Its.Taken;
    OfOthers.MayChange |= Its.Changed;
  }
}

/// True if there are more than before.
bool CalleeFacts::addChanges(const Strangers &Pointed, RawCode &Raw) {
  const CallEffects Before = OfOthers;
  for (Function *BF : Order)
    if (!BF->isFragment() && !hasUnknownEdges(*BF) && Pointed.contains(*BF) &&
        Known[BF].Returns)
      // If it cannot be followed, its bytes show whether it saves them.
      if (const RegisterSet Its = Known[BF].MayChange & reg::CalleeSaved)
        OfOthers.MayChange |=
            Its & Raw.liberties(*BF, /*ByOrder=*/false).Changed;
  return !(OfOthers == Before);
}

void CalleeFacts::solveEffects(DenseSet<Function *> ToDo) {
  bool Again = true;
  while (!ToDo.empty() || Again) {
    // These have read code whose callees may have changed since.
    if (ToDo.empty()) {
      Again = false;
      ToDo.insert_range(Composite);
    }
    lookInRounds(
        Order, std::exchange(ToDo, {}),
        [&](Function &BF) {
          const bool IsMore = findMoreEffects(BF);
          Again |= IsMore;
          return IsMore;
        },
        [&](Function &BF) { return Callers.lookup(&BF); });
  }
}

/// True if \p BF has more than before.
bool CalleeFacts::findMoreEffects(Function &BF) {
  if (BF.isFragment() || hasUnknownEdges(BF))
    return false;
  AskedOthers = false;
  CallEffects New = findEffectsOf(BF);
  if (AskedOthers)
    AsksOthers.insert(&BF);
  CallEffects &Old = Known[&BF];
  New.join(Old);
  const bool IsMore = !(New == Old);
  Old = New;
  return IsMore;
}

CallEffects CalleeFacts::findEffectsOf(Function &BF) const {
  CallEffects E = Provenance(*this, BF.front()).effects();
  E.MayChange |= Writes.lookup(&BF) & reg::CallerSaved;
  return E;
}

/// Only thunks take R11 and nothing else. The registers of other functions may
/// be anything; their frames are taken to be ordinary.
static CallEffects effectsOf(const RawCode::Liberties &Its) {
  const bool IsThunk = !Its.Changed && !(Its.Taken & ~reg::R11);
  CallEffects E = IsThunk ? effectsByABI() : unknownEffects();
  E.MayRead |= Its.Taken;
  E.IsOrdinary = true;
  return E;
}

void CalleeFacts::findWrites(RawCode &Raw) {
  SmallSetVector<Function *, 16> Unread;
  auto addOwn = [&](Function &BF) {
    RegisterSet &Own = Writes[&BF];
    for (const BinaryBasicBlock &Block : BF)
      for (const MCInst &Inst : Block)
        if (!Model.Registers.isPseudo(Inst))
          Own |= Model.Registers.effects(Inst).Writes & ~reg::RSP;
    forEachCall(BF, [&](const MCInst &Call) {
      const MCSymbol *Target = BC.MIB->getTargetSymbol(Call);
      const BinaryFunction *To =
          Target ? BC.getFunctionForSymbol(Target) : nullptr;
      if (!To || To->isPLTFunction())
        Own |= reg::CallerSaved;
      else if (!isRead(*To)) {
        Own |= Raw.writes(*To);
        Unread.insert(To);
      }
    });
  };
  for (Function *BF : Order)
    addOwn(*BF);
  for (Function *BF : Unread)
    if (const RawCode::Liberties Its = Raw.liberties(*BF, /*ByOrder=*/true);
        Its.any())
      Known[BF] = effectsOf(Its);
  SmallSetVector<Function *, 16> ToDo(Order.rbegin(), Order.rend());
  while (!ToDo.empty()) {
    Function *BF = ToDo.pop_back_val();
    const RegisterSet Own = Writes[BF];
    for (Function *Caller : Callers.lookup(BF))
      if (Own & ~Writes[Caller]) {
        Writes[Caller] |= Own;
        ToDo.insert(Caller);
      }
  }
}

/// Adds results that languages return beside the ABI's to unseen callers.
void CalleeFacts::addExtraResults(const Strangers &Pointed) {
  DenseMap<Function *, LeftAtEnds> Left;
  auto ofCall = [&](const MCInst &Call) -> std::optional<LeftAtEnds> {
    const MCSymbol *Target = BC.MIB->getTargetSymbol(Call);
    const BinaryFunction *To =
        Target ? BC.getFunctionForSymbol(Target) : nullptr;
    if (To && !of(*To).Returns)
      return std::nullopt;
    return Left.lookup(To);
  };
  auto look = [&](Function &BF) {
    const LeftAtEnds Found = leftAtEnds(BF, Model, ofCall);
    return std::exchange(Left[&BF], Found) != Found;
  };
  lookInRounds(Order, DenseSet<Function *>(Order.begin(), Order.end()), look,
               [&](Function &BF) { return Callers.lookup(&BF); });
  for (const auto &[BF, Its] : Left)
    if (Pointed.contains(*BF))
      Results[BF] |= Its.Made & ~Its.Used;
}

void CalleeFacts::findResults(const Strangers &Pointed, RawCode &Raw) {
  ResultsOfAll |= readBehindPointers();
  addExtraResults(Pointed);
  for (Function *BF : Order)
    Results[BF] |= ResultsOfAll;
  for (const StayingFunction &S : stayingFunctions())
    Results[S.Function] = ResultsOfAll;
  SmallSetVector<Function *, 16> ToDo(Order.begin(), Order.end());
  while (!ToDo.empty()) {
    while (!ToDo.empty()) {
      Function *BF = ToDo.pop_back_val();
      addResults(*BF, NeededRegisters(*BF, *this, /*ByCaller=*/0), ToDo);
    }
    addResultsOfStaying(Raw, ToDo);
    const RegisterSet More = passedOn() & ~ResultsOfAll;
    ResultsOfAll |= More;
    for (auto &[BF, Its] : Results) {
      const bool IsNew = More & ~Its;
      Its |= More;
      if (IsNew && isRead(*BF))
        ToDo.insert(BF);
    }
  }
}

/// True if it has more than before.
bool CalleeFacts::addResult(BinaryFunction &To, RegisterSet Needed,
                            SmallSetVector<Function *, 16> &ToDo) {
  const auto Its = Results.find(&To);
  if (Its == Results.end())
    return false;
  const RegisterSet New =
      Needed & of(To).MayChange & ~reg::CalleeSaved & ~Its->second;
  Its->second |= New;
  if (!New || !isRead(To))
    return New;
  ToDo.insert(&To);
  // They ask for the needs of their parts.
  if (To.isFragment())
    for (Function *Parent : *To.getParentFragments())
      ToDo.insert(Parent);
  return true;
}

/// Adds results that functions that stay need from their callees.
void CalleeFacts::addResultsOfStaying(RawCode &Raw,
                                      SmallSetVector<Function *, 16> &ToDo) {
  auto takenFlags = [&](Function &To) -> RegisterSet {
    if (To.isPLTFunction())
      return 0;
    const RegisterSet Taken =
        isRead(To) ? of(To).MayRead : Raw.liberties(To, /*ByOrder=*/true).Taken;
    return Taken & reg::Flags;
  };
  auto results = [&](Function &To) { return Results.lookup(&To); };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const StayingFunction &S : stayingFunctions())
      Stayers->forEachCall(S, {takenFlags, results},
                           [&](BinaryFunction &To, RegisterSet Needed) {
                             Changed |= addResult(To, Needed, ToDo);
                           });
  }
}

/// Results of functions that may get them from a callee through a pointer.
RegisterSet CalleeFacts::passedOn() const {
  RegisterSet Found = 0;
  for (Function *BF : Order)
    forEachCall(*BF, [&](const MCInst &Call) {
      if (!BC.MIB->getTargetSymbol(Call))
        Found |= Results.lookup(BF);
    });
  for (const StayingFunction &S : stayingFunctions())
    for (const StayingFunction::Step &Each : S.steps())
      if (Each.IsCall && !Each.To)
        Found |= Results.lookup(S.Function);
  return Found & PossibleResults;
}

/// Adds the registers that \p BF needs behind calls to its callees' results.
void CalleeFacts::addResults(Function &BF, const NeededRegisters &Needed,
                             SmallSetVector<Function *, 16> &ToDo) {
  Needed.forEachCall([&](const MCInst &Call, RegisterSet After) {
    const MCSymbol *Target = BC.MIB->getTargetSymbol(Call);
    if (BinaryFunction *To = Target ? BC.getFunctionForSymbol(Target) : nullptr)
      addResult(*To, After, ToDo);
  });
}

/// Looks only at straight-line code behind calls through pointers: behind
/// branches, registers are read that hold nothing on this path.
RegisterSet CalleeFacts::readBehindPointers() const {
  RegisterSet Found = 0, Needed = 0;
  auto goBack = [&](const MCInst &Inst, bool IsCall, bool IsByPointer) {
    const RegisterEffects E = Model.Registers.effects(Inst);
    if (IsCall) {
      if (IsByPointer)
        Found |= Needed & PossibleResults;
      Needed = 0;
    }
    // Writing a part of a register reads nothing.
    Needed = (Needed & ~E.Writes) | (E.Reads & ~(E.Writes & ~E.Kills));
  };
  for (Function *BF : Order)
    for (const BinaryBasicBlock &Block : *BF) {
      Needed = 0;
      for (const MCInst &Inst : llvm::reverse(Block))
        if (!Model.Registers.isPseudo(Inst))
          goBack(Inst, Model.Registers.isCall(Inst),
                 !BC.MIB->getTargetSymbol(Inst));
    }
  for (const StayingFunction &S : stayingFunctions())
    for (unsigned I = 0; I < S.numBlocks(); ++I) {
      Needed = 0;
      for (const StayingFunction::Step &Each : llvm::reverse(S.stepsOf(I)))
        goBack(*Each.Inst, Each.IsCall, !Each.To);
    }
  return Found;
}

CallEffects CalleeFacts::of(const BinaryFunction &BF) const {
  const auto At = Known.find(&BF);
  CallEffects E = At == Known.end() ? ofOthers() : At->second;
  E.MayRead |= HandedOn.lookup(&BF);
  return E;
}

std::optional<int64_t>
CalleeFacts::tableDepth(const BinaryBasicBlock &Block) const {
  const BinaryFunction &BF = *Block.getFunction();
  const auto [At, IsNew] = TableDepths.try_emplace(&BF);
  std::vector<std::optional<int64_t>> &Depths = At->second;
  if (IsNew && !BF.getFDEProgram().empty()) {
    UnwindRules Rules(BF);
    Depths.push_back(Rules.depth());
    for (const MCCFIInstruction &CFI : BF.getFDEProgram()) {
      Rules.apply(CFI);
      Depths.push_back(Rules.depth());
    }
  }
  const int32_t State = Block.getCFIState();
  return State >= 0 && size_t(State) < Depths.size() ? Depths[State]
                                                     : std::nullopt;
}

RegisterSet CalleeFacts::results(const BinaryFunction &BF) const {
  const auto At = Results.find(&BF);
  return At == Results.end() ? ResultsOfAll : At->second;
}

RegisterSet CalleeFacts::mayDiffer(const BinaryFunction &BF) const {
  const CallEffects E = of(BF);
  return Writes.lookup(&BF) & (E.Returns ? E.MayChange : reg::All);
}

CallEffects CalleeFacts::ofCall(const BinaryFunction &From,
                                const MCInst &Call) const {
  const MCSymbol *Target = BC.MIB->getTargetSymbol(Call);
  const FunctionEntry To = findFunctionEntry(BC, Target);
  if (!To.Function || To.Function->isPLTFunction())
    return ofOthers();
  if (partOfSame(From, Call))
    return ofPart(*To.Function, *Target);
  const bool CallsItsMiddle =
      To.Function == &From && !is_contained(From.getSymbols(), Target);
  if (CallsItsMiddle || (To.Function->isFragment() && To.Function != &From))
    return unknownEffects();
  if (To.IsBeginning)
    return of(*To.Function);
  return BC.MIB->isTailCall(Call) ? unknownEffects()
                                  : ofEntry(*To.Function, *Target);
}

/// The effects of a jump within a procedure: its target goes on with all state.
CallEffects CalleeFacts::ofPart(Function &To, const MCSymbol &Entry) const {
  CallEffects E = unknownEffects();
  E.IsOrdinary = true;
  const BinaryBasicBlock *Block =
      To.isFragment() && isRead(To) ? entryBlock(To, Entry) : nullptr;
  if (!Block)
    return E;
  const auto At = KnownEntries.find(&Entry);
  if (At != KnownEntries.end())
    return At->second;
  E.MayRead = NeededRegisters(To, *this).into(*Block);
  if (Solved)
    KnownEntries[&Entry] = E;
  return E;
}

/// The effects of a function that is not called at its beginning.
CallEffects CalleeFacts::ofEntry(Function &BF, const MCSymbol &Entry) const {
  const auto At = KnownEntries.find(&Entry);
  if (At != KnownEntries.end())
    return At->second;
  const BinaryBasicBlock *Block = isRead(BF) ? entryBlock(BF, Entry) : nullptr;
  const CallEffects E =
      Block ? Provenance(*this, *Block).effects() : unknownEffects();
  if (Solved)
    KnownEntries[&Entry] = E;
  return E;
}
