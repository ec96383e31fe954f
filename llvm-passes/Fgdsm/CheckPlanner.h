//===- CheckPlanner.h - Planning of checks ----------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The work behind planChecks; CheckPlan.cpp tells it in steps. Nothing outside
// of CheckPlan.cpp, CheckPlacement.cpp (steps 1 and 2) and LiveSets.cpp (steps
// 3 and 4) includes this.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_CHECKPLANNER_H
#define GRAUPEL_FGDSM_CHECKPLANNER_H

#include "CheckPlan.h"
#include "Facts.h"
#include "llvm/ADT/BitVector.h"

namespace graupel::fgdsm {

enum class EventKind {
  Check,        ///< A candidate; may have a slow path.
  Lanes,        ///< A gather or scatter, checked by itself.
  Use,          ///< An instruction needs what it needs.
  End,          ///< A call that ends validity.
  MayNotReturn, ///< A call behind which the function might not go on.
  Define,       ///< Bases become other addresses.
  Poll,
  Range ///< A strip begins.
};

struct Event {
  EventKind Kind;
  /// Check: of Planner::Candidates. Lanes: the access. Poll: of the plan.
  /// Range: of Planner::Markers.
  unsigned Index;
  /// Null for Define at the beginning of a block.
  llvm::Instruction *At;
  /// Number of the slow path there.
  unsigned Site = ~0u;
};

/// The needs (bits from 0), then the strips' ranges.
using Facts = llvm::BitVector;

/// A place for a check and what is found about it.
struct Candidate {
  unsigned Seed;
  bool Hoisted;
  llvm::Instruction *At;
  /// The seed's base plus PointerOffset.
  llvm::Value *Pointer;
  int64_t PointerOffset;

  /// Needs that the check is for, and those it is a check of besides.
  llvm::SmallVector<unsigned, 4> Group;
  llvm::SmallVector<unsigned, 4> Covered;
  /// Loads near the group that some paths come to: it is a check of them, too,
  /// if it is made and takes them in.
  llvm::SmallVector<unsigned, 4> Beside;

  /// Needs of the group that are not available: what is checked. Their hull,
  /// and the needs within it.
  llvm::SmallVector<unsigned, 4> Missing;
  Need Hull;
  llvm::SmallVector<unsigned, 4> Checked;
  /// Moved before a loop, and then nobody relies on it after all.
  bool Useless = false;
};

class Planner {
public:
  explicit Planner(const PlanInput &In);
  CheckPlan run();

private:
  // Events.
  void findRanges();
  void collectEvents(llvm::BasicBlock *BB);
  void addHoists();
  void addHoists(llvm::Loop &L, const llvm::BasicBlock *Preheader);
  bool mayBeTestedEarly(const Need &N, const AddressBase &Base,
                        const llvm::BasicBlock *Preheader,
                        const Facts &Anticipated) const;
  bool endsValidity(const llvm::Loop &L) const;

  // Step 1: anticipation.
  void anticipate();
  void anticipateAcross(const Event &E, Facts &Set) const;
  void formGroups();
  void formGroup(Candidate &C, const Facts &Anticipated);
  void findBeside(Candidate &C) const;

  // Step 2: availability.
  void findAvailable();
  void carryAcross(const Event &E, Facts &Set) const;
  void decide();
  void decide(Candidate &C, const Facts &Available);
  void widen(Candidate &C, const Facts &Available) const;
  bool dropUnmade();
  bool isAvailable(unsigned Need, const Facts &Set) const;

  // Step 3: reliance and sets.
  void findRelied();
  void relyAcross(const Event &E, Facts &Set) const;
  bool buildSets();
  bool buildSet(const Event &E, const llvm::Instruction *At, Facts Relied,
                unsigned Own);
  void rangesOfBase(unsigned Base, llvm::ArrayRef<unsigned> Needs,
                    llvm::Value *Pointer, int64_t Offset, LiveSet &Set) const;
  void giveUpAll();

  // Step 4 and the result.
  bool mayLookAtValue(const Candidate &C, const Facts &ReliedAfter) const;
  static bool mayLookAtLanes(const Access &A);
  static bool looksAtValues();
  void emit();
  /// Whether a test may join the last check: since then nothing could end
  /// validity or keep the function from getting here (There), nor has anybody
  /// relied on the check (Anywhere).
  enum class Joining { No, There, Anywhere };
  void emitCheck(const Event &E, Joining &Open);
  void addTest(const Event &E, const Tested &Test, Joining &Open);
  bool join(const Event &E, const Tested &Test, Joining Open);
  llvm::Align alignmentOf(const Candidate &C) const;
  llvm::StringRef whyHere(const Candidate &C) const;

  bool isChecked(const Candidate &C) const { return !C.Missing.empty(); }
  /// The fact of a strip's range; these facts follow those of the needs.
  unsigned rangeBit(unsigned Range) const { return Table.Needs.size() + Range; }
  template <class Function> void forDefined(const Event &E, Function F) const;

  const PlanInput &In;
  CheckPlan Plan;
  /// Checks may be shared, moved and left out.
  const bool Free;
  FactTable Table;
  unsigned NumFacts = 0;
  unsigned NumSites = 0;

  /// The strips' ranges: the calls of the marker.
  std::vector<llvm::CallBase *> Markers;
  /// In reverse post-order.
  llvm::SmallVector<llvm::BasicBlock *, 0> Order;
  llvm::DenseMap<const llvm::BasicBlock *, std::vector<Event>> Events;
  std::vector<Candidate> Candidates;
  llvm::DenseMap<const llvm::Instruction *, unsigned> PollAt, RangeAt;
  /// Bases that a definition or a loop's header makes other addresses.
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<unsigned, 2>> DefinedBy;

  llvm::DenseMap<const llvm::BasicBlock *, Facts> AnticipatedIn, AvailableOut,
      ReliedIn;
  /// By need: the range that makes its use valid, if it is one.
  std::vector<int> SatisfiedByRange;
  /// By site: what its slow path ends, what it re-validates, and whether it
  /// stands behind the access.
  std::vector<Facts> GivenUp;
  std::vector<LiveSet> Live;
  std::vector<bool> ByValue;
};

} // namespace graupel::fgdsm

#endif
