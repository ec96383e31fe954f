// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: x86_64, g++, clang
// Threads that the C++ library makes, with exceptions and destructors of their own.
//
// RUN: %exact %s -o %t --flags=-pthread --builds gcc:pie,clang:no-pie,gcc:static --runs 1 \
// RUN:   --expect started=108 unit=800000 thrown~100 caught=100 left=108

#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

extern "C" {
#include "units.h"
UNIT(started, 1)
UNIT(unit, 2)
UNIT(thrown, 3)
UNIT(caught, 4)
UNIT(left, 5)
}

namespace {

struct Local {
  Local() { started(); }
  ~Local() { left(); }
};

KEPT void touch() {
  thread_local Local L;
  asm volatile("" ::"r"(&L));
}

KEPT int fail() {
  touch();
  thrown();
  throw std::runtime_error("in a thread");
}

} // namespace

int main() {
  std::vector<std::thread> Threads;
  for (int I = 0; I < 8; ++I)
    Threads.emplace_back([] {
      touch();
      for (int J = 0; J < 100000; ++J)
        unit();
    });
  for (std::thread &T : Threads)
    T.join();
  for (int I = 0; I < 100; ++I)
    try {
      std::async(std::launch::async, fail).get();
    } catch (const std::runtime_error &) {
      caught();
    }
}
