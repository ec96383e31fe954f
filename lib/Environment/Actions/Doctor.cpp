//===- Actions/Doctor.cpp - What this machine can do ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Doctor.h"
#include "Environment/Environment.h"
#include "Environment/Optimizer/Optimizer.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace graupel::environment;
using Grade = Finding::Grade;

static std::string readSetting(const char *Path) {
  auto Buffer = MemoryBuffer::getFileAsStream(Path);
  return Buffer ? (*Buffer)->getBuffer().trim().str() : "";
}

static void examineOptimizer(std::vector<Finding> &To) {
  if (Expected<Optimizer> O = Optimizer::find())
    To.push_back({Grade::Good, "graupel-bolt is " + O->path(), ""});
  else
    To.push_back({Grade::Bad, toString(O.takeError()),
                  "install graupel-bolt beside graupel"});
}

static void examineFileSystem(const std::string &Folder,
                              std::vector<Finding> &To) {
  struct statfs Facts;
  if (statfs(Folder.c_str(), &Facts) != 0)
    return;
  constexpr long Network[] = {0x6969, 0xff534d42, 0x517b, 0x01021997};
  for (long Type : Network)
    if (Facts.f_type == Type)
      To.push_back({Grade::Bad,
                    Folder + " is on a network file system, where databases "
                             "get damaged",
                    "set XDG_STATE_HOME to a folder of a local disk"});
  const double Free =
      double(Facts.f_bavail) * double(Facts.f_bsize) / (1 << 30);
  if (Free < 1)
    To.push_back({Grade::Limited, "less than 1 GB is free in " + Folder,
                  "free some space; `graupel gc` may help"});
}

static void examineState(std::vector<Finding> &To) {
  Expected<Locations> L = Locations::find();
  if (!L) {
    To.push_back({Grade::Bad, toString(L.takeError()), "set XDG_STATE_HOME"});
    return;
  }
  const bool Exists = access(L->Database.c_str(), F_OK) == 0;
  if (!Exists) {
    To.push_back({Grade::Good,
                  "the database will be " + L->Database + "; there is none yet",
                  ""});
    return;
  }
  if (access(L->State.c_str(), W_OK) != 0)
    To.push_back({Grade::Limited,
                  L->State + " cannot be written: programs run, but nothing is "
                             "counted or made",
                  "check its rights, or mount it writable"});
  Expected<std::unique_ptr<Environment>> E =
      Environment::open(*L, Access::ReadOnly);
  if (!E) {
    To.push_back(
        {Grade::Bad, "the database does not open", toString(E.takeError())});
    return;
  }
  Statement Check((*E)->database(), "PRAGMA integrity_check");
  const std::string Answer = Check.next() ? Check.text(0) : "";
  if (Answer == "ok")
    To.push_back(
        {Grade::Good, "the database " + L->Database + " is sound", ""});
  else
    To.push_back({Grade::Bad, "the database is damaged: " + Answer,
                  "move " + L->Database + " away, and register again"});
  examineFileSystem(L->State, To);
}

/// What a child may do: 0, or the error of the first step that failed in the
/// upper bits of the exit status.
enum class Step { Done, Namespace, UserNamespace, Mount };

static Step tryNamespaces(int &Code) {
  int Pipe[2];
  if (pipe2(Pipe, O_CLOEXEC) != 0)
    return Step::Namespace;
  const pid_t Child = fork();
  if (Child == 0) {
    int Answer[2] = {int(Step::Done), 0};
    if (unshare(CLONE_NEWNS) != 0 &&
        unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) {
      Answer[0] = int(Step::UserNamespace);
      Answer[1] = errno;
    } else if (mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) != 0 ||
               mount("/etc", "/etc", nullptr, MS_BIND, nullptr) != 0) {
      Answer[0] = int(Step::Mount);
      Answer[1] = errno;
    }
    _exit(write(Pipe[1], Answer, sizeof(Answer)) == sizeof(Answer) ? 0 : 1);
  }
  close(Pipe[1]);
  int Answer[2] = {int(Step::Namespace), errno};
  const bool Got = read(Pipe[0], Answer, sizeof(Answer)) == sizeof(Answer);
  close(Pipe[0]);
  if (Child > 0)
    waitpid(Child, nullptr, 0);
  Code = Answer[1];
  return Got ? Step(Answer[0]) : Step::Namespace;
}

/// The setting that forbids namespaces, as far as it can be found.
static std::string whoForbids(int Code) {
  if (readSetting("/proc/sys/user/max_user_namespaces") == "0")
    return "allow them: sysctl user.max_user_namespaces=10000";
  if (readSetting("/proc/sys/kernel/unprivileged_userns_clone") == "0")
    return "allow them: sysctl kernel.unprivileged_userns_clone=1";
  if (readSetting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") ==
      "1")
    return "allow them: sysctl "
           "kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor "
           "profile for graupel with `userns,`";
  if (Code == ENOSPC)
    return "too many are nested; run graupel outside of some";
  return "a container or its seccomp filter forbids them: start it with "
         "CAP_SYS_ADMIN (docker run --cap-add SYS_ADMIN --security-opt "
         "seccomp=unconfined), or run graupel outside";
}

static void examineNamespaces(std::vector<Finding> &To) {
  int Code = 0;
  const Step Failed = tryNamespaces(Code);
  if (Failed == Step::Done) {
    To.push_back({Grade::Good,
                  geteuid() == 0
                      ? "images can be put in place of their originals"
                      : "images can be put in place of their originals, in a "
                        "namespace of yours; programs with set-uid run without "
                        "it there",
                  ""});
    return;
  }
  To.push_back(
      {Grade::Bad,
       std::string("images cannot be put in place of their "
                   "originals: ") +
           (Failed == Step::Mount ? "mounting" : "making a namespace") +
           " failed: " + strerror(Code),
       whoForbids(Code) + "; `graupel export` works without"});
}

static void examineMachineItself(std::vector<Finding> &To) {
  utsname Name;
  uname(&Name);
  if (strcmp(Name.machine, "x86_64") != 0)
    To.push_back({Grade::Bad,
                  std::string("this is ") + Name.machine +
                      "; programs for x86-64 can be instrumented",
                  "use such a machine"});
  else
    To.push_back(
        {Grade::Good, std::string("Linux ") + Name.release + " on x86-64", ""});
}

std::vector<Finding> graupel::environment::examineMachine() {
  std::vector<Finding> All;
  examineMachineItself(All);
  examineOptimizer(All);
  examineState(All);
  examineNamespaces(All);
  return All;
}
