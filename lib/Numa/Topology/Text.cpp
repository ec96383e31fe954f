//===- Numa/Topology/Text.cpp - Numbers, lists, sizes ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"
#include <charconv>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

using namespace graupel;

std::vector<std::string_view> numa::wordsOf(std::string_view Line) {
  std::vector<std::string_view> Words;
  size_t At = 0;
  while (true) {
    At = Line.find_first_not_of(" \t\r\n", At);
    if (At == Line.npos)
      return Words;
    bool Quoted = Line[At] == '"';
    At += Quoted;
    size_t End = Line.find_first_of(Quoted ? "\"" : " \t\r\n", At);
    Words.push_back(Line.substr(At, End == Line.npos ? End : End - At));
    if (End == Line.npos)
      return Words;
    At = End + 1;
  }
}

std::optional<uint64_t> numa::parseNumber(std::string_view Text) {
  uint64_t Value = 0;
  auto [Rest, Error] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Value);
  if (Error != std::errc() || Rest != Text.data() + Text.size())
    return std::nullopt;
  return Value;
}

std::optional<uint64_t> numa::parseBytes(std::string_view Text) {
  size_t End = Text.find_first_not_of("0123456789");
  std::string_view Unit = End == Text.npos ? "" : Text.substr(End);
  std::optional<uint64_t> Value = parseNumber(Text.substr(0, End));
  if (!Value)
    return std::nullopt;
  unsigned Shift = 0;
  if (!Unit.empty() && Unit != "B") {
    size_t Which = std::string_view("KMGT").find(Unit[0]);
    std::string_view Rest = Unit.substr(1);
    if (Which == std::string_view::npos ||
        (!Rest.empty() && Rest != "B" && Rest != "iB"))
      return std::nullopt;
    Shift = 10 * unsigned(Which + 1);
  }
  if (Shift && *Value >> (64 - Shift))
    return std::nullopt;
  return *Value << Shift;
}

std::optional<std::vector<unsigned>> numa::parseList(std::string_view Text) {
  constexpr uint64_t Most = 1000000;
  std::vector<unsigned> Numbers;
  while (!Text.empty() && (Text.back() == '\n' || Text.back() == ' '))
    Text.remove_suffix(1);
  while (!Text.empty()) {
    size_t Comma = Text.find(',');
    std::string_view Part = Text.substr(0, Comma);
    size_t Dash = Part.find('-');
    auto First = parseNumber(Part.substr(0, Dash));
    auto Last = Dash == Part.npos ? First : parseNumber(Part.substr(Dash + 1));
    if (!First || !Last || *First > *Last || *Last >= Most)
      return std::nullopt;
    for (uint64_t N = *First; N <= *Last; ++N)
      Numbers.push_back(unsigned(N));
    if (Numbers.size() > Most)
      return std::nullopt;
    if (Comma == Text.npos)
      break;
    Text.remove_prefix(Comma + 1);
    if (Text.empty())
      return std::nullopt;
  }
  return Numbers;
}

std::string numa::formatList(const std::vector<unsigned> &Numbers) {
  std::string Text;
  for (size_t First = 0; First < Numbers.size();) {
    size_t Last = First;
    while (Last + 1 < Numbers.size() && Numbers[Last + 1] == Numbers[Last] + 1)
      ++Last;
    if (!Text.empty())
      Text += ',';
    Text += std::to_string(Numbers[First]);
    if (Last > First)
      Text += '-' + std::to_string(Numbers[Last]);
    First = Last + 1;
  }
  return Text;
}

std::string numa::formatBytes(uint64_t Bytes) {
  static const char *const Units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double Value = double(Bytes);
  unsigned Unit = 0;
  for (; Value >= 1024 && Unit < 4; ++Unit)
    Value /= 1024;
  char Text[32];
  bool Whole = Value == double(uint64_t(Value)) || Value >= 100;
  snprintf(Text, sizeof(Text), Whole ? "%.0f %s" : "%.1f %s", Value,
           Units[Unit]);
  return Text;
}

std::optional<std::string> numa::readFile(const std::string &Path) {
  constexpr size_t Most = 16 << 20;
  int File = open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return std::nullopt;
  std::string Text;
  char Buffer[4096];
  ssize_t Got;
  while ((Got = read(File, Buffer, sizeof(Buffer))) > 0 && Text.size() < Most)
    Text.append(Buffer, size_t(Got));
  close(File);
  if (Got < 0)
    return std::nullopt;
  return Text;
}
