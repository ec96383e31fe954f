//===- Driver/Progress.cpp - Shows the stage of long runs -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Progress.h"
#include "Messages.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace graupel;

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds Patience(3);
constexpr std::chrono::milliseconds Tick(50);

/// Literals are at the same address in parent and child.
using Stage = std::atomic<const char *>;
Stage *Current;

bool isTerminal() {
  const char *Term = std::getenv("TERM");
  return isatty(STDERR_FILENO) && Term && *Term && StringRef(Term) != "dumb";
}

void show(StringRef Text) {
  const std::string Line = ("\r" + Text + "\x1b[K").str();
  if (write(STDERR_FILENO, Line.data(), Line.size()) < 0)
    Current = nullptr;
}

} // namespace

void progress::prepare() {
  if (!isQuiet() || !isTerminal())
    return;
  void *Page = mmap(nullptr, sizeof(Stage), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (Page != MAP_FAILED)
    Current = new (Page) Stage("reading the program");
}

void progress::enter(const char *StageName) {
  if (Current)
    *Current = StageName;
}

int progress::waitFor(pid_t Child) {
  const Clock::time_point Start = Clock::now();
  long Shown = 0;
  int Status = 0;
  for (;;) {
    const pid_t Ended = waitpid(Child, &Status, Current ? WNOHANG : 0);
    if (Ended < 0 && errno == EINTR)
      continue;
    if (Ended) {
      if (Current && Shown)
        show("");
      return Ended < 0 ? -1 : Status;
    }
    const auto Passed = Clock::now() - Start;
    const long Seconds =
        std::chrono::duration_cast<std::chrono::seconds>(Passed).count();
    if (Passed >= Patience && Seconds != Shown) {
      Shown = Seconds;
      show(formatv("graupel-bolt: {0}, {1} s", Current->load(), Seconds).str());
    }
    std::this_thread::sleep_for(Tick);
  }
}
