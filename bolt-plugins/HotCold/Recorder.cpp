//===- HotCold/Recorder.cpp - Watches hot-cold optimization ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Options, and why there may be nothing to report.
// 2. While the pass works: the hot, drafted, proved and committed code of each
//    procedure, and the sizes of its parts after each step.
// 3. At the end: the categories of all procedures, and the summary.
//
//===----------------------------------------------------------------------===//

#include "Recorder.h"
#include "Explainer.h"
#include "HotCold.h"
#include "Options/BoltOptions.h"
#include "Options/RecommendedOptions.h"
#include "ReportTables.h"
#include "bolt/Core/MCPlusBuilder.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

cl::opt<ReportFormat> Format(
    "hco-report", cl::ValueOptional, cl::init(ReportFormat::None),
    cl::desc("with -hco: which procedures were optimized, why others were not, "
             "what it saved and how code grew (default: none; without a value: "
             "text)"),
    reportFormats(), cl::cat(opts::BoltOptCategory));

cl::opt<std::string> File(
    "hco-report-file",
    cl::desc("write the report of -hco-report to <file> (default: standard "
             "output; html: the output's name and .hco.html)"),
    cl::value_desc("file"), cl::cat(opts::BoltOptCategory));

cl::list<std::string> ToExplain(
    "hco-explain", cl::CommaSeparated,
    cl::desc("with -hco: print what was done to these functions and why, the "
             "original and the hot version side by side"),
    cl::value_desc("function"), cl::cat(opts::BoltOptCategory));

const char *whyImpossible() {
  if (boltFlag("stock-pipeline"))
    return "-stock-pipeline runs llvm-bolt's passes only";
  if (opts::Instrument)
    return "an instrumented program is not optimized";
  if (!asksForHotCold())
    return isGiven("hco") ? "-hco=false is given"
                          : "-hco is not given, which is the default only with "
                            "a profile and all steps of -layout=graupel";
  return nullptr;
}

/// True if something says what is hot.
bool hasInput() {
  return isGiven("data") || isGiven("perfdata") || isGiven("hco-random") ||
         isGiven("hco-invert");
}

bool isCode(const BinaryFunction &BF) {
  return !BF.isPseudo() && !BF.isPLTFunction() && !BF.isInjected() &&
         !BF.isFolded();
}

uint64_t codeSize(const BinaryContext &BC, const BinaryBasicBlock &Block) {
  return BC.computeCodeSize(Block.begin(), Block.end());
}

/// \p Block without its size in bytes.
CodePart contentOf(const BinaryBasicBlock &Block) {
  const MCPlusBuilder &MIB = *Block.getFunction()->getBinaryContext().MIB;
  CodePart Part;
  Part.Instructions = Block.getNumNonPseudos();
  for (const MCInst &Inst : Block)
    Part.Calls |= MIB.isCall(Inst) && !MIB.isTailCall(Inst);
  Part.Executed =
      double(Block.getKnownExecutionCount()) * double(Part.Instructions);
  return Part;
}

} // namespace

HotColdRecorder &graupel::hotColdRecorder() {
  static HotColdRecorder Recorder;
  return Recorder;
}

HotColdRecorder::HotColdRecorder()
    : Explained(std::make_unique<Explainer>(
          std::vector<std::string>(ToExplain.begin(), ToExplain.end()))) {}
HotColdRecorder::~HotColdRecorder() = default;

void HotColdRecorder::start(BinaryContext &BC) {
  for (const auto &[Address, BF] : BC.getBinaryFunctions())
    if (isCode(BF))
      Report.ImageBytes += BF.getSize();
  // BOLT would go on after an error of a pass.
  if (Error E = Explained->find(BC)) {
    WithColor::error(errs(), "graupel-bolt") << toString(std::move(E)) << '\n';
    std::exit(1);
  }
}

bool HotColdRecorder::watches(const BinaryFunction &BF) const {
  return Explained->isWanted(BF);
}

void HotColdRecorder::begin(BinaryFunction &BF, BlockTest IsHot) {
  const BinaryContext &BC = BF.getBinaryContext();
  IndexOf[&BF] = Report.Procedures.size();
  Report.Procedures.emplace_back();
  ProcedureRecord &P = Report.Procedures.back();
  P.Name = BF.getOneName().str();
  for (const BinaryBasicBlock &Block : BF) {
    P.Original += contentOf(Block);
    if (hotColdReportPlan().any())
      P.Steps.Original += codeSize(BC, Block);
  }
  P.Original.Bytes = BF.getSize();
  Current = &BF;
  Draft = {};
  Frequent.clear();
  Frequent.resize(BF.size());
  for (const BinaryBasicBlock &Block : BF)
    if (&Block == &BF.front() || IsHot(Block))
      Frequent.set(Block.getIndex());
  if (Explained->isWanted(BF))
    Explained->begin(BF, Frequent);
}

void HotColdRecorder::draft(const HotVersion &Hot, const HotColdGain &Gain,
                            ArrayRef<std::string> Notes) {
  const BinaryFunction &BF = Hot.function();
  Draft.Gain = Gain;
  Draft.Notes = Notes.vec();
  Draft.Stubs = Hot.stubs().size();
  Draft.Saved = Hot.saving();
  if (hotColdReportPlan().any())
    Draft.Steps = stepsOf(Hot);
  if (Current == &BF && Explained->isWanted(BF))
    Explained->draft(Hot);
}

SizeSteps HotColdRecorder::stepsOf(const HotVersion &Hot) const {
  const BinaryContext &BC = Hot.function().getBinaryContext();
  const bool First = Current == &Hot.function() && !isCommitted(Hot.function());
  SizeSteps Steps;
  SmallPtrSet<const BinaryBasicBlock *, 16> Copied;
  for (const HotVersion::Block &B : Hot.blocks()) {
    Copied.insert(B.Original);
    // Blocks in the hot part of an earlier draft have been counted.
    auto Known = Parts.find(B.Original);
    if (Known == Parts.end() || Known->second == Part::Cold)
      Steps.Reachable += codeSize(BC, *B.Original);
    Steps.Optimized += BC.computeCodeSize(B.Code.begin(), B.Code.end());
  }
  for (const BinaryBasicBlock &Block : Hot.function())
    if (First && (Frequent.test(Block.getIndex()) || Copied.contains(&Block)))
      Steps.Frequent += codeSize(BC, Block);
  return Steps;
}

bool HotColdRecorder::isCommitted(const BinaryFunction &BF) const {
  return Parts.contains(&BF.front());
}

void HotColdRecorder::commit(const HotVersion &Hot) {
  ProcedureRecord &P = Report.Procedures[IndexOf.at(&Hot.function())];
  P.Gain += Draft.Gain;
  P.Saved += Draft.Saved;
  P.Stubs += Draft.Stubs;
  P.Notes = Draft.Notes;
  P.Steps.Reachable += Draft.Steps.Reachable;
  P.Steps.Frequent =
      std::max(P.Steps.Frequent + Draft.Steps.Frequent, P.Steps.Reachable);
  P.Steps.Optimized = Draft.Steps.Optimized;
  for (const BinaryBasicBlock &Block : Hot.function()) {
    Part &Which = Parts.try_emplace(&Block, Part::Cold).first->second;
    if (Which == Part::Hot)
      Which = Part::Cold; // It was hot in an earlier draft.
  }
  for (const HotVersion::Block &B : Hot.blocks())
    mark(*B.Copy, Part::Hot);
  for (const HotVersion::Stub &S : Hot.stubs())
    mark(*S.Copy, Part::Stub);
  if (Current != &Hot.function()) {
    P.Category = HotColdCategory::Optimized;
    P.Reason.clear();
  } else if (Explained->isWanted(Hot.function())) {
    Explained->commit(Hot);
  }
}

void HotColdRecorder::end(BinaryFunction &BF, HotColdCategory Category,
                          StringRef Reason) {
  ProcedureRecord &P = Report.Procedures[IndexOf.at(&BF)];
  P.Category = Category;
  P.Reason = Reason.ltrim(": ").str();
  if (Category != HotColdCategory::Optimized)
    P.Notes = std::move(Draft.Notes);
  if (Category == HotColdCategory::Optimized ||
      Category == HotColdCategory::NoSplit) {
    P.Reason.clear(); // It belongs to a draft before the last.
  } else if (Category == HotColdCategory::NoAdvantage && P.Reason.empty()) {
    P.Reason = "too few instructions could be saved";
  }
  Current = nullptr;
  if (!Explained->isWanted(BF))
    return;
  Explained->end(BF);
  // The gain of a draft; a kept one may gain more later.
  Explained->of(BF)->Record.Gain = Draft.Gain;
}

void HotColdRecorder::add(const BinaryFunction &BF, const HotColdGain &Gain) {
  auto At = IndexOf.find(&BF);
  if (At == IndexOf.end())
    return;
  Report.Procedures[At->second].Gain += Gain;
  Report.Procedures[At->second].Saved += Gain.total();
}

CodePart &HotColdRecorder::partOf(ProcedureRecord &P,
                                  const BinaryBasicBlock &Block) const {
  auto At = Parts.find(&Block);
  // Blocks that other passes made are most likely on the way to cold code,
  // unless they run.
  const Part Which = At != Parts.end() ? At->second
                     : P.Category != HotColdCategory::Optimized ||
                             Block.getKnownExecutionCount()
                         ? Part::Hot
                         : Part::Stub;
  return Which == Part::Hot ? P.Hot : Which == Part::Cold ? P.Cold : P.Stub;
}

void HotColdRecorder::finish(BinaryContext &BC) {
  double Executed = 0;
  for (auto &[Address, BF] : BC.getBinaryFunctions()) {
    auto At = IndexOf.find(&BF);
    if (At == IndexOf.end()) {
      Report.WithoutFlow += isCode(BF) && BF.getKnownExecutionCount() != 0;
      continue;
    }
    ProcedureRecord &P = Report.Procedures[At->second];
    Executed += P.Original.Executed;
    for (const BinaryBasicBlock &Block : BF) {
      CodePart Content = contentOf(Block);
      if (auto Known = Parts.find(&Block);
          Known != Parts.end() && Known->second == Part::Stub) {
        // The jump to the original comes when branches are fixed.
        ++Content.Instructions;
        Content.Executed += double(Block.getKnownExecutionCount());
      }
      partOf(P, Block) += Content;
    }
  }
  for (auto &[Address, BF] : BC.getBinaryFunctions())
    if (Explanation *E = Explained->of(BF)) {
      const HotColdGain Gain = E->Record.Gain;
      E->Record = Report.Procedures[IndexOf.at(&BF)];
      if (!E->Record.isChanged())
        E->Record.Gain = Gain;
      E->AllExecuted = Executed;
      BC.outs() << '\n';
      writeExplanation(*E, BC.outs());
    }
  Explained->printOthers(BC.outs());
}

void HotColdRecorder::measureSizes(BinaryContext &BC) {
  for (auto &[Address, BF] : BC.getBinaryFunctions()) {
    auto At = IndexOf.find(&BF);
    if (At == IndexOf.end() || !isCode(BF) ||
        !Report.Procedures[At->second].isChanged())
      continue;
    BC.calculateEmittedSize(BF, /*FixBranches=*/false);
    for (const BinaryBasicBlock *Block : BF.getLayout().blocks()) {
      const auto [Begin, End] = Block->getOutputAddressRange();
      partOf(Report.Procedures[At->second], *Block).Bytes += End - Begin;
    }
  }
}

void HotColdRecorder::printSummary(raw_ostream &OS) const {
  const HotColdFigures F(Report);
  auto percent = [&](double Executed) {
    return format("%.2f", percentOf(Executed, F.Executed));
  };
  OS << "GRAUPEL-INFO: hot-cold optimization took " << percent(F.Saved)
     << " % of the executed instructions off the frequent paths";
  StringRef Separator = ": ";
  for (const GainKind &Kind : gainKinds()) {
    OS << Separator << percent(F.Gain.*Kind.Count) << " % " << Kind.Name;
    Separator = ", ";
  }
  OS << ", stubs cost " << percent(F.Gain.total() - F.Saved) << " %\n";
  for (size_t C = 0; C < NumHotColdCategories; ++C)
    OS << "GRAUPEL-INFO:   " << describe(static_cast<HotColdCategory>(C))
       << ": " << F.Coverage[C].Procedures << " procedures, "
       << format("%.1f", percentOf(F.Coverage[C].Executed, F.Executed))
       << " %\n";
}

const Destination &graupel::hotColdReportPlan() {
  static const Destination Plan =
      whyImpossible()
          ? Destination()
          : Destination::make(Format, File, opts::OutputFilename, ".hco.html");
  return Plan;
}

Error graupel::checkHotColdReportPlan() {
  const char *Why = whyImpossible();
  if (Why && (Format != ReportFormat::None || !ToExplain.empty()))
    WithColor::warning(errs(), "graupel-bolt")
        << "no report of hot-cold optimization: " << Why << '\n';
  else if (isGiven("hco") && boltFlag("hco") && (Why || !hasInput()))
    WithColor::warning(errs(), "graupel-bolt")
        << "-hco has no effect: "
        << (Why ? Why : "there is no profile; give one with -data") << '\n';
  return hotColdReportPlan().check("report", "hco-report-file");
}

Error graupel::writeHotColdReport(const BinaryContext &BC) {
  const Destination &Plan = hotColdReportPlan();
  if (!Plan.any())
    return Error::success();
  if (!boltFlag("hco"))
    WithColor::warning(errs(), "graupel-bolt")
        << "hot-cold optimization was not done: the file has no relocations; "
           "link with --emit-relocs, or give -hco\n";
  HotColdReport &R = hotColdRecorder().report();
  // Procedures that never ran are in no figure.
  erase_if(R.Procedures, [](const ProcedureRecord &P) {
    return P.Original.Executed == 0 && !P.isChanged();
  });
  R.Program = BC.getFilename().str();
  R.Profile = boltOpt<std::string>(isGiven("data") ? "data" : "perfdata");
  if (Error E = checkFigures(R))
    return E;
  return writeToOutput(Plan.File, [&](raw_ostream &OS) -> Error {
    if (Plan.Format == ReportFormat::Text)
      writeText(R, OS);
    else if (Plan.Format == ReportFormat::JSON)
      writeJSON(R, OS);
    else
      writeHTML(R, OS);
    return Error::success();
  });
}
