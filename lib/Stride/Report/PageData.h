//===- Stride/Report/PageData.h - Figures of the page -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_REPORT_PAGEDATA_H
#define GRAUPEL_STRIDE_REPORT_PAGEDATA_H

#include "Report.h"
#include "llvm/Support/JSON.h"

namespace graupel::stride {

/// The data for the page's script; arrays, to be small. Script.cpp reads them.
class PageData {
public:
  explicit PageData(Report &Rep);

  void write(llvm::raw_ostream &OS);
  /// Places in the lists, for links.
  size_t placeOfStream(const Use &U) const {
    return StreamAt.at({U.Object, U.Store});
  }
  size_t placeOfFile(const std::string &Name) const { return FileAt.at(Name); }

private:
  using JSON = llvm::json::OStream;
  using FileLines = std::map<uint32_t, const LineSum *>;
  void stream(const ObjectStream &S, JSON &J) const;
  void file(const std::string &Name, JSON &J) const;
  void loops(JSON &J) const;
  // Data of simulated caches; PageCaches.cpp.
  void caches(JSON &J) const;
  void levels(JSON &J) const;
  void conflicts(JSON &J) const;
  void sharing(JSON &J) const;
  void levelMisses(const MissCounts &M, JSON &J) const;
  void lineMisses(const Line &Where, JSON &J) const;
  void streamMisses(const ObjectStream &S, JSON &J) const;

  Report &Rep;
  std::vector<ObjectStream> Streams;
  std::map<std::pair<uint32_t, bool>, size_t> StreamAt;
  std::map<std::pair<uint32_t, bool>, Pattern> Patterns;
  std::vector<std::string> Files; ///< Most references first.
  std::map<std::string, size_t> FileAt;
  std::map<std::string, FileLines> Lines;
};

} // namespace graupel::stride

#endif
