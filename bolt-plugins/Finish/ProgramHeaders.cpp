//===- Finish/ProgramHeaders.cpp - Their place in the output --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An output has more segments than its input, so its program headers need more
// room than there is between the ELF header and the first section. BOLT writes
// them to the beginning of the segment that it appends. GNU strip and objcopy
// put them back, over the first sections, and the program crashes.
//
//   1. A first segment that holds nothing but headers grows. Otherwise find the
//      sections that the longer table covers, and as many behind them as belong
//      to the same note segment. Together they are a block.
//   2. Each must be one whose place only tables know: the interpreter's name,
//      notes, and what the dynamic section refers to. Nothing else may refer
//      to it.
//   3. The block goes where BOLT has the table now; where that is too small, to
//      the end of the file with a segment of its own.
//   4. The segment that held the table begins with its first section.
//   5. Program headers, section headers, dynamic section and symbols follow.
//
//===----------------------------------------------------------------------===//

#include "ProgramHeaders.h"
#include "References.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>

#define DEBUG_TYPE "graupel-finish"

using namespace llvm;
using namespace graupel;

STATISTIC(NumMovedHeaders, "Number of outputs whose program headers were moved "
                           "behind the ELF header");
STATISTIC(NumOwnSegments, "Number of outputs whose first sections needed a "
                          "segment of their own");
STATISTIC(NumInTheWay,
          "Number of outputs whose first sections cannot be moved");

namespace {

using Header = ElfView::Header;
using Segment = ElfView::Segment;
using Section = ElfView::Section;
using Symbol = ElfView::Symbol;
using Rela = ElfView::Rela;
using Dyn = ElfView::Dyn;

constexpr uint64_t PageSize = 4096;

bool isLoaded(const Section &S) { return S.sh_flags & ELF::SHF_ALLOC; }

void setAddress(Segment &S, uint64_t Address) {
  S.p_vaddr = Address;
  S.p_paddr = Address;
}

void setSize(Segment &S, uint64_t Size) {
  S.p_filesz = Size;
  S.p_memsz = Size;
}

/// Whether only tables say where a section like \p S is.
bool isOfTables(const Section &S, StringRef Name) {
  switch (S.sh_type) {
  case ELF::SHT_NOTE:
  case ELF::SHT_HASH:
  case ELF::SHT_GNU_HASH:
  case ELF::SHT_DYNSYM:
  case ELF::SHT_STRTAB:
  case ELF::SHT_GNU_versym:
  case ELF::SHT_GNU_verneed:
  case ELF::SHT_GNU_verdef:
    return true;
  default:
    return Name == ".interp";
  }
}

} // namespace

namespace graupel {

class ProgramHeaderPlanner {
public:
  ProgramHeaderPlanner(const ElfView &Input, const ElfView &Output,
                       ProgramHeaderPlan &Plan)
      : Input(Input), Output(Output), Plan(Plan) {}

  Error run() {
    Plan.Head = Output.header();
    Plan.Segments = Output.segments().vec();
    Plan.Sections = Output.sections().vec();
    Plan.FileSize = Output.fileSize();
    Front = segmentWith(0);
    Home = segmentWith(Output.header().e_phoff);
    if (!Front || !Home || Front->p_flags & ELF::PF_W)
      return inTheWay("the ELF header is not in a segment of its kind");
    setRange(Plan.OldTable, *Home, Output.header().e_phoff, tableSize());
    if (Error E = makeRoom())
      return E;
    moveHeaders();
    ++NumMovedHeaders;
    return Error::success();
  }

private:
  const ElfView &Input, &Output;
  ProgramHeaderPlan &Plan;
  const Segment *Front = nullptr; ///< Holds the ELF header.
  const Segment *Home = nullptr;  ///< Holds the program headers.
  /// The sections of the block.
  std::vector<const Section *> Block;
  /// The part that moves must not lie at the beginning of a segment.
  bool MustNotBegin = false;

  static Error inTheWay(const Twine &Message) {
    ++NumInTheWay;
    return createStringError(Message);
  }

  /// Chooses the block and its place. With fewer headers there is less to move.
  Error makeRoom() {
    Error First = chooseBlock(/*Spare=*/0);
    if (First && dropRepeatedNote()) {
      consumeError(std::move(First));
      First = chooseBlock(/*Spare=*/0);
    }
    if (First || fitsIntoOldTable())
      return First;
    if (Error E = chooseBlock(/*Spare=*/1))
      return E;
    return addSegment();
  }

  /// Leaves out the header of the note that PT_GNU_PROPERTY is for. Loaders
  /// look at notes only if there is no such header.
  bool dropRepeatedNote() {
    const auto Property = llvm::find_if(Plan.Segments, [](const Segment &S) {
      return S.p_type == ELF::PT_GNU_PROPERTY;
    });
    if (Property == Plan.Segments.end())
      return false;
    const auto Note = llvm::find_if(Plan.Segments, [&](const Segment &S) {
      return S.p_type == ELF::PT_NOTE && S.p_offset == Property->p_offset &&
             S.p_filesz == Property->p_filesz;
    });
    if (Note == Plan.Segments.end())
      return false;
    Plan.Segments.erase(Note);
    Plan.Head.e_phnum = Plan.Segments.size();
    return true;
  }

  const Segment *segmentWith(uint64_t Offset) const {
    for (const Segment &S : Output.segments())
      if (S.p_type == ELF::PT_LOAD && Offset - S.p_offset < S.p_filesz)
        return &S;
    return nullptr;
  }

  static void setRange(ProgramHeaderPlan::Range &Range, const Segment &Holder,
                       uint64_t Offset, uint64_t Size) {
    Range = {Offset, Holder.p_vaddr + (Offset - Holder.p_offset), Size};
  }

  uint64_t tableSize() const { return Plan.Segments.size() * sizeof(Segment); }

  /// Sections with content in the segment \p Holder, by place.
  std::vector<const Section *> sectionsIn(const Segment &Holder) const {
    std::vector<const Section *> Found;
    for (const Section &S : Output.sections().drop_front())
      if (isLoaded(S) && S.sh_type != ELF::SHT_NOBITS && S.sh_size &&
          S.sh_offset - Holder.p_offset < Holder.p_filesz)
        Found.push_back(&S);
    llvm::stable_sort(Found, [](const Section *A, const Section *B) {
      return A->sh_offset < B->sh_offset;
    });
    return Found;
  }

  /// The end of the block if it begins at \p Begin and has to make room up to
  /// \p End.
  uint64_t endOfBlock(uint64_t Begin, uint64_t End,
                      ArrayRef<const Section *> Parts) const {
    for (bool Grew = true; Grew;) {
      Grew = false;
      auto cover = [&](uint64_t Offset, uint64_t Size) {
        if (Offset < End && Offset >= Begin && Offset + Size > End) {
          End = Offset + Size;
          Grew = true;
        }
      };
      for (const Section *S : Parts)
        cover(S->sh_offset, S->sh_size);
      for (const Segment &S : Output.segments())
        if (S.p_type != ELF::PT_LOAD && S.p_type != ELF::PT_PHDR)
          cover(S.p_offset, S.p_filesz);
    }
    return End;
  }

  /// Chooses what to move to make room for \p Spare more headers than there
  /// are.
  Error chooseBlock(unsigned Spare) {
    Block.clear();
    Plan.Moves.clear();
    const std::vector<const Section *> Parts = sectionsIn(*Front);
    const uint64_t Needed =
        sizeof(Header) + tableSize() + Spare * sizeof(Segment);
    if (Needed > Front->p_filesz && !canGrow(Needed))
      return inTheWay("the first segment is too small");
    if (Parts.empty())
      return Error::success();
    const uint64_t Begin = Parts.front()->sh_offset;
    const uint64_t End = endOfBlock(Begin, std::max(Begin, Needed), Parts);
    for (const Section *S : Parts)
      if (S->sh_offset < End) {
        if (!isOfTables(*S, Output.name(*S)))
          return inTheWay(Output.describe(*S) + " is in the way");
        Block.push_back(S);
      }
    if (Block.empty())
      return Error::success();
    // The interpreter's name goes to the end. A segment that begins where a
    // load segment does is taken for its parent by older versions of
    // llvm-strip.
    const bool HasName = Output.name(*Block.front()) == ".interp";
    const size_t Names = HasName && Block.size() > 1;
    addMove(ArrayRef(Block).drop_front(Names));
    if (Names)
      addMove(ArrayRef(Block).take_front());
    MustNotBegin = HasName && !Names;
    return checkReferences();
  }

  /// Whether the segment with the ELF header can have \p Size bytes: where it
  /// holds nothing but headers, as in static programs, it ends behind them.
  bool canGrow(uint64_t Size) const {
    const uint64_t Begin = Front->p_offset, End = Begin + Front->p_filesz;
    auto isFree = [&](uint64_t Offset) {
      return Offset < End || Offset >= Begin + Size;
    };
    return llvm::all_of(Output.sections().drop_front(),
                        [&](const Section &S) {
                          return S.sh_type == ELF::SHT_NOBITS || !S.sh_size ||
                                 isFree(S.sh_offset);
                        }) &&
           llvm::all_of(Output.segments(), [&](const Segment &S) {
             return S.p_type != ELF::PT_LOAD || &S == Front ||
                    (isFree(S.p_offset) &&
                     (S.p_vaddr < Front->p_vaddr ||
                      S.p_vaddr - Front->p_vaddr >= Size));
           });
  }

  void addMove(ArrayRef<const Section *> Parts) {
    const uint64_t Begin = Parts.front()->sh_offset;
    const uint64_t End = Parts.back()->sh_offset + Parts.back()->sh_size;
    setRange(Plan.Moves.emplace_back().From, *Front, Begin, End - Begin);
  }

  /// The end of the part that moves if it begins at \p Offset of \p Holder.
  uint64_t place(const Segment &Holder, uint64_t Offset) {
    Offset += MustNotBegin;
    for (ProgramHeaderPlan::Move &M : Plan.Moves) {
      Offset = alignedLike(M.From, Offset);
      setRange(M.To, Holder, Offset, M.From.Size);
      Offset += M.From.Size;
    }
    return Offset;
  }

  bool isInBlock(uint64_t Address) const {
    return Plan.moveOf(Address) != nullptr;
  }

  /// Nothing but tables may know where the block is.
  Error checkReferences() const {
    const std::string Reason = References(Input, [&](uint64_t Address) {
                                 return isInBlock(Address);
                               }).find();
    return Reason.empty() ? Error::success() : inTheWay(Reason);
  }

  uint64_t blockAlignment() const {
    uint64_t Most = 8;
    for (const Section *S : Block)
      Most = std::max<uint64_t>(Most, S->sh_addralign);
    return Most;
  }

  /// The first place from \p Offset on at which all of \p Range is aligned as
  /// it was.
  uint64_t alignedLike(const ProgramHeaderPlan::Range &Range,
                       uint64_t Offset) const {
    return alignTo(Offset, blockAlignment(), Range.Offset % blockAlignment());
  }

  bool fitsIntoOldTable() {
    uint64_t End = Home->p_offset + Home->p_filesz;
    for (const Section *S : sectionsIn(*Home))
      if (S->sh_offset + S->sh_size > Plan.OldTable.Offset)
        End = std::min<uint64_t>(End, S->sh_offset);
    return End >= Plan.OldTable.Offset &&
           place(*Home, Plan.OldTable.Offset) <= End;
  }

  Error addSegment() {
    uint64_t Address = 0;
    auto Last = Plan.Segments.end();
    for (auto It = Plan.Segments.begin(); It != Plan.Segments.end(); ++It)
      if (It->p_type == ELF::PT_LOAD) {
        Address = std::max<uint64_t>(Address, It->p_vaddr + It->p_memsz);
        Last = It + 1;
      }
    if (blockAlignment() > PageSize)
      return inTheWay("a section with a large alignment is in the way");
    const uint64_t Offset = alignTo(Output.fileSize(), PageSize);
    Segment New = *Front;
    New.p_offset = Offset;
    setAddress(New, alignTo(Address, PageSize));
    New.p_flags = ELF::PF_R;
    New.p_align = PageSize;
    setSize(New, place(New, Offset) - Offset);
    Plan.FileSize = Offset + New.p_filesz;
    Plan.Segments.insert(Last, New);
    Plan.Head.e_phnum = Plan.Segments.size();
    ++NumOwnSegments;
    return Error::success();
  }

  uint64_t movedOffset(uint64_t Address, uint64_t Offset) const {
    const ProgramHeaderPlan::Move &M = *Plan.moveOf(Address);
    return Offset - M.From.Offset + M.To.Offset;
  }

  /// Where the table was, the segment \p S may begin with nothing. GNU strip
  /// takes that for room that it may have.
  void trim(Segment &S) const {
    uint64_t First = S.p_offset + S.p_filesz;
    for (const Section *Part : sectionsIn(*Home))
      First = std::min<uint64_t>(First, Part->sh_offset);
    for (const ProgramHeaderPlan::Move &M : Plan.Moves)
      if (M.To.Offset >= S.p_offset)
        First = std::min<uint64_t>(First, M.To.Offset);
    const uint64_t Unused = First - S.p_offset;
    if (Unused == S.p_filesz)
      return;
    S.p_offset += Unused;
    setAddress(S, S.p_vaddr + Unused);
    S.p_filesz -= Unused;
    S.p_memsz -= Unused;
  }

  void moveHeaders() {
    Plan.Head.e_phoff = sizeof(Header);
    const uint64_t End = sizeof(Header) + tableSize();
    for (Segment &S : Plan.Segments) {
      if (S.p_type == ELF::PT_LOAD && S.p_vaddr == Front->p_vaddr &&
          S.p_filesz < End) {
        setSize(S, End);
      } else if (S.p_type == ELF::PT_LOAD && S.p_vaddr == Home->p_vaddr) {
        trim(S);
      } else if (S.p_type == ELF::PT_PHDR) {
        S.p_offset = sizeof(Header);
        setAddress(S, Front->p_vaddr + sizeof(Header));
        setSize(S, tableSize());
      } else if (S.p_type != ELF::PT_LOAD && S.p_filesz &&
                 isInBlock(S.p_vaddr)) {
        S.p_offset = movedOffset(S.p_vaddr, S.p_offset);
        setAddress(S, Plan.moved(S.p_vaddr));
      }
    }
    for (Section &S : Plan.Sections)
      if (isLoaded(S) && S.sh_size && isInBlock(S.sh_addr)) {
        S.sh_offset = movedOffset(S.sh_addr, S.sh_offset);
        S.sh_addr = Plan.moved(S.sh_addr);
      }
  }
};

} // namespace graupel

Expected<std::optional<ProgramHeaderPlan>>
ProgramHeaderPlan::make(const ElfView &Input, const ElfView &Output) {
  if (Output.header().e_phoff == sizeof(Header))
    return std::nullopt;
  ProgramHeaderPlan Plan;
  if (Error E = ProgramHeaderPlanner(Input, Output, Plan).run())
    return std::move(E);
  return Plan;
}

const ProgramHeaderPlan::Move *
ProgramHeaderPlan::moveOf(uint64_t Address) const {
  for (const Move &M : Moves)
    if (M.From.contains(Address))
      return &M;
  return nullptr;
}

uint64_t ProgramHeaderPlan::moved(uint64_t Address) const {
  const Move *M = moveOf(Address);
  return M ? Address - M->From.Address + M->To.Address : Address;
}

void ProgramHeaderPlan::moveContent(MutableArrayRef<char> Output) const {
  auto part = [&](const Range &R) { return Output.slice(R.Offset, R.Size); };
  std::vector<std::vector<char>> Contents;
  for (const Move &M : Moves)
    Contents.push_back(part(M.From).vec());
  llvm::fill(part(OldTable), 0);
  for (const Move &M : Moves)
    llvm::fill(part(M.From), 0);
  for (const auto &[M, Content] : llvm::zip(Moves, Contents))
    llvm::copy(Content, part(M.To).begin());
}

/// Calls \p Change with each entry of the table \p S of \p Output.
template <typename Entry, typename Action>
static void forEachEntry(MutableArrayRef<char> Output, uint64_t Offset,
                         uint64_t Size, Action Change) {
  auto *Begin = reinterpret_cast<Entry *>(Output.data() + Offset);
  for (Entry &E : MutableArrayRef(Begin, Size / sizeof(Entry)))
    Change(E);
}

/// The addresses of tables; what else an entry holds is no address in memory.
void ProgramHeaderPlan::moveDynamic(MutableArrayRef<char> Output) const {
  for (const Segment &S : Segments)
    if (S.p_type == ELF::PT_DYNAMIC)
      forEachEntry<Dyn>(Output, S.p_offset, S.p_filesz, [&](Dyn &D) {
        switch (D.d_tag) {
        case ELF::DT_HASH:
        case ELF::DT_GNU_HASH:
        case ELF::DT_STRTAB:
        case ELF::DT_SYMTAB:
        case ELF::DT_VERSYM:
        case ELF::DT_VERNEED:
        case ELF::DT_VERDEF:
          D.d_un.d_ptr = moved(D.d_un.d_ptr);
          break;
        default:
          break;
        }
      });
}

void ProgramHeaderPlan::moveSymbols(MutableArrayRef<char> Output) const {
  for (const Section &Table : Sections)
    if (Table.sh_type == ELF::SHT_SYMTAB || Table.sh_type == ELF::SHT_DYNSYM)
      forEachEntry<Symbol>(
          Output, Table.sh_offset, Table.sh_size, [&](Symbol &S) {
            if (S.st_shndx < ELF::SHN_LORESERVE && hasAddress(Sections, S))
              S.st_value = moved(S.st_value);
          });
}

void ProgramHeaderPlan::apply(MutableArrayRef<char> Output) const {
  assert(Output.size() == FileSize && "the file was not enlarged");
  moveContent(Output);
  std::memcpy(Output.data(), &Head, sizeof(Head));
  std::memcpy(Output.data() + Head.e_phoff, Segments.data(),
              Segments.size() * sizeof(Segment));
  std::memcpy(Output.data() + Head.e_shoff, Sections.data(),
              Sections.size() * sizeof(Section));
  moveDynamic(Output);
  moveSymbols(Output);
}
