//===- Process/WriteAll.h - All of a text into a file --------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_PROCESS_WRITEALL_H
#define GRAUPEL_ENVIRONMENT_PROCESS_WRITEALL_H

#include <cerrno>
#include <string_view>
#include <unistd.h>

namespace graupel::environment {

/// Writes all of \p Bytes, whatever interrupts it. False if that is not
/// possible, as on a full disk; errno says why.
inline bool writeAll(int File, std::string_view Bytes) {
  while (!Bytes.empty()) {
    const ssize_t Put = ::write(File, Bytes.data(), Bytes.size());
    if (Put > 0) {
      Bytes.remove_prefix(size_t(Put));
    } else if (Put == 0) {
      errno = ENOSPC;
      return false;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_PROCESS_WRITEALL_H
