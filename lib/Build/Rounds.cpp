//===- Build/Rounds.cpp - Training before and after -----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. Rounds and their order are those of `graupel measure`. Files change
//      places between runs, and only the command is timed.
//   2. The first run that ends with another status ends all: the files that it
//      ran with are not what they should be, or it cannot be repeated.
//
//===----------------------------------------------------------------------===//

#include "Rounds.h"
#include "Command.h"
#include "Environment/Launch/Measure.h"
#include <chrono>
#include <ctime>

using namespace llvm;
using namespace graupel::build;
using namespace graupel::environment;

static Expected<RunTime>
runOnce(const std::string &Command, int Status, bool IsOptimized,
        const std::map<std::string, std::string> &Variables) {
  using Clock = std::chrono::steady_clock;
  const auto Begin = Clock::now();
  const CommandEnd End = runCommand(
      {"sh", "-c", "exec > /dev/null 2>&1 < /dev/null\n" + Command}, Variables);
  const std::chrono::duration<double> Wall = Clock::now() - Begin;
  if (End.Status != Status)
    return createStringError(
        "the training command ends with status " + std::to_string(End.Status) +
        (IsOptimized ? " with optimized files" : " when it runs again") +
        "; all is as it was linked");
  return RunTime{Wall.count(), End.UserSeconds + End.SystemSeconds};
}

Expected<Measurement> graupel::build::measureInPlace(
    Places &InPlace, ArrayRef<Replacement> Optimized,
    const std::string &Command, int Status,
    const std::map<std::string, std::string> &Variables) {
  Measurement Result;
  Result.Command = Command;
  Result.At = time(nullptr);
  auto run = [&](bool IsOptimized) -> Expected<RunTime> {
    SignalsHeld Held;
    if (IsOptimized)
      if (Error Err = InPlace.put(Optimized))
        return std::move(Err);
    Expected<RunTime> Time = runOnce(Command, Status, IsOptimized, Variables);
    if (auto Back = InPlace.restoreTemporary(); !Back) {
      consumeError(Time.takeError());
      return Back.takeError();
    }
    return Time;
  };
  for (unsigned Number = 0; Number < LeastRounds; ++Number) {
    Expected<Round> Done = runRound(run, Number);
    if (!Done)
      return Done.takeError();
    Result.Rounds.push_back(*Done);
  }
  return Result;
}
