//===- agent/Places.cpp - Libraries opened from elsewhere -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks up the versions of programs and libraries in the table that `graupel
// run` has written, and remembers for each library whether the version or the
// original is in use.
//
// 1. begin maps the table and checks its magic number, its sizes and its last
//    byte. It allocates a state for each place.
// 2. find looks a path up by the file behind it: device, inode, size and times
//    must be those of an original.
// 3. versionOf compares the version's file in the same way, and maps a byte of
//    it as code, since rules about paths may forbid that.
// 4. search answers the linker. For a path that the program asks for, it
//    returns the version only if the version is loaded already; otherwise it
//    notes the original. For a path that the linker has searched, it returns
//    the version unless the original is noted.
// 5. opened notes that a library is loaded; closed forgets the state.
//
//===----------------------------------------------------------------------===//

#include "Places.h"
#include "Self.h"
#include "profile/Syscall.h"
#include "profile/Text.h"
#include <linux/limits.h>

using namespace graupel;

static bool isSame(const GraupelFile &A, const struct stat &B) {
  constexpr int64_t Second = 1000000000;
  return A.Device == B.st_dev && A.Inode == B.st_ino &&
         A.Size == static_cast<uint64_t>(B.st_size) &&
         A.ModifyTime == static_cast<int64_t>(B.st_mtime) * Second +
                             static_cast<int64_t>(B.st_mtime_nsec) &&
         A.ChangeTime == static_cast<int64_t>(B.st_ctime) * Second +
                             static_cast<int64_t>(B.st_ctime_nsec);
}

void Places::begin(const char *Path) {
  const int Opened = Path ? sys::open(Path, O_RDONLY | O_CLOEXEC) : -1;
  if (Opened < 0)
    return;
  struct stat Status;
  void *Mapped = nullptr;
  if (sys::fstat(Opened, Status) == 0 &&
      Status.st_size >= static_cast<long>(sizeof(GraupelPlaces)))
    Mapped = sys::mmap(nullptr, static_cast<size_t>(Status.st_size), PROT_READ,
                       MAP_PRIVATE, Opened, 0);
  sys::close(Opened);
  if (!Mapped || sys::isError(Mapped))
    return;
  File = static_cast<const GraupelPlaces *>(Mapped);
  All = reinterpret_cast<const GraupelPlace *>(File + 1);
  const auto Size = static_cast<uint64_t>(Status.st_size);
  const bool IsWhole = File->Magic == GRAUPEL_PLACES_MAGIC &&
                       File->Size == Size &&
                       File->Count <= (Size - sizeof(*File)) / sizeof(*All) &&
                       static_cast<const char *>(Mapped)[Size - 1] == 0;
  if (IsWhole && File->Count)
    States = static_cast<State *>(sys::allocate(File->Count * sizeof(State)));
  Count = States ? File->Count : 0;
}

/// Count if there is none.
size_t Places::find(const char *Path) const {
  struct stat Status;
  if (!Count || sys::stat(Path, Status) != 0)
    return Count;
  size_t Place = 0;
  while (Place < Count && !isSame(All[Place].Original, Status))
    ++Place;
  return Place;
}

/// Null if the version cannot be opened here, or has changed.
const char *Places::versionOf(size_t Place) const {
  if (All[Place].Path >= File->Size)
    return nullptr;
  const char *Path = reinterpret_cast<const char *>(File) + All[Place].Path;
  const int Opened = sys::open(Path, O_RDONLY | O_CLOEXEC);
  if (Opened < 0)
    return nullptr;
  struct stat Status;
  const bool IsIt =
      sys::fstat(Opened, Status) == 0 && isSame(All[Place].Version, Status);
  // Rules about paths may forbid it, and the linker would give up.
  void *Code = IsIt ? sys::mmap(nullptr, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE,
                                Opened, 0)
                    : nullptr;
  sys::close(Opened);
  if (!Code || sys::isError(Code))
    return nullptr;
  sys::munmap(Code, 1);
  return Path;
}

const char *Places::program() const {
  const size_t Place = find("/proc/self/exe");
  return Place == Count ? nullptr : versionOf(Place);
}

/// The folder of \p Loader with its slash, in front of what follows $ORIGIN.
static const char *withOrigin(const char *Path, const LinkMap *Loader,
                              char (&Buffer)[PATH_MAX]) {
  static const char Short[] = "$ORIGIN/", Long[] = "${ORIGIN}/";
  size_t Skip = 0;
  if (sameBytes(Path, Short, 7))
    Skip = 7;
  else if (sameBytes(Path, Long, 9))
    Skip = 9;
  if (!Skip || !Loader)
    return Path;
  char Own[PATH_MAX];
  const char *Name = Loader->Name;
  if (!Name || !*Name) {
    if (!readOwnPath(Own))
      return Path;
    Name = Own;
  }
  size_t End = length(Name);
  while (End && Name[End - 1] != '/')
    --End;
  TextWriter Writer(Buffer, sizeof(Buffer));
  for (size_t I = 0; I < End; ++I)
    Writer.put(Name[I]);
  Writer.put(Path + Skip);
  Writer.put(char(0));
  return Writer.overflowed() ? Path : Buffer;
}

const char *Places::search(const char *Path, bool IsAsked,
                           const LinkMap *Loader) {
  char Buffer[PATH_MAX];
  const size_t Place = find(IsAsked ? withOrigin(Path, Loader, Buffer) : Path);
  if (Place == Count)
    return nullptr;
  State &Now = States[Place];
  if (IsAsked) {
    if (Now.IsVersion && Now.IsLoaded)
      return versionOf(Place);
    Now = {false, true, Now.IsLoaded};
    return nullptr;
  }
  if (Now.IsOriginal)
    return nullptr;
  const char *Version = versionOf(Place);
  Now.IsVersion = Version != nullptr;
  Now.IsOriginal = !Version;
  return Version;
}

void Places::opened(const LinkMap *Library) {
  const size_t Place =
      Library->Name && *Library->Name ? find(Library->Name) : Count;
  if (Place == Count)
    return;
  State &Now = States[Place];
  Now.IsLoaded = true;
  Now.IsOriginal |= !Now.IsVersion;
}

void Places::closed(const LinkMap *Library) {
  const size_t Place =
      Library->Name && *Library->Name ? find(Library->Name) : Count;
  if (Place != Count)
    States[Place] = {};
}
