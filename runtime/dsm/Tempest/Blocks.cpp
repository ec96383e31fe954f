//===- Blocks.cpp - Tempest's calls on tags ---------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Foreign/LostStores.h"
#include "Tempest/Tempest.h"
#include "Trace/Trace.h"
#include <cassert>
#include <cstring>

using namespace graupel::dsm;

namespace graupel::dsm {

Transition transitionOf(unsigned Change) {
  static constexpr Transition Table[] = {
      {TEMPEST_INVALID, TEMPEST_READ_WRITE},
      {TEMPEST_INVALID, TEMPEST_READ_ONLY},
      {TEMPEST_INVALID, TEMPEST_BUSY},
      {TEMPEST_READ_WRITE, TEMPEST_INVALID},
      {TEMPEST_READ_WRITE, TEMPEST_READ_ONLY},
      {TEMPEST_READ_ONLY, TEMPEST_INVALID},
      {TEMPEST_READ_ONLY, TEMPEST_READ_WRITE},
      {TEMPEST_BUSY, TEMPEST_READ_WRITE},
      {TEMPEST_BUSY, TEMPEST_READ_ONLY},
      {TEMPEST_BUSY, TEMPEST_INVALID},
  };
  assert(Change < TEMPEST_NO_CHANGE && "no change of tags");
  return Table[Change];
}

void changeTags(uintptr_t A, size_t Length, tempest_change Change) {
  if (Change == TEMPEST_NO_CHANGE)
    return;
  Node &N = *TheNode;
  Transition T = transitionOf(Change);
  N.Access.set(A, Length, T.From, T.To);
  if (T.takesAccess() && !N.Shared.page(A).Hidden) {
    N.Team.handshake();
    N.Shared.protect(A);
  }
}

void finishChange(uintptr_t A, size_t Length, tempest_change Change) {
  if (Change == TEMPEST_NO_CHANGE || !transitionOf(Change).needsFill())
    return;
  Node &N = *TheNode;
  trace::leaves(A, Length, N.Shared.chunk(A).Block, N.Access.data(A));
  N.Access.fill(A, Length);
}

void putBlocks(uintptr_t A, size_t Length, tempest_change Change,
               const void *From) {
  Node &N = *TheNode;
  if (Change != TEMPEST_NO_CHANGE && refuses(transitionOf(Change).From, false))
    refuseLostStores(A, Length);
  trace::arrives(A, Length, N.Shared.chunk(A).Block, From);
  N.Access.put(A, Length, From);
  changeTags(A, Length, Change);
}

} // namespace graupel::dsm

tempest_tag tempest_get_tag(const void *Address) {
  return TheNode->Access.get(addressOf(Address));
}

void tempest_change_blocks(void *Address, size_t Length,
                           tempest_change Change) {
  changeTags(addressOf(Address), Length, Change);
  finishChange(addressOf(Address), Length, Change);
}

void tempest_change_blocks_and_get(void *Address, size_t Length,
                                   tempest_change Change, void *Buffer) {
  uintptr_t A = addressOf(Address);
  changeTags(A, Length, Change);
  memcpy(Buffer, TheNode->Access.data(A), Length);
  finishChange(A, Length, Change);
}

void tempest_change_blocks_and_put(void *Address, size_t Length,
                                   tempest_change Change, const void *Buffer) {
  putBlocks(addressOf(Address), Length, Change, Buffer);
}

void tempest_register_block_fault_handler(int Mode, tempest_tag Tag,
                                          tempest_access Access,
                                          tempest_block_fault_handler H) {
  TheNode->Refused.setBlockHandler(Mode, Tag, Access == TEMPEST_STORE, H);
}

int tempest_is_held(const void *Block) {
  return TheNode->Refused.isHeld(addressOf(Block));
}

void tempest_register_release_handler(tempest_release_handler H) {
  TheNode->Refused.setReleaseHandler(H);
}

void tempest_resume(const void *Address, size_t Length) {
  TheNode->Refused.resume(addressOf(Address), Length);
}
