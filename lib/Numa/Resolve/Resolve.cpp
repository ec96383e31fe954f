//===- Numa/Resolve/Resolve.cpp - Names of a program become addresses -----===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// resolvePlaces looks names of statements up in an ELF file:
//
// 1. Do nothing if no statement has a name. Else open the file with its symbols
//    and debug information.
// 2. resolveCall() looks up the function of an `at` clause among the function
//    symbols.
// 3. resolve() looks up the place: a variable among data symbols, FILE:LINE in
//    the debug information, any other name among function symbols.
// 4. line() takes the code of that line from the line tables, and calls in it
//    that were inlined (inlined). symbol() compares plain and demangled names,
//    also without arguments.
// 5. tidy() joins adjacent ranges. The place keeps the module and the ranges,
//    and loses its name; a place without code or data is an error.
//
// readsCopies() looks for one name among the dynamic symbols.
//
//===----------------------------------------------------------------------===//

#include "Resolve.h"
#include "Numa/Topology/Text.h"
#include "graupel/numa_copies.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace graupel::numa;
using namespace llvm;

namespace {
using ErrorText = std::optional<std::string>;
using Ranges = std::vector<std::pair<uint64_t, uint64_t>>;

class Program {
public:
  explicit Program(object::OwningBinary<object::ObjectFile> Binary,
                   const std::string &Path);

  std::string Module; ///< Build-id, or the file's name.
  Ranges symbol(const std::string &Name, object::SymbolRef::Type Type) const;
  Ranges line(StringRef File, unsigned Line);
  bool hasLines() { return Debug->getNumCompileUnits() > 0; }

private:
  void inlined(DWARFDie Die, const DWARFDebugLine::LineTable &Table,
               StringRef File, unsigned Line, Ranges &Found);

  object::OwningBinary<object::ObjectFile> Binary;
  std::unique_ptr<DWARFContext> Debug;
};
} // namespace

Program::Program(object::OwningBinary<object::ObjectFile> From,
                 const std::string &Path)
    : Binary(std::move(From)),
      Debug(DWARFContext::create(*Binary.getBinary())) {
  auto Id = object::getBuildID(Binary.getBinary());
  Module = Id.empty() ? sys::path::filename(Path).str()
                      : toHex(Id, /*LowerCase=*/true);
}

/// Adjacent ranges become one, so that what the runtime gets is short.
static void tidy(Ranges &R) {
  std::sort(R.begin(), R.end());
  Ranges Short;
  for (auto [From, To] : R)
    if (!Short.empty() && From <= Short.back().second)
      Short.back().second = std::max(Short.back().second, To);
    else
      Short.emplace_back(From, To);
  R = std::move(Short);
}

Ranges Program::symbol(const std::string &Name,
                       object::SymbolRef::Type Type) const {
  Ranges Found;
  for (const object::SymbolRef &S : Binary.getBinary()->symbols()) {
    Expected<object::SymbolRef::Type> Actual = S.getType();
    Expected<StringRef> Own = S.getName();
    Expected<uint64_t> Start = S.getAddress();
    uint64_t Bytes = object::ELFSymbolRef(S).getSize();
    if (!Actual || !Own || !Start) {
      consumeError(Actual.takeError());
      consumeError(Own.takeError());
      consumeError(Start.takeError());
      continue;
    }
    if (*Actual != Type || !Bytes)
      continue;
    // C++: "work(int)" may be written as "work".
    std::string Whole = demangle(Own->str());
    if (*Own == Name || Whole == Name ||
        Whole.substr(0, Whole.find('(')) == Name)
      Found.emplace_back(*Start, *Start + Bytes);
  }
  tidy(Found);
  return Found;
}

/// "main.c" and "src/main.c" are "/home/me/src/main.c".
static bool isFile(StringRef Path, StringRef Written) {
  return Path.ends_with(Written) &&
         (Path.size() == Written.size() ||
          Path[Path.size() - Written.size() - 1] == '/');
}

void Program::inlined(DWARFDie Die, const DWARFDebugLine::LineTable &Table,
                      StringRef File, unsigned Line, Ranges &Found) {
  std::string Caller;
  if (Die.getTag() == dwarf::DW_TAG_inlined_subroutine &&
      dwarf::toUnsigned(Die.find(dwarf::DW_AT_call_line), 0) == Line &&
      Table.getFileNameByIndex(
          dwarf::toUnsigned(Die.find(dwarf::DW_AT_call_file), 0),
          Die.getDwarfUnit()->getCompilationDir(),
          DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath, Caller) &&
      isFile(Caller, File)) {
    Expected<DWARFAddressRangesVector> Covers = Die.getAddressRanges();
    if (!Covers)
      consumeError(Covers.takeError());
    else
      for (const DWARFAddressRange &R : *Covers)
        Found.emplace_back(R.LowPC, R.HighPC);
  }
  for (DWARFDie Child : Die.children())
    inlined(Child, Table, File, Line, Found);
}

Ranges Program::line(StringRef File, unsigned Line) {
  Ranges Found;
  for (const auto &Unit : Debug->compile_units()) {
    const DWARFDebugLine::LineTable *Table = Debug->getLineTableForUnit(&*Unit);
    if (!Table)
      continue;
    inlined(Unit->getUnitDIE(false), *Table, File, Line, Found);
    for (size_t N = 0; N + 1 < Table->Rows.size(); ++N) {
      const DWARFDebugLine::Row &Row = Table->Rows[N];
      std::string Path;
      if (Row.Line == Line && !Row.EndSequence &&
          Row.Address.Address < Table->Rows[N + 1].Address.Address &&
          Table->getFileNameByIndex(
              Row.File, Unit->getCompilationDir(),
              DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath, Path) &&
          isFile(Path, File))
        Found.emplace_back(Row.Address.Address,
                           Table->Rows[N + 1].Address.Address);
    }
  }
  tidy(Found);
  return Found;
}

/// From that address on a function is called.
static ErrorText resolveCall(Program &TheProgram, const Statement &S,
                             Place &P) {
  std::string Name = P.Name;
  P.Module = TheProgram.Module;
  P.Ranges = TheProgram.symbol(Name, object::SymbolRef::ST_Function);
  P.Name.clear();
  if (!P.Ranges.empty())
    return std::nullopt;
  return "line " + std::to_string(S.Line) + ": the program has no function `" +
         Name + "`; was it stripped, or is it inlined everywhere?";
}

static ErrorText resolve(Program &TheProgram, Statement &S) {
  Place &P = S.Target;
  std::string Name = P.Name;
  P.Module = TheProgram.Module;
  size_t Colon = Name.rfind(':');
  auto Line =
      Colon == Name.npos ? std::nullopt : parseNumber(Name.substr(Colon + 1));
  if (S.Kind == Statement::PlaceGlobal)
    P.Ranges = TheProgram.symbol(Name, object::SymbolRef::ST_Data);
  else if (Line)
    P.Ranges =
        TheProgram.line(StringRef(Name).substr(0, Colon), unsigned(*Line));
  else
    P.Ranges = TheProgram.symbol(Name, object::SymbolRef::ST_Function);
  P.Name.clear();
  if (!P.Ranges.empty())
    return std::nullopt;
  std::string At = "line " + std::to_string(S.Line) + ": ";
  if (S.Kind == Statement::PlaceGlobal)
    return At + "the program has no variable `" + Name + "`; was it stripped?";
  if (Line && !TheProgram.hasLines())
    return At + "the program has no line numbers; compile it with -g, or name "
                "the function";
  return At + "the program has no code of `" + Name +
         "`; write as main.c:31 or make_grid";
}

std::string
graupel::numa::resolvedText(const std::vector<Statement> &Statements) {
  std::string Text;
  unsigned Line = 1;
  for (const Statement &S : Statements) {
    // All statements of a `distribute` line become one again.
    if (S.Line < Line)
      continue;
    for (; Line < S.Line; ++Line)
      Text += '\n';
    if (S.Target.Ranges.empty()) {
      Text += S.Text;
    } else {
      auto Words = wordsOf(S.Text);
      const size_t Before = S.When ? 2 : 0; // at FUNCTION
      for (size_t N = 0; N < Words.size(); ++N)
        Text += (N == Before + 2    ? textOf(S.Target)
                 : N == 1 && Before ? textOf(*S.When)
                                    : std::string(Words[N])) +
                ' ';
      Text += std::string(OriginalMark) + S.Text;
    }
    Text += '\n';
    ++Line;
  }
  return Text;
}

bool graupel::numa::readsCopies(const std::string &Path) {
  auto File = object::ObjectFile::createObjectFile(Path);
  if (!File) {
    consumeError(File.takeError());
    return false;
  }
  auto *Elf = dyn_cast<object::ELFObjectFileBase>(File->getBinary());
  if (!Elf)
    return false;
  for (const object::ELFSymbolRef &S : Elf->getDynamicSymbolIterators()) {
    Expected<StringRef> Name = S.getName();
    if (!Name)
      consumeError(Name.takeError());
    else if (*Name == GRAUPEL_NUMA_DISTANCE)
      return true;
  }
  return false;
}

ErrorText graupel::numa::resolvePlaces(const std::string &Path,
                                       std::vector<Statement> &Statements) {
  bool Any = false;
  for (const Statement &S : Statements)
    Any |= !S.Target.Name.empty() || (S.When && !S.When->resolved());
  if (!Any)
    return std::nullopt;
  auto File = object::ObjectFile::createObjectFile(Path);
  if (!File)
    return Path + ": " + toString(File.takeError()) +
           "; places are looked up in a program's file";
  if (!File->getBinary()->isELF())
    return Path + ": is no ELF file; places are looked up in a program's file";
  Program TheProgram(std::move(*File), Path);
  for (Statement &S : Statements)
    if (S.When && !S.When->resolved())
      if (ErrorText Error = resolveCall(TheProgram, S, *S.When))
        return Error;
  for (Statement &S : Statements)
    if (!S.Target.Name.empty())
      if (ErrorText Error = resolve(TheProgram, S))
        return Error;
  return std::nullopt;
}
