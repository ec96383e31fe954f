//===- Identity.cpp - Whether a file is the same --------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Identity.h"

using namespace graupel::substitution;

static int64_t nanoseconds(const struct timespec &Time) {
  return Time.tv_sec * INT64_C(1000000000) + Time.tv_nsec;
}

FileIdentity graupel::substitution::identityOf(const struct stat &Status) {
  return {Status.st_dev, Status.st_ino, uint64_t(Status.st_size),
          nanoseconds(Status.st_mtim), nanoseconds(Status.st_ctim)};
}

std::optional<FileIdentity>
graupel::substitution::identityOf(const std::string &Path) {
  struct stat Status;
  if (stat(Path.c_str(), &Status))
    return std::nullopt;
  return identityOf(Status);
}
