/*===- graupel/dsm_checks.h - What checked code and runtime share -*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* The contract between the code that llvm-passes/Fgdsm inserts and the runtime
|* in runtime/dsm. Nothing else knows tags by their address.
|*
|* In every process the base of GS points into one reservation:
|*
|*   gs:[~a >> 12]  (arithmetic shift)  summary byte of the page of address a
|*   gs:[a >> 5]                        tag of the granule of address a
|*   gs:[0 ... 4095]                    the node's control page
|*
|* A granule is 32 bytes, the smallest block. A block of n granules has n equal
|* tags. A zero tag permits everything, and so do the tags and summaries of all
|* memory outside of the shared region, which nothing ever writes: code tests
|* tags without asking first whether an address is shared (Schoinas 1998, 2.3.1).
|* The control page stands where the tags of the lowest 128 KiB would be, in
|* which nothing is mapped; a check of such an address may therefore fail, and
|* the runtime answers that nothing is to be done.
|*
|* Validity. A check that passed, or an entry below that returned, stays valid in
|* this thread until its next *handshake point*: an entry below, or a call of a
|* function of the runtime. The protocol takes no access from a thread between
|* two handshake points. Entries take the set of ranges that the code relies on
|* behind them, and return when all of these are valid at the same time, so a
|* check may be relied on across polls and faults if they are told of it.
|*
\*===----------------------------------------------------------------------===*/

#ifndef GRAUPEL_DSM_CHECKS_H
#define GRAUPEL_DSM_CHECKS_H

#include <stdint.h>

/** log2 of a granule's bytes, and of a page's. */
#define GRAUPEL_DSM_GRANULE_SHIFT 5
#define GRAUPEL_DSM_PAGE_SHIFT 12

/** Tags. A load may proceed if the tag is not negative as a signed byte, a store
    if it is zero. Other bits belong to the runtime. */
#define GRAUPEL_DSM_TAG_READ_WRITE 0x00
#define GRAUPEL_DSM_TAG_READ_ONLY 0x01
#define GRAUPEL_DSM_TAG_INVALID 0x80
#define GRAUPEL_DSM_TAG_BUSY 0x81

/** Summary of a page, tested like a tag: negative if a granule of the page might
    refuse a load, not zero if one might refuse a store. It errs on the side of
    refusing. A range within two pages is valid if the summaries of its first and
    its last byte are; if not, the tags decide (the entries do that). */

/** The code polls by comparing the byte gs:[0] with 0. It is set by whoever wants
    a thread of this node to call graupel_dsm_poll: other processes of the host
    that sent a message, the helper thread, or a handler that waits for a
    handshake. */
#define GRAUPEL_DSM_POLL_OFFSET 0

/** Loops that only wait for a value to change compare two bytes at gs:[0] with
    0, this one, too. It is set while processors are few: then the poll sleeps
    until something happens on the node, for a moment at most, instead of keeping
    the processor from whom the loop waits for. */
#define GRAUPEL_DSM_REST_OFFSET 1

/** Every aligned 4 bytes of a block that is Invalid hold this. A load of 4, 8 or
    16 bytes by one instruction, aligned to its size, whose first 4 bytes differ
    from it has read valid data: 16 bytes become valid at once. One that finds it must call graupel_dsm_load and load again. Such
    a load makes no later check superfluous: another thread may be taking the
    block away. Not a usual integer, and twice it is no canonical
    address (Schoinas 1998, 2.3.1). As a float it is a quiet NaN, and twice as a
    double: what is computed of it is NaN, too, so the end of a computation
    tells of all numbers that went into it. */
#define GRAUPEL_DSM_SENTINEL 0x7ffbadc0u

/** A range the code relies on. */
struct graupel_dsm_range {
  const void *start;
  /** Bytes << 1 | 1 if stores follow. Zero bytes are allowed. */
  uint64_t size_and_store;
};

/** Ranges of code, told in words that it stores, and what is known of them when
    it is compiled, which costs it no instructions. Word i is the start of range
    i; its size_and_store is
      ranges[i].size_and_store + words[ranges[i].unit] * ranges[i].per_unit
    where `unit` counts only if `per_unit` is not 0. */
struct graupel_dsm_described {
  uint32_t size_and_store, per_unit, unit;
};
struct graupel_dsm_set {
  uint32_t count;
  /** `count` of them. */
  struct graupel_dsm_described ranges[1];
};

/* Code without checks (docs/design/dsm-unknown-code.md). */

/** The first four bytes of a function compiled with checks, unless nobody calls
    it with a pointer: `test $0x4d534447, %eax`, without its last byte. */
#define GRAUPEL_DSM_MARK 0x534447a9u

/** Each function with checks has an entry in the section gdsm_functions: its
    address. Inline assembly in them has no checks; an entry of gdsm_assembly has
    the distances of its begin and its end, each from where it stands. */
struct graupel_dsm_assembly {
  int32_t begin, end;
};

/** Code with checks ends the arguments that it passes to `...` with this word
   if some of them may be shared. No address, and unlikely as a number. */
#define GRAUPEL_DSM_LIST_END 0xe41d5f8e91a73c2bu

enum graupel_dsm_call_kind {
  GRAUPEL_DSM_CALL_DIRECT,
  GRAUPEL_DSM_CALL_INDIRECT,
  GRAUPEL_DSM_CALL_ASSEMBLY,
  /** No call: what a function returns that callers take for private. */
  GRAUPEL_DSM_CALL_RESULT,
  /** Starts threads, whose function must have checks whatever it is given. */
  GRAUPEL_DSM_CALL_THREAD,
  /** Direct, of a function that may be given shared memory if it is the
      system's, but not if the program has one of that name. */
  GRAUPEL_DSM_CALL_LIBRARY
};

/** A call that may leave checked code, in the section gdsm_calls. */
struct graupel_dsm_call {
  /** Of DIRECT and LIBRARY, and of THREAD unless it is a pointer. */
  const void *callee;
  /** Four strings, one behind the other: callee (empty if there is none), caller,
      file, and what to use instead, or nothing. */
  const char *text;
  uint32_t line;   /**< 0: unknown. */
  uint8_t unknown; /**< 1 until the callee is known to be right. */
  uint8_t kind;
};

/* Shared globals (docs/design/dsm-globals.md). */

/** What is shared, begins a block of this many bytes. */
#define GRAUPEL_DSM_GLOBAL_ALIGNMENT 128

enum graupel_dsm_global_kind {
  /** Of the section gdsm_globals. */
  GRAUPEL_DSM_GLOBAL_PACKED,
  /** Has whole pages of its own, with an initializer or without. */
  GRAUPEL_DSM_GLOBAL_PAGES,
  GRAUPEL_DSM_GLOBAL_ZEROS,
  /** Another file's; what this one takes it for. */
  GRAUPEL_DSM_GLOBAL_USED_SHARED,
  GRAUPEL_DSM_GLOBAL_USED_PRIVATE
};

/** A variable, in the section gdsm_global_table if the file defines and shares
    it, in gdsm_global_uses if another does. */
struct graupel_dsm_global {
  const void *address; /**< Null if a weak one is defined nowhere. */
  uint64_t size;       /**< Of those that are defined. */
  /** Two strings, one behind the other: name and source file. */
  const char *text;
  uint32_t line; /**< 0: unknown. */
  uint32_t kind;
};

#ifdef __cplusplus
extern "C" {
#endif

/** In a constructor of each linked file, before its others: ends the job if the
    file shares globals and was loaded too late, or takes a variable of another
    file for what it is not. */
void graupel_dsm_check_globals(const struct graupel_dsm_global *shared,
                               const struct graupel_dsm_global *shared_end,
                               const struct graupel_dsm_global *used,
                               const struct graupel_dsm_global *used_end);

/** Before a call, unless the callee is known to have checks: ends the job if
   the callee is without and one of `count` pointers is shared, and not held by
    gdsm_fetch. No handshake point. An ordinary function: code saves what it
    needs. */
void graupel_dsm_guard(struct graupel_dsm_call *call, const void *callee,
                       uint32_t count, ...);

/** Before a call of a function that is declared GDSM_FETCHES: holds the
    allocations that the pointers point into, and returns how many ranges the
    thread held before, which the other gets when the call has returned. */
uint32_t graupel_dsm_fetch_arguments(struct graupel_dsm_call *call,
                                     const void *callee, uint32_t count, ...);
void graupel_dsm_release_arguments(uint32_t before);

/* The entries. All preserve every register but R11 and the flags (LLVM's
   preserve_all, with vector registers of any width), so code pays nothing for
   them where they are not reached. They may be called from any thread of the
   node, also before main, but not from signal handlers. They never fail: what
   cannot be resolved ends the process with a message. Return addresses identify
   the access in reports: the call carries the access's source location. */

/** Returns when [p, p + size) may be loaded. */
void graupel_dsm_load(const void *p, uint64_t size);
/** Returns when [p, p + size) may be loaded and stored. */
void graupel_dsm_store(void *p, uint64_t size);
/** Returns when all of the ranges are valid together. */
void graupel_dsm_acquire_set(const uint64_t *words,
                             const struct graupel_dsm_set *set);
/** Lets the protocol work. */
void graupel_dsm_poll(void);
/** Lets the protocol work, and returns when all of the ranges are valid. */
void graupel_dsm_poll_acquire_set(const uint64_t *words,
                                  const struct graupel_dsm_set *set);
/** The same for code that is not made by the passes. */
void graupel_dsm_poll_acquire(const struct graupel_dsm_range *ranges,
                              uint64_t count);

/** Makes checks of private memory work, before the job begins: for programs of
    which checked code may run before the constructors of the runtime. */
void graupel_dsm_prepare_checks(void);

#ifdef __cplusplus
}
#endif

#endif
