//===- Substitution.cpp - Images for their originals ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Covers originals with their images, and becomes the command.
//
// 1. begin enters a mount namespace and reads its mounts.
// 2. place opens the original without following links, and checks through the
//    descriptor that it gives no rights and is the file that was registered.
// 3. It collects the original's names: hard links in its folder, and other
//    mounts of the same file system.
// 4. cover clones the image as a mount that is nowhere yet. cloneImage checks
//    its identity, owner and rights and makes it read-only. The mount is moved
//    over the descriptor of each name that is the same file.
// 5. If one name cannot be covered, remove uncovers all of them.
// 6. become restores the signals that were changed, and executes the command.
//    whyNotStarted searches the command as a shell does, and tells why it is
//    not there.
//
//===----------------------------------------------------------------------===//

#include "Substitution.h"
#include "Descriptor.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>

using namespace graupel::substitution;

namespace {

/// By which what has the descriptor is reached, also if it is open for nothing.
std::string linkTo(const Descriptor &File) {
  return "/proc/self/fd/" + std::to_string(File.number());
}

std::string because(const char *Failure) {
  return std::string(Failure) + " (" + strerror(errno) + ")";
}

bool hasRights(const Descriptor &File, const struct stat &Status) {
  return Status.st_mode & (S_ISUID | S_ISGID) ||
         getxattr(linkTo(File).c_str(), "security.capability", nullptr, 0) > 0;
}

/// An original, open so that what was looked at is what is covered.
class Original {
public:
  explicit Original(const std::string &Path)
      : File(open(Path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC)) {
    if (File && fstat(File.number(), &Status))
      File = Descriptor();
  }
  explicit operator bool() const { return bool(File); }
  FileIdentity identity() const { return identityOf(Status); }

  Descriptor File;
  struct stat Status = {};
};

/// Nothing if the image can be put over the original.
std::string whyNot(const Replacement &R, const Original &Old) {
  if (!Old)
    return because("cannot be opened");
  if (hasRights(Old.File, Old.Status))
    return "gives rights to those who run it, and such programs are left alone";
  if (Old.identity() != R.OriginalIdentity)
    return "has changed since it was registered; register it again";
  return "";
}

/// Nothing if all users may do the same with the image as with the original;
/// neither can be written to.
std::string otherRights(const struct stat &Old, const struct stat &Image) {
  // The image's owner has to read it.
  const mode_t Mode = (Old.st_mode | 0400) & 0555;
  const mode_t Owner = Mode >> 6, Group = Mode >> 3 & 7, Others = Mode & 7;
  // An ordinary user is in a user namespace, and nobody there becomes another.
  const bool IsForAll = geteuid() != 0 || (Owner == Group && Owner == Others);
  if (Old.st_uid != Image.st_uid && !IsForAll)
    return "belongs to another user, and is not for all; let that user learn "
           "and optimize";
  if (Mode == (Image.st_mode & 0555) &&
      (Old.st_gid == Image.st_gid || Group == Others || IsForAll))
    return "";
  return "is for other users than its version, which may be that of a copy; "
         "`graupel optimize` (or `instrument`) makes it again";
}

/// A mount of the image that is nowhere yet, or why not.
std::string cloneImage(const Replacement &R, const Original &Old,
                       Descriptor &Image) {
  Image = Descriptor(
      open_tree(AT_FDCWD, R.Image.c_str(),
                OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_SYMLINK_NOFOLLOW));
  if (!Image)
    return because(errno == ENOSYS ? "needs Linux 5.12 to be replaced"
                   : errno == EMFILE || errno == ENFILE
                       ? "cannot be replaced; raise the limit of open files "
                         "(ulimit -n)"
                       : "has no usable image in the store; `graupel doctor` "
                         "checks the store");
  struct stat Status;
  if (fstat(Image.number(), &Status) || identityOf(Status) != R.ImageIdentity)
    return "has an image in the store that is not what it was; `graupel "
           "doctor` checks the store";
  if (Status.st_uid != geteuid() && Status.st_uid != 0)
    return "has an image that belongs to somebody else; only your own are used";
  if (std::string Why = otherRights(Old.Status, Status); !Why.empty())
    return Why;
  struct statvfs System;
  const bool MustExecute = Old.Status.st_mode & 0111;
  if (MustExecute && fstatvfs(Image.number(), &System) == 0 &&
      System.f_flag & ST_NOEXEC)
    return "cannot be replaced, since the store is on a file system mounted "
           "with noexec; set XDG_STATE_HOME to a folder on another one";
  if (MustExecute && !(Status.st_mode & 0111))
    return "has an image that is not executable; optimize it again";
  // Writing to the path must not reach the image, which others share.
  mount_attr ReadOnly = {};
  ReadOnly.attr_set = MOUNT_ATTR_RDONLY;
  if (mount_setattr(Image.number(), "", AT_EMPTY_PATH, &ReadOnly,
                    sizeof(ReadOnly)))
    return because(errno == ENOSYS ? "needs Linux 5.12 to be replaced"
                                   : "cannot be replaced");
  return "";
}

std::string cover(const Replacement &R, const Original &Old) {
  Descriptor Image;
  std::string Why = cloneImage(R, Old, Image);
  if (Why.empty() &&
      move_mount(Image.number(), "", Old.File.number(), "",
                 MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH))
    Why = errno == ENOENT ? "has changed just now; register it again"
                          : because("cannot be replaced");
  return Why;
}

} // namespace

Substitution::ErrorText Substitution::begin() {
  if (auto Wrong = Mounts.enter())
    return Wrong;
  Table.emplace();
  return std::nullopt;
}

std::optional<LeftAlone> Substitution::place(const Replacement &R) {
  Original Old(R.Original);
  if (Old && Old.identity() == R.ImageIdentity)
    return std::nullopt;
  std::string Why = whyNot(R, Old);
  if (!Why.empty())
    return LeftAlone{R.Original, Why};
  // The first mount would hide what the names are compared with.
  std::vector<std::string> Names = otherNames(R.Original, Old.Status);
  Names.push_back(R.Original);
  for (size_t Count = Names.size(), N = 0; N < Count; ++N)
    for (std::string &Path : Table->otherPaths(Names[N]))
      Names.push_back(std::move(Path));
  std::vector<std::string> &Done = Covered[R.Original];
  for (const std::string &Name : Names) {
    Original Same(Name);
    if (!Same || Same.identity() != Old.identity())
      continue;
    Why = cover(R, Same);
    if (!Why.empty()) {
      remove(R.Original);
      return LeftAlone{R.Original, Why};
    }
    Done.push_back(Name);
  }
  return std::nullopt;
}

void Substitution::remove(const std::string &Original) {
  for (const std::string &Path : Covered[Original])
    umount2(Path.c_str(), MNT_DETACH | UMOUNT_NOFOLLOW);
  Covered.erase(Original);
}

std::vector<int> Substitution::originalsFor(pid_t Process) const {
  std::set<std::string> Points;
  for (const auto &[Original, Names] : Covered)
    Points.insert(Names.begin(), Names.end());
  return Uncovered.filesFor(Process, Points);
}

/// Signal handling at the start of this process.
static std::optional<struct sigaction> BeforeLimit, BeforeChildren;

static void handle(int Signal, void (*Handler)(int),
                   std::optional<struct sigaction> &Before) {
  struct sigaction Action = {};
  Action.sa_handler = Handler;
  Before.emplace();
  if (sigaction(Signal, &Action, &*Before))
    Before.reset();
}

void graupel::substitution::surviveFileSizeLimit() {
  handle(SIGXFSZ, SIG_IGN, BeforeLimit);
}

void graupel::substitution::hearOfChildren() {
  handle(SIGCHLD, SIG_DFL, BeforeChildren);
}

int graupel::substitution::become(const std::vector<std::string> &Command) {
  std::vector<char *> Words;
  for (const std::string &Word : Command)
    Words.push_back(const_cast<char *>(Word.c_str()));
  Words.push_back(nullptr);
  if (BeforeLimit)
    sigaction(SIGXFSZ, &*BeforeLimit, nullptr);
  if (BeforeChildren)
    sigaction(SIGCHLD, &*BeforeChildren, nullptr);
  execvp(Words[0], Words.data());
  return errno == ENOENT ? 127 : 126;
}

/// Why the file cannot be executed, as an errno.
static int whyNotExecuted(const std::string &Path) {
  struct stat Status;
  if (stat(Path.c_str(), &Status))
    return errno;
  if (!S_ISREG(Status.st_mode))
    return EACCES;
  return faccessat(AT_FDCWD, Path.c_str(), X_OK, AT_EACCESS) ? errno : 0;
}

int graupel::substitution::whyNotStarted(const std::string &Program) {
  if (Program.empty())
    return ENOENT;
  if (Program.find('/') != Program.npos)
    return whyNotExecuted(Program);
  const char *Variable = getenv("PATH");
  const std::string Folders = Variable ? Variable : "/bin:/usr/bin";
  int Why = ENOENT;
  for (size_t At = 0, End; At <= Folders.size(); At = End + 1) {
    End = std::min(Folders.find(':', At), Folders.size());
    const std::string Folder = Folders.substr(At, End - At);
    const int This =
        whyNotExecuted((Folder.empty() ? "." : Folder) + "/" + Program);
    if (!This)
      return 0;
    if (This == EACCES)
      Why = EACCES;
  }
  return Why;
}
