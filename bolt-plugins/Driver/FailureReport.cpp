//===- Driver/FailureReport.cpp - Explains BOLT's last words --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FailureReport.h"
#include "Options/BoltOptions.h"
#include "OutputFile.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/Support/WithColor.h"
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>

using namespace llvm;
using namespace graupel;

static constexpr StringLiteral OurError = "graupel-bolt: error: ";

static constexpr StringLiteral TooMuchMemory =
    "it takes more memory than -memory-limit allows";

/// The reason that \p Messages gives; empty if there is none.
static std::string reasonIn(StringRef Messages) {
  StringRef Reason;
  for (StringRef Rest = Messages; !Rest.empty();) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    if (Line.contains("std::bad_alloc") || Line.contains("out of memory"))
      return TooMuchMemory.str();
    for (StringRef Mark : {"LLVM ERROR: ", "BOLT-ERROR: ", "FATAL ERROR: "})
      if (size_t At = Line.find(Mark); At != StringRef::npos)
        Reason = Line.drop_front(At + Mark.size());
  }
  // The error is one line "FILE: what; what to do".
  std::string Text = Reason.trim(" .!").str();
  std::replace(Text.begin(), Text.end(), ';', ',');
  std::replace_if(
      Text.begin(), Text.end(),
      [](char C) { return static_cast<unsigned char>(C) < ' '; }, ' ');
  return Text;
}

static raw_ostream &error(StringRef Input) {
  return WithColor::error(errs(), "graupel-bolt") << Input << ": ";
}

/// BOLT goes on without what perf did not give it, and ends somewhere.
static bool reportPerf(StringRef Input, StringRef Messages) {
  if (!Messages.contains("PERF-ERROR"))
    return false;
  error(Input) << "perf cannot read its profile; record the profile again with "
                  "this perf\n";
  return true;
}

/// Reports a failed write as one of the output.
static bool reportFullDisk(StringRef Reason) {
  if (!OutputFile::isFull(Reason))
    return false;
  const size_t Colon = Reason.rfind(": ");
  const StringRef Why =
      Reason.drop_front(Colon == StringRef::npos ? 0 : Colon + 2);
  WithColor::error(errs(), "graupel-bolt")
      << toString(OutputFile::cannotWrite(opts::OutputFilename, Why.str()))
      << '\n';
  return true;
}

void graupel::reportCrash(StringRef Input, int Signal, StringRef Messages) {
  const std::string Reason = reasonIn(Messages);
  if (Signal == SIGXCPU) {
    error(Input) << "rewriting it takes too long; if the file is not damaged, "
                    "raise -time-limit\n";
    return;
  }
  if (reportPerf(Input, Messages) || reportFullDisk(Reason))
    return;
  if (Reason == TooMuchMemory) {
    error(Input) << TooMuchMemory
                 << "; if the file is not damaged, raise -memory-limit\n";
    return;
  }
  error(Input) << "cannot be rewritten: "
               << (Reason.empty() ? "graupel-bolt crashed over it (" +
                                        std::string(strsignal(Signal)) + ")"
                                  : Reason)
               << "; if the file runs, report this with the file and what "
                  "GRAUPEL_SHOW_CRASH=1 prints\n";
}

static bool hasOurError(StringRef Messages) {
  return Messages.starts_with(OurError) ||
         Messages.contains(("\n" + OurError).str());
}

std::string graupel::withoutReportedError(StringRef Messages) {
  if (hasOurError(Messages))
    return Messages.str();
  const std::string Reported = reasonIn(Messages);
  std::string Kept;
  while (!Messages.empty()) {
    const StringRef Line = Messages.take_front(Messages.find('\n') + 1);
    const StringRef Whole = Line.empty() ? Messages : Line;
    if (!Whole.starts_with("BOLT-ERROR: ") || reasonIn(Whole) != Reported)
      Kept += Whole;
    Messages = Messages.drop_front(Whole.size());
  }
  return Kept;
}

void graupel::reportExit(StringRef Input, StringRef Messages) {
  if (hasOurError(Messages))
    return;
  if (reportPerf(Input, Messages))
    return;
  const std::string Reason = reasonIn(Messages);
  if (reportFullDisk(Reason))
    return;
  error(Input) << (Reason.empty() ? "cannot be rewritten" : Reason)
               << "; check the file and the options, -v=1 says more\n";
}

bool graupel::showsCrashes() {
  // llvm-bolt's pipeline comes with its messages, in their order.
  return opts::Verbosity > 0 || boltFlag("stock-pipeline") ||
         std::getenv("GRAUPEL_SHOW_CRASH");
}
