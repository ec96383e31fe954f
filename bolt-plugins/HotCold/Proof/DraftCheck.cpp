//===- HotCold/Proof/DraftCheck.cpp - Proved drafts only ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DraftCheck.h"
#include "FaultInjection.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/Support/Format.h"
#include <chrono>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

static cl::opt<bool> Verify(
    "hco-verify",
    cl::desc("with -hco: prove each hot version to do what its procedure does; "
             "leave those alone for which that fails, and if the option is "
             "given, fail in the end (default: true)"),
    cl::init(true), cl::cat(opts::BoltOptCategory));

static cl::opt<Fault> Break(
    "hco-break",
    cl::desc("with -hco: tell which faults in hot versions "
             "-hco-verify would not find (to test it)"),
    cl::init(Fault::None), cl::Hidden,
    cl::values(
        clEnumValN(Fault::None, "none", "no faults"),
        clEnumValN(Fault::Drop, "drop", "an instruction is missing"),
        clEnumValN(Fault::Swap, "swap", "two are in the other order"),
        clEnumValN(Fault::Register, "register", "another register is named"),
        clEnumValN(Fault::Constant, "constant", "another constant is named"),
        clEnumValN(Fault::Unwind, "unwind", "no rule for unwinding"),
        clEnumValN(Fault::State, "state", "another state of unwinding"),
        clEnumValN(Fault::Edge, "edge", "ways lead to each other's blocks")),
    cl::cat(opts::BoltOptCategory));

/// An error in one place causes many that follow.
static StringRef firstParts(StringRef Message) {
  constexpr unsigned NumParts = 3;
  size_t End = 0;
  for (unsigned I = 0; I < NumParts && End != StringRef::npos; ++I)
    End = Message.find(';', I ? End + 1 : 0);
  return Message.substr(0, End);
}

DraftCheck::DraftCheck(BinaryContext &BC, const MachineModel &Model)
    : Context(Model) {
  if (!Verify)
    return;
  const auto Begin = std::chrono::steady_clock::now();
  V.emplace(BC, Model);
  Seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - Begin)
          .count();
}

bool DraftCheck::accept(HotCode &Hot) {
  if (!Verify)
    return true;
  const auto Begin = std::chrono::steady_clock::now();
  const std::string Found = V->check(Hot);
  Seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - Begin)
          .count();
  if (!Found.empty()) {
    ++Wrong;
    // The output is right without it.
    if (opts::Verbosity || Verify.getNumOccurrences())
      Context.BC.errs() << "GRAUPEL-WARNING: the hot version of "
                        << Hot.function().getPrintName()
                        << " cannot be proved right and is not used: "
                        << firstParts(Found) << '\n';
    return false;
  }
  ++Right;
  if (Break != Fault::None)
    injectFaults(Hot, Context, *V, Break, Context.BC.outs());
  return true;
}

Error DraftCheck::finish() const {
  if (!Verify)
    return Error::success();
  Context.BC.outs() << "GRAUPEL-INFO: " << Right << " hot versions proved, "
                    << Wrong << " not, which are not used; that took "
                    << format("%.2f s\n", Seconds);
  if (Wrong && Verify.getNumOccurrences())
    return createFatalBOLTError("-hco-verify: " + Twine(Wrong) +
                                " hot versions cannot be proved right\n");
  return Error::success();
}
