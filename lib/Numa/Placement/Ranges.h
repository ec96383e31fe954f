//===- Numa/Placement/Ranges.h - Which policy holds where ----- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_RANGES_H
#define GRAUPEL_NUMA_RANGES_H

#include <cstdint>
#include <vector>

namespace graupel::numa {

enum class PolicyKind { FirstTouch, Fixed, RoundRobin, Interleave, NextTouch };

/// The rule by which pages of a range get their nodes, which have the system's
/// numbers.
struct Policy {
  PolicyKind Kind = PolicyKind::FirstTouch;
  std::vector<unsigned> Nodes; ///< In order; not empty but for touch policies.
  std::vector<unsigned> Weights; ///< One for each node.
  uint64_t Unit = 0;             ///< Bytes, whole pages.
  bool Mandatory = false;

  /// Round robin: the node of the unit with that number.
  unsigned nodeOfUnit(uint64_t Unit) const;
};

struct Attachment {
  uint64_t Start, End; ///< Addresses, End is the first after it.
  Policy Rule;
  uint64_t Origin; ///< Where its units are counted from.
};

/// A part of a range in which one attachment holds, or none.
struct Piece {
  uint64_t Start, End;
  const Attachment *Holder; ///< Null: no policy. Until the ranges change.
};

/// Attachments; of those around an address the smallest holds, then the latest.
class Ranges {
public:
  /// Replaces one of the same range.
  void attach(uint64_t Start, uint64_t End, Policy NewPolicy);
  /// Forgets all that lie within.
  void detach(uint64_t Start, uint64_t End);
  /// Nothing of this range is in use any more: parts of attachments go, too.
  void release(uint64_t Start, uint64_t End);
  /// The parts of a range, in order, without gaps.
  std::vector<Piece> pieces(uint64_t Start, uint64_t End) const;

private:
  const Attachment *holds(uint64_t Start, uint64_t End) const;

  std::vector<Attachment> All; ///< In order of attachment.
};

} // namespace graupel::numa

#endif
