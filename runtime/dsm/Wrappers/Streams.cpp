//===- Streams.cpp - stdio on shared buffers --------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements reading and writing of streams for shared buffers. Calls that may
// block are interposed (Wrappers/BlockingStreams.cpp); data move between
// private memory and the blocks in between.
//
// 1. A call on a private buffer is the C library's.
// 2. Others take the stream's lock from beginning to end, so that the output of
//    several threads does not mix.
// 3. fread, fwrite, fputs and puts move parts of up to PartBytes through
//    private memory (get, put), and end early where the stream does.
// 4. fgets reads a line in small parts, copies each, and ends the text with a
//    zero (getPart).
// 5. Unlocked forms do the same. The forms of -D_FORTIFY_SOURCE check the size
//    of the destination first.
//
//===----------------------------------------------------------------------===//

#include "Entries/Pieces.h"
#include "Wrappers/Bounce.h"
#include "Wrappers/Checked.h"
#include "graupel/dsm_wrappers.h"
#include <cerrno>
#include <cstring>

using namespace graupel::dsm;

namespace {

constexpr size_t PartBytes = size_t(64) << 10;

class StreamLock {
public:
  explicit StreamLock(FILE *F) : F(F) { flockfile(F); }
  ~StreamLock() { funlockfile(F); }
  StreamLock(const StreamLock &) = delete;
  StreamLock &operator=(const StreamLock &) = delete;

private:
  FILE *F;
};

/// Returns how many bytes were written; the caller has the stream's lock.
size_t put(const char *From, size_t Size, FILE *F) {
  Bounce Buffer(std::min(Size, PartBytes));
  if (!Buffer.data())
    return errno = ENOMEM, 0;
  for (size_t Done = 0; Done != Size;) {
    size_t Now = std::min(Size - Done, PartBytes);
    graupel_dsm_memcpy(Buffer.data(), From + Done, Now);
    size_t Put = fwrite_unlocked(Buffer.data(), 1, Now, F);
    Done += Put;
    if (Put != Now)
      return Done;
  }
  return Size;
}

size_t get(char *To, size_t Size, FILE *F) {
  Bounce Buffer(std::min(Size, PartBytes));
  if (!Buffer.data())
    return errno = ENOMEM, 0;
  for (size_t Done = 0; Done != Size;) {
    size_t Now = std::min(Size - Done, PartBytes);
    size_t Got = fread_unlocked(Buffer.data(), 1, Now, F);
    graupel_dsm_memcpy(To + Done, Buffer.data(), Got);
    Done += Got;
    if (Got != Now)
      return Done;
  }
  return Size;
}

/// Whether this call's input failed, as fgets of the C library sees it: an
/// error of an earlier call is none of this one, and where there is no more now
/// (EAGAIN), the next call says so.
class InputErrors {
public:
  explicit InputErrors(FILE *F) : F(F), Earlier(F->_flags & _IO_ERR_SEEN) {
    F->_flags &= ~_IO_ERR_SEEN;
  }
  ~InputErrors() { F->_flags |= Earlier; }
  InputErrors(const InputErrors &) = delete;
  InputErrors &operator=(const InputErrors &) = delete;

  bool any() const { return ferror_unlocked(F) && errno != EAGAIN; }

private:
  FILE *F;
  int Earlier;
};

/// Gets a line, up to Most bytes; false at the end of the file or after an
/// error.
bool getPart(char *To, size_t Most, FILE *F, size_t &Got) {
  for (Got = 0; Got != Most;) {
    int C = getc_unlocked(F);
    if (C == EOF)
      return false;
    To[Got++] = static_cast<char>(C);
    if (C == '\n')
      break;
  }
  return true;
}

} // namespace

size_t graupel_dsm_fread(void *To, size_t Size, size_t Count, FILE *F) {
  if (!isShared(To))
    return fread(To, Size, Count, F);
  size_t Bytes = Size * Count;
  if (!Bytes)
    return 0;
  StreamLock Lock(F);
  size_t Got = get(static_cast<char *>(To), Bytes, F);
  return Got == Bytes ? Count : Got / Size;
}

size_t graupel_dsm_fwrite(const void *From, size_t Size, size_t Count,
                          FILE *F) {
  if (!isShared(From))
    return fwrite(From, Size, Count, F);
  size_t Bytes = Size * Count;
  if (!Bytes)
    return 0;
  StreamLock Lock(F);
  size_t Put = put(static_cast<const char *>(From), Bytes, F);
  return Put == Bytes ? Count : Put / Size;
}

int graupel_dsm_fputs(const char *S, FILE *F) {
  if (!isShared(S))
    return fputs(S, F);
  size_t Length = graupel_dsm_strlen(S);
  StreamLock Lock(F);
  return put(S, Length, F) == Length ? 1 : EOF;
}

int graupel_dsm_puts(const char *S) {
  if (!isShared(S))
    return puts(S);
  size_t Length = graupel_dsm_strlen(S);
  StreamLock Lock(stdout);
  if (put(S, Length, stdout) != Length)
    return EOF;
  return putc_unlocked('\n', stdout) == EOF ? EOF : 1;
}

char *graupel_dsm_fgets(char *To, int Size, FILE *F) {
  if (!isShared(To))
    return fgets(To, Size, F);
  if (Size <= 0)
    return nullptr;
  size_t Most = static_cast<size_t>(Size) - 1, Done = 0;
  StreamLock Lock(F);
  InputErrors Errors(F);
  char Part[1024];
  while (Done != Most) {
    size_t Got;
    bool More = getPart(Part, std::min(Most - Done, sizeof(Part)), F, Got);
    const bool Failed = !More && Errors.any();
    graupel_dsm_memcpy(To + Done, Part, Got);
    Done += Got;
    if (Failed || (!More && !Done))
      return nullptr;
    if (!More || Part[Got - 1] == '\n')
      break;
  }
  graupel_dsm_memset(To + Done, 0, 1);
  return To;
}

//===-- The same under other names ----------------------------------------===//

extern "C" {
size_t graupel_dsm_fread_unlocked(void *To, size_t Size, size_t Count,
                                  FILE *F) {
  return graupel_dsm_fread(To, Size, Count, F);
}
size_t graupel_dsm_fwrite_unlocked(const void *From, size_t Size, size_t Count,
                                   FILE *F) {
  return graupel_dsm_fwrite(From, Size, Count, F);
}
int graupel_dsm_fputs_unlocked(const char *S, FILE *F) {
  return graupel_dsm_fputs(S, F);
}
char *graupel_dsm_fgets_unlocked(char *To, int Size, FILE *F) {
  return graupel_dsm_fgets(To, Size, F);
}
size_t graupel_dsm___fread_chk(void *To, size_t Room, size_t Size, size_t Count,
                               FILE *F) {
  size_t Bytes;
  if (__builtin_mul_overflow(Size, Count, &Bytes) || Bytes > Room)
    __chk_fail();
  return graupel_dsm_fread(To, Size, Count, F);
}
size_t graupel_dsm___fread_unlocked_chk(void *To, size_t Room, size_t Size,
                                        size_t Count, FILE *F) {
  return graupel_dsm___fread_chk(To, Room, Size, Count, F);
}
char *graupel_dsm___fgets_chk(char *To, size_t Room, int Size, FILE *F) {
  if (Size > 0 && static_cast<size_t>(Size) > Room)
    __chk_fail();
  return graupel_dsm_fgets(To, Size, F);
}
char *graupel_dsm___fgets_unlocked_chk(char *To, size_t Room, int Size,
                                       FILE *F) {
  return graupel_dsm___fgets_chk(To, Room, Size, F);
}
} // extern "C"
