//===- SourceLines/SourceLines.h - Lines of addresses ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_SOURCELINES_SOURCELINES_H
#define GRAUPEL_SOURCELINES_SOURCELINES_H

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace graupel {

/// A program or a library, as a run has recorded it.
struct CodeModule {
  std::string Path, BuildId;
};

/// A return address.
struct CodePlace {
  int Module; ///< -1: not known.
  uint64_t Offset;
};

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

  /// The line of the call that returns to place \p P, which may be of no known
  /// module; \p All has the modules that places name. The same object for
  /// places on the same line.
  const SourceLine &find(const std::vector<CodeModule> &All,
                         const CodePlace &P);
  /// The same, of the call that returns to \p Offset of \p M.
  const SourceLine &find(const CodeModule &M, uint64_t Offset);

  /// Warnings of modules that could not be used.
  std::vector<std::string> Warnings;

private:
  struct Symbolizer;
  bool usable(const CodeModule &);
  const SourceLine &find(const CodeModule &, const CodePlace &);
  SourceLine resolve(const CodeModule &, const CodePlace &);
  std::string textOf(const std::string &File, unsigned Line);

  std::unique_ptr<Symbolizer> Symbols;
  std::map<std::pair<std::string, std::string>, bool> Modules;
  std::map<std::pair<std::string, uint64_t>, const SourceLine *> Known;
  std::map<std::string, SourceLine> Lines; ///< By what tells them apart.
  std::set<std::string> WithoutLines;
  std::map<std::string, std::vector<std::string>> Sources;
};

/// The program's name for the memory that it allocates there: "grid.c:41 next".
/// If an allocating function of the program's was inlined, the variable is
/// where it was called.
std::string nameOfAllocation(const SourceLine &);

} // namespace graupel

#endif
