//===- Output/Shown.cpp - Names as a terminal may see them ----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shown.h"
#include <cstdint>

using namespace graupel;

namespace {

struct Character {
  uint32_t Code = 0;
  size_t Bytes = 0; ///< 0: this is no UTF-8.
};

/// The first character of a text that is not empty.
Character firstOf(std::string_view Text) {
  const auto Lead = uint8_t(Text[0]);
  const size_t Bytes = Lead < 0x80           ? 1
                       : (Lead >> 5) == 0x6  ? 2
                       : (Lead >> 4) == 0xe  ? 3
                       : (Lead >> 3) == 0x1e ? 4
                                             : 0;
  if (!Bytes || Bytes > Text.size())
    return {};
  uint32_t Code = Bytes == 1 ? Lead : Lead & (0x7f >> Bytes);
  for (size_t I = 1; I < Bytes; ++I) {
    if ((uint8_t(Text[I]) & 0xc0) != 0x80)
      return {};
    Code = Code << 6 | (uint8_t(Text[I]) & 0x3f);
  }
  static const uint32_t Least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool IsSurrogate = Code >= 0xd800 && Code < 0xe000;
  if (Code < Least[Bytes] || Code > 0x10ffff || IsSurrogate)
    return {};
  return {Code, Bytes};
}

bool isObeyed(uint32_t Code) {
  const bool IsControl = Code < 0x20 || (Code >= 0x7f && Code < 0xa0);
  const bool TurnsText = (Code >= 0x202a && Code <= 0x202e) ||
                         (Code >= 0x2066 && Code <= 0x2069) || Code == 0x200e ||
                         Code == 0x200f;
  const bool EndsLine = Code == 0x2028 || Code == 0x2029;
  return IsControl || TurnsText || EndsLine;
}

std::string convert(std::string_view Text, bool KeepLines) {
  std::string Result;
  while (!Text.empty()) {
    const Character C = firstOf(Text);
    const size_t Bytes = C.Bytes ? C.Bytes : 1;
    const bool IsKept =
        C.Bytes && (!isObeyed(C.Code) ||
                    (KeepLines && (C.Code == '\n' || C.Code == '\t')));
    for (char Byte : Text.substr(0, Bytes)) {
      if (IsKept) {
        Result += Byte;
        continue;
      }
      Result += "\\x";
      for (int Shift : {4, 0})
        Result += "0123456789abcdef"[uint8_t(Byte) >> Shift & 15];
    }
    Text.remove_prefix(Bytes);
  }
  return Result;
}

} // namespace

std::string graupel::output::shown(std::string_view Name) {
  return convert(Name, /*KeepLines=*/false);
}

std::string graupel::output::shownLines(std::string_view Text) {
  return convert(Text, /*KeepLines=*/true);
}
