//===- unit/environment/CrashTest.cpp ------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Processes that work on one database and are killed. GRAUPEL_SOAK=1 in the
// environment makes it the long run: 200 processes, 50 rounds.
//
//===----------------------------------------------------------------------===//

#include "../Random.h"
#include "Environment/Actions/Profiles.h"
#include "Folder.h"
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace graupel::environment;
using namespace graupel::test;
using llvm::cantFail;

namespace {

const std::string Content(64, 'd');

/// Merges files of one count each, and says of each, through a pipe, that it is
/// in the database. Killed at any moment.
[[noreturn]] void work(const Locations &L, const std::string &Name, int Files,
                       int Done) {
  auto E = Environment::open(L, Access::ReadWrite);
  if (!E) {
    fprintf(stderr, "%s\n", llvm::toString(E.takeError()).c_str());
    _exit(1);
  }
  for (int I = 0; I < Files; ++I) {
    auto Result = mergeProfile(**E, Content, Name + "." + std::to_string(I),
                               countersFile(1), 0);
    if (!Result) {
      fprintf(stderr, "%s\n", llvm::toString(Result.takeError()).c_str());
      _exit(1);
    }
    if (write(Done, "x", 1) != 1)
      _exit(1);
  }
  _exit(0);
}

struct Soak {
  int Processes, Rounds, Files;
};

Soak size() {
  return getenv("GRAUPEL_SOAK") ? Soak{200, 50, 4} : Soak{12, 6, 4};
}

/// One round: how many files were said to be merged.
int64_t round(const Folder &F, const Soak &S, int Number, Random &Numbers,
              int &Failures) {
  int Pipe[2];
  EXPECT_EQ(pipe(Pipe), 0);
  std::vector<pid_t> Children;
  for (int I = 0; I < S.Processes; ++I)
    if (const pid_t Child = fork(); Child == 0) {
      close(Pipe[0]);
      work(F.locations(), std::to_string(Number) + "." + std::to_string(I),
           S.Files, Pipe[1]);
    } else {
      Children.push_back(Child);
    }
  close(Pipe[1]);
  for (pid_t Child : Children)
    if (Numbers.oneIn(2)) {
      usleep(useconds_t(Numbers.below(8000)));
      kill(Child, SIGKILL);
    }
  int64_t Said = 0;
  char Buffer[512];
  ssize_t Got;
  while ((Got = read(Pipe[0], Buffer, sizeof(Buffer))) > 0)
    Said += Got;
  close(Pipe[0]);
  for (pid_t Child : Children) {
    int Status = 0;
    waitpid(Child, &Status, 0);
    Failures += !WIFSIGNALED(Status) && WEXITSTATUS(Status) != 0;
  }
  return Said;
}

TEST(Crash, NothingIsLostOrCountedTwice) {
  const uint64_t Seed = getenv("GRAUPEL_SEED")
                            ? strtoull(getenv("GRAUPEL_SEED"), nullptr, 0)
                            : uint64_t(getpid());
  SCOPED_TRACE("GRAUPEL_SEED=" + std::to_string(Seed));
  Random Numbers(Seed);
  Folder F;
  F.open();
  const Soak S = size();
  int64_t Said = 0, Killed = 0;
  int Failures = 0;
  for (int I = 0; I < S.Rounds; ++I)
    Said += round(F, S, I, Numbers, Failures);
  EXPECT_EQ(Failures, 0);
  auto E = F.open();
  Statement Check(E->database(), "PRAGMA integrity_check");
  ASSERT_TRUE(Check.next());
  EXPECT_EQ(Check.text(0), "ok");
  Statement Merged(E->database(), "SELECT count(*) FROM merged");
  ASSERT_TRUE(Merged.next());
  // Counts and the notes of them are one thing.
  const int64_t Noted = Merged.integer(0);
  EXPECT_EQ(int64_t(counted(*E, Content)), Noted);
  // Who was killed had said all but at most the last one.
  Killed = int64_t(S.Processes) * S.Rounds;
  EXPECT_GE(Noted, Said);
  EXPECT_LE(Noted, Said + Killed);
  // Those who were killed do it again, as the next collector does.
  for (int R = 0; R < S.Rounds; ++R)
    for (int P = 0; P < S.Processes; ++P)
      for (int I = 0; I < S.Files; ++I)
        cantFail(mergeProfile(*E, Content,
                              std::to_string(R) + "." + std::to_string(P) +
                                  "." + std::to_string(I),
                              countersFile(1), 0));
  EXPECT_EQ(int64_t(counted(*E, Content)),
            int64_t(S.Rounds) * S.Processes * S.Files);
}

TEST(Crash, TheFirstOpeningsAreOneMigration) {
  for (int I = 0; I < 20; ++I) {
    Folder F;
    std::vector<pid_t> Children;
    for (int C = 0; C < 8; ++C)
      if (const pid_t Child = fork(); Child == 0) {
        auto E = Environment::open(F.locations(), Access::ReadWrite);
        if (!E)
          fprintf(stderr, "%s\n", llvm::toString(E.takeError()).c_str());
        _exit(!E);
      } else {
        Children.push_back(Child);
      }
    kill(Children[size_t(I) % Children.size()], SIGKILL);
    int Failures = 0;
    for (pid_t Child : Children) {
      int Status = 0;
      waitpid(Child, &Status, 0);
      Failures += !WIFSIGNALED(Status) && WEXITSTATUS(Status) != 0;
    }
    EXPECT_EQ(Failures, 0);
    EXPECT_TRUE(F.open() != nullptr);
  }
}

} // namespace
