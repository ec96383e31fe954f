//===- Verify/CodeComparison.h - Both files' code in step -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether the output's code does what the input's does, instruction by
// instruction, without the help of the optimizer. Two places correspond if the
// same instruction is at both, the same unwind state holds, a throw comes to
// the same, and the places that control can go to from there correspond. The
// output is right if the places correspond at which both programs can start:
//
// 1. Pairs of places to begin with: functions of the same name, and what a
//    pointer leads to that is at the same place of both files' data.
// 2. From a pair, both are followed to their next instructions over nops and
//    direct jumps: layout is free to change those. At the beginning of another
//    function both must have come to the same one.
// 3. The instructions must be equal but for the addresses in them. Addresses of
//    code become pairs, those of data must be the same or of a table that
//    moved.
// 4. A conditional branch may be inverted; both of its sides become pairs. At a
//    call the exception table must say the same, and landing pads become pairs.
// 5. Tables of the jumps: each entry of the input's and its counterpart in the
//    output's become a pair.
// 6. Code of the output that records something and is not the input's is
//    stepped over. The state that it changes must not be read (RecordingCheck).
//
// Each pair is looked at once, so that this ends, and takes the time that it
// takes to disassemble both files once.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_VERIFY_CODECOMPARISON_H
#define GRAUPEL_VERIFY_CODECOMPARISON_H

#include "AppliedRelocations.h"
#include "Disassembler.h"
#include "FrameRows.h"
#include "RecordingCheck.h"
#include "SymbolMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace graupel {

class CodeComparison {
public:
  /// The facts about both files.
  struct Files {
    const ElfView &Input, &Output;
    const SymbolMap &Symbols;
    const AppliedRelocations &Before, &Now;
    UnwindTables &UnwindBefore, &UnwindNow;
    FrameStates &States;
  };
  /// With \p MayDiffer functions whose instructions differ are not an error but
  /// listed.
  CodeComparison(const Files &F, bool MayDiffer);

  llvm::Error run();

  uint64_t instructions() const { return Instructions; }
  uint64_t recordings() const { return Recording.pieces(); }
  /// The beginnings of functions of the input whose code was found to be
  /// different.
  const llvm::SetVector<uint64_t> &different() const { return Different; }

private:
  struct Pair {
    uint64_t Input, Output;
    uint64_t From; ///< The place in the input that leads there.
  };
  /// The code of one file, as it is followed.
  struct Side {
    const ElfView &File;
    UnwindTables &Unwind;
    Instruction Now;
    uint64_t At = 0;
    const UnwindTables::Frame *Frame = nullptr;
    llvm::StringRef Bytes; ///< From BytesAt on.
    uint64_t BytesAt = 0;
  };
  /// The places of a table in the input and in the output.
  struct Table {
    uint64_t Input, Output, From;
  };

  const Files F;
  const bool MayDiffer;
  Disassembler Decoder;
  RecordingCheck Recording;
  /// Pieces of recording code, by their places, before what is compared now.
  llvm::SmallVector<std::pair<uint64_t, RecordingCode::Piece>, 2> Recorded;
  Side In, Out;
  std::vector<Pair> Work;
  std::vector<Table> Tables;
  llvm::DenseSet<std::pair<uint64_t, uint64_t>> SeenTables;
  std::map<uint64_t, uint64_t> MovedTables; ///< In the input: begin to end.
  /// For each byte of an executable section of the input, by its address: the
  /// first place that it corresponds to, relative to OutputBase, plus 1.
  std::map<uint64_t, std::vector<uint32_t>> First;
  std::vector<uint32_t> *Marks = nullptr;
  uint64_t MarksAt = 0;
  llvm::DenseSet<std::pair<uint64_t, uint64_t>> Further;
  uint64_t OutputBase = 0;
  llvm::SetVector<uint64_t> Different;
  /// The first row of each function that is not the input's. No errors yet: a
  /// function that is different may save registers elsewhere.
  llvm::MapVector<uint64_t, std::string> WrongRows;
  uint64_t Instructions = 0;
  uint64_t From = 0; ///< For the pair that is followed.
  /// The function that control has run into past the end of another.
  uint64_t RunsInto = 0;
  /// The function of the input that is followed.
  const SymbolMap::Range *Owner = nullptr;

  void findSections();
  llvm::Error checkEnds();
  void addSymbols();
  void addPointers();
  llvm::Error drain();
  llvm::Error follow(const Pair &P);
  bool decode(Side &S);
  enum class Where { Instruction, Done };
  llvm::Expected<Where> settle(bool Beginning);
  llvm::Expected<Where> meetEntry();
  bool skip(Side &S);
  bool skipRecording(const Instruction *Next);
  void noteRecorded(const Instruction *Next);
  llvm::Error checkTargets();
  bool mark();
  /// Compares the instructions of both sides; true if there is more behind.
  llvm::Expected<bool> compare();
  llvm::Expected<bool> compareBranch();
  llvm::Expected<bool> compareCall();
  llvm::Expected<bool> compareTailCall();
  llvm::Error compareFrames();
  llvm::Error checkRows();
  llvm::Error compareHandlers();
  bool isEndOfCode(uint64_t Address) const;
  bool isSamePersonality();
  bool isSameForeignTable() const;
  bool isSame(const Instruction &A, const Instruction &B);
  bool isSameAddress(uint64_t Before, uint64_t Now, const Instruction &A,
                     bool Relative);
  bool isSameCode(uint64_t Before, uint64_t Now);
  bool isSameData(uint64_t Before, uint64_t Now);
  bool isSameStub(uint64_t Before, uint64_t Now);
  bool isSameSlot(uint64_t A, uint64_t B) const;
  std::optional<uint64_t> slotOf(uint64_t Stub);
  bool isBypassOf(uint64_t Stub, const Instruction &Jump);
  bool isPLT(uint64_t Address) const;
  bool isBehindOwner(uint64_t At) const;
  bool isEmptyPart(uint64_t At);
  bool isZeroPadding(const Side &S) const;
  bool walk(uint64_t Begin, uint64_t End,
            llvm::function_ref<bool(const Instruction &)> See);
  bool isBeforeEntry(const Instruction &I) const;
  void noteRunsOn(const Instruction &I);
  llvm::Error runsElsewhere() const;
  /// Whether \p I is the last of its unwind record, and what begins behind it
  /// has its frame elsewhere: control does not come there. GCC ends cold parts
  /// so where it knows them to be unreachable.
  llvm::Expected<bool> leavesFrame(const Instruction &I);
  llvm::Expected<bool> hasSameFrameBehind(const Instruction &I);
  bool isLastSystemCall(const Instruction &I);
  bool hasReturn(uint64_t Address);
  /// Whether control goes on behind \p Call; \p Now is that place of the output.
  llvm::Expected<bool> goesOnBehind(const Instruction &Call, uint64_t Now);
  /// Whether \p I is the last instruction of a function of the input.
  bool isEndOfFunction(const Instruction &I) const;
  bool isEndOfRecord(const Instruction &I) const;
  bool isDataAmongCode(uint64_t Address, uint64_t Now) const;
  bool goesNowhere(uint64_t Taken, uint64_t Behind);
  llvm::Error compareTable(const Table &T);
  uint64_t endOfTable(uint64_t Begin) const;
  void push(uint64_t Input, uint64_t Output);
  void noteTaken(uint64_t Place);

  llvm::Error mismatch(const llvm::Twine &Problem);
  std::string place(uint64_t Address, bool IsOutput) const;
  static llvm::Error bad(const llvm::Twine &Problem);
};

} // namespace graupel

#endif // GRAUPEL_VERIFY_CODECOMPARISON_H
