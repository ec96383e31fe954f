//===- Build/Linker.cpp - The wrapper of a linker -------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. The linker that would have run is found. If no build runs, or nothing
//      that can be optimized results, this process becomes it.
//   2. It runs with the altered arguments, and what it says is kept back.
//   3. If that fails it runs as it was asked to, and all that is said is what
//      it says then: nobody sees an error that he would not have seen without
//      us. If it works then, the link is noted without relocations.
//   4. An output that was to be stripped is copied unstripped into the state
//      folder, and stripped in its place. So a build sees the output that it
//      has asked for.
//   5. The link is noted. If that cannot be, the output is found by its
//      relocations later: a build never fails because of us.
//
//===----------------------------------------------------------------------===//

#include "Linker.h"
#include "Environment/Process/Child.h"
#include "Environment/Process/Random.h"
#include "Environment/Process/Spawn.h"
#include "Environment/Substitution/Substitution.h"
#include "Links.h"
#include "RealLinker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace graupel::build;

/// Returns only if it cannot.
static int become(const std::string &Linker, std::vector<std::string> Words) {
  Words.insert(Words.begin(), Linker);
  execv(Linker.c_str(), graupel::environment::argumentsOf(Words).data());
  fprintf(stderr, "%s: %s\n", Linker.c_str(), strerror(errno));
  return 127;
}

/// Runs a linker to its end; what waitpid says. Errors go to a file, if one is
/// given.
static int run(const std::string &Linker, std::vector<std::string> Words,
               int Errors) {
  Words.insert(Words.begin(), Linker);
  graupel::environment::Spawn Start;
  if (Errors >= 0)
    Start.pass(Errors, STDERR_FILENO);
  // The status if the end of the process is not known.
  constexpr int Failed = 127 << 8;
  pid_t Child = 0;
  if (Start.start(Words, Child))
    return Failed;
  return graupel::environment::waitForEnd(Child).value_or(Failed);
}

static int endAs(int Status) {
  if (!WIFSIGNALED(Status))
    return WEXITSTATUS(Status);
  signal(WTERMSIG(Status), SIG_DFL);
  raise(WTERMSIG(Status));
  return 128 + WTERMSIG(Status);
}

static std::string readAll(int File) {
  std::string Text;
  char Buffer[1 << 14];
  ssize_t Got;
  lseek(File, 0, SEEK_SET);
  while ((Got = read(File, Buffer, sizeof(Buffer))) > 0)
    Text.append(Buffer, size_t(Got));
  return Text;
}

namespace {

/// One link of a build.
class BuildLink {
public:
  BuildLink(StringRef State, const std::string &Linker,
            ArrayRef<std::string> Arguments, const LinkCommand &C)
      : State(State), C(C) {
    L.Linker = Linker;
    L.Arguments.assign(Arguments.begin(), Arguments.end());
    SmallString<256> Path;
    if (!sys::fs::current_path(Path))
      L.Folder = std::string(Path);
    sys::path::append(Path, C.Output);
    L.Output = sys::path::is_absolute(C.Output) ? C.Output : std::string(Path);
    L.Time = time(nullptr);
    L.Asked = C.Asked;
  }

  int run();

private:
  bool strip();
  void noteIt();

  const std::string State;
  const LinkCommand &C;
  Link L;
};

} // namespace

/// Keeps the output as it is and strips it in its place.
bool BuildLink::strip() {
  // Not by the name of the output: it may be renamed, and linked again.
  const std::string Kept =
      State + "/unstripped/" + graupel::environment::randomHex(8);
  ErrorOr<std::string> Program = sys::findProgramByName("strip");
  for (const char *Other : {"llvm-strip", "eu-strip"})
    if (!Program)
      Program = sys::findProgramByName(Other);
  if (!Program || sys::fs::copy_file(L.Output, Kept))
    return false;
  auto Child = graupel::environment::runChild(
      {*Program, stripOption(C.Asked).str(), L.Output});
  if (!Child) {
    consumeError(Child.takeError());
    return false;
  }
  L.Unstripped = Kept;
  return Child->Status == 0;
}

void BuildLink::noteIt() {
  struct stat Status;
  // Tests of a configure script may link to devices.
  if (stat(L.Output.c_str(), &Status) != 0 || !S_ISREG(Status.st_mode))
    return;
  L.Identity = graupel::environment::FileIdentity::of(Status);
  consumeError(note(State, L));
}

int BuildLink::run() {
  const int Errors = memfd_create("errors", MFD_CLOEXEC);
  int Status = ::run(L.Linker, C.Altered, Errors);
  const std::string Said = Errors >= 0 ? readAll(Errors) : "";
  if (WIFSIGNALED(Status))
    return endAs(Status);
  if (Status == 0 && C.Asked == Strip::All && !strip()) {
    Status = 1;
    L.Unstripped.clear();
    L.Without = "it was to be stripped, and strip (binutils) does not work";
  }
  if (Status == 0) {
    fwrite(Said.data(), 1, Said.size(), stderr);
    noteIt();
    return 0;
  }
  if (L.Without.empty())
    L.Without = "its linker fails with --emit-relocs: " +
                StringRef(Said).trim().split('\n').first.str();
  Status = ::run(L.Linker, L.Arguments, -1);
  if (Status == 0)
    noteIt();
  return endAs(Status);
}

int graupel::build::linkAs(StringRef Argument0,
                           ArrayRef<std::string> Arguments) {
  const Invocation I = Invocation::ofThisProcess(Argument0);
  sys::fs::file_status Ours;
  (void)sys::fs::status("/proc/self/exe", Ours);
  const std::string Linker = findLinker(I, [&](const std::string &Path) {
    sys::fs::file_status Status;
    return sys::fs::can_execute(Path) && !sys::fs::status(Path, Status) &&
           !sys::fs::equivalent(Ours, Status);
  });
  if (Linker.empty()) {
    fprintf(stderr, "%s: not found in PATH; install it\n",
            wantedLinker(I).c_str());
    return 127;
  }
  const char *State = getenv(StateVariable);
  const LinkCommand C = readLinkCommand(
      Arguments, [](StringRef Path) -> std::optional<std::string> {
        auto Buffer = MemoryBuffer::getFile(Path);
        if (!Buffer)
          return std::nullopt;
        return (*Buffer)->getBuffer().str();
      });
  if (!State || !*State || !C.MakesImage || C.Output == "/dev/null" ||
      access(State, W_OK) != 0)
    return become(Linker, Arguments.vec());
  graupel::substitution::hearOfChildren();
  return BuildLink(State, Linker, Arguments, C).run();
}
