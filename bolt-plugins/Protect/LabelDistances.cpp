//===- Protect/LabelDistances.cpp - Tables of distances of labels ---------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "static const int D[] = {&&a - &&a, &&b - &&a, ...}" has no relocations: the
// assembler knows the distances. If the same labels are in a table of pointers,
// another function may add the two, and the interpreter itself jumps to what looks
// whole. So where data knows labels of a function, the numbers in data are looked
// at: half as many in a row as there are labels (all of a few), which are the
// distances of labels from one of them, are taken for such a table.
//
//===----------------------------------------------------------------------===//

#include "Protected.h"
#include "Recover/ComputedGotos.h"
#include "bolt/Core/BinaryContext.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

class DistanceFinder {
public:
  explicit DistanceFinder(const BinaryFunction &BF)
      : Size(BF.getSize()), IsLabel(Size) {
    for (const BinaryBasicBlock *Block : blocksKnownToData(BF)) {
      Labels.push_back(Block->getInputOffset());
      IsLabel.set(Block->getInputOffset());
    }
    Asked = std::max<size_t>(Labels.size() / 2,
                             std::min<size_t>(Labels.size(), Few));
  }

  /// A few numbers could be anything.
  bool isPossible() const { return Labels.size() >= Fewest; }

  template <typename Number> bool isIn(StringRef Contents) {
    std::vector<Row> Rows(Labels.size());
    int64_t Previous = 0;
    bool IsEmpty = true;
    for (size_t At = 0; At + sizeof(Number) <= Contents.size();
         At += sizeof(Number)) {
      const int64_t N = support::endian::read<Number, endianness::little>(
          Contents.data() + At);
      if (std::abs(N) >= Size) {
        if (!IsEmpty)
          Rows.assign(Labels.size(), Row());
        IsEmpty = true;
        continue;
      }
      for (size_t I = 0; I < Labels.size(); ++I) {
        if (!isLabel(Labels[I] + N)) {
          Rows[I] = Row();
          continue;
        }
        ++Rows[I].Numbers;
        Rows[I].Changes += N && N != Previous;
        if (Rows[I].Numbers >= Asked && Rows[I].Changes >= Asked / 2)
          return true;
      }
      IsEmpty = false;
      Previous = N;
    }
    return false;
  }

private:
  static constexpr unsigned Fewest = 3, Few = 6;
  struct Row {
    unsigned Numbers = 0, Changes = 0;
  };
  const int64_t Size;
  BitVector IsLabel;
  std::vector<int64_t> Labels;
  unsigned Asked = 0;

  bool isLabel(int64_t Offset) const {
    return Offset >= 0 && Offset < Size && IsLabel.test(Offset);
  }
};

} // namespace

/// Whether compilers put data there; other sections are the loader's and have small
/// numbers, too.
static bool isOfProgram(StringRef Name) {
  return any_of(ArrayRef<StringRef>{".rodata", ".data", ".lrodata", ".ldata"},
                [&](StringRef Begin) { return Name.starts_with(Begin); });
}

bool graupel::hasTableOfDistances(const BinaryFunction &BF) {
  DistanceFinder Finder(BF);
  if (!Finder.isPossible())
    return false;
  for (const BinarySection &Section :
       BF.getBinaryContext().allocatableSections())
    if (!Section.isVirtual() && isOfProgram(Section.getName()) &&
        (Finder.isIn<int32_t>(Section.getContents()) ||
         Finder.isIn<int64_t>(Section.getContents())))
      return true;
  return false;
}
