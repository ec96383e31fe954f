//===- stride/Bursts.cpp --------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bursts.h"

namespace graupel::stride {

/// The first distance, in bursts.
static constexpr uint64_t FirstDistance = 8;

static uint32_t levelsOf(const Sampling &S) {
  uint32_t Levels = 0;
  while (S.Burst < (S.Every >> Levels) / FirstDistance)
    ++Levels;
  return Levels;
}

uint32_t Bursts::partCount(const Sampling &S) {
  return S.IsOn ? levelsOf(S) + GroupCount + 1 : 1;
}

Bursts::Bursts(const Sampling &S, RecordFile &File, uint32_t First)
    : S(S), First(First), Levels(levelsOf(S)), Left(S.Burst),
      // Runs of one program are alike, and its threads are not in step.
      Random(0x9e3779b97f4a7c15 * (First + 1)) {
  const uint32_t Parts = whole();
  Records =
      static_cast<BurstsRecord **>(allocate(Parts * sizeof(BurstsRecord *)));
  for (uint32_t N = 0; N < Parts; ++N) {
    auto *R = static_cast<BurstsRecord *>(
        File.append(ChunkKind::Bursts, sizeof(BurstsRecord), true));
    Records[N] = R;
    if (!R)
      continue;
    R->Thread = First + N;
    R->Group = N < Levels ? 0 : N - Levels + 1;
    R->Burst = S.Burst;
    R->Every = S.Every;
    File.commit(R);
  }
}

/// The distance between bursts in the current part.
uint64_t Bursts::distance() const {
  return Part < Levels ? (S.Burst * FirstDistance) << Part : S.Every;
}

void Bursts::resume(int64_t References) {
  uint64_t Now = References > 0 ? static_cast<uint64_t>(References) : 0;
  Passed += Gap - Now;
  if (References < 0)
    Passed += 0 - static_cast<uint64_t>(References);
  Gap = Now;
}

uint32_t Bursts::start() {
  flush();
  Open = true;
  uint64_t Grown = Levels * S.ALevel;
  Part = static_cast<uint32_t>(
      Count < Grown ? Count / S.ALevel
                    : Levels + (Count - Grown) / BurstsATurn % GroupCount);
  ++Count;
  if (Records[Part])
    ++Records[Part]->Bursts;
  return Part;
}

// The gap counts for the burst before it. Its length varies, so that it does
// not go in step with a loop of the program.
void Bursts::end() {
  Open = false;
  Random ^= Random << 13;
  Random ^= Random >> 7;
  Random ^= Random << 17;
  uint64_t Mean = distance() - S.Burst;
  Gap = Mean / 2 + Random % Mean;
  Left = S.Burst;
}

void Bursts::flush() {
  if (BurstsRecord *R = Records[Part]) {
    R->InBursts += Taken;
    R->References += Taken + Passed;
  }
  Taken = Passed = 0;
}

} // namespace graupel::stride
