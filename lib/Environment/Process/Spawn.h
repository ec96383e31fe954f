//===- Process/Spawn.h - The start and the end of a child --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_PROCESS_SPAWN_H
#define GRAUPEL_ENVIRONMENT_PROCESS_SPAWN_H

#include "llvm/ADT/ArrayRef.h"
#include <csignal>
#include <optional>
#include <spawn.h>
#include <string>
#include <sys/types.h>
#include <vector>

namespace graupel::environment {

/// The words of a command as exec takes them. They are those of \p Command,
/// which has to live as long.
std::vector<char *> argumentsOf(llvm::ArrayRef<std::string> Command);

/// A child that is about to be started: its files and signals. What is not said
/// is as in this process.
class Spawn {
public:
  Spawn();
  Spawn(const Spawn &) = delete;
  ~Spawn();

  void open(int File, const char *Path, int OpenFlags);
  /// The child's \p File is this process's \p Ours.
  void pass(int Ours, int File);
  void setSignalMask(const sigset_t &Mask);
  void setDefault(const sigset_t &Signals);
  /// Ctrl-C in this one is not for the child.
  void leadGroup();

  /// Starts the file that the first word names. Returns 0 or an error number.
  int start(llvm::ArrayRef<std::string> Command, pid_t &Child) const;
  /// The same of a name that is looked up in PATH.
  int startFromPath(llvm::ArrayRef<std::string> Command, pid_t &Child) const;

private:
  posix_spawn_file_actions_t Files;
  posix_spawnattr_t Attributes;
  void add(short Flag);
};

/// Waits for a child, and returns what waitpid says of its end. Nothing, with
/// errno, if nobody tells, as where SIGCHLD is ignored.
std::optional<int> waitForEnd(pid_t Child);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_PROCESS_SPAWN_H
