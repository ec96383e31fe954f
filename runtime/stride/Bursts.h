//===- stride/Bursts.h - Which references a thread records -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The clock of burst sampling; it goes by references. The thread's time is
// split into parts, each with counters of its own: while the bursts' distance
// still grows there is a part for each distance; later bursts go to GroupCount
// groups in turn, whose differences tell how certain their sum is. References
// that are counted even outside of bursts belong to a last part, for the whole
// time.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_BURSTS_H
#define GRAUPEL_STRIDE_BURSTS_H

#include "Base/RecordFile.h"

namespace graupel::stride {

struct Sampling {
  bool IsOn = false;
  /// References of a burst, and from one burst's beginning to the next one's,
  /// on average.
  uint64_t Burst = 1024, Every = 1 << 21;
  /// Number of bursts at each distance while the distance grows.
  uint64_t ALevel = 8;
};

class Bursts {
public:
  static constexpr uint32_t GroupCount = 8;
  /// Number of bursts of a group before it is the next one's turn; each turn
  /// looks objects and counters up again.
  static constexpr uint32_t BurstsATurn = 8;
  /// Number of threads in the record that stand for one thread.
  static uint32_t partCount(const Sampling &S);

  /// Declares the parts, which are threads `First` and so on of the record.
  Bursts(const Sampling &S, RecordFile &File, uint32_t First);

  /// Whether references are recorded: between start() and end().
  bool isOpen() const { return Open; }
  /// References before the next burst; may be 0.
  uint64_t gap() const { return Gap; }
  /// References of the burst that are still to come.
  uint64_t left() const { return Left; }
  /// Goes by references between bursts. They may be more than gap().
  void pass(uint64_t References) {
    Passed += References;
    Gap -= References < Gap ? References : Gap;
  }
  /// Goes by references that nobody recorded, in a burst or not.
  void miss(uint64_t References) { Passed += References; }
  /// Goes by references of the burst. Tells whether it is over.
  bool take(uint64_t References) {
    Taken += References;
    Left -= References < Left ? References : Left;
    return Left == 0;
  }
  /// The program has passed references without records, and tells how many are
  /// left; negative: it should have stopped before.
  void resume(int64_t References);
  /// A burst begins. Returns its part; that is thread `first() + part`.
  uint32_t start();
  /// The burst ends.
  void end();
  uint32_t first() const { return First; }
  /// The part for the whole time.
  uint32_t whole() const { return Levels + GroupCount; }
  /// Writes the counters.
  void flush();

private:
  uint64_t distance() const;

  const Sampling S;
  const uint32_t First, Levels;
  uint64_t Gap = 0, Left, Passed = 0, Taken = 0;
  bool Open = false;
  uint32_t Part = 0;
  uint64_t Count = 0; ///< Bursts that have begun.
  uint64_t Random;
  BurstsRecord **Records;
};

} // namespace graupel::stride

#endif
