/*===- stride_sites.h - Code that records and its runtime ---------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* What llvm-passes/Stride puts into programs and libgraupel-stride.so finds
|* there: tables, and records in a thread's buffer. docs/design/stride.md says
|* why it is so. The only place where these names and layouts are written down.
|*
\*===----------------------------------------------------------------------===*/

#ifndef GRAUPEL_STRIDE_SITES_H
#define GRAUPEL_STRIDE_SITES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Version of all of this; programs of another are refused. */
#define GRAUPEL_STRIDE_ABI 3

/*===--- Tables ----------------------------------------------------------===*/

/** Constants in sections of their own, 64 bytes each, so that linkers make one
    table of all of them. A reference to text or to another entry is its address
    minus the address of the entry that refers to it; 0: none. Text ends with a
    zero byte. */
#define GRAUPEL_STRIDE_SITE_SECTION "graupel_stride_sites"
#define GRAUPEL_STRIDE_LOOP_SECTION "graupel_stride_loops"
#define GRAUPEL_STRIDE_ENTRY_BYTES 64

enum graupel_stride_kind {
  GRAUPEL_STRIDE_LOAD,
  GRAUPEL_STRIDE_STORE,
  GRAUPEL_STRIDE_BULK_LOAD,
  GRAUPEL_STRIDE_BULK_STORE
};

enum graupel_stride_type {
  GRAUPEL_STRIDE_INTEGER,
  GRAUPEL_STRIDE_FLOAT,
  GRAUPEL_STRIDE_POINTER,
  GRAUPEL_STRIDE_OTHER
};

enum graupel_stride_flags {
  GRAUPEL_STRIDE_MASKED = 1,
  GRAUPEL_STRIDE_GATHERED = 2,
  GRAUPEL_STRIDE_ATOMIC = 4,
  GRAUPEL_STRIDE_VOLATILE = 8,
  GRAUPEL_STRIDE_NON_TEMPORAL = 16 /**< Past the caches. */
};

enum graupel_stride_object {
  GRAUPEL_STRIDE_BY_ADDRESS,
  GRAUPEL_STRIDE_STACK,       /**< A variable: its name is `object`. */
  GRAUPEL_STRIDE_THREAD_LOCAL /**< The same. */
};

struct graupel_stride_site {
  int32_t function, within, file;
  int32_t object; /**< Text. */
  int32_t loop;   /**< The innermost one; may be without members. */
  uint32_t line, column;
  uint32_t bytes; /**< A reference; of gathered and masked: a lane. */
  uint16_t lanes, element_bytes;
  uint8_t kind, type, flags, object_kind;
  uint32_t reserved[6];
};

struct graupel_stride_loop {
  int32_t function, within, file;
  int32_t parent;
  int32_t members; /**< To an array of graupel_stride_member. */
  uint32_t line, column, depth;
  uint32_t member_count;
  uint32_t others;       /**< Other records an iteration makes. */
  uint32_t dynamic_steps; /**< Of members or items, in the record. */
  /** Of a nest's outermost loop, which then has no members: to an array of
      graupel_stride_item, and how many they are. The steps follow them. */
  int32_t nest;
  uint32_t items;
  uint32_t terms;      /**< These follow the steps. */
  uint32_t term_words; /**< Of the record, which terms refer to. */
  uint32_t reserved;
};

/** A step that is in the record. */
#define GRAUPEL_STRIDE_DYNAMIC INT64_MIN

struct graupel_stride_member {
  int32_t site;   /**< From the member. */
  uint32_t order; /**< Among all references of an iteration, from 0. */
  int64_t step;   /**< Bytes an iteration, or GRAUPEL_STRIDE_DYNAMIC. */
};

enum graupel_stride_item_kind {
  GRAUPEL_STRIDE_NEST_LOOP,
  GRAUPEL_STRIDE_NEST_GUARD, /**< What is executed or not; a loop of 1 or 0. */
  GRAUPEL_STRIDE_NEST_REFERENCE,
  GRAUPEL_STRIDE_NEST_BULK
};

/** What a nest consists of, in the order of the program: a loop or guard stands
    before what is in it; the first is the outermost loop. A number of
    iterations is known when the nest begins, or a term. The address of a
    reference is its base plus, for each loop that it is in, the iteration times
    a step, plus maybe a term. */
struct graupel_stride_item {
  int32_t entry;  /**< From the item: its loop, or site; of a guard 0. */
  uint16_t kind;
  uint16_t level; /**< How many loops and guards it is in. */
  uint32_t inside; /**< How many of the items that follow are in it. */
  /** Of what refers: which of the record's bases plus what is its own. */
  uint32_t base;
  int64_t offset;
  uint32_t term; /**< Its number plus one; 0: none. */
  uint32_t reserved;
};
/** Of the items that refer, in their order: `level` steps each, the outermost
    loop's first, as int64_t: bytes an iteration, or GRAUPEL_STRIDE_DYNAMIC. Of
    guards 0. */
#define GRAUPEL_STRIDE_NEST_LEVELS 16
/** No nest has more. */
#define GRAUPEL_STRIDE_NEST_ITEMS 512
#define GRAUPEL_STRIDE_NEST_TERMS 1024

enum graupel_stride_term_kind {
  GRAUPEL_STRIDE_TERM_CONSTANT,  /**< `value` */
  GRAUPEL_STRIDE_TERM_WORD,      /**< That one of the record, by `a`. */
  GRAUPEL_STRIDE_TERM_ITERATION, /**< Of the loop at level `a`, from 0. */
  GRAUPEL_STRIDE_TERM_ADD,
  GRAUPEL_STRIDE_TERM_MULTIPLY,
  GRAUPEL_STRIDE_TERM_DIVIDE, /**< Without signs, by what is constant in the
                                   nest. */
  GRAUPEL_STRIDE_TERM_TRUNCATE,
  GRAUPEL_STRIDE_TERM_ZERO_EXTEND, /**< From `b` bits. */
  GRAUPEL_STRIDE_TERM_SIGN_EXTEND, /**< The same. */
  GRAUPEL_STRIDE_TERM_EQUAL,       /**< 0 or 1; of two terms of `c` bits. */
  GRAUPEL_STRIDE_TERM_LESS,
  GRAUPEL_STRIDE_TERM_LESS_SIGNED,
  GRAUPEL_STRIDE_TERM_NOT,
  GRAUPEL_STRIDE_TERM_AND, /**< `b` has no value if `a` is 0. */
  GRAUPEL_STRIDE_TERM_OR,  /**< `b` has no value if `a` is 1. */
  GRAUPEL_STRIDE_TERM_SELECT /**< `a` ? `b` : `c`; the other has no value. */
};

/** A value that changes in a nest. `a`, `b`, `c` are numbers of terms before it,
    unless it says something else. */
struct graupel_stride_term {
  uint8_t kind;
  uint8_t bits; /**< All arithmetic is modulo 2 to this. */
  uint16_t reserved;
  uint32_t a, b, c;
  int64_t value;
};

/** One a program or library; each object file's constructor hands it over, and
    may do so again. */
struct graupel_stride_module {
  uint32_t abi;
  uint32_t reserved;
  const struct graupel_stride_site *sites, *sites_end;
  const struct graupel_stride_loop *loops, *loops_end;
};

void graupel_stride_register(const struct graupel_stride_module *);

/** Bytes of a symbol that are an object of their own: members of COMMON blocks.
    Constructors hand them over before anything refers to them. */
struct graupel_stride_part {
  const void *address;
  uint64_t bytes;
  const char *name;
};

void graupel_stride_parts(const struct graupel_stride_part *, uint64_t count);

/*===--- The buffer ------------------------------------------------------===*/

/** Where this thread's next record goes. Before a group of at most
    GRAUPEL_STRIDE_GROUP_BYTES of records code tests GRAUPEL_STRIDE_FULL and, if
    it is set, calls graupel_stride_drain, which returns the cursor to use. Code
    may keep the cursor in a register, but not over calls of code that may
    record. */
extern __thread char *graupel_stride_cursor;

#define GRAUPEL_STRIDE_FULL 0x10000
/** Set in the cursor between bursts: code goes over to its plain copy where it
    can. What it records until then tells how many references there were. */
#define GRAUPEL_STRIDE_GAP 0x20000
#define GRAUPEL_STRIDE_GROUP_BYTES 0x1000

/** Preserves all registers but RAX, R11 and the flags (preserve_all). */
char *graupel_stride_drain(char *cursor);

/** References that this thread makes before the next burst begins. Code that
    does not record subtracts what it makes, and may keep it in a register as
    the cursor. Negative: a burst is due or goes on. The cursor begins as
    GRAUPEL_STRIDE_FULL in each thread, this as GRAUPEL_STRIDE_NO_BUDGET; code of
    executables defines both, weakly, and preempts the runtime's. */
extern __thread int64_t graupel_stride_budget;

#define GRAUPEL_STRIDE_NO_BUDGET (INT64_MIN / 2)

/** The plain copy goes over to the recording one, and the next burst begins
    after `left` more references, or at once if that is not positive. Returns the
    cursor to use. Preserves registers as graupel_stride_drain. */
char *graupel_stride_begin(int64_t left);

/** Plain code is about to copy or fill so many bytes. Bursts would meet few of
    these, each for many, so they are counted wherever they are. Preserves
    registers as graupel_stride_drain; returns the cursor as it is. */
char *graupel_stride_large(const struct graupel_stride_site *, const void *,
                           uint64_t bytes);

#define GRAUPEL_STRIDE_LARGE 0x4000

/** Records are of 8-byte words, two or a multiple of two. The first is the
    address of a site, or a loop, plus one of: */
enum graupel_stride_record {
  /** Then the address referred to. */
  GRAUPEL_STRIDE_RECORD_REFERENCE = 0,
  /** Of a loop: then the number of iterations, at least 1; the members' bases,
      that is their addresses in the first iteration; the dynamic steps in the
      order of the members; maybe a word of padding. The other references of all
      iterations follow as records of their own. With GRAUPEL_STRIDE_REST in the
      number of iterations these are the last ones of an execution.
      Of a nest: the numbers of iterations of its loops and guards that are no
      terms, of which all but the first may be 0; bases; the bytes of what is
      bulk; the dynamic steps; each in the order of the items; words that terms
      refer to. What a number of 0 is around may have any base. */
  GRAUPEL_STRIDE_RECORD_LOOP = 1,
  /** Then a mask of the active lanes, the lanes' addresses, maybe a word of
      padding. */
  GRAUPEL_STRIDE_RECORD_LANES = 2,
  /** Then the first lane's address, the mask, a word of padding. */
  GRAUPEL_STRIDE_RECORD_MASKED = 3,
  /** Then the address, the number of bytes, a word of padding. */
  GRAUPEL_STRIDE_RECORD_BULK = 4,
  /** The runtime's own, of no site: a block of the heap begins or ends to be
      where it is. */
  GRAUPEL_STRIDE_RECORD_BLOCK = 5,
  GRAUPEL_STRIDE_RECORD_TAG = 7
};

#define GRAUPEL_STRIDE_REST (UINT64_C(1) << 63)

#ifdef __cplusplus
}

static_assert(sizeof(graupel_stride_site) == GRAUPEL_STRIDE_ENTRY_BYTES);
static_assert(sizeof(graupel_stride_loop) == GRAUPEL_STRIDE_ENTRY_BYTES);
#endif

#endif /* GRAUPEL_STRIDE_SITES_H */
