//===- ProfileMatch/ProfileMatch.h - A profile for another build *- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILEMATCH_PROFILEMATCH_H
#define GRAUPEL_PROFILEMATCH_PROFILEMATCH_H

#include "CountTransfer.h"
#include "Profile/ProfileFile.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

namespace graupel {

/// The functions that a profile describes, and what was counted of them.
class ProfiledImage {
public:
  /// Without \p WithInstructions as if of format 1.
  explicit ProfiledImage(const Profile &P, bool WithInstructions = true);

  ShapedImage Image;
  std::vector<FunctionCounts> Counts; ///< By function, in their order.

  /// The function with the name at \p Index of the profile's names.
  std::optional<uint32_t> functionNamed(uint32_t Index) const;
  uint64_t executedInstructions(uint32_t Function) const;

private:
  std::vector<std::optional<uint32_t>> OfName;
  static ShapedFunction shape(const Profile &P, const FunctionProfile &F);
  void nameCallees(const Profile &P);
  void count(const Profile &P);
};

/// The place of an indirect call.
struct SitePlace {
  uint32_t Function, Block;
  uint32_t Number; ///< The number of those before it in the block.

  auto operator<=>(const SitePlace &) const = default;
};
/// The places of all sites of \p P, by their numbers.
std::vector<SitePlace> sitePlaces(const Profile &P);

/// Adds the counts of \p Older, times \p Weight, to \p Sum, a profile of
/// another build, for what can be found again of its functions. Returns the
/// share.
double addOlder(Profile &Sum, const Profile &Older, double Weight);

/// The parts of a profile that fit another build of its program, and why. This
/// is the analysis; the caller, who has the new build, applies the counts.
class ProfileMatch {
public:
  /// The decision about a function that the profile has counts of.
  struct Decision {
    uint32_t Old;
    const FunctionMatches::Match *Match; ///< Null: dropped.
    uint64_t Executed;                   ///< Instructions, by the profile.
    uint64_t Kept; ///< Those in blocks that were found again.
    uint32_t Blocks, MatchedBlocks;
  };

  /// Finds the functions of \p P, which must outlive the object, in \p New.
  ProfileMatch(const Profile &P, ShapedImage New);
  ProfileMatch(const ProfileMatch &) = delete;

  /// The counts of the functions of the new build that have any, by index.
  const std::map<uint32_t, FunctionCounts> &counts() const { return Counts; }
  std::optional<uint32_t> newFunction(uint32_t Old) const {
    return Functions.newOf(Old);
  }
  /// The new function that was entered at \p Address of the build of \p P.
  std::optional<uint32_t> calledAt(const Profile &P, int64_t Address) const;
  /// The new place of an indirect call at \p Place.
  std::optional<SitePlace> newPlace(const SitePlace &Place) const;

  /// The share of the executed instructions that is kept, 0 to 1.
  double keptShare() const {
    return Executed ? double(Kept) / double(Executed) : 0;
  }

  /// A line: how much was matched, and by what.
  void printSummary(llvm::raw_ostream &OS) const;
  /// A line for each function that was executed, most executed first.
  void print(llvm::raw_ostream &OS) const;

private:
  const ProfiledImage Old;
  const ShapedImage New;
  const FunctionMatches Functions;
  std::map<uint32_t, BlockMatches> Blocks; ///< By old function.
  std::map<uint32_t, FunctionCounts> Counts;
  std::vector<Decision> Decisions;
  uint64_t Executed = 0, Kept = 0;

  void decide(uint32_t Function);
};

} // namespace graupel

#endif // GRAUPEL_PROFILEMATCH_PROFILEMATCH_H
