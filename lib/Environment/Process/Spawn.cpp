//===- Process/Spawn.cpp - The start and the end of a child ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Spawn.h"
#include <cerrno>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace graupel::environment;

std::vector<char *>
graupel::environment::argumentsOf(ArrayRef<std::string> Command) {
  std::vector<char *> Arguments;
  for (const std::string &Word : Command)
    Arguments.push_back(const_cast<char *>(Word.c_str()));
  Arguments.push_back(nullptr);
  return Arguments;
}

Spawn::Spawn() {
  posix_spawn_file_actions_init(&Files);
  posix_spawnattr_init(&Attributes);
}

Spawn::~Spawn() {
  posix_spawnattr_destroy(&Attributes);
  posix_spawn_file_actions_destroy(&Files);
}

void Spawn::add(short Flag) {
  short Flags = 0;
  posix_spawnattr_getflags(&Attributes, &Flags);
  posix_spawnattr_setflags(&Attributes, short(Flags | Flag));
}

void Spawn::open(int File, const char *Path, int OpenFlags) {
  posix_spawn_file_actions_addopen(&Files, File, Path, OpenFlags, 0);
}

void Spawn::pass(int Ours, int File) {
  posix_spawn_file_actions_adddup2(&Files, Ours, File);
}

void Spawn::setSignalMask(const sigset_t &Mask) {
  posix_spawnattr_setsigmask(&Attributes, &Mask);
  add(POSIX_SPAWN_SETSIGMASK);
}

void Spawn::setDefault(const sigset_t &Signals) {
  posix_spawnattr_setsigdefault(&Attributes, &Signals);
  add(POSIX_SPAWN_SETSIGDEF);
}

void Spawn::leadGroup() { add(POSIX_SPAWN_SETPGROUP); }

int Spawn::start(ArrayRef<std::string> Command, pid_t &Child) const {
  return posix_spawn(&Child, Command[0].c_str(), &Files, &Attributes,
                     argumentsOf(Command).data(), environ);
}

int Spawn::startFromPath(ArrayRef<std::string> Command, pid_t &Child) const {
  return posix_spawnp(&Child, Command[0].c_str(), &Files, &Attributes,
                      argumentsOf(Command).data(), environ);
}

std::optional<int> graupel::environment::waitForEnd(pid_t Child) {
  int Status = 0;
  pid_t Ended;
  while ((Ended = waitpid(Child, &Status, 0)) < 0 && errno == EINTR)
    ;
  if (Ended < 0)
    return std::nullopt;
  return Status;
}
