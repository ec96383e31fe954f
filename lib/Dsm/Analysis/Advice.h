//===- Dsm/Analysis/Advice.h - Changes that make it faster ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Advice for each object with a good part of the time lost or of the misses, in
// the order of the time lost:
//
//   1. Other blocks, if a replay (Replay.h) says that they save a seventh.
//   2. Where false sharing is left: other places for the data, so that it goes.
//   3. Another home, if a replay with these blocks saves a seventh of messages.
//   4. Loads that are followed by stores to the same block, which nobody wants
//      in between: a fetch to write.
//   5. Loads of one line that miss one after the other: a fetch in bulk.
//   6. If nothing of this applies, what its misses are, and why nothing does.
//
// Each step counts on those before. Numbers are a replay's least and most,
// scaled from what is in the nodes' logs to all misses of the object.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_ANALYSIS_ADVICE_H
#define GRAUPEL_DSM_ANALYSIS_ADVICE_H

#include "Accesses.h"
#include "Profile.h"
#include <optional>

namespace graupel::dsm {

/// The predicted cost of an object. A prediction holds if the program comes
/// within a tenth of these limits.
struct Forecast {
  uint64_t Misses = 0; ///< As recorded, or with what was advised before.
  uint64_t LeastMisses = 0, MostMisses = 0;
  uint64_t Messages = 0, LeastMessages = 0, MostMessages = 0;
};

struct Advice {
  enum class Kind {
    SmallerBlock,
    LargerBlock,
    Apart,
    Home,
    FetchToWrite,
    FetchInBulk,
    Nothing
  };
  unsigned Object;
  Kind Type;
  int64_t Value;       ///< The block size, the distance, the home, the bytes.
  std::string Text;    ///< The change to make.
  std::string Reasons; ///< The reasons, with figures.
  std::optional<Forecast> Then;
};
llvm::StringRef kindName(Advice::Kind);

/// The placement that an allocation should have, for hints.
struct Wanted {
  unsigned Object;
  Placement Now, Then;
};

struct AdviceList {
  std::vector<Advice> All;
  std::vector<Wanted> Placements; ///< Those that differ from the present.
  /// All of the job's misses, and with all advice that changes their number.
  uint64_t Misses = 0, LeastMisses = 0, MostMisses = 0;
};

/// For the object on which most time is lost first.
AdviceList advise(const Profile &, const Accesses &);

} // namespace graupel::dsm

#endif
