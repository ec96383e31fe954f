//===- ProfileMatch/MatchingReader.h - Reads profiles of other builds --*- C++
//-*-===//
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

/// A profile of another build, or one of several to be added.
struct OtherProfile {
  std::string Path;
  Profile Counts;
  double Weight = 1;
};

/// Gives BOLT's functions the counts of profiles of other builds.
class MatchingReader : public llvm::bolt::ProfileReaderBase {
public:
  /// \p Profiles must outlive the reader. Ends the process with an error if
  /// less than \p LeastShare of the instructions that the first one counted is
  /// found again.
  MatchingReader(llvm::ArrayRef<OtherProfile> Profiles, double LeastShare);

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
  llvm::ArrayRef<OtherProfile> Profiles;
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
