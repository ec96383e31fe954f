//===- Output/ReplacedFile.cpp - Files that users name --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes files that users name. The method is in the header; its parts here:
//
// 1. write and copy make a file with a random name in the target's folder, fill
//    it and flush it to the disk.
// 2. judge opens the target, refuses everything but regular files, and asks the
//    caller's judge. keepPrograms refuses ELF files, archives and scripts.
// 3. keep gives the new file its name. exchange replaces the file that was
//    judged; where a file system cannot exchange names, it checks the target
//    once more and renames. Without a target, the rename fails if one has come.
// 4. writeText resolves links, judges, writes and keeps; a device is written to
//    directly. mayWriteText judges only.
// 5. ExportFolder makes and opens a folder, but never the root folder. file
//    makes the folders below one by one, and enters each by its descriptor.
//
//===----------------------------------------------------------------------===//

#include "ReplacedFile.h"
#include "Environment/Process/Random.h"
#include "Environment/Process/WriteAll.h"
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

using namespace graupel;
using namespace graupel::output;
using graupel::environment::writeAll;

namespace {

std::string because(const std::string &Path, const char *Failure, int Error) {
  return Path + ": " + Failure + ": " + strerror(Error);
}

const char *adviceFor(int Error) {
  return Error == ENOSPC || Error == EDQUOT || Error == EFBIG
             ? "; free some space, or name another place"
             : "; name another place, or check your rights there";
}

/// Splits a path into its folder and its last part.
std::pair<std::string, std::string> split(const std::string &Path) {
  const size_t Slash = Path.rfind('/');
  if (Slash == Path.npos)
    return {".", Path};
  return {Slash ? Path.substr(0, Slash) : "/", Path.substr(Slash + 1)};
}

/// One folder below another: no link is followed, no mount is entered.
Descriptor openFolder(int Above, const std::string &Name) {
  open_how Options = {};
  Options.flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  Options.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV | RESOLVE_BENEATH;
  const long File =
      syscall(SYS_openat2, Above, Name.c_str(), &Options, sizeof(Options));
  if (File >= 0 || (errno != ENOSYS && errno != EPERM))
    return Descriptor(int(File));
  // Sandboxes forbid it. The judges look at what is there in any case.
  return Descriptor(openat(Above, Name.c_str(), int(Options.flags)));
}

} // namespace

/// A user who may not give files away stays their owner.
static void giveAway(int File, uid_t User, gid_t Group) {
  if (fchown(File, User, Group))
    (void)!fchown(File, uid_t(-1), Group);
}

static constexpr const char *AccessList = "system.posix_acl_access";

Rights Rights::of(int File, const struct stat &Status) {
  Rights R{Status.st_uid, Status.st_gid, ""};
  const ssize_t Size = fgetxattr(File, AccessList, nullptr, 0);
  if (Size <= 0)
    return R;
  R.List.resize(size_t(Size));
  const ssize_t Got = fgetxattr(File, AccessList, R.List.data(), R.List.size());
  R.List.resize(size_t(Got > 0 ? Got : 0));
  return R;
}

void Rights::give(int File) const { giveAway(File, User, Group); }

void Rights::giveList(int File) const {
  if (!List.empty())
    (void)fsetxattr(File, AccessList, List.data(), List.size(), 0);
}

ErrorText graupel::output::keepPrograms(const Target &T) {
  static const std::string_view Beginnings[] = {"\177ELF", "#!", "!<arch>\n",
                                                "!<thin>\n"};
  char Text[8];
  const ssize_t Got = pread(T.File, Text, sizeof(Text), 0);
  const std::string_view Begins(Text, size_t(Got > 0 ? Got : 0));
  for (std::string_view B : Beginnings)
    if (Begins.starts_with(B))
      return "it is a program or a library, and these are never overwritten; "
             "name another file";
  return std::nullopt;
}

ReplacedFile::ReplacedFile(Descriptor Folder, std::string Name,
                           std::string Shown)
    : Folder(std::move(Folder)), Name(std::move(Name)),
      Shown(std::move(Shown)) {}

ReplacedFile::~ReplacedFile() {
  if (!Beside.empty() && Folder)
    unlinkat(Folder.number(), Beside.c_str(), 0);
}

ErrorText ReplacedFile::describe(const char *Failure, int Error) const {
  return because(Shown, Failure, Error) + adviceFor(Error);
}

ErrorText ReplacedFile::create() {
  Beside = ".graupel-" + environment::randomHex(8);
  File = Descriptor(openat(Folder.number(), Beside.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                           0600));
  if (File)
    return std::nullopt;
  const int Error = errno;
  Beside.clear();
  return describe("cannot be written", Error);
}

/// Errors of full disks may come as late as this.
ErrorText ReplacedFile::finish(mode_t Mode) {
  if (fchmod(File.number(), Mode & 0777) || fsync(File.number()))
    return describe("cannot be written", errno);
  return std::nullopt;
}

ErrorText ReplacedFile::write(std::string_view Bytes, mode_t Mode) {
  if (ErrorText W = create())
    return W;
  if (!writeAll(File.number(), Bytes))
    return describe("cannot be written", errno);
  if (Judged)
    JudgedRights.give(File.number());
  if (ErrorText W = finish(Mode))
    return W;
  // The mode is a part of it.
  if (Judged)
    JudgedRights.giveList(File.number());
  return std::nullopt;
}

ErrorText ReplacedFile::copy(int From, const struct stat &Like) {
  if (ErrorText W = create())
    return W;
  char Bytes[1 << 16];
  off_t At = 0;
  while (const ssize_t Got = pread(From, Bytes, sizeof(Bytes), At)) {
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got < 0 || !writeAll(File.number(), {Bytes, size_t(Got)}))
      return describe("cannot be written", errno);
    At += Got;
  }
  giveAway(File.number(), Like.st_uid, Like.st_gid);
  return finish(Like.st_mode);
}

ErrorText ReplacedFile::judge(const Judge &May) {
  Judged.reset();
  Descriptor Old(openat(Folder.number(), Name.c_str(),
                        O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!Old && errno == ENOENT)
    return std::nullopt;
  if (!Old && errno == ELOOP)
    return Shown + ": it is a symbolic link, and these are not followed; "
                   "remove it, or name another place";
  Target T = {Old.number(), {}};
  if (!Old || fstat(T.File, &T.Status))
    return describe("cannot be judged, so it is not overwritten", errno);
  if (!S_ISREG(T.Status.st_mode))
    return Shown + ": it is not a file; remove it, or name another place";
  if (ErrorText Why = May(T))
    return Shown + ": " + *Why;
  Judged = FileOnDisk::of(T.Status);
  JudgedMode = T.Status.st_mode & 0777;
  JudgedRights = Rights::of(T.File, T.Status);
  return std::nullopt;
}

mode_t ReplacedFile::usualMode() const {
  if (Judged)
    return JudgedMode;
  const mode_t Mask = umask(022);
  umask(Mask);
  return 0666 & ~Mask;
}

/// Replaces exactly the file that was judged, or changes nothing.
ErrorText ReplacedFile::exchange() {
  const int In = Folder.number();
  if (renameat2(In, Beside.c_str(), In, Name.c_str(), RENAME_EXCHANGE)) {
    // Some file systems cannot exchange names.
    struct stat Now;
    if (errno != EINVAL ||
        fstatat(In, Name.c_str(), &Now, AT_SYMLINK_NOFOLLOW) ||
        FileOnDisk::of(Now) != *Judged ||
        renameat(In, Beside.c_str(), In, Name.c_str()))
      return describe("cannot be replaced", errno);
    Beside.clear();
    return std::nullopt;
  }
  struct stat Out;
  if (fstatat(In, Beside.c_str(), &Out, AT_SYMLINK_NOFOLLOW) == 0 &&
      FileOnDisk::of(Out) == *Judged)
    return std::nullopt; // The destructor removes it.
  if (renameat2(In, Beside.c_str(), In, Name.c_str(), RENAME_EXCHANGE)) {
    const std::string Kept = Beside;
    Beside.clear();
    return Shown +
           ": something else came in its place just now, which is kept "
           "as " +
           Kept + " beside it; look what that is";
  }
  return Shown + ": something else came in its place just now; try again";
}

ErrorText ReplacedFile::keep() {
  if (Judged)
    return exchange();
  const int In = Folder.number();
  if (renameat2(In, Beside.c_str(), In, Name.c_str(), RENAME_NOREPLACE) == 0) {
    Beside.clear();
    return std::nullopt;
  }
  // Some file systems cannot do that. The destructor removes the first name.
  if (errno == EINVAL && linkat(In, Beside.c_str(), In, Name.c_str(), 0) == 0)
    return std::nullopt;
  return errno == EEXIST
             ? Shown + ": something came in its place just now; try again"
             : describe("cannot be written", errno);
}

namespace {

/// Follows links: a user may have made one for this. Its target is judged and
/// replaced.
ErrorText placeOf(const std::string &Path, std::optional<ReplacedFile> &To) {
  char Real[PATH_MAX];
  const bool IsThere = realpath(Path.c_str(), Real);
  const auto [Folder, Name] = split(IsThere ? Real : Path);
  Descriptor Open(::open(Folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!Open)
    return because(Path, "cannot be written", errno) + adviceFor(errno);
  if (Name.empty())
    return Path + ": it is a folder; name a file in it";
  To.emplace(std::move(Open), Name, Path);
  return std::nullopt;
}

bool isDevice(const std::string &Path) {
  struct stat Status;
  return stat(Path.c_str(), &Status) == 0 && !S_ISREG(Status.st_mode) &&
         !S_ISDIR(Status.st_mode);
}

} // namespace

ErrorText graupel::output::mayWriteText(const std::string &Path) {
  if (isDevice(Path))
    return std::nullopt;
  std::optional<ReplacedFile> File;
  if (ErrorText W = placeOf(Path, File))
    return W;
  if (faccessat(File->folder(), ".", W_OK, AT_EACCESS))
    return because(Path, "cannot be written", errno) + adviceFor(errno);
  return File->judge(keepPrograms);
}

ErrorText graupel::output::writeText(const std::string &Path,
                                     std::string_view Text) {
  if (isDevice(Path)) {
    Descriptor File(::open(Path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!File || !writeAll(File.number(), Text))
      return because(Path, "cannot be written", errno) + adviceFor(errno);
    return std::nullopt;
  }
  std::optional<ReplacedFile> File;
  ErrorText W = placeOf(Path, File);
  if (!W)
    W = File->judge(keepPrograms);
  if (!W)
    W = File->write(Text, File->usualMode());
  return W ? W : File->keep();
}

ErrorText ExportFolder::open(const std::string &Path) {
  Shown = Path;
  // Like `mkdir -p`.
  for (size_t At = 0; At != Path.npos;) {
    At = Path.find('/', At + 1);
    if (mkdir(Path.substr(0, At).c_str(), 0777) && errno != EEXIST &&
        errno != EROFS && errno != EACCES)
      return because(Path, "cannot be made", errno) + adviceFor(errno);
  }
  Folder = Descriptor(::open(Path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  struct stat Ours, Root;
  if (!Folder || fstat(Folder.number(), &Ours) || stat("/", &Root))
    return because(Path, "cannot be opened", errno) + adviceFor(errno);
  if (FileOnDisk::of(Ours) == FileOnDisk::of(Root))
    return Path + ": it is the root folder, where the originals are, and these "
                  "are never overwritten; name a folder of its own";
  return std::nullopt;
}

ErrorText ExportFolder::file(const std::string &Path,
                             std::optional<ReplacedFile> &To) {
  Descriptor Here(dup(Folder.number()));
  size_t At = Path.find_first_not_of('/');
  std::string Seen = Shown;
  for (size_t Slash; (Slash = Path.find('/', At)) != Path.npos;
       At = Path.find_first_not_of('/', Slash)) {
    const std::string Name = Path.substr(At, Slash - At);
    Seen += "/" + Name;
    if (mkdirat(Here.number(), Name.c_str(), 0777) && errno != EEXIST)
      return because(Seen, "cannot be made", errno) + adviceFor(errno);
    Descriptor Next = openFolder(Here.number(), Name);
    if (!Next && (errno == ELOOP || errno == ENOTDIR))
      return Seen + ": it is a symbolic link or a file, and leads out of the "
                    "folder; name another folder";
    if (!Next && errno == EXDEV)
      return Seen + ": another file system is mounted there; name another "
                    "folder";
    if (!Next)
      return because(Seen, "cannot be opened", errno) + adviceFor(errno);
    Here = std::move(Next);
  }
  To.emplace(std::move(Here), Path.substr(At), Shown + Path);
  return std::nullopt;
}
