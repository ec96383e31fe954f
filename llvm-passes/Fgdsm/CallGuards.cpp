//===- CallGuards.cpp -----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inserts the guards of unknown calls and of results, and the marks of
// functions. guardCall handles one call that UnknownCalls has found:
//
// 1. Find out for each slot of a private object whether something may have been
//    stored there on a path to the call, and where (SlotAtCall, with
//    SSAUpdater). Without pointers, operands in memory and such slots there is
//    no guard, except for a start of threads.
// 2. Make the call's record in gdsm_calls: callee, names, file, line, kind
//    (makeRecord).
// 3. Assembly and starts of threads get the slow path without a test. A thread
//    function of another file is required to have checks (CodeTable).
// 4. A call that fetches its arguments gets the fetch before it and the release
//    behind it, where the call returns normally.
// 5. For all others test the record's byte (direct) or the callee's mark
//    (indirect), and branch to the slow path (emitTest).
// 6. The slow path passes each eight bytes that may hold a pointer to the
//    runtime (emitSlowPath).
//
// guardResult passes the returned pointer to the runtime without a test.
// markFunction puts the mark into the prologue data of functions that may get a
// pointer and may be called from elsewhere.
//
//===----------------------------------------------------------------------===//

#include "CallGuards.h"
#include "CodeTable.h"
#include "Markers.h"
#include "Records.h"
#include "graupel/dsm_checks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

#define DEBUG_TYPE "fgdsm-guards"

using namespace llvm;

STATISTIC(NumDirect, "Direct calls with a guard");
STATISTIC(NumIndirect, "Indirect calls with a guard");
STATISTIC(NumAssembly, "Inline assembly with a guard");
STATISTIC(NumThread, "Starts of threads with a guard");
STATISTIC(NumLibrary, "Calls of library functions with a guard");
STATISTIC(NumMarked, "Functions with a mark");

namespace graupel::fgdsm {

//===-- Records -----------------------------------------------------------===//

/// Fields of graupel_dsm_call.
enum Field { Callee, Text, Line, Unknown, Kind };

// In the function itself, not in what was inlined.
static const DILocation *locationOf(const Instruction &I) {
  const DILocation *At = I.getDebugLoc();
  while (At && At->getInlinedAt())
    At = At->getInlinedAt();
  return At;
}

// The function's line if calls of several lines have become one.
static unsigned lineOf(const Instruction &I) {
  const DILocation *At = locationOf(I);
  if (At && At->getLine())
    return At->getLine();
  const DISubprogram *Function = I.getFunction()->getSubprogram();
  return Function ? Function->getLine() : 0;
}

// Templates have names that leave no room for anything else.
static std::string nameOf(const Function &F) {
  constexpr size_t Longest = 160;
  std::string Name = demangle(F.getName());
  if (Name.size() > Longest)
    Name.replace(Longest, std::string::npos, "...");
  return Name;
}

// Callee, caller, file and remedy, each with its end.
static std::string textOf(const Instruction &I, const Function *Callee,
                          StringRef Remedy) {
  const Function &Caller = *I.getFunction();
  std::string Text;
  auto Add = [&](StringRef Part) {
    Text += Part;
    Text += '\0';
  };
  Add(Callee ? nameOf(*Callee) : "");
  Add(nameOf(Caller));
  const DILocation *At = locationOf(I);
  Add(At ? At->getFilename()
         : StringRef(Caller.getParent()->getSourceFileName()));
  Text += Remedy;
  return Text;
}

static GlobalVariable *makeRecord(Instruction &I, uint8_t RecordKind,
                                  Function *Direct, StringRef Remedy) {
  Function &F = *I.getFunction();
  Module &M = *F.getParent();
  LLVMContext &C = M.getContext();
  Type *I8 = Type::getInt8Ty(C), *I32 = Type::getInt32Ty(C);
  auto *Ptr = PointerType::getUnqual(C);
  Constant *Null = ConstantPointerNull::get(Ptr);
  auto *Type = StructType::get(C, {Ptr, Ptr, I32, I8, I8});
  Constant *Fields[] = {
      Direct ? Direct : Null,
      makeText(M, textOf(I, Direct, Remedy), "gdsm.call.text"),
      ConstantInt::get(I32, lineOf(I)), ConstantInt::get(I8, 1),
      ConstantInt::get(I8, RecordKind)};
  auto *G = new GlobalVariable(M, Type, false, GlobalValue::PrivateLinkage,
                               ConstantStruct::get(Type, Fields), "gdsm.call");
  G->setSection("gdsm_calls");
  G->setAlignment(Align(8));
  tieTo(*G, F);
  return G;
}

//===-- Guards ------------------------------------------------------------===//

static void leaveUnchecked(Instruction *I) {
  I->setMetadata(NoCheckMetadata, MDNode::get(I->getContext(), {}));
}

// Whether the callee may be unknown code.
static Value *emitTest(IRBuilder<> &B, const UnknownCall &U,
                       GlobalVariable *Record) {
  LoadInst *Load;
  Value *Known;
  if (U.Kind == UnknownCall::Indirect) {
    Load = B.CreateAlignedLoad(B.getInt32Ty(), U.Callee, Align(1));
    Known = B.getInt32(GRAUPEL_DSM_MARK);
  } else {
    Load = B.CreateAlignedLoad(
        B.getInt8Ty(),
        B.CreateStructGEP(Record->getValueType(), Record, Unknown), Align(1));
    Known = B.getInt8(0);
  }
  leaveUnchecked(Load);
  return B.CreateICmpNE(Load, Known);
}

/// The state of a slot at the call: where the last store was, or whether there
/// was one.
class SlotAtCall {
public:
  SlotAtCall(const HeldSlot &S, CallBase &Call);

  /// Whether anything may have been stored.
  bool isUsed() const;
  Value *load(IRBuilder<> &B) const;

private:
  Value *valueAfter(Instruction *Event) const;
  Value *valueAt(CallBase &Call) const;
  static Constant *emptyWord(Module &M);

  const HeldSlot &S;
  Constant *Nothing;
  Value *State;
};

SlotAtCall::SlotAtCall(const HeldSlot &S, CallBase &Call) : S(S) {
  LLVMContext &C = Call.getContext();
  if (S.Offset)
    Nothing = ConstantInt::getFalse(C);
  else
    Nothing = emptyWord(*Call.getModule());
  State = S.Always ? ConstantInt::getTrue(C) : valueAt(Call);
}

// The value that is read if nothing has been stored.
Constant *SlotAtCall::emptyWord(Module &M) {
  static constexpr char Name[] = "gdsm.nothing";
  if (GlobalVariable *G = M.getGlobalVariable(Name, /*AllowInternal=*/true))
    return G;
  Type *I64 = Type::getInt64Ty(M.getContext());
  return new GlobalVariable(M, I64, true, GlobalValue::PrivateLinkage,
                            ConstantInt::get(I64, 0), Name);
}

Value *SlotAtCall::valueAfter(Instruction *Event) const {
  if (!is_contained(S.Stores, Event))
    return Nothing;
  if (S.Offset)
    return ConstantInt::getTrue(Event->getContext());
  return cast<StoreInst>(Event)->getPointerOperand();
}

Value *SlotAtCall::valueAt(CallBase &Call) const {
  MapVector<BasicBlock *, Instruction *> Last;
  Instruction *Before = nullptr;
  for (Instruction *Event : concat<Instruction *const>(S.Ends, S.Stores)) {
    BasicBlock *Block = Event->getParent();
    Instruction *&There = Last[Block];
    if (!There || There->comesBefore(Event))
      There = Event;
    if (Block == Call.getParent() && Event->comesBefore(&Call) &&
        (!Before || Before->comesBefore(Event)))
      Before = Event;
  }
  if (Before)
    return valueAfter(Before);
  BasicBlock *Entry = &Call.getFunction()->getEntryBlock();
  if (Call.getParent() == Entry)
    return Nothing;
  SSAUpdater Updater;
  Updater.Initialize(Nothing->getType(), "gdsm.slot");
  Updater.AddAvailableValue(Entry, Nothing);
  for (auto [Block, Event] : Last)
    Updater.AddAvailableValue(Block, valueAfter(Event));
  return Updater.GetValueInMiddleOfBlock(Call.getParent());
}

bool SlotAtCall::isUsed() const { return State != Nothing; }

Value *SlotAtCall::load(IRBuilder<> &B) const {
  Value *Address = State;
  if (S.Offset) {
    Address = B.CreateConstGEP1_64(B.getInt8Ty(), S.Base, *S.Offset);
    if (!isa<Constant>(State))
      Address = B.CreateSelect(State, Address,
                               emptyWord(*B.GetInsertBlock()->getModule()));
  }
  LoadInst *Held = B.CreateAlignedLoad(B.getPtrTy(), Address, Align(1));
  leaveUnchecked(Held);
  return Held;
}

// Each eight bytes of what may hold pointers.
static void addWords(IRBuilder<> &B, Value *V,
                     SmallVectorImpl<Value *> &Words) {
  Type *T = V->getType(), *I64 = B.getInt64Ty();
  if (T->isPointerTy() || T == I64)
    return Words.push_back(V);
  unsigned Count;
  if (T->isPtrOrPtrVectorTy()) {
    Count = cast<FixedVectorType>(T)->getNumElements();
  } else {
    unsigned Bits = T->getPrimitiveSizeInBits();
    Count = divideCeil(Bits, 64);
    if (Bits % 64)
      V = B.CreateZExt(B.CreateBitCast(V, B.getIntNTy(Bits)),
                       B.getIntNTy(Count * 64));
    V = B.CreateBitCast(V, FixedVectorType::get(I64, Count));
  }
  for (unsigned I = 0; I != Count; ++I)
    Words.push_back(B.CreateExtractElement(V, I));
}

static FunctionCallee entry(Module &M, StringRef Name, Type *Result) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  return M.getOrInsertFunction(
      Name, FunctionType::get(Result, {Ptr, Ptr, Type::getInt32Ty(C)},
                              /*isVarArg=*/true));
}

static FunctionCallee guardEntry(Module &M) {
  return entry(M, GuardEntry, Type::getVoidTy(M.getContext()));
}

static FunctionCallee fetchEntry(Module &M) {
  return entry(M, FetchEntry, Type::getInt32Ty(M.getContext()));
}

static CallInst *emitSlowPath(IRBuilder<> &B, const UnknownCall &U,
                              ArrayRef<SlotAtCall> Slots,
                              GlobalVariable *Record) {
  Type *Ptr = B.getPtrTy();
  SmallVector<Value *, 8> Words;
  for (Value *P : U.Pointers)
    addWords(B, P, Words);
  for (const SlotAtCall &S : Slots)
    Words.push_back(S.load(B));
  // An access like any other: the operand may be in shared memory itself.
  for (Value *Memory : U.Memory)
    Words.push_back(B.CreateAlignedLoad(Ptr, Memory, Align(1)));
  SmallVector<Value *, 8> Arguments = {
      Record,
      U.Kind == UnknownCall::Assembly ? ConstantPointerNull::get(B.getPtrTy())
                                      : U.Callee,
      B.getInt32(Words.size())};
  append_range(Arguments, Words);
  Module &M = *Record->getParent();
  return B.CreateCall(U.Fetches ? fetchEntry(M) : guardEntry(M), Arguments);
}

// Fetched memory is released where the call returns. The call must not throw;
// if it does, the next one that returns releases the memory.
static void emitRelease(CallBase &Call, Value *Before, DomTreeUpdater &DTU,
                        LoopInfo &LI) {
  Instruction *After;
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    BasicBlock *Normal = Invoke->getNormalDest();
    if (!Normal->getSinglePredecessor()) {
      DTU.flush();
      Normal = SplitEdge(Invoke->getParent(), Normal, &DTU.getDomTree(), &LI);
    }
    After = &*Normal->getFirstInsertionPt();
  } else {
    cast<CallInst>(Call).setTailCallKind(CallInst::TCK_NoTail);
    After = Call.getNextNode();
  }
  IRBuilder<> B(After);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  Module &M = *Call.getModule();
  B.CreateCall(M.getOrInsertFunction(
                   ReleaseEntry,
                   FunctionType::get(B.getVoidTy(), {B.getInt32Ty()}, false)),
               {Before});
}

static uint8_t kindOf(const UnknownCall &U) {
  switch (U.Kind) {
  case UnknownCall::Direct:
    return GRAUPEL_DSM_CALL_DIRECT;
  case UnknownCall::Indirect:
    return GRAUPEL_DSM_CALL_INDIRECT;
  case UnknownCall::Assembly:
    return GRAUPEL_DSM_CALL_ASSEMBLY;
  case UnknownCall::Thread:
    return GRAUPEL_DSM_CALL_THREAD;
  case UnknownCall::Library:
    return GRAUPEL_DSM_CALL_LIBRARY;
  }
  llvm_unreachable("no other kinds");
}

// Nothing can stand between such a call and the return.
static void refuseTailCall(const CallBase &Call) {
  std::string Text =
      ("fgdsm: '" + nameOf(*Call.getCalledFunction()) +
       "' is GDSM_FETCHES, so its memory is released behind the call, which "
       "[[clang::musttail]] does not allow; take the attribute away, or call "
       "gdsm_fetch and gdsm_release around the call");
  Twine Message(Text);
  const Function &F = *Call.getFunction();
  F.getContext().diagnose(
      DiagnosticInfoUnsupported(F, Message, Call.getDebugLoc(), DS_Error));
}

void guardCall(const UnknownCall &U, DomTreeUpdater &DTU, LoopInfo &LI) {
  if (U.Fetches && U.Call->isMustTailCall())
    return refuseTailCall(*U.Call);
  SmallVector<SlotAtCall, 4> Slots;
  for (const HeldSlot &S : U.Slots)
    if (SlotAtCall Slot(S, *U.Call); Slot.isUsed())
      Slots.push_back(Slot);
  if (U.Pointers.empty() && U.Memory.empty() && Slots.empty() &&
      U.Kind != UnknownCall::Thread)
    return;
  Function *Direct = U.Kind != UnknownCall::Indirect ? U.function() : nullptr;
  GlobalVariable *Record = makeRecord(*U.Call, kindOf(U), Direct, U.Remedy);
  IRBuilder<> B(U.Call);
  MDNode *Unlikely = MDBuilder(B.getContext()).createUnlikelyBranchWeights();
  switch (U.Kind) {
  case UnknownCall::Direct:
    ++NumDirect;
    break;
  case UnknownCall::Indirect:
    ++NumIndirect;
    break;
  case UnknownCall::Library:
    ++NumLibrary;
    break;
  case UnknownCall::Assembly:
    ++NumAssembly;
    // There is nothing that could be known.
    emitSlowPath(B, U, Slots, Record);
    return;
  case UnknownCall::Thread:
    ++NumThread;
    if (Direct && Direct->isDeclaration())
      requireThreadFunction(*U.Call->getFunction(), *Direct);
    emitSlowPath(B, U, Slots, Record);
    return;
  }
  if (U.Fetches) {
    emitRelease(*U.Call, emitSlowPath(B, U, Slots, Record), DTU, LI);
    return;
  }
  Value *Test = emitTest(B, U, Record);
  B.SetInsertPoint(SplitBlockAndInsertIfThen(Test, U.Call->getIterator(), false,
                                             Unlikely, &DTU, &LI));
  B.SetCurrentDebugLocation(U.Call->getDebugLoc());
  emitSlowPath(B, U, Slots, Record);
}

void guardResult(ReturnInst &Return) {
  IRBuilder<> B(&Return);
  GlobalVariable *Record =
      makeRecord(Return, GRAUPEL_DSM_CALL_RESULT, nullptr, "");
  B.CreateCall(guardEntry(*Record->getParent()),
               {Record, ConstantPointerNull::get(B.getPtrTy()), B.getInt32(1),
                Return.getReturnValue()});
}

//===-- Marks -------------------------------------------------------------===//

// Guards look where pointers are passed.
static bool mayGetPointer(const Function &F) {
  return F.isVarArg() || any_of(F.args(), [](const Argument &A) {
           Type *T = A.getType();
           return !T->isFPOrFPVectorTy() &&
                  !(T->isIntegerTy() && T->getIntegerBitWidth() < 64);
         });
}

// A function without checks because the program says so is marked, too.
void markFunction(Function &F) {
  if ((F.hasLocalLinkage() && !F.hasAddressTaken()) || !mayGetPointer(F))
    return;
  ++NumMarked;
  LLVMContext &C = F.getContext();
  // test $0x4d534447, %eax
  Constant *Mark =
      ConstantDataArray::getString(C, "\xa9GDSM", /*AddNull=*/false);
  if (F.hasPrologueData())
    Mark = ConstantStruct::getAnon({Mark, F.getPrologueData()}, true);
  F.setPrologueData(Mark);
}

} // namespace graupel::fgdsm
