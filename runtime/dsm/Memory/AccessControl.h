//===- AccessControl.h - Changes of tags and of data with them --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The writing side of tags (Schoinas 1998, 2.1 and A.4.3). Every call is made
// under the protocol lock, for whole blocks of one mapped page. Orders that
// other threads may rely on: data before the tag that permits them; a refusing
// summary before its tags, a permitting one after them. Waiting for threads
// that rely on an old tag is the caller's part (Node/Threads.h), between set()
// and what needs it: reading data that were writable, filling with the
// sentinel.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_MEMORY_ACCESSCONTROL_H
#define GRAUPEL_DSM_MEMORY_ACCESSCONTROL_H

#include "Memory/Region.h"
#include "graupel/tempest.h"

namespace graupel::dsm {

class AccessControl {
public:
  void attach(const TagTable &Tags, Region &Shared) {
    this->Tags = &Tags;
    this->Shared = &Shared;
  }

  tempest_tag get(uintptr_t A) const {
    return static_cast<tempest_tag>(*tags(A));
  }

  /// Sets all tags of [A, A + Length) from From to To and the page's summary.
  void set(uintptr_t A, size_t Length, tempest_tag From, tempest_tag To);

  /// Data of blocks that no thread may access now.
  void fill(uintptr_t A, size_t Length);
  void put(uintptr_t A, size_t Length, const void *From);
  /// Where the data of blocks are, for reading.
  const void *data(uintptr_t A) const;

  /// Gives an unmapped page tags and contents: zeros, what globals begin with,
  /// or the sentinel for tags that refuse loads.
  void map(uintptr_t PageStart, tempest_tag);
  /// Takes them away. The page must refuse everything already.
  void unmap(uintptr_t PageStart);
  /// Moves contents and tags of a mapped page to an unmapped one; the old one
  /// refuses everything already, its tags were `Old`.
  void move(uintptr_t From, uintptr_t To, const uint8_t *Old);

  /// Makes all tags of a page refuse, and keeps what they were in `Old`.
  void refuseAll(uintptr_t PageStart, uint8_t *Old);
  /// Puts `Old` back.
  void restore(uintptr_t PageStart, const uint8_t *Old);

  /// The first byte of the page that is not as it must be where the data is on
  /// another node, or nobody has used it yet; 0 if there is none.
  uintptr_t findStrayStore(uintptr_t PageStart) const;

  /// Hides a page that refuses everything, with the tags it had, and shows it.
  void hide(uintptr_t PageStart, const uint8_t *Old);
  void show(uintptr_t PageStart);

private:
  uint8_t *tags(uintptr_t A) const;
  uint8_t *data(uintptr_t A, size_t Length) const;
  void countAgain(uintptr_t PageStart);
  void publish(uintptr_t A);

  const TagTable *Tags = nullptr;
  Region *Shared = nullptr;
};

} // namespace graupel::dsm

#endif
