//===- Verify/FrameRows.h - The unwind state at each address ----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. The records that the unwinder finds: those of the index, .eh_frame_hdr, or
//    all if there is none.
// 2. The call frame instructions of a record, executed, give rows: from which
//    address which state holds. Equal states get equal numbers, in both files,
//    so that states are compared as numbers.
// 3. The exception table of a record says what happens at a call.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_VERIFY_FRAMEROWS_H
#define GRAUPEL_VERIFY_FRAMEROWS_H

#include "Elf/Unwind.h"
#include <map>
#include <optional>

namespace graupel {

/// The rules that find the caller's frame and its registers.
struct FrameState {
  /// The rule that finds one value: a letter for the kind, a register or an
  /// offset, the bytes of an expression.
  struct Rule {
    char Kind = 0;
    uint64_t Register = 0;
    int64_t Offset = 0;
    std::string Expression;
    auto operator<=>(const Rule &) const = default;
  };
  Rule CFA;
  std::map<uint64_t, Rule> Registers; ///< Those that are not as they were.
  bool IsSignalFrame = false;
  uint64_t ReturnRegister = 16;
  auto operator<=>(const FrameState &) const = default;

  /// Whether a rule computes something from where the code is, or from a fixed
  /// address: it does not hold for code that has moved.
  bool dependsOnCode() const;
  /// The state for code at \p Address: a frame that is computed from where the
  /// code is, as in the PLT, is a distance from a register there.
  FrameState at(uint64_t Address) const;
  /// For messages: CFA=rsp+16 rbx=CFA-16.
  std::string text() const;
};

/// The states of several files, numbered.
class FrameStates {
public:
  unsigned number(const FrameState &State);
  const FrameState &operator[](unsigned Number) const { return *List[Number]; }

private:
  std::map<FrameState, unsigned> Numbers;
  std::vector<const FrameState *> List;
};

/// The outcome of a throw at some instruction in its function.
struct HandlerAt {
  enum Kind {
    Continues, ///< The exception leaves the function.
    Terminates,
    Lands,
  } Outcome = Continues;
  uint64_t LandingPad = 0;
  const std::vector<uint64_t> *Handlers = nullptr;
};

/// All unwind information of one file.
class UnwindTables {
public:
  struct Row {
    uint64_t Begin;
    unsigned State;
    uint64_t ArgumentsSize; ///< DW_CFA_GNU_args_size.
  };
  struct Frame {
    FrameRecord Record;
    std::vector<Row> Rows; ///< By address; the first at the beginning.
    std::vector<CallSite> Sites;
    bool IsRead = false, IsForeign = false;
  };

  UnwindTables(const ElfView &File, FrameStates &States)
      : File(File), States(States) {}
  llvm::Error read();

  /// The frame of the code at \p Address, with its rows; null if it has none.
  llvm::Expected<const Frame *> at(uint64_t Address);
  /// Whether there is a record for the code at \p Address.
  bool hasRecord(uint64_t Address) const;
  static const Row &rowAt(const Frame &F, uint64_t Address);
  /// The outcome of a throw of the instruction that ends at \p End.
  static HandlerAt handlerAt(const Frame *F, uint64_t End);
  const std::map<uint64_t, Frame> &frames() const { return Frames; }

private:
  const ElfView &File;
  FrameStates &States;
  std::map<uint64_t, Frame> Frames; ///< By where they begin.

  std::vector<uint64_t> indexed() const;
  llvm::Error readRows(Frame &F);
  llvm::Error readSites(Frame &F);
};

} // namespace graupel

#endif // GRAUPEL_VERIFY_FRAMEROWS_H
