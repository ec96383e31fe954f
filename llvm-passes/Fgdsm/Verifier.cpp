//===- Verifier.cpp -------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//  1. Each access is a question: are these bytes of this address valid?
//     Addresses that differ by a constant are one family.
//  2. Forwards over the control flow: the questions whose answer is yes. Tests
//     answer on the edge where they pass. Calls of the runtime end all answers
//     but those about the ranges they are given; other calls that may reach one
//     end all; and a family's answers end where its address is computed anew.
//  3. An access that is not answered with yes must be a load whose value is
//     tested, or the value that the loop around computes from it.
//
//===----------------------------------------------------------------------===//

#include "Verifier.h"
#include "Access.h"
#include "Assembly.h"
#include "CodeReader.h"
#include "DeferredProof.h"
#include "Handshakes.h"
#include "Markers.h"
#include "StripMining.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace graupel::fgdsm {

namespace {

/// One way to prove an access. Accesses within strips have two.
struct Question {
  unsigned AccessIndex;
  enum { Bytes, Strip, Lanes } Kind;
  unsigned Family = 0;
  int64_t Lo = 0;
};

struct Family {
  const SCEV *Address;
  SmallVector<unsigned, 4> Questions;
};

using Answers = BitVector;

class FunctionVerifier {
public:
  FunctionVerifier(Function &F, const PointerPrivacy &Privacy,
                   const DenseSet<const Function *> &Shaking,
                   const TargetLibraryInfo &Library, ScalarEvolution &SE,
                   const LoopInfo &LI, const DominatorTree &DT)
      : F(F), Accesses(collectAccesses(F, Privacy)), Shaking(Shaking),
        Library(Library), SE(SE), LI(LI), DT(DT) {}

  /// Diagnoses each access that is not proven.
  void run();

private:
  void ask();
  void findStrips();
  const SCEV *addressOf(const Value *Pointer);
  std::pair<unsigned, int64_t> locate(const Value *Pointer);
  void findRedefinitions(unsigned Family);

  void establish(const EstablishedList &List, Answers &Known);
  void establishBytes(const Value *Pointer, uint64_t Size, bool Store,
                      Answers &Known);
  void establishStrip(const Established &E, Answers &Known);
  void establishLanes(const EstablishedList &List, const Value *Vector,
                      Answers &Known);
  uint64_t bytesOfTags(const Established &E);
  void pass(Instruction &I, Answers &Known);
  void passEdge(BasicBlock *From, BasicBlock *To, Answers &Known);
  bool mayShake(const CallBase &Call) const;
  void forget(const Value *Definition, Answers &Known) const;
  Answers entryOf(BasicBlock *BB);
  void check(Instruction &I, const Answers &Known);
  bool isTestedByValue(const Instruction &Load) const;

  Function &F;
  SmallVector<Access, 0> Accesses;
  const DenseSet<const Function *> &Shaking;
  const TargetLibraryInfo &Library;
  ScalarEvolution &SE;
  const LoopInfo &LI;
  const DominatorTree &DT;

  std::vector<Question> Questions;
  /// By access, and the accesses by instruction.
  std::vector<SmallVector<unsigned, 2>> QuestionsOf;
  DenseMap<const Instruction *, SmallVector<unsigned, 1>> AccessesAt;
  std::vector<Family> Families;
  DenseMap<const SCEV *, SmallVector<unsigned, 4>> FamiliesOf;
  DenseMap<const Value *, SmallVector<unsigned, 2>> Redefines;
  /// The strips' ranges, by their numbers.
  DenseMap<uint64_t, Established> Strips;
  DenseMap<const BasicBlock *, Answers> Out;
};

} // namespace

//===-- Questions ---------------------------------------------------------===//

// Slow paths may compute an address anew, from a copy of its base.
const SCEV *FunctionVerifier::addressOf(const Value *Pointer) {
  const SCEV *Address = SE.getSCEV(const_cast<Value *>(Pointer));
  auto *GEP = dyn_cast<GetElementPtrInst>(Pointer);
  const Value *Copy = GEP ? GEP->getPointerOperand() : nullptr;
  if (!GEP || originalOf(Copy) == Copy)
    return Address;
  auto SCEVOf = [&](const Value *V) {
    return SE.getSCEV(const_cast<Value *>(V));
  };
  const SCEV *Offset = SE.getMinusSCEV(Address, SCEVOf(Copy));
  return isa<SCEVCouldNotCompute>(Offset)
             ? Address
             : SE.getAddExpr(SCEVOf(originalOf(Copy)), Offset);
}

std::pair<unsigned, int64_t> FunctionVerifier::locate(const Value *Pointer) {
  const SCEV *Address = addressOf(Pointer);
  SmallVector<unsigned, 4> &Near = FamiliesOf[SE.getPointerBase(Address)];
  for (unsigned Index : Near)
    if (auto *Distance = dyn_cast<SCEVConstant>(
            SE.getMinusSCEV(Address, Families[Index].Address)))
      return {Index, Distance->getAPInt().getSExtValue()};
  Near.push_back(Families.size());
  Families.push_back({Address, {}});
  findRedefinitions(Families.size() - 1);
  return {Families.size() - 1, 0};
}

void FunctionVerifier::findRedefinitions(unsigned Index) {
  SCEVExprContains(Families[Index].Address, [&](const SCEV *S) {
    if (auto *Rec = dyn_cast<SCEVAddRecExpr>(S))
      Redefines[Rec->getLoop()->getHeader()].push_back(Index);
    else if (auto *Unknown = dyn_cast<SCEVUnknown>(S))
      Redefines[Unknown->getValue()].push_back(Index);
    return false;
  });
}

void FunctionVerifier::ask() {
  QuestionsOf.resize(Accesses.size());
  auto Add = [&](unsigned Index, Question Q) {
    QuestionsOf[Index].push_back(Questions.size());
    Questions.push_back(Q);
  };
  for (unsigned Index = 0; Index != Accesses.size(); ++Index) {
    const Access &A = Accesses[Index];
    if (A.isPrivate())
      continue;
    AccessesAt[A.Inst].push_back(Index);
    if (A.Shape == AccessShape::Lanes) {
      Add(Index, {Index, Question::Lanes});
      continue;
    }
    if (A.Inst->getMetadata(CoveredMetadataName))
      Add(Index, {Index, Question::Strip});
    if (A.Bytes == 0)
      continue;
    auto [Number, Offset] = locate(A.pointer());
    Families[Number].Questions.push_back(Questions.size());
    Add(Index, {Index, Question::Bytes, Number, Offset});
  }
}

// The length is what the slow path of the test asks for.
void FunctionVerifier::findStrips() {
  for (BasicBlock &BB : F) {
    auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
    if (!Branch)
      continue;
    EstablishedList Asked;
    for (Instruction &I : *Branch->getSuccessor(0))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (auto List = readEntry(*Call))
          Asked = *List;
    for (const Established &E : readTest(*Branch))
      if (E.Kind == Established::Pages)
        if (MDNode *Number = E.At->getMetadata(RangeMetadata))
          for (const Established &Range : Asked)
            // A loop may load more than it stores from there on.
            if (Range.Pointer == E.Pointer && Range.Store == E.Store)
              Strips[mdconst::extract<ConstantInt>(Number->getOperand(0))
                         ->getZExtValue()] = Range;
  }
}

//===-- Answers -----------------------------------------------------------===//

void FunctionVerifier::establishBytes(const Value *Pointer, uint64_t Size,
                                      bool Store, Answers &Known) {
  auto [Index, Lo] = locate(Pointer);
  for (unsigned Number : Families[Index].Questions) {
    const Question &Q = Questions[Number];
    const Access &A = Accesses[Q.AccessIndex];
    if (Q.Lo >= Lo && Q.Lo + int64_t(A.Bytes) <= Lo + int64_t(Size) &&
        (Store || !A.Store))
      Known.set(Number);
  }
}

// The first granule counts as far as the accesses around promise that the
// address is aligned.
uint64_t FunctionVerifier::bytesOfTags(const Established &E) {
  auto [Index, Offset] = locate(E.Pointer);
  uint64_t Alignment = 1;
  for (unsigned Number : Families[Index].Questions) {
    const Question &Q = Questions[Number];
    Align There = Accesses[Q.AccessIndex].Alignment;
    Alignment = std::max(
        Alignment, commonAlignment(There, uint64_t(Offset - Q.Lo)).value());
  }
  return 32 * (E.Count - 1) + std::min<uint64_t>(Alignment, 32);
}

void FunctionVerifier::establishStrip(const Established &E, Answers &Known) {
  for (unsigned Number = 0; Number != Questions.size(); ++Number) {
    const Question &Q = Questions[Number];
    const Access &A = Accesses[Q.AccessIndex];
    if (Q.Kind != Question::Strip || (A.Store && !E.Store))
      continue;
    for (const MDOperand &Id :
         A.Inst->getMetadata(CoveredMetadataName)->operands()) {
      auto I = Strips.find(mdconst::extract<ConstantInt>(Id)->getZExtValue());
      if (I == Strips.end() || I->second.Pointer != E.Pointer)
        continue;
      const Established &Strip = I->second;
      // Pages: all that a strip can touch, or an area, whose length is bounded
      // where the range is made.
      if (E.Kind == Established::Pages ||
          (Strip.Length == E.Length && Strip.Count == E.Count &&
           Strip.PerUnit == E.PerUnit))
        Known.set(Number);
    }
  }
}

static bool isLane(const Established &E) {
  return E.Kind == Established::LaneTags || E.Kind == Established::LaneBytes;
}

// The same pointers, if need be computed twice.
static bool areSame(const Value *A, const Value *B) {
  auto *I = dyn_cast<GetElementPtrInst>(A), *J = dyn_cast<GetElementPtrInst>(B);
  return A == B || (I && J && I->isIdenticalTo(J));
}

// The lanes of a vector of pointers: all that may be on must be in the list.
void FunctionVerifier::establishLanes(const EstablishedList &List,
                                      const Value *Vector, Answers &Known) {
  for (unsigned Number = 0; Number != Questions.size(); ++Number) {
    const Access &A = Accesses[Questions[Number].AccessIndex];
    if (Questions[Number].Kind != Question::Lanes ||
        !areSame(A.pointer(), Vector))
      continue;
    SmallBitVector Lanes(
        cast<FixedVectorType>(Vector->getType())->getNumElements());
    for (const Established &E : List) {
      uint64_t Bytes =
          E.Kind == Established::LaneTags
              ? 32 * (E.Count - 1) + MinAlign(A.Alignment.value(), 32)
              : E.Count;
      if (isLane(E) && E.Pointer == Vector && Bytes >= A.Bytes &&
          (E.Store || !A.Store))
        Lanes.set(E.Lane);
    }
    auto *Mask = dyn_cast<Constant>(
        cast<CallBase>(A.Inst)->getArgOperand(A.Store ? 2 : 1));
    bool All = true;
    for (unsigned Lane = 0; Lane != Lanes.size(); ++Lane) {
      Constant *On = Mask ? Mask->getAggregateElement(Lane) : nullptr;
      All &= Lanes.test(Lane) || (On && On->isNullValue());
    }
    if (All)
      Known.set(Number);
  }
}

void FunctionVerifier::establish(const EstablishedList &List, Answers &Known) {
  for (const Established &E : List)
    switch (E.Kind) {
    case Established::Tags:
      establishBytes(E.Pointer, bytesOfTags(E), E.Store, Known);
      break;
    case Established::Bytes:
      establishBytes(E.Pointer, E.Count, E.Store, Known);
      establishStrip(E, Known);
      break;
    case Established::Strip:
    case Established::Pages:
      establishStrip(E, Known);
      break;
    case Established::LaneTags:
    case Established::LaneBytes:
      establishLanes(List, E.Pointer, Known);
      break;
    }
}

void FunctionVerifier::forget(const Value *Definition, Answers &Known) const {
  if (auto I = Redefines.find(Definition); I != Redefines.end())
    for (unsigned Index : I->second)
      for (unsigned Number : Families[Index].Questions)
        Known.reset(Number);
}

bool FunctionVerifier::mayShake(const CallBase &Call) const {
  const Function *Callee = Call.getCalledFunction();
  if (Call.isInlineAsm())
    return mayRunOtherCode(Call);
  if (!Callee)
    return true;
  if (!Callee->isDeclaration())
    return !Callee->hasExactDefinition() || Shaking.contains(Callee);
  return !Callee->isIntrinsic() && !isQuietLibraryCall(Call, Library);
}

void FunctionVerifier::pass(Instruction &I, Answers &Known) {
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    if (auto List = readEntry(*Call)) {
      Known.reset();
      establish(*List, Known);
    } else if (mayShake(*Call)) {
      Known.reset();
    }
  }
  forget(&I, Known);
}

void FunctionVerifier::passEdge(BasicBlock *From, BasicBlock *To,
                                Answers &Known) {
  auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
  if (Branch && Branch->isConditional() && Branch->getSuccessor(0) != To)
    establish(readTest(*Branch), Known);
}

Answers FunctionVerifier::entryOf(BasicBlock *BB) {
  Answers Known(Questions.size(), !pred_empty(BB));
  for (BasicBlock *From : predecessors(BB)) {
    auto I = Out.find(From);
    if (I == Out.end())
      continue;
    Answers OnEdge = I->second;
    passEdge(From, BB, OnEdge);
    Known &= OnEdge;
  }
  forget(BB, Known);
  return Known;
}

//===-- Values ------------------------------------------------------------===//

// The load's value goes to the test, and to a phi that has another load's where
// the test fails; that one was asked about like any other access.
bool FunctionVerifier::isTestedByValue(const Instruction &Load) const {
  const BasicBlock *BB = Load.getParent();
  auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
  if (!Branch || readValueTest(*Branch) != &Load)
    return false;
  for (const Instruction &I :
       make_range(std::next(Load.getIterator()), BB->end()))
    if (isa<CallBase>(I) && !isa<IntrinsicInst>(I))
      return false;
  return all_of(Load.uses(), [&](const Use &U) {
    auto *User = cast<Instruction>(U.getUser());
    if (auto *Phi = dyn_cast<PHINode>(User))
      return Phi->getIncomingBlock(U) == BB &&
             Phi->getParent() == Branch->getSuccessor(1) &&
             Phi->getNumIncomingValues() == 2;
    // The test itself.
    while (User != Branch->getCondition() && User->hasOneUse() &&
           User->getParent() == BB && !User->mayHaveSideEffects())
      User = cast<Instruction>(User->user_back());
    return User == Branch->getCondition() && User->hasOneUse();
  });
}

//===-- All ---------------------------------------------------------------===//

void FunctionVerifier::check(Instruction &I, const Answers &Known) {
  for (unsigned Index : AccessesAt.lookup(&I)) {
    if (any_of(QuestionsOf[Index],
               [&](unsigned Number) { return Known.test(Number); }) ||
        isTestedByValue(I) ||
        isProvenBehindLoop(I, Accesses[Index].Alignment, LI, DT))
      continue;
    std::string Text;
    raw_string_ostream OS(Text);
    OS << "fgdsm: unchecked access: ";
    Accesses[Index].print(OS);
    Twine Message(Text);
    DiagnosticInfoUnsupported D(F, Message, I.getDebugLoc(), DS_Error);
    F.getContext().diagnose(D);
  }
}

void FunctionVerifier::run() {
  ask();
  if (AccessesAt.empty())
    return;
  findStrips();
  ReversePostOrderTraversal<Function *> Order(&F);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *BB : Order) {
      Answers Known = entryOf(BB);
      for (Instruction &I : *BB)
        pass(I, Known);
      auto [I, New] = Out.try_emplace(BB, Known);
      if (New || I->second != Known) {
        I->second = Known;
        Changed = true;
      }
    }
  }
  for (BasicBlock *BB : Order) {
    Answers Known = entryOf(BB);
    for (Instruction &I : *BB) {
      check(I, Known);
      pass(I, Known);
    }
  }
}

// Functions that may reach a handshake point.
static DenseSet<const Function *>
findShaking(Module &M, const TargetLibraryInfo &Library) {
  DenseSet<const Function *> Shaking;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Function &F : M) {
      if (F.isDeclaration() || Shaking.contains(&F))
        continue;
      bool MayHandshake = any_of(instructions(F), [&](const Instruction &I) {
        auto *Call = dyn_cast<CallBase>(&I);
        if (!Call)
          return false;
        if (Call->isInlineAsm())
          return mayRunOtherCode(*Call);
        const Function *Callee = Call->getCalledFunction();
        if (!Callee || readEntry(*Call))
          return true;
        if (Callee->isDeclaration())
          return !Callee->isIntrinsic() && !isQuietLibraryCall(*Call, Library);
        return !Callee->hasExactDefinition() || Shaking.contains(Callee);
      });
      if (MayHandshake)
        Changed |= Shaking.insert(&F).second;
    }
  }
  return Shaking;
}

PreservedAnalyses VerifierPass::run(Module &M, ModuleAnalysisManager &MAM) {
  auto IsToDo = [&](const Function &F) {
    return !F.isDeclaration() && !F.hasAvailableExternallyLinkage() &&
           !F.hasFnAttribute(Attribute::Naked) &&
           (All || F.hasFnAttribute(VerifyAttribute));
  };
  if (none_of(M, IsToDo))
    return PreservedAnalyses::all();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  auto &Privacy = MAM.getResult<PointerPrivacyAnalysis>(M);
  const TargetLibraryInfoImpl Impl(M.getTargetTriple());
  DenseSet<const Function *> Shaking = findShaking(M, TargetLibraryInfo(Impl));
  for (Function &F : M)
    if (IsToDo(F))
      FunctionVerifier(F, Privacy, Shaking,
                       FAM.getResult<TargetLibraryAnalysis>(F),
                       FAM.getResult<ScalarEvolutionAnalysis>(F),
                       FAM.getResult<LoopAnalysis>(F),
                       FAM.getResult<DominatorTreeAnalysis>(F))
          .run();
  return PreservedAnalyses::all();
}

} // namespace graupel::fgdsm
