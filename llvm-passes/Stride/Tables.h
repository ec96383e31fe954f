//===- Tables.h - A program's tables of sites and loops ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables of graupel/stride_sites.h for one module. Entries are numbered
// first, so that code can refer to them, and written when all are known.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_TABLES_H
#define GRAUPEL_STRIDE_TABLES_H

#include "Plan.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/GlobalVariable.h"

namespace graupel::stride {

class Tables {
public:
  explicit Tables(llvm::Module &M);

  /// Numbers the sites and loops of a function. The result is the address of
  /// each reference's site, of each loop of the plan, and of each nest.
  struct Addresses {
    llvm::SmallVector<llvm::Constant *, 0> Sites, Loops, Nests;
  };
  Addresses add(llvm::Function &F, const Plan &P, const llvm::LoopInfo &LI,
                llvm::ScalarEvolution &SE);
  bool empty() const { return Sites.empty(); }
  /// Writes the tables, and the constructor that hands them to the runtime.
  void finish();

private:
  /// A reference relative to the entry: to text, to an entry.
  struct Target {
    enum { Nothing, String, Loop, Members, Nest, Site } To = Nothing;
    unsigned Number = 0;
  };
  struct Place {
    Target Function, Within, File;
    unsigned Line = 0, Column = 0;
  };
  struct SiteEntry {
    Place At;
    Target Object, Loop;
    uint64_t Bytes;
    unsigned Lanes, ElementBytes;
    uint8_t Kind, Type, Flags, ObjectKind;
  };
  struct MemberEntry {
    unsigned Site, Order;
    int64_t Step;
  };
  struct ItemEntry {
    Target SiteOrLoop;
    uint16_t Kind, Level;
    unsigned Inside, Base;
    int64_t Offset;
    unsigned Term;
  };
  struct LoopEntry {
    Place At;
    Target Parent;
    unsigned Depth;
    llvm::SmallVector<MemberEntry, 4> Members;
    unsigned Others = 0, DynamicSteps = 0;
    /// For a nest's outermost loop.
    llvm::SmallVector<ItemEntry, 0> Items = {};
    llvm::SmallVector<int64_t, 0> Steps = {};
    std::vector<NestTerm> Terms = {};
    unsigned TermWords = 0;
  };

  Target text(llvm::StringRef Text);
  Place placeOf(llvm::Function &F, const llvm::DebugLoc &At);
  unsigned loopNumber(llvm::Function &F, const llvm::Loop *L,
                      llvm::DenseMap<const llvm::Loop *, unsigned> &Known);
  void addNest(llvm::Function &F, const NestPlan &Nest, unsigned FirstSite,
               llvm::DenseMap<const llvm::Loop *, unsigned> &Known);
  llvm::Constant *relative(Target T, llvm::Constant *Entry);
  llvm::Constant *entryAddress(llvm::GlobalVariable *Table, unsigned N);
  llvm::Constant *siteEntry(unsigned N);
  llvm::Constant *loopEntry(unsigned N);
  void writeMembers();
  void writeNests();
  void writeTable(llvm::GlobalVariable *&Placeholder, llvm::StringRef Name,
                  llvm::StringRef Section,
                  llvm::ArrayRef<llvm::Constant *> Entries);
  void writeConstructor();

  llvm::Module &M;
  llvm::IntegerType *I8, *I16, *I32, *I64;
  llvm::SmallVector<SiteEntry, 0> Sites;
  llvm::SmallVector<LoopEntry, 0> Loops;
  llvm::StringMap<unsigned> TextNumbers;
  llvm::SmallVector<llvm::GlobalVariable *, 0> Texts, MemberArrays, NestArrays;
  /// Stand for the tables while their sizes are not known.
  llvm::GlobalVariable *SiteTable, *LoopTable;
};

} // namespace graupel::stride

#endif
