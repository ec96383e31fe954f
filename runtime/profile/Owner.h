//===- profile/Owner.h - Whether a slot's owner lives -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILE_OWNER_H
#define GRAUPEL_PROFILE_OWNER_H

#include "Runtime.h"

namespace graupel {

/// Identifies this process: at the start, and in the child of a fork.
void identify(Runtime &R);

/// Judges owners of slots. Slots of one process follow each other, so the last
/// judgment is remembered.
class OwnerJudge {
public:
  explicit OwnerJudge(const Runtime &R) : R(R) {}

  /// Whether the slot can be taken over. Slots of this process are not free.
  bool isFree(const graupel_slot_owner &Owner);
  bool isOurs(const graupel_slot_owner &Owner) const;

private:
  bool isDead(const graupel_slot_owner &Owner) const;

  const Runtime &R;
  uint64_t LastPID = 0;
  uint64_t LastStart = 0;
  bool LastDead = false;
};

} // namespace graupel

#endif // GRAUPEL_PROFILE_OWNER_H
