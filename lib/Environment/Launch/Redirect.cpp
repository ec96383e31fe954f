//===- Launch/Redirect.cpp - Versions without mounts ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Redirect.h"
#include "Agents.h"
#include "Environment/Process/Random.h"
#include "Environment/Process/WriteAll.h"
#include "graupel/places.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

using namespace graupel::environment;

static GraupelFile convert(const FileIdentity &F) {
  return {uint64_t(F.Device), uint64_t(F.Inode), uint64_t(F.Size), F.ModifyTime,
          F.ChangeTime};
}

static bool mayExecute(const std::string &Folder) {
  struct statvfs System;
  return statvfs(Folder.c_str(), &System) == 0 && !(System.f_flag & ST_NOEXEC);
}

template <typename T> static void add(std::string &To, const T &Value) {
  To.append(reinterpret_cast<const char *>(&Value), sizeof(Value));
}

static std::string tableOf(const ActiveImages &Active) {
  GraupelPlaces Header = {GRAUPEL_PLACES_MAGIC, 0, Active.Images.size()};
  std::string Places, Paths;
  const size_t First =
      sizeof(Header) + Active.Images.size() * sizeof(GraupelPlace);
  for (const Substitution &S : Active.Images) {
    add(Places, GraupelPlace{convert(S.OriginalIdentity),
                             convert(S.StoreIdentity), First + Paths.size()});
    Paths += S.StoreFile + '\0';
  }
  Header.Size = First + Paths.size();
  std::string Text;
  add(Text, Header);
  return Text + Places + Paths;
}

/// A machine that crashed, or a disk, may have left something else.
static bool isThere(const std::string &Path, const std::string &Text) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  return Buffer && (*Buffer)->getBuffer() == Text;
}

/// Under the name of its content, whole or not at all. 0 or an error.
static int writeOnce(const std::string &Path, const std::string &Text) {
  // When it was last used; see Clean.
  if (isThere(Path, Text) && utimensat(AT_FDCWD, Path.c_str(), nullptr, 0) == 0)
    return 0;
  const std::string Beside = Path + "." + randomHex(8);
  const int File =
      open(Beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (File < 0)
    return errno;
  int Code = writeAll(File, Text) && fsync(File) == 0 ? 0 : errno;
  close(File);
  if (!Code && rename(Beside.c_str(), Path.c_str()) != 0)
    Code = errno;
  if (Code)
    unlink(Beside.c_str());
  return Code;
}

std::string graupel::environment::redirectImages(const Locations &L,
                                                 const ActiveImages &Active) {
  if (!mayExecute(L.Store))
    return L.Store + " is on a file system mounted with noexec; set "
                     "XDG_STATE_HOME to a folder on another one";
  const std::string Library = auditLibrary();
  if (Library.empty())
    return "libgraupel-agent.so is not beside this command, or its path has "
           "blanks or colons; install Graupel elsewhere";
  const std::string Text = tableOf(Active);
  const std::string Path = L.Places + "/" + sha256(Text);
  int Code = mkdir(L.Places.c_str(), 0700) == 0 || errno == EEXIST ? 0 : errno;
  if (!Code)
    Code = writeOnce(Path, Text);
  if (Code)
    return L.Places + " cannot be written: " + strerror(Code) +
           (Code == ENOSPC || Code == EDQUOT ? "; free some space"
                                             : "; check its rights");
  setAuditVariables(Library);
  setenv(GRAUPEL_PLACES_VARIABLE, Path.c_str(), 1);
  return "";
}
