//===- Namespace.h - Mounts of one command -------------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_SUBSTITUTION_NAMESPACE_H
#define GRAUPEL_ENVIRONMENT_SUBSTITUTION_NAMESPACE_H

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>

namespace graupel::substitution {

/// A mount namespace for this process and its children. A user who may not make
/// one gets a user namespace with it, which maps users to themselves. The
/// process must have one thread.
class PrivateMounts {
public:
  /// Returns what is wrong and what to do, as a sentence; then nothing has
  /// changed unless the kernel took back what it had allowed.
  std::optional<std::string> enter();
  /// To be called when all mounts are made: the command shall have no rights
  /// that it would not have had without them.
  void dropRights();
  /// Set-user-id programs do not change the user in a user namespace.
  bool isUserNamespace() const { return OwnUsers; }

private:
  bool OwnUsers = false;
  uint64_t BoundingSet = 0;
};

/// In a new user namespace, who this user and group are. Programs that look who
/// they are shall see what they always saw.
bool mapOnly(uid_t User, gid_t Group);

} // namespace graupel::substitution

#endif
