//===- profile/Owner.cpp - Owners of slots, and whether they live ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Owner.h"
#include "ProcFile.h"
#include "Text.h"

using namespace graupel;

namespace {

/// 0 if unknown.
uint64_t readBoot() {
  ByteStream In("/proc/sys/kernel/random/boot_id");
  uint64_t Value = 0;
  for (int Digits = 0; Digits < 16;) {
    const int C = In.next();
    if (C == -1)
      return 0;
    if (C == '-')
      continue;
    Value =
        Value << 4 | static_cast<uint64_t>(C <= '9' ? C - '0' : C - 'a' + 10);
    ++Digits;
  }
  return Value;
}

} // namespace

void graupel::identify(Runtime &R) {
  graupel_slot_owner &Self = R.Self;
  Self.pid = static_cast<uint64_t>(sys::getpid());
  if (!Self.boot)
    Self.boot = readBoot();

  struct stat Namespace;
  const bool Known = sys::stat("/proc/self/ns/pid", Namespace) == 0;
  Self.pid_namespace = Known ? Namespace.st_ino : 0;

  ProcessStatus Status;
  const bool Readable = readStatus("/proc/self/stat", Status);
  Self.start_time = Readable ? Status.StartTime : 0;
  // Otherwise /proc was mounted in an outer namespace, and /proc/PID would be
  // somebody else.
  R.ProcIsOurs = Readable && Status.PID == Self.pid;
}

bool OwnerJudge::isOurs(const graupel_slot_owner &Owner) const {
  return Owner.pid == R.Self.pid && Owner.start_time == R.Self.start_time &&
         Owner.pid_namespace == R.Self.pid_namespace &&
         Owner.boot == R.Self.boot;
}

bool OwnerJudge::isFree(const graupel_slot_owner &Owner) {
  if (!Owner.pid)
    return true;
  if (!Owner.boot || !R.Self.boot)
    return false;
  if (Owner.boot != R.Self.boot)
    return true;
  if (!Owner.pid_namespace || Owner.pid_namespace != R.Self.pid_namespace)
    return false;
  if (Owner.pid != LastPID || Owner.start_time != LastStart) {
    LastPID = Owner.pid;
    LastStart = Owner.start_time;
    LastDead = isDead(Owner);
  }
  return LastDead;
}

bool OwnerJudge::isDead(const graupel_slot_owner &Owner) const {
  if (Owner.pid == R.Self.pid)
    return R.ProcIsOurs && Owner.start_time != R.Self.start_time;
  if (sys::call(__NR_kill, static_cast<long>(Owner.pid), 0) == -ESRCH)
    return true;
  if (!R.ProcIsOurs)
    return false;

  char Path[40];
  TextWriter Writer(Path, sizeof(Path));
  Writer.put("/proc/");
  Writer.putDecimal(Owner.pid);
  Writer.put("/stat");
  ProcessStatus Status;
  // It may also be hidden from us (hidepid).
  if (!readStatus(Path, Status))
    return false;
  if (Owner.start_time && Status.StartTime != Owner.start_time)
    return true;
  // The first thread may have ended while others go on.
  return (Status.State == 'Z' || Status.State == 'X') &&
         Status.ThreadCount <= 1;
}
