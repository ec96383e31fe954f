//===- stride/Options.h - GRAUPEL_STRIDE -----------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_OPTIONS_H
#define GRAUPEL_STRIDE_OPTIONS_H

#include "Bursts.h"
#include "Histogram.h"
#include "graupel/stride_caches.h"
#include "graupel/stride_sites.h"

namespace graupel::stride {

struct Options {
  bool Off = false;
  Counting Counts;
  Sampling Bursts;
  bool PassEqual = false;
  /// All references, as chunks.
  bool Stream = false;
  /// Caches to simulate; no levels: none.
  CachesRecord Caches{};
  /// Bytes by page.
  bool Pages = false;
  /// Also on which nodes pages are.
  bool Homes = false;
  /// Summaries are written out before they are counted; to test.
  bool Literal = false;

  struct Lines {
    const char *File;
    uint32_t From, To;
  };
  Array<const char *> Functions, Files, Objects;
  Array<Lines> LineRanges;
  /// Functions that allocate for their callers.
  Array<const char *> Wrappers;

  bool selectsSite(const graupel_stride_site *S) const;
  bool selectsObject(const char *Name) const;
};

/// Parses GRAUPEL_STRIDE. An error ends the program before it begins: a useless
/// run may be long.
void readOptions(Options &O, const char *Text);

/// Text that an entry of a table refers to, or "".
template <class Entry> const char *textOf(const Entry *E, int32_t Offset) {
  return Offset ? reinterpret_cast<const char *>(E) + Offset : "";
}

} // namespace graupel::stride

#endif
