//===- Output/GivenFile.cpp - Files that others name ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GivenFile.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace graupel;
using substitution::Descriptor;

std::optional<std::string> graupel::output::openGiven(const std::string &Path,
                                                      Descriptor &To) {
  // A pipe would wait for a writer, a terminal could become ours.
  To = Descriptor(
      open(Path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat Status;
  if (!To || fstat(To.number(), &Status) != 0)
    return strerror(errno);
  if (!S_ISREG(Status.st_mode)) {
    To = Descriptor();
    return S_ISDIR(Status.st_mode) ? "it is a folder" : "it is not a file";
  }
  return std::nullopt;
}

std::optional<std::string> graupel::output::readGiven(const std::string &Path,
                                                      uint64_t Most,
                                                      std::string &To) {
  Descriptor File;
  if (auto Wrong = openGiven(Path, File))
    return Wrong;
  To.clear();
  char Bytes[1 << 16];
  while (const ssize_t Got = read(File.number(), Bytes, sizeof(Bytes))) {
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got < 0)
      return strerror(errno);
    if (uint64_t(Got) > Most - To.size())
      return "it has more than " + std::to_string(Most) + " bytes";
    To.append(Bytes, size_t(Got));
  }
  return std::nullopt;
}
