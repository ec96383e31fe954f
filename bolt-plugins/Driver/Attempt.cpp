//===- Driver/Attempt.cpp - Try, and have a second way --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attempt.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace graupel;

namespace {

/// Holds back what is written to a file descriptor.
class HeldBack {
public:
  explicit HeldBack(int FD)
      : FD(FD), Buffer(memfd_create("graupel-messages", MFD_CLOEXEC)) {}
  ~HeldBack() {
    if (Buffer >= 0)
      close(Buffer);
  }
  bool valid() const { return Buffer >= 0; }
  void divert() const { dup2(Buffer, FD); }
  void release() const {
    char Chunk[65536];
    lseek(Buffer, 0, SEEK_SET);
    for (ssize_t Size; (Size = read(Buffer, Chunk, sizeof(Chunk))) > 0;)
      for (ssize_t Done = 0, Now; Done < Size; Done += Now)
        if ((Now = write(FD, Chunk + Done, Size - Done)) <= 0)
          return;
  }

private:
  int FD;
  int Buffer;
};

pid_t forkChild() {
  outs().flush();
  errs().flush();
  const pid_t Child = fork();
  if (Child == 0) // Whoever stops the parent means the child, too.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
  return Child;
}

/// The wait status of \p Child once it ended.
int waitFor(pid_t Child) {
  int Status = 0;
  while (waitpid(Child, &Status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return Status;
}

bool isCrash(int Signal) {
  return Signal == SIGSEGV || Signal == SIGABRT || Signal == SIGBUS ||
         Signal == SIGILL || Signal == SIGFPE;
}

} // namespace

Attempt graupel::attemptInChild() {
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
  const int Status = waitFor(Child);
  if (!WIFEXITED(Status) || WEXITSTATUS(Status) != 0)
    return Attempt::Failed;
  Err.release();
  Out.release();
  return Attempt::Succeeded;
}

void graupel::continueInChild(StringRef Input) {
  const pid_t Child = forkChild();
  if (Child <= 0)
    return;
  const int Status = waitFor(Child);
  if (WIFEXITED(Status))
    std::_Exit(WEXITSTATUS(Status));
  if (!isCrash(WTERMSIG(Status))) {
    // Somebody stopped the child: look as if it had been us.
    std::signal(WTERMSIG(Status), SIG_DFL);
    std::raise(WTERMSIG(Status));
  }
  WithColor::error(errs(), "graupel-bolt")
      << Input << ": rewriting it crashed (" << strsignal(WTERMSIG(Status))
      << "); nothing was written. If the file runs, this is a defect: please "
         "report it with the file\n";
  std::_Exit(1);
}
