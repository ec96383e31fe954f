//===- Numa/Bench/Published.cpp - Figures of an older machine -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The results of (Prestor 2001) on SGI Origin 2000 systems (Published.def). The
// shapes of our tables are from them, and readers may compare both.
//
//===----------------------------------------------------------------------===//

#include "Published.h"
#include "Numa/Topology/Text.h"
#include <cstdlib>
#include <string_view>

namespace graupel::numa::bench {

namespace {
struct Text {
  const char *Name, *Unit, *About;
  const char *Columns; ///< Separated by `|`.
  const char *Rows;    ///< A row a line; likewise. Empty: not given.
};
} // namespace

static const Text Texts[] = {
#include "Published.def"
};

static std::vector<std::string_view> split(std::string_view Text, char At) {
  std::vector<std::string_view> Parts;
  for (size_t End; (End = Text.find(At)) != Text.npos;
       Text.remove_prefix(End + 1))
    Parts.push_back(Text.substr(0, End));
  Parts.push_back(Text);
  return Parts;
}

static Entry entryOf(std::string_view Text) {
  if (Text.empty())
    return {};
  std::string Copy(Text);
  char *End;
  double Value = strtod(Copy.c_str(), &End);
  if (*End == 0)
    return {Value};
  return {{}, Copy};
}

std::vector<FilledTable> published() {
  std::vector<FilledTable> All;
  for (const Text &From : Texts) {
    FilledTable T;
    T.Name = From.Name;
    T.Unit = From.Unit;
    T.About = std::string(From.About) + " (Prestor 2001)";
    T.Published = true;
    for (std::string_view Column : split(From.Columns, '|'))
      T.Columns.emplace_back(Column);
    for (std::string_view Line : split(From.Rows, '\n')) {
      T.Rows.emplace_back();
      for (std::string_view Item : split(Line, '|'))
        T.Rows.back().push_back(entryOf(Item));
      T.Rows.back().resize(T.Columns.size());
      T.Unstable.emplace_back();
    }
    All.push_back(std::move(T));
  }
  return All;
}

} // namespace graupel::numa::bench
