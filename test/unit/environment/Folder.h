//===- unit/environment/Folder.h - What these tests share ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TEST_UNIT_ENVIRONMENT_FOLDER_H
#define GRAUPEL_TEST_UNIT_ENVIRONMENT_FOLDER_H

#include "Environment/Environment.h"
#include "Profile/ProfileFile.h"
#include "gtest/gtest.h"
#include <cstring>
#include <filesystem>
#include <fstream>

namespace graupel::test {

/// A folder that goes away with the test, and an environment in it.
class Folder {
public:
  Folder() {
    std::string Name =
        std::filesystem::canonical(std::filesystem::temp_directory_path()) /
        "graupelXXXXXX";
    Path = mkdtemp(Name.data());
  }
  Folder(const Folder &) = delete;
  ~Folder() {
    std::error_code Ignored;
    std::filesystem::remove_all(Path, Ignored);
  }

  /// Makes a file of it.
  void add(const std::string &Name, llvm::StringRef Bytes) const {
    const std::string File = *this / Name;
    std::filesystem::create_directories(
        std::filesystem::path(File).parent_path());
    std::ofstream(File, std::ios::binary)
        .write(Bytes.data(), long(Bytes.size()));
  }

  std::string operator/(const std::string &Name) const {
    return Path + "/" + Name;
  }
  environment::Locations locations() const {
    environment::Locations L;
    L.State = Path + "/state";
    L.Database = L.State + "/graupel.db";
    L.Store = L.State + "/store";
    L.Spool = L.State + "/spool";
    L.Locks = L.State + "/locks";
    return L;
  }
  std::unique_ptr<environment::Environment>
  open(environment::Access A = environment::Access::ReadWrite) const {
    auto E = environment::Environment::open(locations(), A);
    if (E)
      return std::move(*E);
    ADD_FAILURE() << llvm::toString(E.takeError());
    return nullptr;
  }

  std::string Path;
};

inline void write(const std::string &Path, llvm::StringRef Bytes) {
  std::ofstream(Path, std::ios::binary).write(Bytes.data(), long(Bytes.size()));
}

/// A file of counters with one function, one counter and one slot.
inline std::string countersFile(uint64_t Count,
                                llvm::ArrayRef<uint8_t> BuildID = {1, 2, 3}) {
  MetadataWriter Writer;
  FunctionProfile F;
  F.Name = Writer.addName("work");
  F.Blocks = {0};
  F.Edges = {{1, 0, std::nullopt, false}, {0, 1, std::nullopt, true}};
  Writer.add(F);
  const std::string Meta = Writer.finish(0);
  const graupel_profile_header Header = makeHeader(Meta, BuildID, 0, 1, 4);
  std::string File(Header.slots_offset + Header.slot_size, '\0');
  std::memcpy(File.data(), &Header, sizeof(Header));
  std::memcpy(File.data() + GRAUPEL_PROFILE_PAGE, Meta.data(), Meta.size());
  std::memcpy(File.data() + Header.slots_offset + GRAUPEL_PROFILE_PAGE +
                  countersOffset(0),
              &Count, sizeof(Count));
  return File;
}

/// What has been counted for a content, over all plans.
inline uint64_t counted(environment::Environment &E, llvm::StringRef Content) {
  uint64_t Sum = 0;
  for (const auto &Row : environment::profiles(E.database(), Content)) {
    auto P = readProfile(environment::profileBytes(E.database(), Row.Id));
    if (!P)
      ADD_FAILURE() << llvm::toString(P.takeError());
    else
      Sum += P->Counters[0];
  }
  return Sum;
}

} // namespace graupel::test

#endif
