//===- SourceLines/SourceLines.cpp - Lines of addresses ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SourceLines::find returns the source line of a return address:
//
// 1. Look the address up in Known. A new one is resolved.
// 2. usable() accepts a module if its file can be read and has the build-id of
//    the run. Else there is one warning, and the place is named by module and
//    offset.
// 3. Symbolize the byte before the address, with the frames inlined there.
// 4. Skip frames in /usr/, from the inside out, but never the last one. The
//    frame after them is the line, and frames around it are its callers.
// 5. Read the texts of these lines from the sources (textOf). Warn once of each
//    module that has code without lines.
// 6. Share one SourceLine among all addresses with the same line, function and
//    callers.
//
//===----------------------------------------------------------------------===//

#include "SourceLines.h"
#include "Environment/Output/GivenFile.h"
#include "Environment/Output/Shown.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/DebugInfo/DIContext.h"
#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Object/Binary.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace graupel;

/// Bytes of a source; larger ones count as missing.
static constexpr uint64_t MostOfSource = 1 << 26;

struct SourceLines::Symbolizer : symbolize::LLVMSymbolizer {
  static Options options() {
    Options O;
    O.Demangle = true;
    O.RelativeAddresses = false;
    O.SkipLineZero = true; // Merged code: the line before is near.
    return O;
  }
  Symbolizer() : LLVMSymbolizer(options()) {}
};

SourceLines::SourceLines() : Symbols(std::make_unique<Symbolizer>()) {}
SourceLines::~SourceLines() = default;

static std::string lineName(StringRef File, unsigned Line) {
  return output::shown(sys::path::filename(File)) + ":" + std::to_string(Line);
}

std::string SourceLine::shortName() const {
  if (!File.empty())
    return lineName(File, Line) +
           (Callers.empty() ? "" : " < " + Callers[0].Name);
  return Function.empty() ? Code : Function + " (" + Code + ")";
}

/// Whether the file is there and is the one that ran.
bool SourceLines::usable(const CodeModule &M) {
  auto [It, New] = Modules.try_emplace({M.Path, M.BuildId}, false);
  if (!New)
    return It->second;
  substitution::Descriptor Open;
  // LLVM reads `-` from standard input, and pipes to their end.
  auto Wrong =
      M.Path == "-" ? "it is not a file" : output::openGiven(M.Path, Open);
  if (Wrong) {
    Warnings.push_back(M.Path +
                       ": cannot be read, so its lines are not known (" +
                       *Wrong + ")");
    return false;
  }
  Expected<object::OwningBinary<object::ObjectFile>> File =
      object::ObjectFile::createObjectFile(M.Path);
  if (!File) {
    Warnings.push_back(M.Path +
                       ": cannot be read, so its lines are not known (" +
                       toString(File.takeError()) + ")");
    return false;
  }
  if (!M.BuildId.empty()) {
    object::BuildIDRef Now = object::getBuildID(File->getBinary());
    if (toHex(Now, /*LowerCase=*/true) != M.BuildId) {
      Warnings.push_back(M.Path + ": changed since the run, so its lines are "
                                  "not known; run the program again");
      return false;
    }
  }
  return It->second = true;
}

std::string SourceLines::textOf(const std::string &File, unsigned Line) {
  auto [It, New] = Sources.try_emplace(File);
  std::string All;
  if (New && !output::readGiven(File, MostOfSource, All)) {
    SmallVector<StringRef, 0> Lines;
    StringRef(All).split(Lines, '\n');
    for (StringRef L : Lines)
      It->second.push_back(L.trim().str());
  }
  if (!Line || Line > It->second.size())
    return "";
  std::string Text = It->second[Line - 1];
  // The assigned variable may stand on a line of its own.
  if (Line > 1 && StringRef(It->second[Line - 2]).ends_with(" ="))
    Text = It->second[Line - 2] + " " + Text;
  return Text;
}

const SourceLine &SourceLines::find(const std::vector<CodeModule> &All,
                                    const CodePlace &P) {
  static const CodeModule Nowhere;
  return find(P.Module < 0 ? Nowhere : All[P.Module], P);
}

const SourceLine &SourceLines::find(const CodeModule &M, uint64_t Offset) {
  return find(M, CodePlace{0, Offset});
}

const SourceLine &SourceLines::find(const CodeModule &M, const CodePlace &P) {
  auto [It, New] = Known.try_emplace({M.Path, P.Offset});
  if (New) {
    SourceLine L = resolve(M, P);
    std::string Identity =
        L.File.empty() ? M.Path + L.Code
                       : L.File + ":" + std::to_string(L.Line) + L.Function;
    for (const SourceLine::Caller &C : L.Callers)
      Identity += "<" + C.Name;
    It->second = &Lines.try_emplace(Identity, std::move(L)).first->second;
  }
  return *It->second;
}

SourceLine SourceLines::resolve(const CodeModule &M, const CodePlace &P) {
  SourceLine Result;
  if (P.Module < 0) {
    Result.Code = P.Offset ? "0x" + utohexstr(P.Offset, true) : "elsewhere";
    return Result;
  }
  Result.Code = output::shown(sys::path::filename(M.Path)) + "+0x" +
                utohexstr(P.Offset, /*LowerCase=*/true);
  if (!P.Offset || !usable(M))
    return Result;
  Expected<DIInliningInfo> Frames = Symbols->symbolizeInlinedCode(
      M.Path, {P.Offset - 1, object::SectionedAddress::UndefSection});
  if (!Frames) {
    consumeError(Frames.takeError());
    return Result;
  }
  unsigned Count = Frames->getNumberOfFrames(), Frame = 0;
  if (Count == 0)
    return Result;
  // The program's own line, not one of the C++ library that was inlined there.
  while (Frame + 1 < Count &&
         StringRef(Frames->getFrame(Frame).FileName).starts_with("/usr/"))
    ++Frame;
  for (unsigned I = Frame + 1; I < Count; ++I) {
    const DILineInfo &Outer = Frames->getFrame(I);
    if (Outer.FileName != DILineInfo::BadString && Outer.Line)
      Result.Callers.push_back({lineName(Outer.FileName, Outer.Line),
                                textOf(Outer.FileName, Outer.Line)});
  }
  const DILineInfo &Info = Frames->getFrame(Frame);
  if (Info.FunctionName != DILineInfo::BadString)
    Result.Function = output::shown(Info.FunctionName);
  if (Info.FileName != DILineInfo::BadString && Info.Line) {
    Result.File = Info.FileName;
    Result.Line = Info.Line;
    Result.Text = textOf(Info.FileName, Info.Line);
  } else if (WithoutLines.insert(M.Path).second) {
    Warnings.push_back(M.Path + ": has no source lines for some of its code; "
                                "compile with -gline-tables-only or -g");
  }
  return Result;
}
