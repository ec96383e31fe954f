//===- Launch/Started.cpp - A program that has just started ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Started.h"
#include <climits>
#include <fstream>
#include <iterator>
#include <sstream>
#include <unistd.h>

using namespace graupel::environment;

static std::string folderOf(pid_t Process) {
  char Folder[PATH_MAX];
  const std::string Link = "/proc/" + std::to_string(Process) + "/cwd";
  const ssize_t Size = readlink(Link.c_str(), Folder, sizeof(Folder));
  return std::string(Folder, size_t(Size > 0 ? Size : 0));
}

// The name of the program, in parentheses, may have any letters.
pid_t graupel::environment::parentOf(pid_t Process) {
  std::ifstream File("/proc/" + std::to_string(Process) + "/stat");
  const std::string Text(std::istreambuf_iterator<char>(File), {});
  pid_t Parent = 0;
  char State;
  if (const size_t End = Text.rfind(')'); End != Text.npos)
    std::istringstream(Text.substr(End + 1)) >> State >> Parent;
  return Parent;
}

Started Started::read(pid_t Process) {
  Started Program;
  Program.Folder = folderOf(Process);
  if (Program.Folder.empty())
    return Program;
  std::ifstream File("/proc/" + std::to_string(Process) + "/cmdline",
                     std::ios::binary);
  const std::string Text(std::istreambuf_iterator<char>(File), {});
  for (size_t At = 0; At < Text.size();) {
    Program.Words.push_back(Text.c_str() + At);
    At += Program.Words.back().size() + 1;
  }
  return Program;
}
