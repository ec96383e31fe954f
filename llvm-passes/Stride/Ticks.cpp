//===- Ticks.cpp ----------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Solves where a function subtracts its references, so that a spanning tree of
// the edges that run often carries nothing (Ball, Larus 1994).
//
// 1. Solver(): make a node of each block, and two of a block with a check,
//    between which any constant is subtracted.
// 2. addArcs: make an arc of each edge, weighted by how often it runs, twice
//    that if it is critical. Arcs lead to the exit where the function is left.
//    An arc on which nothing can be inserted has the greatest weight.
// 3. growTree: take arcs in the order of their weight, greatest first, that
//    close no cycle.
// 4. spread: compute the potential of each node along the tree, from 0 at the
//    exit: the references made and not yet subtracted when the node begins.
//    Along an arc of the tree potentials grow by what the block makes.
// 5. run: subtract the difference of potentials at blocks with a check. Each
//    other arc subtracts its difference at the end of its source, the start of
//    its target, or on the edge itself (place).
// 6. If an arc on which nothing can be inserted has a difference, each block
//    subtracts its own references instead (tickEachBlock).
//
//===----------------------------------------------------------------------===//

#include "Ticks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace graupel::stride {

class Ticks::Solver {
public:
  Solver(Function &F, const BlockFrequencyInfo &BFI,
         const BranchProbabilityInfo &BPI, const Counts &References,
         const Blocks &Checks);
  /// False if an edge that nothing can be put on had to count.
  bool run(Ticks &T);

private:
  struct Arc {
    BasicBlock *From, *To; ///< To is null when the function is left.
    unsigned Tail, Head;
    int64_t Made;
    uint64_t Weight;
    bool Fixed; ///< Nothing can be inserted.
    bool InTree = false;
  };

  void addArcs(BasicBlock &BB);
  void growTree();
  void spread();
  bool place(Ticks &T, const Arc &A) const;

  Function &F;
  const Counts &References;
  const BlockFrequencyInfo &BFI;
  const BranchProbabilityInfo &BPI;
  static constexpr unsigned Exit = 0;
  unsigned Nodes = 1;
  DenseMap<const BasicBlock *, unsigned> In, Out;
  SmallVector<Arc, 0> Arcs;
  SmallVector<int64_t, 0> Potential;
};

Ticks::Solver::Solver(Function &F, const BlockFrequencyInfo &BFI,
                      const BranchProbabilityInfo &BPI,
                      const Counts &References, const Blocks &Checks)
    : F(F), References(References), BFI(BFI), BPI(BPI) {
  for (BasicBlock &BB : F) {
    In[&BB] = Out[&BB] = Nodes++;
    if (Checks.contains(&BB))
      Out[&BB] = Nodes++;
  }
  for (BasicBlock &BB : F)
    addArcs(BB);
}

// An exception may lose what was not subtracted: it is rare, and it costs
// thousands of instructions.
void Ticks::Solver::addArcs(BasicBlock &BB) {
  auto Found = References.find(&BB);
  int64_t Made = Found == References.end() ? 0 : int64_t(Found->second);
  uint64_t Runs = BFI.getBlockFreq(&BB).getFrequency();
  if (BB.isEHPad())
    Arcs.push_back({nullptr, &BB, Exit, In[&BB], 0, UINT64_MAX, true});
  const Instruction *End = BB.getTerminator();
  if (isa<ReturnInst, ResumeInst>(End))
    Arcs.push_back({&BB, nullptr, Out[&BB], Exit, Made, Runs, false});
  bool Fixed = isa<IndirectBrInst, CallBrInst>(End);
  SmallSetVector<BasicBlock *, 8> To(succ_begin(&BB), succ_end(&BB));
  for (BasicBlock *Next : To) {
    if (Next->isEHPad())
      continue;
    bool Critical = To.size() > 1 && !Next->getUniquePredecessor();
    uint64_t Weight =
        (BFI.getBlockFreq(&BB) * BPI.getEdgeProbability(&BB, Next))
            .getFrequency();
    Weight = SaturatingMultiply<uint64_t>(Weight, Critical ? 2 : 1);
    bool Stuck = Fixed && Critical;
    Arcs.push_back({&BB, Next, Out[&BB], In[Next], Made,
                    Stuck ? UINT64_MAX : Weight, Stuck});
  }
}

void Ticks::Solver::growTree() {
  SmallVector<unsigned, 0> Parent(Nodes);
  for (unsigned N = 0; N < Nodes; ++N)
    Parent[N] = N;
  auto Find = [&](unsigned N) {
    while (Parent[N] != N)
      N = Parent[N] = Parent[Parent[N]];
    return N;
  };
  SmallVector<Arc *, 0> Order(make_pointer_range(Arcs));
  stable_sort(Order,
              [](const Arc *A, const Arc *B) { return A->Weight > B->Weight; });
  for (Arc *A : Order) {
    unsigned Tail = Find(A->Tail), Head = Find(A->Head);
    A->InTree = Tail != Head;
    Parent[Tail] = Head;
  }
}

void Ticks::Solver::spread() {
  SmallVector<SmallVector<const Arc *, 4>, 0> At(Nodes);
  for (const Arc &A : Arcs)
    if (A.InTree) {
      At[A.Tail].push_back(&A);
      At[A.Head].push_back(&A);
    }
  Potential.assign(Nodes, 0);
  SmallVector<bool, 0> Known(Nodes, false);
  // Nodes that never come to an end may begin anywhere.
  for (unsigned Root = Exit; Root < Nodes; ++Root) {
    if (Known[Root])
      continue;
    Known[Root] = true;
    SmallVector<unsigned, 16> Work{Root};
    while (!Work.empty()) {
      unsigned N = Work.pop_back_val();
      for (const Arc *A : At[N]) {
        unsigned Other = A->Tail == N ? A->Head : A->Tail;
        if (Known[Other])
          continue;
        Known[Other] = true;
        Potential[Other] =
            Other == A->Head ? Potential[N] + A->Made : Potential[N] - A->Made;
        Work.push_back(Other);
      }
    }
  }
}

bool Ticks::Solver::place(Ticks &T, const Arc &A) const {
  int64_t Count = Potential[A.Tail] + A.Made - Potential[A.Head];
  if (!Count || !A.From)
    return true;
  if (A.Fixed)
    return false;
  if (!A.To || A.From->getUniqueSuccessor())
    T.AtEnd[A.From] += Count;
  else if (!A.To->getUniquePredecessor())
    T.Critical.push_back({A.From, A.To, Count});
  else {
    T.AtStart[A.To] += Count;
    T.Before[A.To] += Count;
  }
  return true;
}

bool Ticks::Solver::run(Ticks &T) {
  growTree();
  spread();
  for (BasicBlock &BB : F) {
    unsigned Begin = In.lookup(&BB), End = Out.lookup(&BB);
    auto Found = References.find(&BB);
    T.Before[&BB] = Potential[Begin];
    T.After[&BB] = Potential[End] +
                   (Found == References.end() ? 0 : int64_t(Found->second));
    if (Begin != End)
      T.AtStart[&BB] += Potential[Begin] - Potential[End];
  }
  return all_of(Arcs, [&](const Arc &A) { return place(T, A); });
}

Ticks::Ticks(Function &F, const BlockFrequencyInfo &BFI,
             const BranchProbabilityInfo &BPI, const Counts &References,
             const Blocks &Checks)
    : F(F) {
  if (!Solver(F, BFI, BPI, References, Checks).run(*this))
    tickEachBlock(References);
}

void Ticks::tickEachBlock(const Counts &References) {
  AtStart.clear();
  AtEnd.clear();
  Before.clear();
  After.clear();
  Critical.clear();
  for (auto [BB, Count] : References)
    AtStart[BB] = int64_t(Count);
}

void Ticks::print(raw_ostream &OS) const {
  for (BasicBlock &BB : F) {
    auto Print = [&](StringRef Label, int64_t Count) {
      if (Count)
        OS << "  " << Label << ' ' << BB.getName() << ": " << Count << '\n';
    };
    Print("at", at(&BB));
    Print("behind", atEnd(&BB));
    Print("pending before", pending(&BB));
  }
  for (const Edge &E : Critical)
    OS << "  from " << E.From->getName() << " to " << E.To->getName() << ": "
       << E.Count << '\n';
}

} // namespace graupel::stride
