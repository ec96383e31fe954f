//===- Verify/CodeRecordings.cpp - Stepping over recording code -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Step 6 of the comparison (CodeComparison.h): recording code of the output is
// stepped over, and noted with the place of the input that it comes before.
//
//===----------------------------------------------------------------------===//

#include "CodeComparison.h"

using namespace llvm;
using namespace graupel;

/// Follows the output over recording code, if there is some that the input's
/// instruction \p Next is not.
bool CodeComparison::skipRecording(const Instruction *Next) {
  if (!Recording.any())
    return false;
  const auto Piece = Recording.find(Out.Now, Next);
  if (!Piece)
    return false;
  Recorded.push_back({Out.At, *Piece});
  Out.At = Piece->End;
  return true;
}

/// Both have come to the input's instruction \p Next or, if it is null, to the
/// beginning of another function.
void CodeComparison::noteRecorded(const Instruction *Next) {
  for (const auto &[At, Piece] : Recorded)
    Recording.add(Piece, At, In.At, Next);
}

Error CodeComparison::checkTargets() {
  for (const auto &[At, Piece] : Recorded)
    if (Piece.Target && !Recording.recordsTarget(Piece, Out.Now))
      return bad("what is recorded at " + place(At, true) +
                 " is not where the code at " + place(Out.At, true) + " goes");
  return Error::success();
}

void CodeComparison::noteTaken(uint64_t Place) {
  if (Recording.any())
    Recording.flow().addTaken(Place);
}
