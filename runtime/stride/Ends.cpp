//===- stride/Ends.cpp - exec and _exit -----------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ways to end that run no destructors. Without this the record would be valid,
// but would lack the references in buffers.
//
//===----------------------------------------------------------------------===//

#include "Process.h"
#include <cstdarg>
#include <dlfcn.h>
#include <sys/syscall.h>

using namespace graupel::stride;

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT __attribute__((noreturn)) void _exit(int Status) {
  endRecord(RecordState::Ended);
  for (;;)
    syscall(SYS_exit_group, Status);
}

EXPORT __attribute__((noreturn)) void _Exit(int Status) { _exit(Status); }

namespace {

/// Calls the C library's function of this name; returns if it failed.
template <class... Arguments> int replace(const char *Name, Arguments... A) {
  auto *Real = reinterpret_cast<int (*)(Arguments...)>(dlsym(RTLD_NEXT, Name));
  endRecord(RecordState::Replaced);
  int Result = Real(A...);
  resumeRecord();
  return Result;
}

/// The arguments of execl and its like; the last one is null.
class ArgumentList {
public:
  ArgumentList(const char *First, va_list &Rest) {
    List.push(const_cast<char *>(First));
    while (List[List.size() - 1])
      List.push(va_arg(Rest, char *));
  }
  char **begin() { return List.begin(); }

private:
  Array<char *> List;
};

} // namespace

EXPORT int execve(const char *Path, char *const *Arguments,
                  char *const *Environment) {
  return replace("execve", Path, Arguments, Environment);
}

EXPORT int execv(const char *Path, char *const *Arguments) {
  return replace("execv", Path, Arguments);
}

EXPORT int execvp(const char *File, char *const *Arguments) {
  return replace("execvp", File, Arguments);
}

EXPORT int execvpe(const char *File, char *const *Arguments,
                   char *const *Environment) {
  return replace("execvpe", File, Arguments, Environment);
}

EXPORT int fexecve(int File, char *const *Arguments, char *const *Environment) {
  return replace("fexecve", File, Arguments, Environment);
}

EXPORT int execl(const char *Path, const char *First, ...) {
  va_list Rest;
  va_start(Rest, First);
  ArgumentList A(First, Rest);
  va_end(Rest);
  return execv(Path, A.begin());
}

EXPORT int execlp(const char *File, const char *First, ...) {
  va_list Rest;
  va_start(Rest, First);
  ArgumentList A(First, Rest);
  va_end(Rest);
  return execvp(File, A.begin());
}

EXPORT int execle(const char *Path, const char *First, ...) {
  va_list Rest;
  va_start(Rest, First);
  ArgumentList A(First, Rest);
  char **Environment = va_arg(Rest, char **);
  va_end(Rest);
  return execve(Path, A.begin(), Environment);
}
