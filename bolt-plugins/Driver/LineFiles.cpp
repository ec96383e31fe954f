//===- Driver/LineFiles.cpp - The numbers of source files -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -update-debug-sections, BOLT makes the list of files of each line table
// anew, but keeps the numbers of files in rows and in .debug_info. Files that
// are in the list twice are there once afterwards, and those behind them get
// other numbers. GCC lists the source of a unit twice, as 0 and as 1: every row
// was one of another file.
//
// 1. After BOLT has read the lists, fill them again: each file at its number.
// 2. A file that comes to another unit by inlining is found by the directory
//    that its own unit means. BOLT takes the one before, as was right before
//    DWARF 5.
//
//===----------------------------------------------------------------------===//

#include "Options/BoltOptions.h"
#include "Support/BoltInternals.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/DebugInfo/DWARF/DWARFCompileUnit.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace llvm::bolt;
using namespace graupel;

namespace {

using Prologue = DWARFDebugLine::Prologue;

struct SourceFile {
  StringRef Directory, Name;
  std::optional<MD5::MD5Result> Checksum;
};

/// \p Entry of the list in \p P. Before DWARF 5, the directory of the unit is
/// not in the list of directories.
SourceFile describe(const Prologue &P,
                    const DWARFDebugLine::FileNameEntry &Entry) {
  const bool IsNew = P.getVersion() >= 5;
  SourceFile File;
  const uint64_t Index = IsNew ? Entry.DirIdx : Entry.DirIdx - 1;
  if (Index < P.IncludeDirectories.size())
    File.Directory = dwarf::toString(P.IncludeDirectories[Index], "");
  File.Name = dwarf::toString(Entry.Name, "");
  if (IsNew && P.ContentTypes.HasMD5)
    File.Checksum = Entry.Checksum;
  return File;
}

/// Step 1, for one unit.
void refill(MCDwarfLineTableHeader &Header, const Prologue &P) {
  const MCDwarfFile Root = Header.RootFile;
  const std::string Directory = Header.CompilationDir;
  Header.resetFileTable();
  Header.SourceIdMap.clear();
  if (!Root.Name.empty())
    Header.setRootFile(Directory, Root.Name, Root.Checksum, std::nullopt);
  // Number 0 is the root file of DWARF 5.
  const unsigned First = P.getVersion() < 5 ? 1 : 0;
  for (const auto &[I, Entry] : enumerate(P.FileNames)) {
    const unsigned Number = I + First;
    if (!Number)
      continue;
    SourceFile File = describe(P, Entry);
    if (cantFail(Header.tryGetFile(File.Directory, File.Name, File.Checksum,
                                   std::nullopt, P.getVersion(), Number)))
      continue;
    // It is the root file.
    Header.MCDwarfFiles.resize(Number + 1);
    Header.MCDwarfFiles[Number] = Header.RootFile;
  }
}

void keepNumbers(BinaryContext &BC) {
  for (const std::unique_ptr<DWARFUnit> &Unit : BC.DwCtx->compile_units()) {
    MCDwarfLineTableHeader &Header =
        BC.getDwarfLineTable(Unit->getOffset()).*member(internals::HeaderTag());
    const DWARFDebugLine::LineTable *Table =
        BC.DwCtx->getLineTableForUnit(Unit.get());
    // BOLT lists files of units only that it is going to write.
    if (Table && !(Header.MCDwarfFiles.empty() && Header.RootFile.Name.empty()))
      if (!Table->Prologue.FileNames.empty())
        refill(Header, Table->Prologue);
  }
}

/// Step 2.
unsigned addFile(BinaryContext &BC, uint32_t To, uint32_t From,
                 unsigned Number) {
  DWARFCompileUnit *Source = BC.DwCtx->getCompileUnitForOffset(From);
  DWARFCompileUnit *Target = BC.DwCtx->getCompileUnitForOffset(To);
  const Prologue &P = BC.DwCtx->getLineTableForUnit(Source)->Prologue;
  const SourceFile File = describe(P, P.getFileNameEntry(Number));
  SmallString<128> Directory(File.Directory);
  if (StringRef Home = Source->getCompilationDir();
      Home != StringRef(Target->getCompilationDir()) &&
      sys::path::is_relative(Directory)) {
    Directory = Home;
    sys::path::append(Directory, File.Directory);
  }
  return cantFail(BC.getDwarfFile(Directory, File.Name, 0, File.Checksum,
                                  std::nullopt, To, Target->getVersion()));
}

} // namespace

extern "C" {

// BinaryContext::preprocessDebugInfo()
void __real__ZN4llvm4bolt13BinaryContext19preprocessDebugInfoEv(
    BinaryContext *BC);
void __wrap__ZN4llvm4bolt13BinaryContext19preprocessDebugInfoEv(
    BinaryContext *BC) {
  __real__ZN4llvm4bolt13BinaryContext19preprocessDebugInfoEv(BC);
  if (!boltFlag("stock-pipeline"))
    keepNumbers(*BC);
}

// BinaryContext::addDebugFilenameToUnit()
unsigned __real__ZN4llvm4bolt13BinaryContext22addDebugFilenameToUnitEjjj(
    BinaryContext *BC, uint32_t To, uint32_t From, unsigned Number);
unsigned __wrap__ZN4llvm4bolt13BinaryContext22addDebugFilenameToUnitEjjj(
    BinaryContext *BC, uint32_t To, uint32_t From, unsigned Number) {
  if (!boltFlag("stock-pipeline"))
    return addFile(*BC, To, From, Number);
  return __real__ZN4llvm4bolt13BinaryContext22addDebugFilenameToUnitEjjj(
      BC, To, From, Number);
}
}
