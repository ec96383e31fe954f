//===- TestNode.cpp - A node without a job, for unit tests ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestNode.h"
#include "Entries/Entries.h"
#include "Node/Alone.h"

namespace graupel::dsm {

Node *TheNode = nullptr;

Node &nodeFor(const char *) { return test::node(); }

ThreadRecord &thisThread(Node &N) {
  if (ThreadRecord *T = self())
    return *T;
  Locked Lock(N.Dispatch);
  ThreadRecord *T = N.Team.join();
  N.Tags.install(); // It may be a stranger; see Wrappers/Starting.cpp.
  return *T;
}

namespace test {

namespace {

Node *make() {
  auto *N = new Node;
  N->Tags.reserve();
  N->Strangers.reserve();
  N->Tags.install();
  Look.Tags = N->Tags;
  Look.ProtocolLocked = N->Dispatch.lockWord();
  chooseVectorMethod();
  N->Shared.reserve(0, N->Tags, N->Strangers, true);
  Look.Shared = N->Shared.addresses();
  N->Access.attach(N->Tags, N->Shared);
  N->Wire =
      std::make_unique<Alone>(*reinterpret_cast<ControlPage *>(N->Tags.base()));
  N->Others.attach(N->Wire->control().Rest, true);
  N->Dispatch.attach(*N->Wire, N->Team, 0, N->Others);
  N->Team.attach(N->Wire->control(), N->Others);
  N->Refused.attach(N->Tags, N->Shared, N->Team, N->Dispatch);
  return TheNode = N;
}

} // namespace

Node &node() {
  static Node &N = *make();
  return N;
}

uintptr_t openPages(uint32_t Block) {
  static uint32_t Next = 0;
  ChunkRun Run = {Next++, 1, {Block, 0, 0, false}};
  Locked Lock(node().Dispatch);
  node().Shared.open(Run, false);
  return node().Shared.start() + Run.First * ChunkBytes;
}

} // namespace test
} // namespace graupel::dsm
