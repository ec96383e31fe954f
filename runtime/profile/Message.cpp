//===- profile/Message.cpp - Messages to users ----------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Message.h"
#include "Syscall.h"
#include "Text.h"

using namespace graupel;

namespace {

/// A line of several parts, written at once so that lines of processes do not
/// mix.
class Line {
public:
  void add(const char *Text) {
    if (Count == MaxParts)
      return;
    Parts[Count].iov_base = const_cast<char *>(Text);
    Parts[Count++].iov_len = length(Text);
  }
  void write() {
    sys::retry(__NR_writev, 2, sys::word(Parts), static_cast<long>(Count));
  }

private:
  static constexpr unsigned MaxParts = 8;
  iovec Parts[MaxParts];
  unsigned Count = 0;
};

// A table of pointers would need relocations.
const char *explain(int Error) {
  switch (Error) {
#define GRAUPEL_ERROR(CODE, TEXT)                                              \
  case CODE:                                                                   \
    return TEXT
    GRAUPEL_ERROR(EPERM, "Operation not permitted");
    GRAUPEL_ERROR(ENOENT, "No such file or directory");
    GRAUPEL_ERROR(EIO, "Input/output error");
    GRAUPEL_ERROR(ENXIO, "No such device or address");
    GRAUPEL_ERROR(EAGAIN, "Resource temporarily unavailable");
    GRAUPEL_ERROR(ENOMEM, "Cannot allocate memory");
    GRAUPEL_ERROR(EACCES, "Permission denied");
    GRAUPEL_ERROR(ENODEV, "The file system cannot map files");
    GRAUPEL_ERROR(ENOTDIR, "Not a directory");
    GRAUPEL_ERROR(EISDIR, "Is a directory");
    GRAUPEL_ERROR(EINVAL, "Invalid argument");
    GRAUPEL_ERROR(ENFILE, "Too many open files in system");
    GRAUPEL_ERROR(EMFILE, "Too many open files");
    GRAUPEL_ERROR(ETXTBSY, "Text file busy");
    GRAUPEL_ERROR(EFBIG, "File too large");
    GRAUPEL_ERROR(ENOSPC, "No space left on device");
    GRAUPEL_ERROR(EROFS, "Read-only file system");
    GRAUPEL_ERROR(ENAMETOOLONG, "File name too long");
    GRAUPEL_ERROR(ENOLCK, "No locks available");
    GRAUPEL_ERROR(ELOOP, "Too many levels of symbolic links");
    GRAUPEL_ERROR(EOPNOTSUPP, "Operation not supported");
    GRAUPEL_ERROR(EDQUOT, "Disk quota exceeded");
    GRAUPEL_ERROR(NotRegular, "it is not a regular file");
    GRAUPEL_ERROR(OtherImage, "it is of something else");
    GRAUPEL_ERROR(KeepsVanishing, "it is removed again and again");
#undef GRAUPEL_ERROR
  default:
    return "Error";
  }
}

/// Whether `graupel learn` has named the profile: by the content of the image,
/// as SHA-256. It reports itself what could not be counted; programs that run
/// in it must print only their own output.
bool isInSpool(const char *Path) {
  constexpr size_t Digits = 64;
  const char *Name = Path;
  for (const char *C = Path; *C; ++C)
    if (*C == '/')
      Name = C + 1;
  size_t N = 0;
  while ((Name[N] >= '0' && Name[N] <= '9') ||
         (Name[N] >= 'a' && Name[N] <= 'f'))
    ++N;
  constexpr char Suffix[] = ".gprofile";
  return N == Digits && sameBytes(Name + N, Suffix, sizeof(Suffix) - 1);
}

} // namespace

void graupel::sayNotRecorded(const char *Path, int Error) {
  if (isInSpool(Path))
    return;
  char Number[24];
  TextWriter Writer(Number, sizeof(Number));
  if (-Error < NotRegular) {
    Writer.put(" (errno ");
    Writer.putDecimal(static_cast<uint64_t>(-Error));
    Writer.put(')');
  }
  Line L;
  L.add("graupel: cannot record the profile ");
  L.add(Path);
  L.add(": ");
  L.add(explain(-Error));
  L.add(Number);
  L.add("; the counts of this process are lost\n");
  L.write();
}

void graupel::sayOtherFile(const char *Path, uint64_t Plan) {
  if (isInSpool(Path))
    return;
  char Suffix[20];
  TextWriter(Suffix, sizeof(Suffix)).putHex16(Plan);
  Line L;
  L.add("graupel: the profile ");
  L.add(Path);
  L.add(" is of something else; counting into ");
  L.add(Path);
  L.add(".");
  L.add(Suffix);
  L.add(" instead\n");
  L.write();
}
