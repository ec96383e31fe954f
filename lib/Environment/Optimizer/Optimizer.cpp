//===- Optimizer/Optimizer.cpp - graupel-bolt as a child ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Optimizer.h"
#include "Environment/Process/Beside.h"
#include "Environment/Store/FileIdentity.h"
#include "llvm/Support/Program.h"
#include <csignal>

using namespace llvm;
using namespace graupel::environment;

static std::string findPath() {
  std::string Beside = findProgramBeside("graupel-bolt");
  if (!Beside.empty())
    return Beside;
  ErrorOr<std::string> InPath = sys::findProgramByName("graupel-bolt");
  return InPath ? *InPath : "";
}

Expected<Optimizer> Optimizer::find() {
  Optimizer O;
  O.Path = findPath();
  if (O.Path.empty())
    return createStringError("graupel-bolt is neither beside this command nor "
                             "in PATH; install Graupel again");
  Expected<FileIdentity> File = FileIdentity::of(O.Path);
  if (!File)
    return File.takeError();
  O.Identity = sha256(std::to_string(File->Size) + " " +
                      std::to_string(File->ModifyTime))
                   .substr(0, 16);
  return O;
}

std::string graupel::environment::failureIn(StringRef Output, int Status) {
  SmallVector<StringRef> Lines;
  Output.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines)
    if (const size_t At = Line.find("graupel-bolt: error: ");
        At != StringRef::npos)
      return Line.substr(At + 21).str();
  const std::string Last = Lines.empty() ? "" : ": " + Lines.back().str();
  if (Status > 128)
    return "graupel-bolt was ended by signal " + std::to_string(Status - 128) +
           Last + "; please report this";
  return "graupel-bolt failed with status " + std::to_string(Status) + Last +
         "; please report this";
}

Expected<Optimizer::Outcome>
Optimizer::run(ArrayRef<std::string> Arguments) const {
  std::vector<std::string> Command{Path};
  Command.insert(Command.end(), Arguments.begin(), Arguments.end());
  Expected<ChildOutcome> Child = runChild(Command);
  if (!Child)
    return Child.takeError();
  Outcome Result;
  Result.Seconds = Child->Seconds;
  Result.Output = Child->Output;
  if (!Child->Status)
    return Result;
  Result.Failure = failureIn(Child->Output, Child->Status);
  if (StringRef(Result.Failure).contains("No space left"))
    Result.Failure = "the disk is full; free some space, `graupel gc` may help";
  // Neither a full disk, nor no memory, nor somebody who kills.
  const StringRef Text = Result.Failure;
  Result.IsLasting =
      Child->Status != 128 + SIGKILL && Child->Status != 128 + SIGTERM &&
      Child->Status != 128 + SIGINT && !Text.contains("cannot write") &&
      !Text.contains("the disk is full") && !Text.contains("out of memory");
  return Result;
}
