//===- Tempest.h - Common to the calls of tempest.h -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tempest.h is implemented by small adapters to the node's parts. Here is what
// more than one of them needs: changes of tags as the interface names them.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TEMPEST_TEMPEST_H
#define GRAUPEL_DSM_TEMPEST_TEMPEST_H

#include "Node/Node.h"
#include "graupel/tempest.h"

namespace graupel::dsm {

inline uintptr_t addressOf(const void *P) {
  return reinterpret_cast<uintptr_t>(P);
}

struct Transition {
  tempest_tag From, To;
  bool takesAccess() const {
    return (refuses(To, false) && !refuses(From, false)) ||
           (refuses(To, true) && !refuses(From, true));
  }
  bool needsFill() const { return refuses(To, false) && !refuses(From, false); }
};
/// Not of TEMPEST_NO_CHANGE.
Transition transitionOf(unsigned Change);

/// Changes tags; after a downgrade no thread relies on the old ones. Data of
/// blocks that became Invalid are still there, until finishChange().
void changeTags(uintptr_t A, size_t Length, tempest_change);
void finishChange(uintptr_t A, size_t Length, tempest_change);

void putBlocks(uintptr_t A, size_t Length, tempest_change, const void *From);

/// The names of the message handlers that the protocol has registered, one a
/// line.
const char *registeredHandlers();

} // namespace graupel::dsm

#endif
