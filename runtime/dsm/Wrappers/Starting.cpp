//===- Starting.cpp - Functions that start threads --------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interposes the functions of the C library that start threads, and knows of
// each thread whose it is (Node/Process.h).
//
// 1. pthread_create and thrd_create: a thread that one of the program starts is
//    the program's, whether that has called the runtime or not. It begins as a
//    stranger, with a signal stack. Threads that are started before main, in
//    the runtime or by a thread of the runtime are the runtime's.
// 2. When the main thread has ended by pthread_exit, and the last thread of the
//    program ends, the process ends.
//
//===----------------------------------------------------------------------===//

#include "Foreign/Wild.h"
#include "Node/Interpose.h"
#include "Node/Process.h"
#include <pthread.h>
#include <sys/stat.h>
#include <threads.h>

namespace graupel::dsm {

std::atomic<int> TheProgramsThreads{0};

namespace {

enum class Whose : uint8_t { Unknown, Program, Runtime };

__thread Whose ThisThreadIs __attribute__((tls_model("initial-exec")));
std::atomic<int> TheRuntimesThreads{0};
std::atomic<bool> ProgramRuns{false}, MainHasEnded{false}, Exits{false};

std::atomic<int> &counterOf(Whose W) {
  return W == Whose::Program ? TheProgramsThreads : TheRuntimesThreads;
}

/// Of a thread that the calling one starts.
Whose whoseIsNew() {
  if (!ProgramRuns || ThisThreadIs == Whose::Runtime)
    return Whose::Runtime;
  const ThreadRecord *T = TheNode ? self() : nullptr;
  bool InRuntime = T && !(T->state() & 1) && !T->BlockedAt;
  return InRuntime ? Whose::Runtime : Whose::Program;
}

/// The calling thread, which is counted already, runs the program's function
/// for as long as this exists, also if it is cancelled. A stranger until its
/// first entry.
struct Running {
  explicit Running(Whose W) {
    ThisThreadIs = W;
    if (W != Whose::Program || !TheNode)
      return;
    TheNode->Strangers.install();
    takeSignalStack();
  }
  ~Running() {
    // With a record it ends later, behind destructors (Start.cpp).
    if (!self())
      endThreadOfProcess(false);
  }
};

template <class Result> struct Beginning {
  Result (*Function)(void *);
  void *Argument;
  Whose Of;

  static Result run(void *Given) {
    Beginning B = *static_cast<Beginning *>(Given);
    delete static_cast<Beginning *>(Given);
    Running Here(B.Of);
    return B.Function(B.Argument);
  }
};

/// Start(function, argument) returns 0 if it has started a thread.
template <class Result, class F>
int start(Result (*Function)(void *), void *Argument, F Start) {
  auto *B = new Beginning<Result>{Function, Argument, whoseIsNew()};
  std::atomic<int> &Counter = counterOf(B->Of);
  Counter.fetch_add(1);
  int Error = Start(B->run, B);
  if (Error) {
    Counter.fetch_sub(1);
    delete B;
  }
  return Error;
}

} // namespace

void beginProgramsThreads() { ProgramRuns = true; }

bool allThreadsAreCounted() {
  // A directory has two links more than directories in it.
  struct stat Tasks;
  return stat("/proc/self/task", &Tasks) == 0 &&
         static_cast<int>(Tasks.st_nlink) - 2 ==
             1 + TheProgramsThreads.load() + TheRuntimesThreads.load();
}

void endThreadOfProcess(bool IsMain) {
  if (IsMain)
    MainHasEnded = true;
  else if (ThisThreadIs != Whose::Unknown)
    counterOf(ThisThreadIs).fetch_sub(1);
  ThisThreadIs = Whose::Unknown;
  if (MainHasEnded && !TheProgramsThreads && !Exits.exchange(true))
    exit(0);
}

} // namespace graupel::dsm

using namespace graupel::dsm;

static_assert(thrd_success == 0);

// NOLINTBEGIN: names and types are the C library's.
GRAUPEL_INTERPOSE(int, pthread_create,
                  (pthread_t * T, const pthread_attr_t *A, void *(*F)(void *),
                   void *Argument)) {
  return start(F, Argument, [=](void *(*Run)(void *), void *B) {
    return real_pthread_create()(T, A, Run, B);
  });
}

GRAUPEL_INTERPOSE(int, thrd_create,
                  (thrd_t * T, thrd_start_t F, void *Argument)) {
  return start(F, Argument, [=](thrd_start_t Run, void *B) {
    return real_thrd_create()(T, Run, B);
  });
}
// NOLINTEND
