//===- StrideRecord/Names.h - Where records of a run are --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// While the program runs each process has a file with its number in the name;
// afterwards the file of the program itself gets the name that was asked for. An
// older record of that name stays until then, or if there is no new one.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_STRIDERECORD_NAMES_H
#define GRAUPEL_TOOLS_STRIDERECORD_NAMES_H

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace graupel::stride {

class RecordNames {
public:
  /// `Wanted` may be empty: PROGRAM.PROCESS.gstride in the current folder.
  RecordNames(const std::string &Wanted, const std::string &Program);

  /// Begins a run. Returns an error, or nothing: the folder does not exist, or
  /// a file that is no record would be lost.
  std::string begin();
  /// For GRAUPEL_STRIDE_OUT: absolute, since programs change their folder.
  std::string pattern() const;
  /// Records that have begun since, the program's own first and with the name
  /// that was asked for.
  std::vector<std::string> finish(pid_t Program);

private:
  bool isName(const std::string &Name) const;
  /// Whether nothing but a record has the name that was asked for.
  bool mayReplace() const;

  std::string Wanted, Folder;
  std::string Before, After; ///< Parts of a file's name around the process.
  uint64_t Start = 0;        ///< Nanoseconds since 1970.
};

} // namespace graupel::stride

#endif
