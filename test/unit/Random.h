//===- unit/Random.h - Numbers for the property tests -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TEST_UNIT_RANDOM_H
#define GRAUPEL_TEST_UNIT_RANDOM_H

#include <cstdint>
#include <cstdlib>
#include <random>

namespace graupel::test {

/// Random numbers that are the same on every machine for one seed (the
/// distributions of <random> are not).
class Random {
public:
  explicit Random(uint64_t Seed) : Engine(Seed) {}

  /// From 0 to \p Limit - 1.
  uint64_t below(uint64_t Limit) { return Engine() % Limit; }
  bool oneIn(uint64_t N) { return below(N) == 0; }

private:
  std::mt19937_64 Engine;
};

/// The first of the seeds a property test runs with. GRAUPEL_TEST_SEED=N
/// repeats the seed that a failure printed.
inline uint64_t firstSeed() {
  const char *Given = std::getenv("GRAUPEL_TEST_SEED");
  return Given ? std::strtoull(Given, nullptr, 10) : 1;
}
inline uint64_t numSeeds() {
  return std::getenv("GRAUPEL_TEST_SEED") ? 1 : 300;
}

} // namespace graupel::test

/// Runs the statement that follows once for each seed; a failure says which.
#define FOR_EACH_SEED(Seed)                                                    \
  for (uint64_t Seed = ::graupel::test::firstSeed(),                           \
                End = Seed + ::graupel::test::numSeeds();                      \
       Seed != End && !::testing::Test::HasFailure(); ++Seed)                  \
    if (::testing::ScopedTrace Trace(__FILE__, __LINE__,                       \
                                     "repeat with GRAUPEL_TEST_SEED=" +        \
                                         std::to_string(Seed));                \
        true)

#endif // GRAUPEL_TEST_UNIT_RANDOM_H
