//===- environment/place.cpp - Substitution without a database ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   place know ORIGINAL IMAGE >> FILE    a line of what both are now
//   place run FILE COMMAND...            with the images of FILE in place
//
//===----------------------------------------------------------------------===//

#include "Environment/Substitution/Substitution.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>

using namespace graupel::substitution;

static std::ostream &operator<<(std::ostream &To, const FileIdentity &F) {
  return To << F.Device << ' ' << F.Inode << ' ' << F.Size << ' ' << F.Modified
            << ' ' << F.Changed;
}

static std::istream &operator>>(std::istream &From, FileIdentity &F) {
  return From >> F.Device >> F.Inode >> F.Size >> F.Modified >> F.Changed;
}

static int know(const std::string &Original, const std::string &Image) {
  auto A = identityOf(Original), B = identityOf(Image);
  if (!A || !B)
    return 1;
  std::cout << Original << ' ' << *A << ' ' << Image << ' ' << *B << '\n';
  return 0;
}

static int run(const char *File, const std::vector<std::string> &Command) {
  Substitution S;
  if (auto Wrong = S.begin()) {
    std::cerr << "place: error: " << *Wrong << '\n';
    return 125;
  }
  std::ifstream Lines(File);
  Replacement R;
  while (Lines >> R.Original >> R.OriginalIdentity >> R.Image >>
         R.ImageIdentity)
    if (auto Left = S.place(R))
      std::cerr << "place: warning: " << Left->Original << ": " << Left->Why
                << '\n';
  Lines.close();
  S.finish();
  const int Status = become(Command);
  std::cerr << "place: error: " << Command[0] << ": " << strerror(errno)
            << '\n';
  return Status;
}

int main(int Argc, char **Argv) {
  const std::string Action = Argc > 3 ? Argv[1] : "";
  if (Action == "know")
    return know(Argv[2], Argv[3]);
  if (Action == "run")
    return run(Argv[2], {Argv + 3, Argv + Argc});
  return 1;
}
