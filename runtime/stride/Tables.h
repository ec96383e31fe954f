//===- stride/Tables.h - The program's sites and loops ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables of all modules (graupel/stride_sites.h), by numbers. A number is
// valid as long as the process lives.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_STRIDE_TABLES_H
#define GRAUPEL_STRIDE_TABLES_H

#include "Base/Consumer.h"
#include "Options.h"
#include "graupel/stride_sites.h"

namespace graupel::stride {

inline constexpr uint32_t MaxSites = 1 << 22, MaxLoops = 1 << 20;

struct SiteInfo {
  const graupel_stride_site *Entry;
  const char *Variable; ///< The name of a known variable, or null.
  uint32_t Loop;
  bool Selected;
  bool Member; ///< Its references are in the records of its loop.
};

struct MemberInfo {
  uint32_t Site, Order;
  int64_t Step; ///< Or GRAUPEL_STRIDE_DYNAMIC.
};

/// Numbers of sites or loops of one module that are neighbors.
struct NumberRange {
  uint64_t Begin = 0, Bytes = 0;
  uint32_t First = 0;

  /// Whether the module has the entry, and its number.
  bool has(uint64_t Entry) const { return Entry - Begin < Bytes; }
  uint32_t number(uint64_t Entry) const {
    return First +
           static_cast<uint32_t>((Entry - Begin) / GRAUPEL_STRIDE_ENTRY_BYTES);
  }
};

/// An item of a nest (graupel_stride_item).
struct NestItem {
  uint8_t Kind, Level;
  bool HasBulk; ///< For loops and guards: an item in it is bulk.
  /// For loops. Varies: terms of items in it depend on its iteration. IsSimple:
  /// numbers of iterations in it depend on no loop inside of it, and at most
  /// one of those around each item depends on it.
  bool Varies, IsSimple;
  uint32_t End;    ///< Behind its contents.
  uint32_t Number; ///< The number of the loop or site.
  uint32_t Word;   ///< In the record: number of iterations, or base.
  uint32_t Length; ///< In the record: number of bytes, for bulk.
  uint32_t Step;   ///< The first of its steps.
  /// The number of its term plus one, or 0. The term is the number of
  /// iterations, which then is no word of the record, or an addend of the
  /// address.
  uint32_t Term;

  uint64_t Offset; ///< From the base in the record to its own.

  bool refers() const { return Kind >= GRAUPEL_STRIDE_NEST_REFERENCE; }
};

/// A nest. Its record has, from its word 1 on:
/// numbers of iterations, bases, lengths, dynamic steps, words of terms.
struct NestShape {
  const NestItem *Items;
  const int64_t *Steps; ///< Or GRAUPEL_STRIDE_DYNAMIC.
  uint32_t ItemCount, StepCount;
  /// The words they begin at.
  uint32_t Bases, Lengths, DynamicSteps, TermWords, End;
  const graupel_stride_term *Terms;
  const uint32_t *TermLevels; ///< A bit for each that it depends on.
  uint32_t TermCount;
  /// Number of iterations of any loop after which rounding in terms repeats.
  uint32_t Period;
  bool IsSingle; ///< One loop, with nothing in it but references.

  /// The steps of a record; in `Room`, of StepCount, if some are dynamic.
  const int64_t *stepsOf(const uint64_t *Record, int64_t *Room) const {
    if (DynamicSteps == TermWords)
      return Steps;
    const uint64_t *Dynamic = Record + DynamicSteps;
    for (uint32_t N = 0; N < StepCount; ++N)
      Room[N] = Steps[N] == GRAUPEL_STRIDE_DYNAMIC
                    ? static_cast<int64_t>(*Dynamic++)
                    : Steps[N];
    return Room;
  }

  /// Advances the addresses in the loop `Which` by `By` iterations.
  void advance(uint32_t Which, uint64_t By, const int64_t *RecordSteps,
               uint64_t *Addresses) const {
    const NestItem &Loop = Items[Which];
    for (uint32_t N = Which + 1; N < Loop.End; ++N)
      if (Items[N].refers())
        Addresses[N] +=
            By * static_cast<uint64_t>(RecordSteps[Items[N].Step + Loop.Level]);
  }
};

struct LoopInfo {
  const graupel_stride_loop *Entry;
  /// Null if there are others, or nothing at all.
  const NestShape *Nest;
  const MemberInfo *Members;
  /// The loop in the file: its members, or the references of a nest's loop
  /// outside of inner loops.
  const MemberInfo *Listed;
  uint32_t ListedCount;
  /// The places of the other records in an iteration.
  const uint32_t *OtherOrders;
  /// Sites of the loop that are no members; their number, and the number of
  /// their records in an iteration.
  uint32_t *OtherSites;
  uint32_t MemberCount, OtherSiteCount, Others;
  uint32_t Words; ///< The size of the loop's record.
  bool Selected;  ///< One of its sites is.
  /// Its sites, if these are neighbors; empty otherwise.
  NumberRange Sites;
};

extern SiteInfo *Sites;
extern SiteFacts *Facts;
extern LoopInfo *Loops;

/// Takes over a module's tables, once; thread-safe.
void addTables(const graupel_stride_module *M, const Options &O);
/// The range of a record's site or loop. Only code of registered modules writes
/// records.
NumberRange rangeOfSite(uint64_t Entry);
NumberRange rangeOfLoop(uint64_t Entry);

/// Writes tables that the record does not have yet.
void enterTables(RecordFile &File);
void forgetTables();
/// Held over a fork.
void lockTables(bool Take);

} // namespace graupel::stride

#endif
