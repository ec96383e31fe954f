//===- Driver/Attempt.cpp - Try, and have a second way --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attempt.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
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

} // namespace

Attempt graupel::attemptInChild() {
  HeldBack Out(STDOUT_FILENO), Err(STDERR_FILENO);
  if (!Out.valid() || !Err.valid())
    return Attempt::Failed;
  outs().flush();
  errs().flush();
  const pid_t Child = fork();
  if (Child < 0)
    return Attempt::Failed;
  if (Child == 0) {
    // Whoever stops the parent means the child, too.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    Out.divert();
    Err.divert();
    return Attempt::InChild;
  }
  int Status = 0;
  while (waitpid(Child, &Status, 0) < 0)
    if (errno != EINTR)
      return Attempt::Failed;
  if (!WIFEXITED(Status) || WEXITSTATUS(Status) != 0)
    return Attempt::Failed;
  Err.release();
  Out.release();
  return Attempt::Succeeded;
}
