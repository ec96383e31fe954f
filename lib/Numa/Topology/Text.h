//===- Numa/Topology/Text.h - Numbers, lists, sizes ----------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_TEXT_H
#define GRAUPEL_NUMA_TEXT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace graupel::numa {

/// Words separated by blanks. Text in double quotes is one word, without the
/// quotes.
std::vector<std::string_view> wordsOf(std::string_view Line);

std::optional<uint64_t> parseNumber(std::string_view Text);
/// "4096", "64K", "2MiB", "1G": powers of 1024.
std::optional<uint64_t> parseBytes(std::string_view Text);
/// "0-3,8,10-11", as the system writes sets; at most a million numbers. Empty
/// text is an empty list.
std::optional<std::vector<unsigned>> parseList(std::string_view Text);
/// The same the other way round; numbers that ascend one by one are a range.
std::string formatList(const std::vector<unsigned> &Numbers);
/// "1.5 GiB"
std::string formatBytes(uint64_t Bytes);

/// The contents of a file, or nothing if it cannot be read; at most 16 MiB.
std::optional<std::string> readFile(const std::string &Path);

} // namespace graupel::numa

#endif
