//===- HotCold/Explanation.cpp - One procedure, side by side --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes how the hot version of a procedure differs from its original.
//
// 1. explainBlock() aligns a hot block with its original by the numbers of the
//    instructions. It marks each line as kept, changed, moved, new, sunk or
//    removed, and notes where an instruction is now.
// 2. Writer::writeSummary() writes the category, the executed instructions, the
//    gain by kind and the numbers of blocks and stubs.
// 3. write() goes through the blocks in their original order. A block with hot
//    copies is written beside each of them (writePair), any other block alone.
// 4. writeStub() writes each stub with the reasons for its instructions.
// 5. nearNames() returns the names with the smallest edit distances, then those
//    that contain the given name.
//
//===----------------------------------------------------------------------===//

#include "Explanation.h"
#include "Report/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;
using namespace graupel;
using Instruction = Explanation::Instruction;
using Mark = ExplainedLine::Mark;

namespace {

std::string count(double Executed) {
  return grouped(std::llround(std::max(Executed, 0.0)));
}

bool holds(ArrayRef<Instruction> Code, unsigned Origin) {
  return any_of(Code, [&](auto &I) { return I.Origin == Origin; });
}

/// "stub 1, 3, hot .LBB4": where an instruction of the original is now.
std::string placesOf(const Explanation &E, unsigned Origin, unsigned Except,
                     bool &InStub) {
  std::vector<std::string> Places;
  InStub = false;
  for (unsigned I = 0; I < E.Stubs.size(); ++I)
    if (holds(E.Stubs[I].Replay, Origin) || holds(E.Stubs[I].Code, Origin)) {
      Places.push_back((InStub ? "" : "stub ") + utostr(I + 1));
      InStub = true;
    }
  for (unsigned I = 0; I < E.Hot.size(); ++I)
    if (I != Except && holds(E.Hot[I].Code, Origin))
      Places.push_back("hot " + E.Blocks[E.Hot[I].Original].Name);
  return join(Places, ", ");
}

} // namespace

std::vector<ExplainedLine> graupel::explainBlock(const Explanation &E,
                                                 unsigned Index) {
  const Explanation::HotBlock &Hot = E.Hot[Index];
  const std::vector<Instruction> &Old = E.Blocks[Hot.Original].Code;
  std::vector<ExplainedLine> Lines;
  size_t Next = 0; // Index into Old.
  auto passOver = [&](size_t End) {
    for (; Next < End; ++Next) {
      bool InStub;
      std::string Note = placesOf(E, Old[Next].Origin, Index, InStub);
      if (!Note.empty())
        Note = "to " + Note;
      else if (holds(Hot.Code, Old[Next].Origin))
        Note = "further down";
      const Mark Kind = InStub         ? Mark::Sunk
                        : Note.empty() ? Mark::Removed
                                       : Mark::Moved;
      Lines.push_back({&Old[Next], nullptr, Kind, std::move(Note)});
    }
  };
  for (const Instruction &New : Hot.Code) {
    const auto At = find_if(ArrayRef(Old).drop_front(Next), [&](auto &I) {
      return New.Origin && I.Origin == New.Origin;
    });
    if (At != Old.data() + Old.size()) {
      passOver(At - Old.data());
      Lines.push_back({&Old[Next], &New,
                       At->Text == New.Text ? Mark::Kept : Mark::Changed, ""});
      ++Next;
    } else if (New.Origin) {
      Lines.push_back(
          {nullptr, &New, Mark::Moved, ("from " + Twine(New.Origin)).str()});
    } else {
      Lines.push_back({nullptr, &New, Mark::New, ""});
    }
  }
  passOver(Old.size());
  return Lines;
}

namespace {

class Writer {
public:
  Writer(const Explanation &E, raw_ostream &OS) : E(E), OS(OS) {}

  void write() {
    writeSummary();
    if (E.Hot.empty()) {
      for (const Explanation::Block &B : E.Blocks)
        writeOriginal(B);
      return;
    }
    OS << "\n  - removed   > moved to a stub   ~ changed   + new   < moved "
          "between blocks\n\n";
    writeLine("     original", ' ', "hot version", "");
    for (unsigned I = 0; I < E.Blocks.size(); ++I) {
      bool Copied = false;
      for (unsigned H = 0; H < E.Hot.size(); ++H)
        if (E.Hot[H].Original == I) {
          writePair(H);
          Copied = true;
        }
      if (!Copied)
        writeOriginal(E.Blocks[I]);
    }
    for (unsigned I = 0; I < E.Stubs.size(); ++I)
      writeStub(I);
  }

private:
  const Explanation &E;
  raw_ostream &OS;

  void writeSummary() {
    const ProcedureRecord &P = E.Record;
    OS << "Hot-cold optimization of " << P.Name << ": " << nameOf(P.Category);
    if (!P.Reason.empty())
      OS << ": " << P.Reason;
    OS << "\n  " << count(P.Original.Executed) << " of " << count(E.AllExecuted)
       << " executed instructions ("
       << percentText(percentOf(P.Original.Executed, E.AllExecuted))
       << ") are in it, and " << grouped(P.Original.Instructions) << " in "
       << grouped(E.Blocks.size()) << " blocks\n";
    if (E.Hot.empty())
      return;
    const bool Kept = P.Category == HotColdCategory::Optimized;
    if (!Kept)
      OS << "  a hot version was drafted, which was not kept\n";
    OS << (Kept ? "  saved: " : "  it would save: ") << count(P.Gain.total())
       << " executed instructions ("
       << percentText(percentOf(P.Gain.total(), P.Original.Executed))
       << " of its own)\n";
    for (const GainKind &Kind : gainKinds())
      if (P.Gain.*Kind.Count != 0)
        OS << formatv("    {0,-20} {1,15}\n", Kind.Name,
                      count(P.Gain.*Kind.Count));
    for (const std::string &Note : P.Notes)
      OS << "  " << Note << '\n';
    OS << "  hot: " << E.Hot.size() << " of " << E.Blocks.size()
       << " blocks; stubs: " << E.Stubs.size() << '\n';
    if (Kept)
      OS << "  executed after: " << count(P.Hot.Executed) << " hot, "
         << count(P.Cold.Executed) << " cold, " << count(P.Stub.Executed)
         << " in stubs\n";
  }

  static std::string numbered(const Instruction *I) {
    if (!I)
      return "";
    return formatv("{0,4} {1}", I->Origin, I->Text);
  }

  void writeLine(StringRef Left, char Symbol, StringRef Right, StringRef Note) {
    std::string Line = formatv("{0,-42} {1} {2}", Left, Symbol, Right);
    if (!Note.empty())
      Line = formatv("{0,-80} # {1}", Line, Note);
    OS << StringRef(Line).rtrim() << '\n';
  }

  static std::string title(const Explanation::Block &B) {
    return formatv("{0}: executed {1}, {2}", B.Name, count(B.Count),
                   B.Hot ? "hot" : "cold");
  }

  void writeOriginal(const Explanation::Block &B) {
    OS << '\n' << title(B) << '\n';
    for (const Instruction &I : B.Code)
      OS << numbered(&I) << '\n';
  }

  void writePair(unsigned Index) {
    const Explanation::HotBlock &H = E.Hot[Index];
    OS << '\n';
    writeLine(title(E.Blocks[H.Original]), '|', "executed " + count(H.Count),
              "");
    for (const ExplainedLine &L : explainBlock(E, Index))
      if (L.Right)
        writeLine(numbered(L.Left), static_cast<char>(L.Kind), L.Right->Text,
                  L.Note);
      else
        writeLine(numbered(L.Left), static_cast<char>(L.Kind),
                  L.Note.empty() ? "" : "  (" + L.Note + ")", "");
    for (const Explanation::Way &W : H.Ways)
      writeLine("", '|',
                W.ToStub ? formatv("to {0} through stub {1}",
                                   E.Stubs[W.To].Target, W.To + 1)
                               .str()
                         : "to " + E.Blocks[E.Hot[W.To].Original].Name,
                "");
  }

  void writeStub(unsigned Index) {
    const Explanation::Stub &S = E.Stubs[Index];
    OS << '\n'
       << formatv("{0} {1}{2} from {3} to {4}: executed {5}\n",
                  S.IsPad ? "landing pad as stub" : "stub", Index + 1,
                  S.Label.empty() ? "" : ", " + S.Label + ",", S.From, S.Target,
                  count(S.Count));
    for (const Instruction &I : S.Replay)
      writeStubLine(I, I.Origin ? formatv("as {0}, which the hot version "
                                          "leaves out",
                                          I.Origin)
                                      .str()
                                : "rebuilds the original's state");
    for (const Instruction &I : S.Code)
      writeStubLine(I, I.Origin ? formatv("{0}, moved here", I.Origin).str()
                                : "new");
    OS << "     jmp " << S.Target << '\n';
  }

  void writeStubLine(const Instruction &I, const Twine &Note) {
    OS << formatv("     {0,-37} # {1}\n", I.Text, Note.str());
  }
};

} // namespace

void graupel::writeExplanation(const Explanation &E, raw_ostream &OS) {
  Writer(E, OS).write();
}

std::vector<std::string>
graupel::nearNames(StringRef Name, ArrayRef<std::string> Names, size_t Most) {
  std::vector<std::pair<unsigned, std::string>> Found;
  const unsigned Limit = std::max<unsigned>(2, Name.size() / 3);
  for (const std::string &Other : Names) {
    unsigned Distance = Name.edit_distance_insensitive(
        Other, /*AllowReplacements=*/true, Limit + 1);
    // A part of a name is near, too, but not as near as a slip.
    if (Distance > Limit && StringRef(Other).contains_insensitive(Name))
      Distance = Limit + Other.size();
    else if (Distance > Limit)
      continue;
    Found.push_back({Distance, Other});
  }
  llvm::sort(Found);
  Found.erase(llvm::unique(Found), Found.end());
  Found.resize(std::min(Found.size(), Most));
  std::vector<std::string> Result;
  for (const auto &[Distance, Other] : Found)
    Result.push_back(Other);
  return Result;
}
