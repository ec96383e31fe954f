//===- Profile/ProfileFile.h - Files of counts ------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PROFILE_PROFILEFILE_H
#define GRAUPEL_PROFILE_PROFILEFILE_H

#include "Metadata.h"
#include "graupel/profile.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <memory>

namespace graupel {

/// The counts of an instrumented image, summed over its processes. The layout
/// of the file is in graupel/profile.h.
struct Profile {
  graupel_profile_header Header;
  /// Header.metadata_size bytes.
  std::string MetadataBytes;
  Metadata Meta;
  std::vector<uint64_t> Counters;
  /// By graupel_target.key.
  std::map<uint64_t, uint64_t> Targets;
  /// Indirect calls whose target was not recorded.
  uint64_t Dropped = 0;

  llvm::ArrayRef<uint8_t> buildID() const {
    return llvm::ArrayRef(Header.build_id, Header.build_id_size);
  }

  /// Adds the counts of \p Other, which must have the same plan. Sums that are
  /// too large stay at the largest number.
  void add(const Profile &Other);

  /// Multiplies all counts by \p Weight, from 0 to 1. Counts above zero stay
  /// above zero.
  void scale(double Weight);

  /// The sum of all counters.
  double total() const;

  /// The bytes of a sealed file.
  std::string seal() const;
};

/// Whether \p Bytes are the beginning of a profile.
bool isProfile(llvm::StringRef Bytes);

/// The header of a live file for \p Metadata and slots of these sizes.
/// \p BuildID may be empty; at most 32 bytes of it are kept.
graupel_profile_header makeHeader(llvm::StringRef Metadata,
                                  llvm::ArrayRef<uint8_t> BuildID,
                                  uint64_t NumSites, uint64_t NumCounters,
                                  uint64_t NumTargets);

/// Where counters start in a region with \p NumSites sites.
constexpr uint64_t countersOffset(uint64_t NumSites) {
  return sizeof(graupel_region_control) + NumSites * sizeof(graupel_site);
}

/// Bytes between the state and the region of an image with \p NumSites sites.
constexpr uint64_t controlSize(uint64_t NumSites) {
  return llvm::alignTo(sizeof(graupel_thread_control) +
                           NumSites * sizeof(graupel_site),
                       GRAUPEL_PROFILE_PAGE);
}

/// Reads a profile, also one that processes are counting into. The errors say
/// what is wrong and what to do, but not with which file.
llvm::Expected<Profile> readProfile(llvm::StringRef Bytes);

/// The bytes of the file or pipe \p Path, of whatever format; errors name it.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
openProfile(const std::string &Path);

/// The same as readProfile from the file \p Path; errors name it.
llvm::Expected<Profile> readProfileFile(const std::string &Path);

} // namespace graupel

#endif // GRAUPEL_PROFILE_PROFILEFILE_H
