//===- environment/ReplacedFileTest.cpp - Files that users name -----------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment/Output/ReplacedFile.h"
#include "Folder.h"
#include <sys/xattr.h>
#include <unistd.h>

using namespace graupel;

namespace {

struct stat status(const std::string &Path) {
  struct stat Status = {};
  stat(Path.c_str(), &Status);
  return Status;
}

TEST(ReplacedFile, KeepsItsOwner) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  test::Folder F;
  F.add("out", "old");
  ASSERT_EQ(chown((F / "out").c_str(), 65534, 12345), 0);
  ASSERT_EQ(chmod((F / "out").c_str(), 0640), 0);
  EXPECT_EQ(output::writeText(F / "out", "new"), std::nullopt);
  const struct stat Now = status(F / "out");
  EXPECT_EQ(Now.st_uid, 65534u);
  EXPECT_EQ(Now.st_gid, 12345u);
  EXPECT_EQ(Now.st_mode & 07777, 0640u);
  EXPECT_EQ(Now.st_size, 3);
}

/// A list of access control as the kernel writes it: version, then tag, rights
/// and number of each entry.
std::string listFor(uint32_t User) {
  std::string List("\2\0\0\0", 4);
  auto add = [&](uint16_t Tag, uint16_t Rights, uint32_t Id) {
    List.append(reinterpret_cast<const char *>(&Tag), 2);
    List.append(reinterpret_cast<const char *>(&Rights), 2);
    List.append(reinterpret_cast<const char *>(&Id), 4);
  };
  add(1, 6, ~0u);  // The owner.
  add(2, 4, User); // One more.
  add(4, 0, ~0u);  // The group.
  add(16, 4, ~0u); // At most.
  add(32, 0, ~0u); // Others.
  return List;
}

TEST(ReplacedFile, KeepsItsAccessList) {
  static constexpr const char *Name = "system.posix_acl_access";
  test::Folder F;
  F.add("out", "old");
  const std::string List = listFor(12345);
  if (setxattr((F / "out").c_str(), Name, List.data(), List.size(), 0))
    GTEST_SKIP() << "this file system has no lists of access control";
  EXPECT_EQ(output::writeText(F / "out", "new"), std::nullopt);
  char Now[256];
  const ssize_t Size = getxattr((F / "out").c_str(), Name, Now, sizeof(Now));
  ASSERT_EQ(Size, ssize_t(List.size()));
  EXPECT_EQ(std::string(Now, size_t(Size)), List);
  EXPECT_EQ(status(F / "out").st_mode & 07777, 0640u);
}

TEST(ReplacedFile, LeavesNothingBeside) {
  test::Folder F;
  EXPECT_EQ(output::writeText(F / "out", "new"), std::nullopt);
  EXPECT_EQ(output::writeText(F / "out", "newer"), std::nullopt);
  size_t Count = 0;
  for (auto &E : std::filesystem::directory_iterator(F.Path))
    Count += E.exists();
  EXPECT_EQ(Count, 1u);
}

} // namespace
