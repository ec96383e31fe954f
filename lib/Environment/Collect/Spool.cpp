//===- Collect/Spool.cpp - Counters that are to be merged -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects the files of counters in a folder, each once.
//
// 1. run lists the folder, and begins with files that were taken away earlier.
// 2. takeAway locks a file that images can find, and checks that it still has
//    its name. It renames the file to a name with a new id. It leaves the file
//    if 16 of the image are still in use, or if the lock is busy.
// 3. mergeFinished asks the kernel for a read lease. If processes still use the
//    file, the lease is refused, and the file is only shown to `Look`.
// 4. offer gives a file that nobody uses to `Merge`. The file is removed if it
//    is merged or was never begun, renamed if it is damaged, and otherwise
//    kept.
//
//===----------------------------------------------------------------------===//

#include "Spool.h"
#include "Environment/Process/Random.h"
#include "Environment/Substitution/Descriptor.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/file.h>
#include <sys/stat.h>

using namespace graupel;
using namespace graupel::collection;

namespace {

constexpr const char Suffix[] = ".gprofile";
constexpr const char BadSuffix[] = ".damaged";
constexpr size_t FirstPage = 4096;
/// Files of one image that have been taken away and are still in use.
constexpr int MostTaken = 16;

/// When a process wants to write to a file that we have a lease of, the kernel
/// sends us a signal, which ends a process by default.
class IgnoreLeaseBreaks {
public:
  IgnoreLeaseBreaks() {
    struct sigaction Ignore = {};
    Ignore.sa_handler = SIG_IGN;
    sigaction(SIGIO, &Ignore, &Before);
  }
  ~IgnoreLeaseBreaks() { sigaction(SIGIO, &Before, nullptr); }

private:
  struct sigaction Before;
};

/// A process that died while it made the file has counted nothing.
bool isUnfinished(int File) {
  char Page[FirstPage];
  const ssize_t Got = pread(File, Page, sizeof(Page), 0);
  return Got >= 0 && std::all_of(Page, Page + Got, [](char C) { return !C; });
}

class Collector {
public:
  Collector(const std::string &Folder, const MergeFunction &Merge,
            const LookFunction &Look)
      : Folder(Folder + "/"), Merge(Merge), Look(Look) {}
  CollectResult run();

private:
  std::vector<std::string> names();
  void takeAway(const std::string &Name, const std::vector<std::string> &All);
  void mergeFinished(const std::string &Name);
  void offer(const FinishedCounters &);
  void problem(const std::string &Name, const std::string &Message) {
    Result.Problems.push_back(Folder + Name + ": " + Message);
  }
  substitution::Descriptor openFile(const std::string &Name) {
    return substitution::Descriptor(
        open((Folder + Name).c_str(),
             O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  }

  std::string Folder;
  const MergeFunction &Merge;
  const LookFunction &Look;
  CollectResult Result;
};

/// In an order in which what is finished is merged before more is taken away.
std::vector<std::string> Collector::names() {
  std::vector<std::string> Found;
  std::unique_ptr<DIR, int (*)(DIR *)> Open(opendir(Folder.c_str()), closedir);
  if (!Open) {
    if (errno != ENOENT)
      problem("", std::string("cannot be read (") + strerror(errno) + ")");
    return Found;
  }
  while (const dirent *Entry = readdir(Open.get()))
    if (strstr(Entry->d_name, Suffix) && !strstr(Entry->d_name, BadSuffix))
      Found.push_back(Entry->d_name);
  std::sort(Found.begin(), Found.end());
  return Found;
}

CollectResult Collector::run() {
  const IgnoreLeaseBreaks Ignore;
  for (const std::string &Name : names())
    if (Name.find('=') != Name.npos)
      mergeFinished(Name);
  // A daemon's file must not hold up those of processes that have ended. But
  // there are never more than a few files for one image.
  const std::vector<std::string> Left = names();
  for (const std::string &Name : Left)
    if (Name.find('=') == Name.npos)
      takeAway(Name, Left);
  return Result;
}

/// Images open a file, lock it and look whether it still has its name. So who
/// has the lock decides about the name.
void Collector::takeAway(const std::string &Name,
                         const std::vector<std::string> &All) {
  if (std::count_if(All.begin(), All.end(), [&](const std::string &Other) {
        return Other.starts_with(Name + "=");
      }) >= MostTaken) {
    ++Result.Busy;
    return;
  }
  substitution::Descriptor File = openFile(Name);
  if (!File) {
    if (errno != ENOENT)
      problem(Name, strerror(errno));
    return;
  }
  // A process that is just starting has it for a moment.
  for (int Attempt = 0; flock(File.number(), LOCK_EX | LOCK_NB); ++Attempt) {
    if (Attempt == 50) {
      ++Result.Busy;
      return;
    }
    usleep(1000);
  }
  struct stat Ours, Named;
  if (fstat(File.number(), &Ours) || lstat((Folder + Name).c_str(), &Named) ||
      Ours.st_ino != Named.st_ino || Ours.st_dev != Named.st_dev ||
      !S_ISREG(Ours.st_mode))
    return;
  const std::string Id = environment::randomHex(16);
  const std::string To = Name + "=" + Id;
  if (Id.empty() || rename((Folder + Name).c_str(), (Folder + To).c_str())) {
    problem(Name, std::string("cannot be renamed (") + strerror(errno) + ")");
    return;
  }
  File = substitution::Descriptor();
  mergeFinished(To);
}

void Collector::mergeFinished(const std::string &Name) {
  substitution::Descriptor File = openFile(Name);
  if (!File) {
    if (errno != ENOENT)
      problem(Name, strerror(errno));
    return;
  }
  const size_t Equals = Name.find('=');
  const FinishedCounters Counters = {Name.substr(0, Name.find(Suffix)),
                                     Name.substr(Equals + 1), Folder + Name,
                                     File.number()};
  // The kernel gives it only if nobody has the file open for writing or mapped,
  // and lets nobody open it so until we are done.
  if (fcntl(File.number(), F_SETLEASE, F_RDLCK)) {
    if (errno == EAGAIN) {
      ++Result.Busy;
      if (Look && !isUnfinished(File.number()))
        Look(Counters);
    } else {
      problem(Name, std::string("the file system cannot say whether it is in "
                                "use (") +
                        strerror(errno) +
                        "); set XDG_STATE_HOME to a folder on a local disk");
    }
    return;
  }
  offer(Counters);
}

void Collector::offer(const FinishedCounters &F) {
  MergeResult Merged = MergeResult::Done;
  if (!isUnfinished(F.File)) {
    Merged = Merge(F);
    Result.Merged += Merged == MergeResult::Done;
  }
  if (Merged == MergeResult::Done)
    unlink(F.Path.c_str());
  if (Merged == MergeResult::Damaged) {
    rename(F.Path.c_str(), (F.Path + BadSuffix).c_str());
    problem(F.Path.substr(Folder.size()),
            "is damaged and has been put aside under the name NAME.damaged");
  }
}

} // namespace

CollectResult graupel::collection::collect(const std::string &Folder,
                                           const MergeFunction &Merge,
                                           const LookFunction &Look) {
  return Collector(Folder, Merge, Look).run();
}
