//===- StrideRecord/Selection.cpp - Options of a recording ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Selection.h"
#include "stride/Bursts.h"
#include "stride/Cache/Spec.h"
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

using namespace graupel::stride;

namespace {

std::optional<uint64_t> numberIn(std::string_view Text) {
  uint64_t Value = 0;
  const char *End = Text.data() + Text.size();
  auto [Rest, Error] = std::from_chars(Text.data(), End, Value);
  if (Error != std::errc() || Rest != End)
    return std::nullopt;
  return Value;
}

/// FILE:LINE or FILE:FROM-TO.
bool areLines(const std::string &Value) {
  const std::string_view Lines =
      std::string_view(Value).substr(Value.rfind(':') + 1);
  const size_t Dash = Lines.find('-');
  const auto From = numberIn(Lines.substr(0, Dash));
  const auto To = Dash == Lines.npos ? From : numberIn(Lines.substr(Dash + 1));
  return Lines.size() + 1 < Value.size() && From && To && *From >= 1 &&
         *From <= *To && *To <= UINT32_MAX;
}

/// The remedy for a wrong \p Value, or nothing.
std::string checkValue(const std::string &Name, const std::string &Value) {
  if (Value.find(',') != Value.npos)
    return "names with commas cannot be selected; select by --line";
  if (Name == "line" && !areLines(Value))
    return "give a file and lines, as --line=loop.c:10-20";
  CachesRecord Parsed;
  if (Name == "cache" && !Value.empty())
    if (const char *Wrong =
            parseCaches(Value.c_str(), Parsed, /*InDetail=*/false))
      return Wrong;
  return "";
}

} // namespace

Selection::Selection() {
  const Sampling Usual;
  Burst = Usual.Burst;
  Every = Usual.Every;
}

std::string Selection::add(const std::string &Name, const std::string &Value) {
  if (std::string ToDo = checkValue(Name, Value); !ToDo.empty())
    return "--" + Name + " is `" + Value + "`; " + ToDo;
  HasCaches |= Name == "cache";
  Samples |= Name == "sample" || Name == "burst" || Name == "every";
  if (Name == "burst")
    Burst = *numberIn(Value);
  if (Name == "every")
    Every = *numberIn(Value);
  Text += (Text.empty() ? "" : ",") + Name + (Value.empty() ? "" : "=" + Value);
  return "";
}

std::string Selection::check() const {
  if (Samples && Burst >= Every)
    return "--burst is " + std::to_string(Burst) + ", and --every " +
           std::to_string(Every) + "; the burst must be the smaller one";
  if (Samples && HasCaches)
    return "--cache needs all references; leave out --sample, --burst and "
           "--every";
  return "";
}
