//===- SourceLines/AllocationName.cpp - What a program calls memory -------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nameOfAllocation() takes the variable that the line assigns to: of an
// `allocate` in Fortran, else left of the `=`. If the line has none, the calls
// around it are searched, from the inside out. Else the name has the line's
// text.
//
//===----------------------------------------------------------------------===//

#include "SourceLines.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace graupel;

/// The x and y of Fortran's `allocate(x(n), y(n, m), stat=e)`; "" of other
/// lines.
static std::string allocatedBy(StringRef Text) {
  StringRef Rest = Text.ltrim();
  if (!Rest.consume_front_insensitive("allocate") || Text.contains(';'))
    return "";
  Rest = Rest.ltrim();
  if (!Rest.consume_front("("))
    return "";
  // `allocate(real(8) :: x(n))`
  if (size_t Type = Rest.find("::"); Type != StringRef::npos)
    Rest = Rest.substr(Type + 2);
  std::string Result;
  while (!Rest.empty()) {
    size_t End = 0;
    for (int Depth = 0; End < Rest.size(); ++End) {
      Depth += (Rest[End] == '(') - (Rest[End] == ')');
      if (Depth < 0 || (Depth == 0 && Rest[End] == ','))
        break;
    }
    StringRef Item = Rest.take_front(End);
    StringRef Name = Item.take_until([](char C) { return C == '('; }).trim();
    if (Name.empty() || Name.contains('=') || Name == "&")
      break;
    Result += (Result.empty() ? "" : ", ") + Name.str();
    Rest = Rest.drop_front(End);
    if (!Rest.consume_front(","))
      break;
  }
  return Result;
}

/// The variable that a line like `g->e = gdsm_alloc(...)` assigns to, if any.
static std::string variableOf(StringRef Text) {
  if (std::string Fortran = allocatedBy(Text); !Fortran.empty())
    return Fortran;
  // `for (i = 0; i < n; ++i) *all[i] = gdsm_alloc(...)`
  size_t Call = std::min(Text.find("gdsm_alloc"), Text.find("gdsm_malloc"));
  size_t Equals = Call == StringRef::npos ? Text.find('=')
                                          : Text.take_front(Call).rfind('=');
  if (Equals == StringRef::npos || Text.substr(Equals, 2) == "==")
    return "";
  // `double *const x`: the last word, with what reaches into it.
  StringRef Left = Text.take_front(Equals).rtrim();
  // `double (*x)[8]`: a pointer to rows.
  Left = Left.take_front(Left.find(")[")).rtrim();
  StringRef Name = Left.substr(Left.find_last_of(" *&(,;{") + 1);
  return !Name.empty() && (isAlpha(Name[0]) || Name[0] == '_') ? Name.str()
                                                               : "";
}

std::string graupel::nameOfAllocation(const SourceLine &Site) {
  constexpr size_t Longest = 40;
  if (std::string V = variableOf(Site.Text); !V.empty())
    return Site.shortName() + " " + V;
  for (const SourceLine::Caller &C : Site.Callers)
    if (std::string V = variableOf(C.Text); !V.empty())
      return C.Name + " " + V;
  if (Site.Text.empty())
    return Site.shortName();
  return Site.shortName() + " " +
         (Site.Text.size() > Longest ? Site.Text.substr(0, Longest - 3) + "..."
                                     : Site.Text);
}
