//===- TestNode.h - A node without a job, for unit tests --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TEST_DSM_TESTNODE_H
#define GRAUPEL_TEST_DSM_TESTNODE_H

#include "Node/Node.h"
#include <thread>
#include <vector>

namespace graupel::dsm::test {

/// The process's only one, with what Start.cpp makes but no program's interface
/// and no protocol: tests register handlers themselves.
Node &node();

/// Fresh pages, with blocks of this size; not mapped.
uintptr_t openPages(uint32_t Block);

/// Takes a thread of the test offline for as long as it waits for others.
template <class F> void offline(F Body) {
  Away Here(node());
  Body();
}

/// Runs Body(I) on Count threads at the same time, and waits for them.
template <class F> void onThreads(int Count, F Body) {
  std::vector<std::thread> All;
  for (int I = 0; I != Count; ++I)
    All.emplace_back([&Body, I] {
      ThreadRecord &T = thisThread(node());
      Body(I);
      T.goOffline();
      Locked Lock(node().Dispatch);
      node().Team.leave(&T);
    });
  offline([&] {
    for (std::thread &T : All)
      T.join();
  });
}

} // namespace graupel::dsm::test

#endif
