// Throw-away measurement of what there is to gain.
#include "FlowPrediction.h"
#include "Liveness.h"
#include "Driver/LayoutPlan.h"
#include "Split/HotThreshold.h"
#include "graupel/LayoutPasses.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "bolt/Passes/BinaryPasses.h"
#include <cstdlib>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;
namespace {
class P : public BinaryFunctionPass {
public:
  P() : BinaryFunctionPass(false) {}
  const char *getName() const override { return "hco-potential"; }
  Error runOnFunctions(BinaryContext &BC) override {
    const RegisterModel M(BC);
    const RegisterSummaries S(BC, M);
    CountDistribution D;
    double Total = 0;
    for (auto &[A, BF] : BC.getBinaryFunctions())
      if (BF.hasValidProfile() && !BF.empty() && BF.isSimple())
        for (auto &B : BF) {
          D.add(B.getKnownExecutionCount(), B.getNumNonPseudos());
          Total += double(B.getKnownExecutionCount()) * B.getNumNonPseudos();
        }
    const uint64_t T1 = D.coldThreshold(0.01);
    std::map<std::string, double> Sum;
    // small hot leaf functions
    DenseSet<const BinaryFunction *> Small, SmallWhole;
    struct Info { std::set<unsigned> Hot; double W; bool Leaf; };
    std::map<const BinaryFunction *, Info> Infos;
    for (auto &[A, BF] : BC.getBinaryFunctions()) {
      if (!BF.hasValidProfile() || BF.empty() || !BF.isSimple()) continue;
      double W = 0;
      for (auto &B : BF) W += double(B.getKnownExecutionCount()) * B.getNumNonPseudos();
      if (W == 0) continue;
      if (W < 0.0001 * Total) { Sum["cat: infrequent"] += W; continue; }
      if (BF.hasUnknownControlFlow() || BF.isMultiEntry()) { Sum["cat: unsupported"] += W; continue; }
      bool Done = false;
      for (uint64_t T : {T1, T1 / 10, uint64_t(0)}) {
        std::vector<FlowBlock> FB(BF.size());
        for (auto &B : BF) {
          auto &F = FB[B.getIndex()];
          auto BI = B.branch_info_begin();
          for (auto *Su : B.successors()) { F.Successors.push_back(Su->getIndex()); F.Counts.push_back(BI->Count == BinaryBasicBlock::COUNT_NO_PROFILE ? 0 : BI->Count); ++BI; }
        }
        FB[BF.front().getIndex()].Entries = std::max<uint64_t>(1, BF.front().getKnownExecutionCount());
        { uint64_t In = 0; for (auto &B : BF) { auto BI = B.branch_info_begin(); for (auto *Su : B.successors()) { if (Su == &BF.front() && BI->Count != BinaryBasicBlock::COUNT_NO_PROFILE) In += BI->Count; ++BI; } }
          FB[BF.front().getIndex()].Entries -= std::min(In, FB[BF.front().getIndex()].Entries); }
        // reach
        std::vector<BinaryBasicBlock *> WL; 
        if (BF.front().getKnownExecutionCount() <= T) break;
        WL.push_back(&BF.front()); FB[BF.front().getIndex()].Hot = true;
        unsigned NHot = 0;
        while (!WL.empty()) { auto *B = WL.back(); WL.pop_back(); ++NHot;
          for (auto *Su : B->successors()) if (!FB[Su->getIndex()].Hot && Su->getKnownExecutionCount() > T) { FB[Su->getIndex()].Hot = true; WL.push_back(Su); } }
        if (NHot == BF.size()) { Sum["cat: all hot"] += W; Done = true;
          bool Leaf = true; unsigned N = 0; for (auto &B : BF) for (auto &I : B) { if (BC.MIB->isPseudo(I)) continue; ++N; Leaf &= !BC.MIB->isCall(I); }
          if (Leaf && N <= 14 && BF.size() <= 4) { Small.insert(&BF); SmallWhole.insert(&BF); }
          break; }
        auto V = predictFlow(FB);
        double ColdW = 0, HotW = 0;
        if (V) for (auto &B : BF) { ColdW += V->Cold[B.getIndex()] * B.getNumNonPseudos(); HotW += V->Hot[B.getIndex()] * B.getNumNonPseudos(); }
        if (!V || ColdW > 0.01 * W) continue;
        Done = true;
        // L1
        Liveness L2(BF, M, S);
        std::vector<RegisterSet> L1(BF.size());
        for (bool Ch = true; Ch;) { Ch = false;
          for (auto &B : llvm::reverse(BF)) { if (!FB[B.getIndex()].Hot) continue;
            RegisterSet L = 0; for (auto *Su : B.successors()) if (FB[Su->getIndex()].Hot) L |= L1[Su->getIndex()];
            for (auto &I : llvm::reverse(B)) L = L2.before(B, I, L);
            Ch |= L != L1[B.getIndex()]; L1[B.getIndex()] = L; } }
        RegisterSet Mentioned = 0, Saved = 0; bool Leaf = true, Pads = false, StackRef = false, LateSave = false; 
        double Sink = 0, Saves = 0, Adjust = 0, Calls = 0; unsigned N = 0;
        std::map<RegisterSet, double> PerReg;
        for (auto &B : BF) { if (!FB[B.getIndex()].Hot) continue;
          double C = V->Hot[B.getIndex()];
          RegisterSet L = 0; for (auto *Su : B.successors()) if (FB[Su->getIndex()].Hot) L |= L1[Su->getIndex()];
          for (auto &I : llvm::reverse(B)) { 
            if (BC.MIB->isPseudo(I)) continue; ++N;
            auto E = M.effects(I);
            bool Sinkable = false;
            if (isSave(BC, I)) { Saved |= E.Reads & reg::CalleeSaved; PerReg[E.Reads & reg::CalleeSaved] += C; LateSave |= &B != &BF.front(); }
            else if (isRestore(BC, I)) PerReg[E.Writes & reg::CalleeSaved] += C;
            else {
              if (BC.MIB->isCall(I) && !BC.MIB->isTailCall(I)) { Leaf = false; Calls += C; Pads |= B.lp_size() > 0; }
              else if (!BC.MIB->isReturn(I) && !BC.MIB->isBranch(I) && !BC.MIB->isCall(I) && !(E.Writes & (reg::RSP)) && (E.Writes & reg::General) && !(E.Writes & L) && !BC.MIB->mayStore(I)) Sinkable = true;
              if (Sinkable) Sink += C;
              else {
                if (E.Reads & reg::RSP || E.Writes & reg::RSP) { 
                  if (E.Writes & reg::RSP && !(E.Reads & ~(reg::RSP)) && !BC.MIB->isReturn(I) && !BC.MIB->isCall(I)) Adjust += C;
                  else if (!BC.MIB->isReturn(I) && !BC.MIB->isCall(I)) StackRef = true; }
                if (!BC.MIB->isCall(I) && !BC.MIB->isReturn(I)) Mentioned |= E.Reads | E.Writes; }
            }
            if (!Sinkable) L = L2.before(B, I, L);
          } }
        for (auto &[R, C] : PerReg) if (!(R & Mentioned)) Saves += C;
        double AllSaves = 0; for (auto &[R, C] : PerReg) AllSaves += C;
        Sum["cat: split"] += W;
        Sum["calls in split"] += Calls;
        Sum["sink"] += Sink;
        if (Leaf) { Sum["leaf weight"] += W; Sum["leaf saves"] += AllSaves; if (!StackRef) Sum["leaf adjust"] += Adjust;
          if (N - 0 <= 16 && NHot <= 5) Small.insert(&BF); }
        else { Sum["call weight"] += W; if (LateSave) Sum["call saves unmentioned, shrink-wrapped"] += Saves; else if (Pads) Sum["call saves unmentioned, pads"] += Saves; else Sum["call saves unmentioned"] += Saves; Sum["call saves all"] += AllSaves; }
        break;
      }
      if (!Done) Sum["cat: loop or cold entry"] += W;
    }
    for (auto &[A, BF] : BC.getBinaryFunctions()) {
      if (!BF.hasValidProfile() || BF.empty() || !BF.isSimple()) continue;
      for (auto &B : BF) for (auto &I : B) if (BC.MIB->isCall(I)) {
        const MCSymbol *T = BC.MIB->getTargetSymbol(I); const BinaryFunction *C = T ? BC.getFunctionForSymbol(T) : nullptr;
        double N = B.getKnownExecutionCount();
        if (BC.MIB->isTailCall(I)) { Sum["tail calls"] += N; if (C && Small.count(C)) Sum["tail calls to small hot leaf"] += N; continue; }
        Sum["calls"] += N;
        if (!T) Sum["calls indirect"] += N; else if (!C) Sum["calls outside"] += N;
        else if (C && Small.count(C)) { Sum["calls to small hot leaf"] += N; if (SmallWhole.count(C)) Sum["calls to small hot leaf, all hot"] += N; }
      }
    }
    for (auto &[K, V] : Sum) BC.outs() << "HCO " << K << ": " << format("%.2f", 100 * V / Total) << " %\n";
    return Error::success();
  }
};
}
void graupel::registerHotColdPasses(BoltPassRegistry &R) {
  R.add(PassStage::PreLayout, "hco-potential", []() -> std::unique_ptr<BinaryFunctionPass> { if (!getenv("HCO")) return nullptr; return std::make_unique<P>(); });
}
