//===- StrideRecord/Selection.cpp - What is to be recorded ----------------===//
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

struct Choice {
  const char *Name; ///< Behind the dashes, and in GRAUPEL_STRIDE.
  enum { Flag, Number, Text, Lines, Caches } Value;
  uint64_t Least = 1, Most = UINT32_MAX; ///< Of a number.
};

const Choice Choices[] = {
    {"maxel", Choice::Number, 1, 4096},
    {"threshold", Choice::Number, 1, uint64_t(1) << 47},
    {"pass-equal", Choice::Flag},
    {"function", Choice::Text},
    {"file", Choice::Text},
    {"line", Choice::Lines},
    {"object", Choice::Text},
    {"sample", Choice::Flag},
    {"burst", Choice::Number},
    {"every", Choice::Number, 2, uint64_t(1) << 40},
    {"pages", Choice::Flag},
    {"cache", Choice::Caches},
};

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

/// What is to be done about \p Value, or nothing.
std::string checkValue(const Choice &C, const std::string &Value) {
  CachesRecord Parsed;
  const auto Number = numberIn(Value);
  switch (C.Value) {
  case Choice::Number:
    if (!Number || *Number < C.Least)
      return "give a number, at least " + std::to_string(C.Least);
    return *Number > C.Most ? "give a number, at most " + std::to_string(C.Most)
                            : "";
  case Choice::Lines:
    return areLines(Value) ? ""
                           : "give a file and lines, as --line=loop.c:10-20";
  case Choice::Caches: {
    const char *Wrong = parseCaches(Value.c_str(), Parsed, /*InDetail=*/false);
    return Wrong ? Wrong : "";
  }
  default:
    return "";
  }
}

} // namespace

Selection::Selection() {
  const Sampling Usual;
  Burst = Usual.Burst;
  Every = Usual.Every;
}

std::string Selection::add(const std::string &Argument) {
  const size_t Equal = Argument.find('=');
  const bool HasValue = Equal != Argument.npos;
  for (const Choice &C : Choices) {
    if (Argument.compare(0, 2, "--") != 0 ||
        Argument.substr(2, Equal - 2) != C.Name)
      continue;
    const std::string Name = std::string("--") + C.Name;
    const std::string Value = HasValue ? Argument.substr(Equal + 1) : "";
    if (C.Value == Choice::Flag && HasValue)
      return Name + " has a value; leave it out";
    const bool NeedsValue =
        HasValue || (C.Value != Choice::Flag && C.Value != Choice::Caches);
    if (NeedsValue && Value.empty())
      return Name + " has no value; give one behind =";
    const std::string Is = Name + " is `" + Value + "`; ";
    if (Value.find(',') != Value.npos)
      return Is + "names with commas cannot be selected; select by --line";
    if (std::string ToDo = NeedsValue ? checkValue(C, Value) : "";
        !ToDo.empty())
      return Is + ToDo;
    HasCaches |= C.Value == Choice::Caches;
    Samples |= Name == "--sample" || Name == "--burst" || Name == "--every";
    if (Name == "--burst")
      Burst = *numberIn(Value);
    if (Name == "--every")
      Every = *numberIn(Value);
    Text += (Text.empty() ? "" : ",") + std::string(C.Name) +
            (HasValue ? "=" + Value : "");
    return "";
  }
  return "there is no option `" + Argument +
         "`; `graupel stride record --help` lists them, and the program's own "
         "come after its name";
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
