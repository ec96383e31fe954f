//===- PrintArguments.h - Arguments of the printf family --------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_WRAPPERS_PRINTARGUMENTS_H
#define GRAUPEL_DSM_WRAPPERS_PRINTARGUMENTS_H

#include "Wrappers/Formats.h"

namespace graupel::dsm {

/// The arguments of a call. Shared ones are replaced for as long as this
/// exists. The format must live as long.
class PrintArguments {
public:
  PrintArguments(const char *Format, va_list Given);
  ~PrintArguments();
  PrintArguments(const PrintArguments &) = delete;
  PrintArguments &operator=(const PrintArguments &) = delete;

  bool replaced() const { return Slots; }
  void *slots() { return Slots; }
  /// The format for slots().
  const char *format() const { return NewFormat ? NewFormat : Format; }
  /// Takes the result of the call.
  void printed(int Result) { Failed = Result < 0; }

private:
  enum class Kind : uint8_t {
    None,
    Word,
    Double,
    LongDouble,
    String,
    Wide,
    Count
  };
  struct Argument {
    Kind Type;
    Length Modifier;
    /// A bit for each kind that the format takes it for.
    uint8_t Kinds;
    /// Number of conversions that print it.
    unsigned Uses;
    /// For a string: at most so many are read; or another argument says so.
    int Most, MostFrom;
    union {
      uint64_t Word;
      double Double;
      long double LongDouble;
    };
    void *Copy;
  };
  /// The text between a '%' and the end of a conversion. Positions are 0 if not
  /// specified.
  struct Conversion {
    int Position = 0;
    const char *PositionEnd = nullptr;
    bool TakesWidth = false, TakesMost = false;
    int WidthFrom = 0, MostFrom = 0, Most = -1;
    Length Modifier = Length::None;
    Kind Type = Kind::None;
  };

  static bool parseOne(Cursor &, Conversion &);
  static bool kindOf(char Letter, Length, Kind &);
  bool parse();
  bool parseByLibrary();
  static Length nextCount(Cursor &);
  bool note(const Conversion &);
  /// The argument for a conversion's value, width or precision.
  int argument(int Position, Kind, Length = Length::None);
  void read(va_list);
  bool isMixed(const Argument &) const;
  void separate();
  unsigned separated(const Conversion &);
  void replace();
  void list();
  size_t most(const Argument &) const;
  void copyString(Argument &);
  void copyWide(Argument &);
  void copyCount(Argument &);
  void giveBack(Argument &);

  const char *Format;
  char *NewFormat = nullptr;
  static constexpr unsigned SmallRoom = 15;
  Argument Small[SmallRoom];
  Argument *Used = Small;
  uint64_t *Slots = nullptr;
  /// Limit arguments may be in the format; Room has some for separate().
  unsigned Count = 0, Next = 0, Limit = 0, Room = 0;
  bool Failed = false;
};

} // namespace graupel::dsm

#endif
