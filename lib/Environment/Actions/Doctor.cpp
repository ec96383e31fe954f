//===- Actions/Doctor.cpp - Checks what this machine supports -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks for everything that may be missing on this machine. Each function tries
// what commands are going to do, and adds what it found with a grade and a
// remedy. In the order of examineMachine:
//
// 1. examineMachineItself looks at the architecture.
// 2. examineOptimizer looks for graupel-bolt.
// 3. examineState finds the user's folders, opens the database, checks its
//    integrity and looks at its file system.
// 4. examineMounts tries a mount namespace. A process cannot leave it again, so
//    a child enters it and answers through a pipe.
// 5. examineSampling looks for perf and an event to sample.
// 6. toJSON writes the findings for programs.
//
//===----------------------------------------------------------------------===//

#include "Doctor.h"
#include "Environment/Environment.h"
#include "Environment/Optimizer/Optimizer.h"
#include "Environment/Process/Spawn.h"
#include "Environment/Samples/Events.h"
#include "Environment/Substitution/Namespace.h"
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

using namespace llvm;
using namespace graupel::environment;
using Grade = Finding::Grade;

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
  if (Error E = checkReadable(*L)) {
    To.push_back(
        {Grade::Bad, "the database cannot be read", toString(std::move(E))});
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
  // Like all commands, this upgrades a database of an older graupel.
  Expected<std::unique_ptr<Environment>> E = Environment::openToLook(*L);
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

/// The obstacle to mounts, as a sentence, or nothing. Tried in a child, because
/// a process cannot leave a namespace that it has entered.
static std::optional<std::string> tryMounts(bool &HasOwnUsers) {
  int Pipe[2];
  if (pipe2(Pipe, O_CLOEXEC) != 0)
    return std::string("no pipe can be made; close some programs");
  const pid_t Child = fork();
  if (Child == 0) {
    graupel::substitution::PrivateMounts Mounts;
    const auto Wrong = Mounts.enter();
    const std::string Answer = Wrong                      ? *Wrong
                               : Mounts.isUserNamespace() ? "+u"
                                                          : "+";
    (void)!write(Pipe[1], Answer.data(), Answer.size());
    _exit(0);
  }
  close(Pipe[1]);
  char Answer[1000];
  const ssize_t Got = Child < 0 ? 0 : read(Pipe[0], Answer, sizeof(Answer));
  close(Pipe[0]);
  if (Child > 0)
    waitForEnd(Child);
  if (Got <= 0)
    return std::string("no process can be started; close some programs");
  HasOwnUsers = Answer[Got - 1] == 'u';
  if (Answer[0] == '+')
    return std::nullopt;
  return std::string(Answer, size_t(Got));
}

static void examineMounts(std::vector<Finding> &To) {
  bool HasOwnUsers = false;
  if (auto Wrong = tryMounts(HasOwnUsers)) {
    const size_t End = Wrong->rfind("; ");
    To.push_back({Grade::Limited,
                  "images cannot be mounted in place of their originals, so "
                  "`graupel learn` and `graupel run` run some originals: " +
                      Wrong->substr(0, End),
                  End == Wrong->npos ? "" : Wrong->substr(End + 2)});
  } else if (HasOwnUsers) {
    To.push_back({Grade::Limited,
                  "images can be put in place of their originals, in a user "
                  "namespace: programs with set-uid, as sudo, do not change "
                  "the user there, and chgrp does not know your other groups",
                  "run graupel as root if the application needs these"});
  } else {
    To.push_back(
        {Grade::Good, "images can be put in place of their originals", ""});
  }
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

static void examineSampling(std::vector<Finding> &To) {
  if (Expected<Sampler> S = Sampler::find()) {
    To.push_back(
        {Grade::Good,
         ("`graupel learn --sample` works: " + sentence(S->Event)).str(), ""});
  } else {
    const std::string Text = toString(S.takeError());
    const auto [Problem, Fix] = StringRef(Text).split("; ");
    To.push_back({Grade::Limited,
                  ("`graupel learn --sample` does not work: " + Problem).str(),
                  Fix.str()});
  }
}

std::vector<Finding> graupel::environment::examineMachine() {
  std::vector<Finding> All;
  examineMachineItself(All);
  examineOptimizer(All);
  examineState(All);
  examineMounts(All);
  examineSampling(All);
  return All;
}

StringRef graupel::environment::name(Grade G) {
  static const char *const Names[] = {"good", "limited", "bad"};
  return Names[int(G)];
}

json::Value graupel::environment::toJSON(ArrayRef<Finding> Findings) {
  json::Array List;
  for (const Finding &F : Findings)
    List.push_back(json::Object{{"grade", name(F.Rating)},
                                {"what", json::fixUTF8(F.Text)},
                                {"fix", json::fixUTF8(F.Fix)}});
  return json::Object{{"findings", std::move(List)}};
}
