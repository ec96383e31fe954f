//===- stride/Simulated.h - A thread's references, to caches ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With GRAUPEL_STRIDE=cache the thread's buffers are read a second time, in
// program order, for the simulation of caches. Data objects are looked up for
// references that miss only.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_SIMULATED_H
#define GRAUPEL_STRIDE_SIMULATED_H

#include "Cache/Core.h"
#include "Objects.h"
#include "Walk.h"

namespace graupel::stride {

class Simulated final : Owners {
public:
  /// The stack is the thread's.
  Simulated(Caches &All, uint32_t Thread, uint64_t StackBegin,
            uint64_t StackEnd, bool SomeObjects);

  /// Counts the records of a buffer. Called by the thread, or when the process
  /// ends.
  void drain(const uint64_t *Words, const uint64_t *Last);

private:
  friend Walk<Simulated>;
  bool isSelected(uint32_t Site) const { return Sites[Site].Selected; }
  GRAUPEL_HOT void refer(uint32_t Site, uint64_t Address) {
    if (__builtin_expect(SomeObjects, false) &&
        !objectOf(Site, Address).Obj->Selected)
      return;
    C.refer(Site, Address);
  }
  const uint64_t *plain(const uint64_t *Words, const uint64_t *Last,
                        const NumberRange &Range);
  template <bool IsUsual>
  const uint64_t *plainOf(const uint64_t *Words, const uint64_t *Last,
                          const NumberRange &Range);
  // again() makes each reference to objects of which some are not selected.
  GRAUPEL_HOT bool stays(uint64_t Address) const {
    return SomeObjects || C.stays(Address);
  }
  uint32_t lineBytes() const { return C.lineBytes(); }
  void again(uint32_t Site, uint64_t Address, int64_t Step, uint64_t Count);
  void advance(const uint64_t *Words, const uint64_t *Behind) {
    C.advance(Words, Behind);
  }

  Place objectOf(uint32_t Site, uint64_t Address) const;
  Owner find(uint32_t Site, uint64_t Address) override;

  Caches &All;
  Core C;
  Walk<Simulated> W;
  const uint64_t StackBegin, StackEnd;
  uint64_t Epoch = 0;     ///< The heap's epoch when owners were last forgotten.
  const bool SomeObjects; ///< Not all objects are selected.
  uint64_t Latest = 0;    ///< When the buffer was empty.
};

} // namespace graupel::stride

#endif
