//===- Files.cpp - Input and output of shared memory ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "graupel/dsm_wrappers.h"
#include <cerrno>
#include <cstdlib>
#include <sys/socket.h>
#include <unistd.h>

namespace {

/// Private memory that the system works on.
class Bounce {
public:
  explicit Bounce(size_t Size)
      : Data(Size <= sizeof Near ? Near
                                 : static_cast<char *>(std::malloc(Size))) {}
  Bounce(const Bounce &) = delete;
  ~Bounce() {
    int Kept = errno;
    if (Data != Near)
      std::free(Data);
    errno = Kept;
  }

  /// Null, with errno set, if there is no memory.
  char *const Data;

private:
  char Near[4096];
};

} // namespace

// Into shared memory what Call put into private memory.
template <class Function>
static ssize_t input(void *To, size_t Size, Function Call) {
  Bounce B(Size);
  if (!B.Data)
    return -1;
  ssize_t Got = Call(B.Data);
  if (Got > 0)
    graupel_dsm_memcpy(To, B.Data, Got);
  return Got;
}

template <class Function>
static ssize_t output(const void *From, size_t Size, Function Call) {
  Bounce B(Size);
  if (!B.Data)
    return -1;
  graupel_dsm_memcpy(B.Data, From, Size);
  return Call(B.Data);
}

ssize_t graupel_dsm_read(int File, void *To, size_t Size) {
  return input(To, Size, [=](char *P) { return read(File, P, Size); });
}
ssize_t graupel_dsm_pread(int File, void *To, size_t Size, off_t At) {
  return input(To, Size, [=](char *P) { return pread(File, P, Size, At); });
}
ssize_t graupel_dsm_recv(int Socket, void *To, size_t Size, int Flags) {
  return input(To, Size, [=](char *P) { return recv(Socket, P, Size, Flags); });
}
ssize_t graupel_dsm_write(int File, const void *From, size_t Size) {
  return output(From, Size, [=](char *P) { return write(File, P, Size); });
}
ssize_t graupel_dsm_pwrite(int File, const void *From, size_t Size, off_t At) {
  return output(From, Size, [=](char *P) { return pwrite(File, P, Size, At); });
}
ssize_t graupel_dsm_send(int Socket, const void *From, size_t Size, int Flags) {
  return output(From, Size,
                [=](char *P) { return send(Socket, P, Size, Flags); });
}

//===-- Streams -----------------------------------------------------------===//

// Piece by piece, since streams buffer anyhow. Whole elements are counted, and
// what there is of a last one is copied, as the library does.
size_t graupel_dsm_fread(void *To, size_t Size, size_t Count, FILE *File) {
  size_t Bytes, Done = 0;
  if (__builtin_mul_overflow(Size, Count, &Bytes) || !Bytes)
    return 0;
  char Piece[4096];
  while (Done != Bytes) {
    size_t Wanted = Bytes - Done < sizeof Piece ? Bytes - Done : sizeof Piece;
    size_t Got = fread(Piece, 1, Wanted, File);
    graupel_dsm_memcpy(static_cast<char *>(To) + Done, Piece, Got);
    Done += Got;
    if (Got != Wanted)
      break;
  }
  return Done / Size;
}

size_t graupel_dsm_fwrite(const void *From, size_t Size, size_t Count,
                          FILE *File) {
  size_t Bytes, Done = 0;
  if (__builtin_mul_overflow(Size, Count, &Bytes) || !Bytes)
    return 0;
  char Piece[4096];
  while (Done != Bytes) {
    size_t Next = Bytes - Done < sizeof Piece ? Bytes - Done : sizeof Piece;
    graupel_dsm_memcpy(Piece, static_cast<const char *>(From) + Done, Next);
    size_t Put = fwrite(Piece, 1, Next, File);
    Done += Put;
    if (Put != Next)
      break;
  }
  return Done / Size;
}

int graupel_dsm_fputs(const char *String, FILE *File) {
  size_t Length = graupel_dsm_strlen(String);
  return graupel_dsm_fwrite(String, 1, Length, File) == Length ? 1 : EOF;
}

int graupel_dsm_puts(const char *String) {
  flockfile(stdout);
  int Result = graupel_dsm_fputs(String, stdout);
  if (Result != EOF && putc_unlocked('\n', stdout) == EOF)
    Result = EOF;
  funlockfile(stdout);
  return Result;
}

char *graupel_dsm_fgets(char *To, int Size, FILE *File) {
  if (Size <= 0)
    return nullptr;
  Bounce B(Size);
  if (!B.Data || !fgets(B.Data, Size, File))
    return nullptr;
  graupel_dsm_strcpy(To, B.Data);
  return To;
}
