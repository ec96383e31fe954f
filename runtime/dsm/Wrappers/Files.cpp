//===- Files.cpp - Names and states of files in shared memory ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements functions on names and states of files with private copies of
// shared arguments.
//
// 1. Names: functions that read strings get private copies of them (String).
// 2. States: functions that store a result get a private object. Changes are
//    copied back (Object, Objects), or the results of a call that blocks
//    (Results). The argument of pthread_create is handed on as it is.
// 3. Functions written out: open and openat take a mode. readlink, getcwd and
//    realpath copy the text behind the call, and no more than it has. mkstemp
//    and mkdtemp change the name itself.
// 4. The forms of -D_FORTIFY_SOURCE check the size of the destination first.
//
//===----------------------------------------------------------------------===//

#include "Entries/Private.h"
#include "Wrappers/Checked.h"
#include <climits>
#include <cstdarg>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

using namespace graupel::dsm;

//===-- Names -------------------------------------------------------------===//

#define GRAUPEL_NAME(Result, Name)                                             \
  GRAUPEL_WRAP(Result, Name, (const char *Path), String(Path))
GRAUPEL_NAME(int, chdir)
GRAUPEL_NAME(int, unlink)
GRAUPEL_NAME(int, rmdir)
GRAUPEL_NAME(int, remove)
GRAUPEL_NAME(int, system)
GRAUPEL_NAME(int, unsetenv)
GRAUPEL_NAME(DIR *, opendir)
GRAUPEL_NAME(char *, getenv)
GRAUPEL_NAME(char *, secure_getenv)
GRAUPEL_NAME(void, perror)

#define GRAUPEL_NAMES(Result, Name)                                            \
  GRAUPEL_WRAP(Result, Name, (const char *A, const char *B), String(A),        \
               String(B))
GRAUPEL_NAMES(int, link)
GRAUPEL_NAMES(int, symlink)
GRAUPEL_NAMES(int, rename)
GRAUPEL_NAMES(FILE *, fopen)
GRAUPEL_NAMES(FILE *, popen)

GRAUPEL_WRAP(FILE *, freopen, (const char *Path, const char *Mode, FILE *F),
             String(Path), String(Mode), F)
GRAUPEL_WRAP(FILE *, fdopen, (int File, const char *Mode), File, String(Mode))
GRAUPEL_WRAP(int, setenv, (const char *A, const char *B, int Over), String(A),
             String(B), Over)
GRAUPEL_WRAP(int, access, (const char *Path, int Mode), String(Path), Mode)
GRAUPEL_WRAP(int, creat, (const char *Path, mode_t Mode), String(Path), Mode)
GRAUPEL_WRAP(int, mkdir, (const char *Path, mode_t Mode), String(Path), Mode)
GRAUPEL_WRAP(int, mkfifo, (const char *Path, mode_t Mode), String(Path), Mode)
GRAUPEL_WRAP(int, chmod, (const char *Path, mode_t Mode), String(Path), Mode)
GRAUPEL_WRAP(int, truncate, (const char *Path, off_t Size), String(Path), Size)
GRAUPEL_WRAP(int, chown, (const char *Path, uid_t U, gid_t G), String(Path), U,
             G)

//===-- States ------------------------------------------------------------===//

GRAUPEL_WRAP(int, stat, (const char *Path, struct stat *S), String(Path),
             Object(S))
GRAUPEL_WRAP(int, lstat, (const char *Path, struct stat *S), String(Path),
             Object(S))
GRAUPEL_WRAP(int, fstat, (int File, struct stat *S), File, Object(S))
GRAUPEL_WRAP(int, pipe, (int *Ends), Objects(Ends, 2))
GRAUPEL_WRAP(int, pipe2, (int *Ends, int Flags), Objects(Ends, 2), Flags)
GRAUPEL_WRAP(int, uname, (utsname * U), Object(U))
GRAUPEL_WRAP(int, gethostname, (char *To, size_t Size), Objects(To, Size), Size)
GRAUPEL_WRAP(int, fgetpos, (FILE * F, fpos_t *P), F, Object(P))
GRAUPEL_WRAP(int, fsetpos, (FILE * F, const fpos_t *P), F, Object(P))
GRAUPEL_WRAP(ssize_t, getdelim, (char **To, size_t *Size, int End, FILE *F),
             Object(To), Object(Size), End, F)
GRAUPEL_WRAP(ssize_t, getline, (char **To, size_t *Size, FILE *F), Object(To),
             Object(Size), F)
// The thread's argument is not followed.
GRAUPEL_WRAP(int, pthread_create,
             (pthread_t * T, const pthread_attr_t *A, void *(*F)(void *),
              void *Argument),
             Object(T), Object(A), F, Argument)
GRAUPEL_WRAP(int, thrd_create, (thrd_t * T, thrd_start_t F, void *Argument),
             Object(T), F, Argument)
// It stores names in this node's private memory.
GRAUPEL_WRAP(int, dladdr, (const void *A, Dl_info *Info), A, Object(Info))

namespace {

/// A string that the library changes, without its length.
class Changed : public Objects<char> {
public:
  explicit Changed(char *S)
      : Objects(S, isShared(S) ? graupel_dsm_strlen(S) + 1 : 0) {}
};

} // namespace

extern "C" {
int __open_2(const char *, int);
int __openat_2(int, const char *, int);

pid_t graupel_dsm_waitpid(pid_t P, int *Status, int Flags) {
  Results Private(Status);
  pid_t Ended = waitpid(P, Private, Flags);
  if (Ended > 0)
    Private.stored(1);
  return Ended;
}

pid_t graupel_dsm_wait(int *Status) {
  return graupel_dsm_waitpid(-1, Status, 0);
}

int graupel_dsm_pthread_join(pthread_t T, void **Result) {
  Results Private(Result);
  int Error = pthread_join(T, Private);
  if (!Error)
    Private.stored(1);
  return Error;
}

int graupel_dsm_open(const char *Path, int Flags, ...) {
  va_list L;
  va_start(L, Flags);
  mode_t Mode = va_arg(L, mode_t);
  va_end(L);
  return open(String(Path), Flags, Mode);
}

int graupel_dsm_openat(int At, const char *Path, int Flags, ...) {
  va_list L;
  va_start(L, Flags);
  mode_t Mode = va_arg(L, mode_t);
  va_end(L);
  return openat(At, String(Path), Flags, Mode);
}

ssize_t graupel_dsm_readlink(const char *Path, char *To, size_t Size) {
  if (!isShared(To))
    return readlink(String(Path), To, Size);
  char Text[PATH_MAX];
  ssize_t Got = readlink(String(Path), Text, std::min(Size, sizeof(Text)));
  if (Got > 0)
    graupel_dsm_memcpy(To, Text, Got);
  return Got;
}

char *graupel_dsm_getcwd(char *To, size_t Size) {
  if (!isShared(To))
    return getcwd(To, Size);
  char Text[PATH_MAX];
  if (!getcwd(Text, std::min(Size, sizeof(Text))))
    return nullptr;
  return static_cast<char *>(graupel_dsm_memcpy(To, Text, strlen(Text) + 1));
}

char *graupel_dsm_realpath(const char *Path, char *To) {
  if (!isShared(To))
    return realpath(String(Path), To);
  char Text[PATH_MAX];
  if (!realpath(String(Path), Text))
    return nullptr;
  return static_cast<char *>(graupel_dsm_memcpy(To, Text, strlen(Text) + 1));
}

int graupel_dsm_mkstemp(char *Name) { return mkstemp(Changed(Name)); }

int graupel_dsm_mkstemps(char *Name, int Suffix) {
  return mkstemps(Changed(Name), Suffix);
}

int graupel_dsm_mkostemp(char *Name, int Flags) {
  return mkostemp(Changed(Name), Flags);
}

int graupel_dsm_mkostemps(char *Name, int Suffix, int Flags) {
  return mkostemps(Changed(Name), Suffix, Flags);
}

char *graupel_dsm_mkdtemp(char *Name) {
  return mkdtemp(Changed(Name)) ? Name : nullptr;
}

int graupel_dsm___open_2(const char *Path, int Flags) {
  return __open_2(String(Path), Flags);
}

int graupel_dsm___openat_2(int At, const char *Path, int Flags) {
  return __openat_2(At, String(Path), Flags);
}
} // extern "C"

//===-- As -D_FORTIFY_SOURCE calls them -----------------------------------===//

GRAUPEL_CHECKED(ssize_t, readlink, Size,
                (const char *Path, char *To, size_t Size, size_t Room), Path,
                To, Size)
GRAUPEL_CHECKED(char *, getcwd, Size, (char *To, size_t Size, size_t Room), To,
                Size)
GRAUPEL_CHECKED(char *, realpath, PATH_MAX,
                (const char *Path, char *To, size_t Room), Path, To)
GRAUPEL_CHECKED(int, gethostname, Size, (char *To, size_t Size, size_t Room),
                To, Size)
