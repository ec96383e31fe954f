//===- agent/Namespaces.cpp - Namespaces of the originals -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Namespaces.h"
#include "profile/Syscall.h"
#include <linux/capability.h>
#include <linux/limits.h>
#include <linux/prctl.h>
#include <linux/sched.h>

using namespace graupel;

namespace {

constexpr int SocketLevel = 1, Descriptors = 1, CloseOnExec = 0x40000000;

/// As the kernel has them: struct msghdr, and struct cmsghdr with its data.
struct Message {
  void *Name;
  int NameSize;
  iovec *Parts;
  size_t PartCount;
  void *Control;
  size_t ControlSize;
  unsigned Flags;
};
struct ControlMessage {
  size_t Size;
  int Level, Type;
  int Files[2];
};

/// Capabilities of this process, and the bounds for programs that it starts.
class Capabilities {
public:
  Capabilities() {
    sys::call(__NR_capget, sys::word(&Header), sys::word(Sets));
    for (int C = 0; C < 64; ++C)
      if (sys::call(__NR_prctl, PR_CAPBSET_READ, C) == 1)
        Bounds |= uint64_t(1) << C;
  }
  void restore() {
    for (int C = 0; C < 64; ++C)
      if (!(Bounds >> C & 1))
        sys::call(__NR_prctl, PR_CAPBSET_DROP, C);
    sys::call(__NR_capset, sys::word(&Header), sys::word(Sets));
  }

private:
  __user_cap_header_struct Header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct Sets[_LINUX_CAPABILITY_U32S_3] = {};
  uint64_t Bounds = 0;
};

bool joinMounts(int Mounts) {
  char Folder[PATH_MAX];
  if (sys::call(__NR_getcwd, sys::word(Folder), sizeof(Folder)) <= 0 ||
      sys::call(__NR_setns, Mounts, CLONE_NEWNS))
    return false;
  sys::call(__NR_chdir, sys::word(Folder));
  return true;
}

} // namespace

void graupel::receive(int File, char &Answer, Namespaces *Received) {
  iovec Part = {&Answer, 1};
  ControlMessage Control = {};
  Message M = {};
  M.Parts = &Part;
  M.PartCount = 1;
  M.Control = Received ? &Control : nullptr;
  M.ControlSize = Received ? sizeof(Control) : 0;
  if (sys::retry(__NR_recvmsg, File, sys::word(&M), CloseOnExec) != 1 ||
      M.ControlSize < sizeof(Control) - sizeof(int) ||
      Control.Level != SocketLevel || Control.Type != Descriptors)
    return;
  Received->Mounts = Control.Files[0];
  if (Control.Size >= sizeof(Control))
    Received->Users = Control.Files[1];
}

bool graupel::join(const Namespaces &N) {
  bool Joined = false;
  if (N.Users < 0) {
    Joined = joinMounts(N.Mounts);
  } else {
    Capabilities Own;
    if (sys::call(__NR_setns, N.Users, CLONE_NEWUSER) == 0) {
      Joined = joinMounts(N.Mounts);
      Own.restore();
    }
    sys::close(N.Users);
  }
  sys::close(N.Mounts);
  return Joined;
}
