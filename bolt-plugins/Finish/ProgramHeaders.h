//===- Finish/ProgramHeaders.h - Their place in the output ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FINISH_PROGRAMHEADERS_H
#define GRAUPEL_FINISH_PROGRAMHEADERS_H

#include "Elf/ElfView.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace graupel {

/// A plan that moves the program headers of an output behind its ELF header.
class ProgramHeaderPlan {
public:
  /// Nothing if the headers of \p Output are there already. An error says what
  /// is in the way; the file is right all the same. Both files must outlive the
  /// plan.
  static llvm::Expected<std::optional<ProgramHeaderPlan>>
  make(const ElfView &Input, const ElfView &Output);

  /// The size that the file must have for it.
  uint64_t fileSize() const { return FileSize; }

  /// Changes \p Output, the file that the plan was made for, enlarged.
  void apply(llvm::MutableArrayRef<char> Output) const;

private:
  ElfView::Header Head;
  std::vector<ElfView::Segment> Segments;
  std::vector<ElfView::Section> Sections;
  uint64_t FileSize = 0;
  struct Range {
    uint64_t Offset = 0, Address = 0, Size = 0;
    bool contains(uint64_t At) const { return At - Address < Size; }
  };
  /// A range that moves, in the file and in memory.
  struct Move {
    Range From, To;
  };
  llvm::SmallVector<Move, 2> Moves;
  /// The old place of the headers.
  Range OldTable;

  friend class ProgramHeaderPlanner;
  /// The move of what was at \p Address; null if it stays.
  const Move *moveOf(uint64_t Address) const;
  uint64_t moved(uint64_t Address) const;
  void moveContent(llvm::MutableArrayRef<char> Output) const;
  void moveDynamic(llvm::MutableArrayRef<char> Output) const;
  void moveSymbols(llvm::MutableArrayRef<char> Output) const;
};

} // namespace graupel

#endif // GRAUPEL_FINISH_PROGRAMHEADERS_H
