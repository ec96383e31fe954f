//===- Stride/Report/Report.h - The data of a report ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_REPORT_REPORT_H
#define GRAUPEL_STRIDE_REPORT_REPORT_H

#include "Sources.h"
#include "Stride/Analysis/Advice.h"
#include "Stride/Analysis/Misses.h"
#include "Stride/Record/Streams.h"
#include "llvm/Support/raw_ostream.h"

namespace graupel::stride {

/// All that the commands show of one or more files.
struct Report {
  /// `MaxLag` 0: as recorded.
  llvm::Error read(const std::vector<std::string> &Files, unsigned MaxLag);

  Record R;
  std::unique_ptr<Objects> O;
  std::unique_ptr<Profile> P;
  std::unique_ptr<Misses> M;
  std::vector<Issue> Issues;
  Sources Texts;
  Variant Which = Variant::Filtered;
  unsigned MaxLag = 0;

  std::vector<ObjectStream> streams() const {
    return makeStreams(R, *O, Which, MaxLag);
  }
};

void writeText(Report &, llvm::raw_ostream &);
void writeJSON(Report &, llvm::raw_ostream &);
void writeHTML(Report &, llvm::raw_ostream &);
/// Parts of writeText: the caches and what they tell; of one stream.
void writeCaches(const Report &, llvm::raw_ostream &);
void writeMisses(const Report &, const MissCounts *M, uint64_t References,
                 llvm::raw_ostream &);
void writeAnnotated(Report &, llvm::raw_ostream &);
void writeCallgrind(const Report &, llvm::raw_ostream &);
void writeSplit(const Report &, llvm::raw_ostream &);
void writeFgdsm(const Report &, llvm::raw_ostream &);
void writeNuma(const Report &, llvm::raw_ostream &);
void writeDiff(Report &Before, Report &After, llvm::raw_ostream &);
void writeDiffJSON(Report &Before, Report &After, llvm::raw_ostream &);

// --- Common parts of all formats.

/// "8 (1 element)"
std::string labelOfBin(unsigned Bin, unsigned ElementBytes);
/// "vectors of 4 lanes, gathered", or "8 bytes".
std::string describe(const Code &);
/// The cost that an issue is sorted by: "about 1,000 lines"; empty if it is
/// about something else than lines.
std::string costOf(const Issue &);
/// The reason for a record without references, as half a sentence.
std::string whyNothing(const Report &);
/// "L1 32 KiB, 8 ways, lines of 64 bytes"
std::string describe(const CacheLevelRecord &);
/// "L1 1,234 (1.5 %): compulsory 34, capacity 1,000, conflict 200; L2 ..."
std::string describe(const Report &, const MissCounts &M, uint64_t References);
/// "unit 50.0 %, same 50.0 %": what is at least 0.1 %.
std::string describe(const Pattern &);

} // namespace graupel::stride

#endif
