//===- Driver/Summary.h - Success in five lines -----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells the user what was done, in at most five lines:
//   1. how many functions were optimized or instrumented, and which share of
//      the executed instructions they are;
//   2. which executed functions were skipped, the hottest three with their
//      reasons;
//   3. how large the output is, and where;
//   4. where an instrumented program counts;
//   5. what to do next, if there is something.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DRIVER_SUMMARY_H
#define GRAUPEL_DRIVER_SUMMARY_H

#include "Instrumenting.h"
#include "bolt/Core/BinaryContext.h"
#include "bolt/Core/BinaryFunction.h"
#include "llvm/ADT/DenseMap.h"
#include <string>
#include <vector>

namespace graupel {

class Summary {
public:
  static Summary &get();

  /// \p BF is going to be skipped; \p Why completes "NAME: ...".
  void skip(const llvm::bolt::BinaryFunction &BF, llvm::StringRef Why) {
    Reasons.try_emplace(BF.getAddress(), Why);
  }

  /// Functions keep their places; \p Why completes "because ...; WHAT TO DO".
  void keepPlaces(llvm::StringRef Why) { WhyInPlace = Why.str(); }

  /// Weighs the functions by the profile. Call before the passes run.
  void measure(llvm::bolt::BinaryContext &BC);

  /// Looks which of them were rewritten. Call after the last pass, before
  /// BOLT's functions go away.
  void collect(const llvm::bolt::BinaryContext &BC);

  struct Files {
    std::string Input, Output, Profile;
    bool HasProfile; ///< One was given.
  };
  /// Prints all of it. Call when the output is in its place.
  void print(llvm::raw_ostream &OS, const Files &Names) const;

private:
  /// A function and how often it was executed. By its address: BOLT deletes
  /// functions that are folded into others.
  struct Weight {
    uint64_t Address;
    uint64_t Instructions; ///< Executed ones; 0 if its blocks have no counts.
    uint64_t Calls;
    uint64_t Estimate; ///< Instructions, or a guess by the calls.
    bool Understood;   ///< BOLT knew its control flow.
  };
  struct Skipped {
    std::string Name, Why;
    uint64_t Instructions, Calls, Estimate;
  };

  llvm::DenseMap<uint64_t, std::string> Reasons;
  std::vector<Weight> Weights;

  // Collected counts.
  uint64_t Functions = 0, Optimized = 0;
  uint64_t Instructions = 0, OptimizedInstructions = 0;
  uint64_t Uncounted = 0; ///< Skipped functions that were called.
  bool FunctionsMoved = true;
  std::string WhyInPlace =
      "the input has no relocations; link it with -Wl,--emit-relocs";
  uint64_t StaleFunctions = 0, ProfiledFunctions = 0;
  std::vector<Skipped> Left; ///< The hottest first.
  struct Counted {
    uint64_t Functions, LeftOut;
  };
  std::optional<Counted> Instrumented;

  std::string reasonFor(const Weight &W,
                        const llvm::bolt::BinaryFunction &BF) const;
  std::string describe(const Skipped &S) const;
  void printDone(llvm::raw_ostream &OS, bool HasProfile) const;
  void printSkipped(llvm::raw_ostream &OS) const;
  void printNext(llvm::raw_ostream &OS, const Files &Names) const;
};

} // namespace graupel

#endif // GRAUPEL_DRIVER_SUMMARY_H
