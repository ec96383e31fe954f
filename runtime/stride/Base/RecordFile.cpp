//===- stride/RecordFile.cpp ----------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a record through memory: a file that is mapped piece by piece at
// addresses that stay.
//
// 1. create makes the file, notes its device and inode, and reserves address
//    space for all of it. It maps the first MiB.
// 2. begin writes the magic number, the version and the checksum of the
//    header's constant part.
// 3. append, under the lock, takes room behind the last chunk, fills in the
//    chunk's header, and then makes the new end known.
// 4. grow opens the file by its path and checks that it is still the same. It
//    takes space on the disk, then maps it. After an error the file does not
//    grow any more.
// 5. commit seals a chunk with a checksum, unless it may still change, and
//    marks it as committed. Memory of large sealed chunks is given back.
// 6. end writes the state and the time. A record that has ended is cut behind
//    its last page in use.
//
//===----------------------------------------------------------------------===//

#include "RecordFile.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace graupel::stride {

/// As much as there is: 64 GiB, or 1 GiB where address space is limited.
static constexpr uint64_t MostSpace = uint64_t(1) << 36,
                          LeastSpace = uint64_t(1) << 30;
static constexpr uint64_t Step = 1 << 20;
/// Memory of larger chunks that do not change is given back.
static constexpr uint64_t LeastReleased = 1 << 16;

static_assert(sizeof(ChunkHeader) == 32 && HeaderBytes % ChunkAlignment == 0);

bool RecordFile::create(const char *Name) {
  snprintf(Path, sizeof(Path), "%s", Name);
  int File = open(Path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  struct stat Status;
  if (File < 0 || fstat(File, &Status) != 0 || !S_ISREG(Status.st_mode)) {
    complain("cannot make the record `%s`: %s; nothing is recorded (set "
             "GRAUPEL_STRIDE_OUT to a file that can be made)",
             Path, File < 0 ? strerror(errno) : "not a regular file");
    if (File >= 0)
      close(File);
    return false;
  }
  close(File);
  Device = Status.st_dev;
  Inode = Status.st_ino;
  void *Where = MAP_FAILED;
  for (Space = MostSpace; Where == MAP_FAILED && Space >= LeastSpace;)
    if (Where = mmap(nullptr, Space, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        Where == MAP_FAILED)
      Space /= 2;
  if (Where == MAP_FAILED) {
    complain("no address space for the record; nothing is recorded (give the "
             "program a larger limit: ulimit -v)");
    return false;
  }
  Base = static_cast<char *>(Where);
  Mapped = 0;
  Failed = false;
  if (!grow(Step)) {
    Base = nullptr;
    return false;
  }
  header().Used = HeaderBytes;
  return true;
}

void RecordFile::begin() {
  RecordHeader &H = header();
  memcpy(H.Magic, RecordMagic, sizeof(RecordMagic));
  H.Version = RecordVersion;
  H.Checksum = checksum(&H, offsetof(RecordHeader, Checksum));
}

// Space is taken from the file system before it is mapped: a full disk must not
// end the program when it writes to the mapping.
bool RecordFile::grow(uint64_t To) {
  To = (To + Step - 1) & -Step;
  if (To <= Mapped)
    return true;
  if (Failed)
    return false;
  const char *Wrong = nullptr;
  struct stat Status;
  int File = open(Path, O_RDWR | O_CLOEXEC);
  if (To > Space)
    Wrong = "it is too large";
  else if (File < 0)
    Wrong = strerror(errno);
  else if (fstat(File, &Status) != 0 || Status.st_dev != Device ||
           Status.st_ino != Inode)
    Wrong = "another file has its name now";
  else if (int Error = posix_fallocate(File, Mapped, To - Mapped))
    Wrong = strerror(Error);
  else if (mmap(Base + Mapped, To - Mapped, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_FIXED, File, Mapped) == MAP_FAILED)
    Wrong = strerror(errno);
  if (File >= 0)
    close(File);
  if (Wrong) {
    Failed = true;
    complain("the record `%s` cannot grow: %s; what is new is not recorded any "
             "more",
             Path, Wrong);
    return false;
  }
  Mapped = To;
  return true;
}

void *RecordFile::append(ChunkKind Kind, uint64_t Bytes, bool Live,
                         unsigned Count) {
  Guard G(Mutex);
  if (!isOpen())
    return nullptr;
  uint64_t Begin = header().Used, End = Begin + Count * nextChunk(0, Bytes);
  if (!grow(End))
    return nullptr;
  for (uint64_t At = Begin; At < End; At += nextChunk(0, Bytes)) {
    auto *Chunk = reinterpret_cast<ChunkHeader *>(Base + At);
    Chunk->Kind = Kind;
    Chunk->Live = Live;
    Chunk->Bytes = Bytes;
  }
  __atomic_store_n(&header().Used, End, __ATOMIC_RELEASE);
  return reinterpret_cast<ChunkHeader *>(Base + Begin) + 1;
}

void RecordFile::commit(void *Payload) {
  ChunkHeader *Chunk = static_cast<ChunkHeader *>(Payload) - 1;
  if (!Chunk->Live)
    Chunk->Checksum = checksum(Payload, Chunk->Bytes);
  __atomic_store_n(&Chunk->Committed, ChunkCommitted, __ATOMIC_RELEASE);
  if (Chunk->Live || Chunk->Bytes < LeastReleased)
    return;
  // Nobody reads it again here: as if it had been written to the file.
  constexpr uintptr_t Page = 4096;
  auto Begin = (reinterpret_cast<uintptr_t>(Payload) + Page - 1) & -Page;
  auto End = (reinterpret_cast<uintptr_t>(Payload) + Chunk->Bytes) & -Page;
  madvise(reinterpret_cast<void *>(Begin), End - Begin, MADV_DONTNEED);
}

void RecordFile::end(RecordState State, uint64_t Nanoseconds) {
  Guard G(Mutex);
  if (!isOpen())
    return;
  header().EndNanoseconds = State == RecordState::Running ? 0 : Nanoseconds;
  header().State = State;
  if (State != RecordState::Ended)
    return;
  // Pages behind are not touched any more.
  Failed = true;
  uint64_t Page = (header().Used + 4095) & -uint64_t(4096);
  struct stat Status;
  if (stat(Path, &Status) == 0 && Status.st_dev == Device &&
      Status.st_ino == Inode && Page < Mapped) {
    Mapped = Page;
    [[maybe_unused]] int Error = truncate(Path, static_cast<off_t>(Page));
  }
}

void RecordFile::lockOverFork(bool Take) {
  Take ? Mutex.lock() : Mutex.unlock();
}

void RecordFile::abandon() { Base = nullptr; }

} // namespace graupel::stride
