//===- Stride/Report/Summary.h - A record in three lines --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_REPORT_SUMMARY_H
#define GRAUPEL_STRIDE_REPORT_SUMMARY_H

#include <string>
#include <vector>

namespace graupel::stride {

struct Summary {
  std::string Wrong;              ///< The files cannot be read.
  std::vector<std::string> Lines; ///< References, data, the worst issue.
};

/// The combined content of the files.
Summary summarize(const std::vector<std::string> &Files);

} // namespace graupel::stride

#endif
