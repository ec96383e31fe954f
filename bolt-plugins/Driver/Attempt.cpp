//===- Driver/Attempt.cpp - Try, and have a second way --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attempt.h"
#include "FailureReport.h"
#include "HeldBack.h"
#include "Messages.h"
#include "OutputFile.h"
#include "Progress.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstdlib>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace graupel;

namespace {

pid_t forkChild() {
  outs().flush();
  errs().flush();
  const pid_t Child = fork();
  if (Child == 0) {
    // The child must end with its parent.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (!showsCrashes()) // Nobody is going to see the symbols, which take long.
      setenv("LLVM_DISABLE_SYMBOLIZATION", "1", /*overwrite=*/1);
  }
  return Child;
}

/// Writes what \p Held has and the user wants to see.
void release(const HeldBack &Held) {
  if (isQuiet())
    Held.write(withoutDetails(Held.text()));
  else
    Held.release();
}

bool isCrash(int Signal) {
  return Signal == SIGSEGV || Signal == SIGABRT || Signal == SIGBUS ||
         Signal == SIGILL || Signal == SIGTRAP || Signal == SIGFPE ||
         Signal == SIGXCPU;
}

} // namespace

Attempt graupel::attemptInChild(StringRef Input) {
  HeldBack Out(STDOUT_FILENO), Err(STDERR_FILENO);
  if (!Out.valid() || !Err.valid())
    return Attempt::Failed;
  const pid_t Child = forkChild();
  if (Child < 0)
    return Attempt::Failed;
  if (Child == 0) {
    Out.divert();
    Err.divert();
    return Attempt::InChild;
  }
  const int Status = progress::waitFor(Child);
  OutputFile::removeLeftOver();
  if (WIFSIGNALED(Status) && WTERMSIG(Status) == SIGXCPU) {
    // Nor would the second way end.
    reportCrash(Input, SIGXCPU, Err.text());
    std::_Exit(1);
  }
  if (!WIFEXITED(Status) || WEXITSTATUS(Status) != 0)
    return Attempt::Failed;
  release(Err);
  release(Out);
  return Attempt::Succeeded;
}

void graupel::continueInChild(StringRef Input) {
  // BOLT's last words are of use for the report; a crash's are for developers.
  HeldBack Out(STDOUT_FILENO), Err(STDERR_FILENO);
  const bool Hold = Err.valid() && !showsCrashes();
  const bool HoldOutput = Out.valid() && isQuiet();
  const pid_t Child = forkChild();
  if (Child < 0)
    return;
  if (Child == 0) {
    if (Hold)
      Err.divert();
    if (HoldOutput)
      Out.divert();
    return;
  }
  const int Status = progress::waitFor(Child);
  OutputFile::removeLeftOver();
  if (WIFEXITED(Status)) {
    const bool HasFailed = WEXITSTATUS(Status) != 0;
    if (HasFailed && isQuiet())
      Err.write(withoutReportedError(withoutDetails(Err.text())));
    else
      release(Err);
    release(Out);
    if (HasFailed)
      reportExit(Input, Err.text());
    std::_Exit(WEXITSTATUS(Status));
  }
  if (!isCrash(WTERMSIG(Status))) {
    // Somebody stopped the child: look as if it had been us.
    release(Err);
    release(Out);
    std::signal(WTERMSIG(Status), SIG_DFL);
    std::raise(WTERMSIG(Status));
  }
  reportCrash(Input, WTERMSIG(Status), Err.text());
  std::_Exit(1);
}
