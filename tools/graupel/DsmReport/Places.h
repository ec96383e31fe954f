//===- Places.h - Source lines of addresses in code ------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_DSMREPORT_PLACES_H
#define GRAUPEL_TOOLS_DSMREPORT_PLACES_H

#include "NodeFile.h"
#include <map>
#include <memory>
#include <set>

namespace graupel::dsm {

struct SourceLine {
  std::string File; ///< As the debug information says; empty if unknown.
  unsigned Line = 0;
  std::string Function;
  std::string Text; ///< The line without indentation, if it can be read.
  /// Where this was inlined, if it was, from the inside out.
  struct Caller {
    std::string Name; ///< "sweep.c:7"
    std::string Text;
  };
  std::vector<Caller> Callers;
  std::string Code; ///< "program+0x1234".

  /// "grid.c:41", "grid.h:41 < sweep.c:7", "work (program+0x1234)" or Code:
  /// what is known.
  std::string shortName() const;
};

/// Finds lines; asks each module once.
class SourceLines {
public:
  SourceLines();
  ~SourceLines();

  /// The line of the call that returns to the place. The same object for places
  /// on the same line.
  const SourceLine &find(const NodeFile &, unsigned Place);
  /// The same, of the call that returns to \p Offset of \p M.
  const SourceLine &find(const NodeFile::Module &M, uint64_t Offset);

  /// Warnings of modules that could not be used.
  std::vector<std::string> Warnings;

private:
  struct Symbolizer;
  bool usable(const NodeFile::Module &);
  const SourceLine &find(const NodeFile::Module &, const NodeFile::Place &);
  SourceLine resolve(const NodeFile::Module &, const NodeFile::Place &);
  std::string textOf(const std::string &File, unsigned Line);

  std::unique_ptr<Symbolizer> Symbols;
  std::map<std::pair<std::string, std::string>, bool> Modules;
  std::map<std::pair<std::string, uint64_t>, const SourceLine *> Known;
  std::map<std::string, SourceLine> Lines; ///< By what tells them apart.
  std::set<std::string> WithoutLines;
  std::map<std::string, std::vector<std::string>> Sources;
};

} // namespace graupel::dsm

#endif
