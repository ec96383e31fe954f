//===- ProfileMatch/MatchingReader.h - Profiles of others -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILEMATCH_MATCHINGREADER_H
#define GRAUPEL_PROFILEMATCH_MATCHINGREADER_H

#include "ProfileMatch.h"
#include "bolt/Core/BinaryFunction.h"
#include "bolt/Profile/ProfileReaderBase.h"

namespace graupel {

/// A profile of another file than the one at hand.
struct OtherProfile {
  std::string Path;
  Profile Counts;
};

/// Gives BOLT's functions the counts of a profile of another build.
class MatchingReader : public llvm::bolt::ProfileReaderBase {
public:
  /// \p Other must outlive the reader. Ends the process with an error if less
  /// than \p LeastShare of the instructions that it counted is found again.
  MatchingReader(const OtherProfile &Other, double LeastShare)
      : ProfileReaderBase(Other.Path), Other(Other), LeastShare(LeastShare) {}

  llvm::Error preprocessProfile(llvm::bolt::BinaryContext &BC) override {
    return llvm::Error::success();
  }
  llvm::Error readProfilePreCFG(llvm::bolt::BinaryContext &BC) override {
    return llvm::Error::success();
  }
  llvm::Error readProfile(llvm::bolt::BinaryContext &BC) override;
  llvm::StringRef getReaderName() const override {
    return "profile of another build";
  }
  bool hasLocalsWithFileName() const override { return false; }
  bool isTrustedSource() const override { return true; }

private:
  const OtherProfile &Other;
  const double LeastShare;
};

/// The functions of \p BC whose control flow is known, in the order of their
/// addresses, and as they are matched.
struct DescribedFunctions {
  explicit DescribedFunctions(llvm::bolt::BinaryContext &BC);

  std::vector<llvm::bolt::BinaryFunction *> Functions;
  ShapedImage Image;
};

} // namespace graupel

#endif // GRAUPEL_PROFILEMATCH_MATCHINGREADER_H
