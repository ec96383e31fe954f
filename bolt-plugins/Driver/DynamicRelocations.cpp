//===- Driver/DynamicRelocations.cpp - Tables of the loader ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of dynamic relocations has a meaning. A lazy stub of the PLT pushes
// the index of its entry in .rela.plt; DT_RELACOUNT says how many entries at
// the beginning of .rela.dyn are relative; what calls a resolver (IRELATIVE)
// has to follow what the resolver needs. BOLT 22 writes all entries sorted by
// place, and those of one type into one of the tables, whichever they were in.
//
// So BOLT does not write the tables at all:
//
//   1. BOLT reads them, and may change what is at a place (its hook in
//      .init_array).
//   2. Before it emits code it is made to forget where the tables are.
//   3. When the output is written, each entry of the input is brought up to
//      date where it is: its place, if that moved, and its addend, if that is
//      an address that moved. Order, number and symbol stay.
//
//===----------------------------------------------------------------------===//

#include "DynamicRelocations.h"
#include "Summary.h"
#include "Support/BoltInternals.h"
#include "Support/OwnPipeline.h"
#include "bolt/Utils/CommandLineOpts.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/ToolOutputFile.h"
#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#define DEBUG_TYPE "graupel-dynamic-relocations"

STATISTIC(NumUpdated, "Number of dynamic relocations that were brought up to "
                      "date in their tables");

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace graupel::internals {

/// The file that is rewritten.
struct InputFileTag {};
constexpr auto member(InputFileTag);
template struct Reveal<InputFileTag, &RewriteInstance::InputFile>;
/// The addresses of the tables of dynamic relocations, if there are any.
struct TableTag {};
constexpr auto member(TableTag);
template struct Reveal<TableTag, &RewriteInstance::DynamicRelocationsAddress>;
struct PLTTableTag {};
constexpr auto member(PLTTableTag);
template struct Reveal<PLTTableTag, &RewriteInstance::PLTRelocationsAddress>;
/// The output address of a function or a datum of the input; 0 if it is the
/// same.
struct NewAddressTag {};
constexpr auto member(NewAddressTag);
template struct Reveal<NewAddressTag,
                       &RewriteInstance::getNewFunctionOrDataAddress>;

} // namespace graupel::internals

namespace {

using Rela = object::ELF64LE::Rela;

/// A table in the file, which is at the same place in the input and the output.
struct Table {
  uint64_t Offset, Size;
};

/// Whether the addend of a relocation of type \p Type without a symbol is an
/// offset in the block of a thread, and no address.
bool isOffset(uint32_t Type) {
  switch (Type) {
  case ELF::R_X86_64_DTPMOD64:
  case ELF::R_X86_64_DTPOFF64:
  case ELF::R_X86_64_DTPOFF32:
  case ELF::R_X86_64_TPOFF64:
  case ELF::R_X86_64_TPOFF32:
  case ELF::R_X86_64_TLSDESC:
    return true;
  default:
    return false;
  }
}

class Tables {
public:
  explicit Tables(RewriteInstance &Rewriter) : Rewriter(Rewriter) {}

  void take() {
    note(Rewriter.*member(internals::TableTag()));
    note(Rewriter.*member(internals::PLTTableTag()));
  }

  Error write() {
    // BOLT writes nothing to /dev/null.
    const auto &Out = Rewriter.*member(internals::OutTag());
    if (!Out)
      return Error::success();
    readPlaces();
    raw_fd_ostream &OS = Out->os();
    for (const Table &T : All)
      for (uint64_t At = T.Offset; At + sizeof(Rela) <= T.Offset + T.Size;
           At += sizeof(Rela)) {
        const Rela Entry = updated(entryAt(At));
        OS.pwrite(reinterpret_cast<const char *>(&Entry), sizeof(Entry), At);
      }
    OS.flush();
    return OS.has_error() ? errorCodeToError(OS.error()) : Error::success();
  }

private:
  RewriteInstance &Rewriter;
  SmallVector<Table, 2> All;

  BinaryContext &context() const {
    return const_cast<BinaryContext &>(Rewriter.getBinaryContext());
  }

  void note(std::optional<uint64_t> &Address) {
    if (!Address)
      return;
    ErrorOr<BinarySection &> Section = context().getSectionForAddress(*Address);
    assert(Section && "BOLT has read this table");
    All.push_back({Section->getInputFileOffset(), Section->getSize()});
    Address.reset();
  }

  Rela entryAt(uint64_t Offset) const {
    const StringRef Input =
        (Rewriter.*member(internals::InputFileTag()))->getData();
    Rela Entry;
    std::memcpy(&Entry, Input.data() + Offset, sizeof(Entry));
    return Entry;
  }

  /// The new address of the byte at \p Address; 0 if it has not moved.
  uint64_t movedTo(uint64_t Address) {
    return (Rewriter.*member(internals::NewAddressTag()))(Address);
  }

  /// A relocation that BOLT knows, ordered by the address of its place.
  struct Known {
    uint64_t Address;
    const BinarySection *Section;
    const Relocation *Rel;
    bool operator<(const Known &Other) const { return Address < Other.Address; }
  };
  std::vector<Known> ByPlace;

  void readPlaces() {
    for (const BinarySection &Section : context().allocatableSections())
      for (const Relocation &Rel : Section.dynamicRelocations())
        ByPlace.push_back({Section.getAddress() + Rel.Offset, &Section, &Rel});
    llvm::stable_sort(ByPlace);
  }

  /// BOLT's relocation at the place of \p Entry; null if there is none.
  const Known *current(const Rela &Entry) const {
    const auto [Begin, End] =
        std::equal_range(ByPlace.begin(), ByPlace.end(),
                         Known{Entry.r_offset, nullptr, nullptr});
    if (Begin == End)
      return nullptr;
    const auto Same = std::find_if(Begin, End, [&](const Known &K) {
      return K.Rel->Type == Entry.getType(/*isMips64EL=*/false) &&
             bool(K.Rel->Symbol) == bool(Entry.getSymbol(/*isMips64EL=*/false));
    });
    return Same == End ? &*Begin : &*Same;
  }

  Rela updated(Rela Entry) {
    const bool IsNone =
        Entry.getType(/*isMips64EL=*/false) == ELF::R_X86_64_NONE;
    const Known *Now = IsNone ? nullptr : current(Entry);
    if (!Now)
      return Entry;
    if (!Now->Rel->Symbol) {
      Entry.setSymbolAndType(0, Now->Rel->Type, /*isMips64EL=*/false);
      const uint64_t Target =
          isOffset(Now->Rel->Type) ? 0 : movedTo(Now->Rel->Addend);
      Entry.r_addend = Target ? Target : Now->Rel->Addend;
    }
    if (const uint64_t Place = movedTo(Entry.r_offset))
      Entry.r_offset = Place;
    else if (const uint64_t Moved = Now->Section->getOutputAddress())
      Entry.r_offset = Moved + Now->Rel->Offset;
    ++NumUpdated;
    return Entry;
  }
};

std::optional<Tables> Kept;

} // namespace

void graupel::keepDynamicRelocations(RewriteInstance &Rewriter) {
  if (isOurs(Rewriter.getBinaryContext()))
    Kept.emplace(Rewriter);
}

Error graupel::leaveRelocatedCodeAlone(BinaryContext &BC) {
  size_t Number = 0;
  for (BinarySection &Section : BC.allocatableSections())
    for (const Relocation &Rel : Section.dynamicRelocations()) {
      BinaryFunction *BF = Section.isText()
                               ? BC.getBinaryFunctionContainingAddress(
                                     Section.getAddress() + Rel.Offset)
                               : nullptr;
      if (!BF || BF->isIgnored())
        continue;
      if (opts::processAllFunctions())
        return createFatalBOLTError(
            "has text relocations: the loader changes code of " +
            BF->getPrintName() +
            ", which has to stay; leave out -use-old-text and -strict, or "
            "compile with -fPIC");
      Summary::get().skip(*BF, "the loader changes its code");
      BF->setIgnored();
      ++Number;
    }
  if (Number)
    BC.outs() << "GRAUPEL-INFO: " << Number
              << " functions left as they are: the loader changes their code "
                 "(text relocations)\n";
  return Error::success();
}

void graupel::takeDynamicRelocations() {
  if (Kept)
    Kept->take();
}

Error graupel::writeDynamicRelocations() {
  return Kept ? Kept->write() : Error::success();
}
