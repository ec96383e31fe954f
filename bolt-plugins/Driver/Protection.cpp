//===- Driver/Protection.cpp - Leaves functions as they are ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shows the program to Protect/ while BOLT reads it, and carries out the
// decisions. Functions of BOLT are wrapped for that.
//
// 1. scanExternalRefs: begins to note which functions BOLT gives up
//    (UnreadFunctions) and skips data that looks like a function.
// 2. processInterproceduralReferences: drops references that lead to no
//    section, notes other code that enters functions where their cold parts do,
//    then has BOLT judge the references and watches that.
// 3. populateJumpTables: notes all entries of PC-relative tables before BOLT
//    looks at them. Afterwards it recovers split tables, then notes the entries
//    that belong to no table and the tables that were cut.
// 4. leaveProtectedAlone() runs before the passes. It warns of unknown names,
//    keeps gaps between functions, and keeps the flow of ignored functions if
//    it is wanted later.
// 5. decideProtected() names the functions that have to stay. That is an error
//    if BOLT was told to process all. Otherwise each is ignored, as if the user
//    had asked for that with -skip-funcs.
// 6. decideEntered() is asked, and its functions are ignored, until there are
//    no more of them.
//
//===----------------------------------------------------------------------===//

#include "Protection.h"
#include "CFGHooks.h"
#include "Copies/Copies.h"
#include "Copies/MissingSymbols.h"
#include "Options/BoltOptions.h"
#include "Options/CopyPlan.h"
#include "Options/RecommendedOptions.h"
#include "Protect/Protected.h"
#include "Protect/StayingCode.h"
#include "Recover/IndirectBranches.h"
#include "RegisteredFrames.h"
#include "Summary.h"
#include "Support/OwnPipeline.h"
#include "UnreadFunctions.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static cl::opt<bool> PrintProtected(
    "print-protected",
    cl::desc("print which functions are left as they are because they cannot "
             "be rewritten safely, and why (default: false)"),
    cl::cat(opts::BoltOptCategory));

/// BOLT was told to process every function, \p BF included.
static Error refuse(const BinaryContext &BC, const BinaryFunction &BF) {
  // Ours is only an attempt, with another way after it.
  if (!isGiven("use-old-text") && !isGiven("strict"))
    return createFatalBOLTError("a function has to stay where it is");
  WithColor::error(errs(), "graupel-bolt")
      << BC.getFilename() << ": " << BF.getPrintName()
      << " has to stay where it is (-print-protected says why); leave out "
         "-use-old-text and -strict\n";
  std::exit(1);
}

/// A name that no function has is most likely misspelt.
static void warnOfUnknownNames(const BinaryContext &BC) {
  for (StringRef Option : {"funcs", "skip-funcs"})
    for (const std::string &Name :
         static_cast<cl::list<std::string> &>(boltOption(Option)))
      if (none_of(BC.getBinaryFunctions(), [&](const auto &Entry) {
            return Entry.second.hasNameRegex(Name);
          }))
        WithColor::warning(errs(), "graupel-bolt")
            << BC.getFilename() << ": no function is called '" << Name
            << "'; check -" << Option << '\n';
}

static void report(BinaryContext &BC, const ProtectedFunctions &Protected) {
  if (PrintProtected || opts::Verbosity >= 1)
    Protected.print(BC.outs());
}

/// Whether somebody is going to ask what functions do that are not rewritten.
static bool isFlowWanted() { return opts::Instrument || boltFlag("hco"); }

static void ignore(BinaryContext &BC, const ProtectedFunctions &Protected) {
  if (Protected.empty())
    return;
  report(BC, Protected);
  for (const auto &[BF, Reason] : Protected.reasons()) {
    Summary::get().skip(*BF, Protected.explain(*BF));
    if (!BF->isIgnored()) {
      if (isFlowWanted())
        noteStaying(*BF, Reason);
      BF->setIgnored();
    }
  }
  Protected.printSummary(BC.outs());
}

/// Functions that were not chosen because training did not run them are the
/// most of a large program, and nearly all are compilers' work. They are kept
/// up to this many bytes, as instructions that take forty times as much.
constexpr uint64_t MostNotChosen = 4 << 20;

/// Keeps the flow of functions that have none in BOLT's eyes.
static void noteIgnored(BinaryContext &BC) {
  if (!isFlowWanted())
    return;
  uint64_t NotChosen = 0;
  for (const BinaryFunction &BF : make_second_range(BC.getBinaryFunctions()))
    if (BF.isIgnored() && isNotChosen(BF))
      NotChosen += BF.getSize();
  for (BinaryFunction &BF : make_second_range(BC.getBinaryFunctions()))
    if (BF.isIgnored() && (!isNotChosen(BF) || leavesFunctionsOut() ||
                           NotChosen <= MostNotChosen))
      noteUnread(BF);
}

/// Where copies are made: skips functions of which no copy can be made.
static void leaveUncopied(BinaryContext &BC) {
  size_t Number = 0;
  const std::vector<NotCopied> Uncopied = decideCopied(BC);
  printCopies(BC, Uncopied);
  for (const NotCopied &Left : Uncopied) {
    if (*Left.Why) {
      Summary::get().skip(*Left.BF, Left.Why);
      if (PrintProtected || opts::Verbosity >= 1)
        BC.outs() << "GRAUPEL-INFO: " << Left.BF->getPrintName()
                  << " left as it is: " << Left.Why << '\n';
    }
    ++Number;
    if (boltFlag("hco") && Left.HasKnownFlow) {
      keepFlow(*Left.BF);
      continue;
    }
    if (isFlowWanted())
      noteUnread(*Left.BF);
    Left.BF->setIgnored();
  }
  if (Number)
    BC.outs() << "GRAUPEL-INFO: " << Number
              << " functions left as they are: no copy can be made of them\n";
}

Error graupel::leaveProtectedAlone(BinaryContext &BC) {
  warnOfUnknownNames(BC);
  keepGaps(BC);
  std::vector<BinaryFunction *> Unread;
  for (BinaryFunction &BF : make_second_range(BC.getBinaryFunctions()))
    if (isUnread(BF))
      Unread.push_back(&BF);
  const ProtectedFunctions Protected = decideProtected(BC, Unread);
  if (makesCopies() && boltFlag("hco"))
    completeSymbols(BC);
  noteIgnored(BC);
  if (!Protected.empty() && opts::processAllFunctions()) {
    report(BC, Protected);
    return refuse(BC, *Protected.reasons().front().first);
  }
  ignore(BC, Protected);
  // The targets of these functions' branches are known only now.
  for (ProtectedFunctions More = decideEntered(BC); !More.empty();
       More = decideEntered(BC))
    ignore(BC, More);
  if (makesCopies())
    leaveUncopied(BC);
  return Error::success();
}

// C linkage is for the names alone; both sides are C++.
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"

extern "C" {

// BinaryFunction::scanExternalRefs()
bool __real__ZN4llvm4bolt14BinaryFunction16scanExternalRefsEv(
    BinaryFunction *BF);
bool __wrap__ZN4llvm4bolt14BinaryFunction16scanExternalRefsEv(
    BinaryFunction *BF) {
  if (isOurs(BF->getBinaryContext())) {
    watchReading(BF->getBinaryContext());
    if (isData(*BF))
      return true;
  }
  return __real__ZN4llvm4bolt14BinaryFunction16scanExternalRefsEv(BF);
}

// BinaryContext::processInterproceduralReferences()
void __real__ZN4llvm4bolt13BinaryContext32processInterproceduralReferencesEv(
    BinaryContext *BC);
void __wrap__ZN4llvm4bolt13BinaryContext32processInterproceduralReferencesEv(
    BinaryContext *BC) {
  auto Judge = [BC] {
    __real__ZN4llvm4bolt13BinaryContext32processInterproceduralReferencesEv(BC);
  };
  if (!isOurs(*BC))
    return Judge();
  forgetStrangeBranches(*BC);
  forgetStrangeEntries(*BC);
  watchBranches(*BC, Judge);
}

// BinaryContext::populateJumpTables()
void __real__ZN4llvm4bolt13BinaryContext18populateJumpTablesEv(
    BinaryContext *BC);
void __wrap__ZN4llvm4bolt13BinaryContext18populateJumpTablesEv(
    BinaryContext *BC) {
  if (!isOurs(*BC))
    return __real__ZN4llvm4bolt13BinaryContext18populateJumpTablesEv(BC);
  keepFramesTogether(*BC);
  const TableEntries Entries(*BC);
  __real__ZN4llvm4bolt13BinaryContext18populateJumpTablesEv(BC);
  if (shouldRecover(*BC))
    acceptSplitTables(*BC);
  Entries.noteUnclaimed(*BC);
  Entries.noteCut(*BC);
}
}
