//===- Stride/Report/Sources.h - Lines of source files ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_REPORT_SOURCES_H
#define GRAUPEL_STRIDE_REPORT_SOURCES_H

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace graupel::stride {

/// Reads each file once.
class Sources {
public:
  /// The lines of a file, or null if it is not there (any more).
  const std::vector<std::string> *find(const std::string &File);
  /// A line's text; empty if it is not known.
  std::string line(const std::string &File, uint32_t Number);

private:
  std::map<std::string, std::unique_ptr<std::vector<std::string>>> Files;
};

/// Lines to show for those that are of interest: some around each. Sorted.
std::vector<uint32_t> withContext(const std::vector<uint32_t> &Interesting,
                                  uint32_t Around, size_t Last);

} // namespace graupel::stride

#endif
