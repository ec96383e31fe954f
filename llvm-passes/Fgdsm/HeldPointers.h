//===- HeldPointers.h - Objects that may hold shared pointers ---*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pointer to shared memory may be in disguise, or lie in a private object:
//
//  1. Integers of 64 bits and more, and vectors, may hold one if they are
//     computed from one, or loaded from where the function has stored one.
//  2. An object holds one where the function stores such a value, copies it
//     from another such object, or calls a function of the module that stores
//     it. A global also holds what it is initialized with. Objects are stack,
//     heap, globals, arguments, and, because code that is not optimized keeps
//     pointers in memory, the object that a variable points to.
//  3. Contents of an object that the function has not stored into on the way
//     are nobody's: a slot knows after which instructions it counts, and after
//     which it is of a new object.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_FGDSM_HELDPOINTERS_H
#define GRAUPEL_FGDSM_HELDPOINTERS_H

#include "PointerPrivacy.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace graupel::fgdsm {

/// Eight bytes of an object.
struct HeldSlot {
  llvm::Value *Base;
  /// From Base; if there is none, where the last of Stores has stored.
  std::optional<int64_t> Offset;
  /// It counts after any of these, until one of Ends.
  llvm::SmallVector<llvm::Instruction *, 2> Stores, Ends;
  /// It counts always: the object is initialized.
  bool Always = false;

  void print(llvm::raw_ostream &OS) const;
};

class HeldPointers {
public:
  using Slots = llvm::SmallVector<HeldSlot, 2>;

  HeldPointers(llvm::Function &F, const PointerPrivacy &Privacy);

  bool mayBeShared(const llvm::Value *Pointer) const {
    return Privacy.whyPrivate(Pointer).empty();
  }
  /// A pointer that may be shared, or what may be one in disguise.
  bool mayHold(llvm::Value *V);
  /// Where the object that Pointer points into may hold such values.
  Slots slotsOf(llvm::Value *Pointer);
  /// The offset of Pointer from the base of slotsOf(Pointer), if constant.
  std::optional<int64_t> offsetInBase(llvm::Value *Pointer) const;

private:
  /// The values that have been visited, with the answers that are known.
  using Visited = llvm::DenseMap<llvm::Value *, bool>;
  /// An address in an object.
  struct Place {
    llvm::Value *Address;
    std::optional<int64_t> Offset;
    /// Where the object's address is kept, or null.
    const llvm::AllocaInst *Variable;
    /// The call that stores into the object, if it is an argument of another
    /// function.
    llvm::CallBase *Call;
    unsigned Depth;

    bool isCurrent(const llvm::Instruction &At) const;
  };

  bool mayHold(llvm::Value *V, Visited &Seen);
  bool mayCompute(llvm::Instruction &I, Visited &Seen);
  bool mayLoad(llvm::LoadInst &Load, Visited &Seen);
  Slots collect(llvm::Value *Base, Visited &Seen);
  void follow(Slots &Into, llvm::Value *Base, Place P, Visited &Seen);
  void followVariable(Slots &Into, llvm::Value *Base, Place P,
                      llvm::StoreInst &Store, Visited &Seen);
  void followCall(Slots &Into, llvm::Value *Base, Place P, llvm::CallBase &Call,
                  Visited &Seen);
  void addInitializer(Slots &Into, llvm::Value *Base, llvm::Constant &C,
                      int64_t Offset);
  void addStore(Slots &Into, llvm::Value *Base, Place P, llvm::StoreInst &Store,
                Visited &Seen);
  void addCopy(Slots &Into, llvm::Value *Base, Place P, llvm::CallBase &Copy,
               Visited &Seen);

  const PointerPrivacy &Privacy;
  llvm::Function &F;
  const llvm::DataLayout &DL;
  /// By object, or variable that points to one.
  llvm::DenseMap<std::pair<const llvm::Value *, unsigned>, Slots> Known;
};

} // namespace graupel::fgdsm

#endif
