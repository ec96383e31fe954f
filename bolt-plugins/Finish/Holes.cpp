//===- Finish/Holes.cpp - Parts of the file that hold nothing -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BOLT places its segment in the file as far behind the first one as in memory,
// as old systems look for program headers so. A gigabyte of variables without
// values then makes the file a gigabyte longer, though most of that is a hole.
//
//   1. Behind what was copied from the input, find the parts of the file that
//      no header, section or segment has.
//   2. Shorten each by a multiple of the largest alignment, so that what is
//      behind stays as aligned as it was.
//   3. Move what is behind, and its offsets in all headers.
//
//===----------------------------------------------------------------------===//

#include "Holes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace llvm;
using namespace graupel;

using Header = ElfView::Header;
using Section = ElfView::Section;
using Segment = ElfView::Segment;

namespace {

struct Range {
  uint64_t Begin, End;
};

class Holes {
public:
  Holes(const ElfView &View, uint64_t From) {
    auto consider = [&](uint64_t Alignment) {
      Align = std::max(Align, Alignment);
    };
    for (const Segment &S : View.segments())
      consider(S.p_align);
    for (const Section &S : View.sections())
      consider(S.sh_addralign);
    uint64_t End = 0;
    for (const Range &Used : usedParts(View, From)) {
      if (const uint64_t Size = Used.Begin - std::min(End, Used.Begin))
        if (const uint64_t Removed = alignDown(Size, Align))
          List.push_back({Used.Begin - Removed, Used.Begin});
      End = std::max(End, Used.End);
    }
  }

  /// The parts to be removed, by place.
  ArrayRef<Range> list() const { return List; }

  /// The new offset of the byte at \p Offset.
  uint64_t moved(uint64_t Offset) const {
    uint64_t Removed = 0;
    for (const Range &Hole : List)
      if (Hole.Begin < Offset)
        Removed += alignDown(std::min(Offset, Hole.End) - Hole.Begin, Align);
    return Offset - Removed;
  }

private:
  uint64_t Align = 4096;
  std::vector<Range> List;

  static std::vector<Range> usedParts(const ElfView &View, uint64_t From) {
    std::vector<Range> Used = {{0, From}};
    View.forEachPart([&](uint64_t Offset, uint64_t Size) {
      if (Size)
        Used.push_back({Offset, Offset + Size});
    });
    llvm::sort(Used, [](const Range &A, const Range &B) {
      return std::pair(A.Begin, A.End) < std::pair(B.Begin, B.End);
    });
    return Used;
  }
};

} // namespace

/// Moves the content behind each hole to where it belongs.
static uint64_t moveContent(const Holes &H, MutableArrayRef<char> Output) {
  uint64_t End = H.list().front().Begin;
  for (const auto &[Index, Hole] : enumerate(H.list())) {
    const uint64_t Next =
        Index + 1 < H.list().size() ? H.list()[Index + 1].Begin : Output.size();
    std::memmove(Output.data() + End, Output.data() + Hole.End,
                 Next - Hole.End);
    End += Next - Hole.End;
  }
  return End;
}

uint64_t graupel::closeHoles(const ElfView &View, uint64_t From,
                             MutableArrayRef<char> Output) {
  const Holes H(View, From);
  if (H.list().empty())
    return Output.size();
  // The view's tables are parts of what moves.
  Header Head = View.header();
  std::vector<Segment> Segments = View.segments().vec();
  std::vector<Section> Sections = View.sections().vec();
  Head.e_shoff = H.moved(Head.e_shoff);
  for (Segment &S : Segments)
    S.p_offset = H.moved(S.p_offset);
  for (Section &S : Sections)
    S.sh_offset = H.moved(S.sh_offset);
  const uint64_t Size = moveContent(H, Output);
  std::memcpy(Output.data(), &Head, sizeof(Head));
  std::memcpy(Output.data() + Head.e_phoff, Segments.data(),
              Segments.size() * sizeof(Segment));
  std::memcpy(Output.data() + Head.e_shoff, Sections.data(),
              Sections.size() * sizeof(Section));
  return Size;
}
