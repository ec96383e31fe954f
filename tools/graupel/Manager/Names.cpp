//===- Manager/Names.cpp - Names on the page ------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

static constexpr StringLiteral Mark = "\\x";

std::string graupel::ui::toPage(StringRef Name) {
  if (json::isUTF8(Name) && !Name.contains(Mark))
    return Name.str();
  std::string Result;
  for (const unsigned char C : Name)
    if (C < 0x80 && C != '\\')
      Result += char(C);
    else
      Result += (Mark + toHex(StringRef(reinterpret_cast<const char *>(&C), 1),
                              /*LowerCase=*/true))
                    .str();
  return Result;
}

std::string graupel::ui::fromPage(StringRef Name) {
  std::string Result;
  while (!Name.empty()) {
    const StringRef Digits = Name.substr(Mark.size(), 2);
    uint8_t Byte = 0;
    if (Name.starts_with(Mark) && Digits.size() == 2 &&
        !Digits.getAsInteger(16, Byte)) {
      Result += char(Byte);
      Name = Name.drop_front(Mark.size() + 2);
      continue;
    }
    Result += Name.front();
    Name = Name.drop_front();
  }
  return Result;
}
