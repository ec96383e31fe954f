/*===- graupel/dsm.h - Programs over distributed shared memory -----*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* What a program in the SPMD model calls. `graupel dsm run -n N PROGRAM` starts
|* N nodes, which are processes with the same program; each calls main. Memory
|* from gdsm_alloc, and variables that are GDSM_GLOBAL, are shared and coherent,
|* at the same address on every node; everything else (other globals, stacks,
|* malloc) is private to a node. A plain run without a launcher is a job of one
|* node.
|*
|* Threads: gdsm_parallel runs a function on all threads of all nodes. Functions
|* called "collective" must be called by every node's main thread outside of
|* gdsm_parallel, or by every thread inside, in the same order. All others may be
|* called by any thread at any time between start and end of main.
|*
|* Errors: memory or numbers that do not fit end the job with a message; no
|* function returns an error unless it says so.
|*
|* With GRAUPEL_DSM_SEQUENTIAL defined the same program compiles without Graupel,
|* with any compiler, to a job of one node in one process (threads included).
|*
\*===----------------------------------------------------------------------===*/

#ifndef GRAUPEL_DSM_H
#define GRAUPEL_DSM_H

#include <stddef.h>
#include <stdint.h>

/* What the compiler should know of a variable, parameter or function
   (Schoinas 1998, 2.3.1 skips what is provably private; this is for what is not
   provable). */
#if defined(__clang__) && !defined(GRAUPEL_DSM_SEQUENTIAL)
/** A pointer (parameter, variable, field): what it points to is shared. */
#define GDSM_SHARED __attribute__((annotate("fgdsm.shared")))
/** A pointer: what it points to is private, so it is not checked. */
#define GDSM_PRIVATE __attribute__((annotate("fgdsm.private")))
/** A function: nothing in it is checked. */
#define GDSM_NOCHECK __attribute__((annotate("fgdsm.nocheck")))
/** A function: nothing in it polls. */
#define GDSM_NOPOLL __attribute__((annotate("fgdsm.nopoll")))
/** A declaration of a function that is not compiled with checks: it may be
   given pointers to shared memory, for it does not follow them. */
#define GDSM_UNCHECKED __attribute__((annotate("fgdsm.unchecked")))
/** A declaration of a function that is not compiled with checks: for the time of
   a call the allocations that its pointers point into are fetched, as by
   gdsm_fetch with GDSM_WRITE, so it may read and write them. It must return, not
   throw, and not wait for others. */
#define GDSM_FETCHES __attribute__((annotate("fgdsm.fetches")))
/** A global variable, a static one, or one of a class; its definition and all
    its declarations: the variable itself is one for all nodes, and not a copy on
    each. It begins with its initializer, which is constant, also in C++. `-mllvm
    -fgdsm-share-globals` does this to all variables that a file defines, except
    those that are GDSM_PER_NODE. */
#ifdef __cplusplus
#define GDSM_GLOBAL                                                            \
  __attribute__((annotate("fgdsm.global"), section("gdsm_globals"),            \
                 require_constant_initialization))
#else
#define GDSM_GLOBAL                                                            \
  __attribute__((annotate("fgdsm.global"), section("gdsm_globals")))
#endif
#define GDSM_PER_NODE __attribute__((annotate("fgdsm.per-node")))
#else
#define GDSM_SHARED
#define GDSM_PRIVATE
#ifdef GRAUPEL_DSM_SEQUENTIAL
#define GDSM_GLOBAL
#else /* It would be one for each node. */
#define GDSM_GLOBAL                                                            \
  _Pragma("GCC error \"GDSM_GLOBAL needs clang with graupel-dsm.cfg\"")
#endif
#define GDSM_PER_NODE
#define GDSM_NOCHECK
#define GDSM_NOPOLL
#define GDSM_UNCHECKED
#define GDSM_FETCHES
#endif

/* Functions that may wait: messages of a job that does not go on name the lines
   of their calls, and reports those of allocations; a tail call would hide
   them. */
#if defined(__clang__) && !defined(GRAUPEL_DSM_SEQUENTIAL)
#define GDSM_WAITS __attribute__((not_tail_called))
#else
#define GDSM_WAITS
#endif

/** Where pages are at home: on one node (its number, from 0), or */
#define GDSM_HOME_ROUND_ROBIN (-1) /**< pages on the nodes in turn; */
#define GDSM_HOME_FIRST_TOUCH (-2) /**< where a page is touched first after the
                                        next gdsm_parallel begins; */
#define GDSM_HOME_LOCAL (-3)       /**< on the calling node. */

enum gdsm_operation { GDSM_SUM, GDSM_MIN, GDSM_MAX };
enum gdsm_type {
  GDSM_INT32,
  GDSM_UINT32,
  GDSM_INT64,
  GDSM_UINT64,
  GDSM_FLOAT,
  GDSM_DOUBLE
};

/* Whoever writes checks by hand (graupel/dsm_checks.h) says so in each file:
   gdsm_parallel takes functions without listed checks then. */
#ifdef GRAUPEL_DSM_BY_HAND
__attribute__((section("gdsm_by_hand"),
               used)) static const char graupel_dsm_own = 1;
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** This node, from 0, and how many there are. */
int gdsm_node(void);
int gdsm_nodes(void);
/** This thread among all of the job, from 0, and how many there are. Thread t is
    on node t / gdsm_threads_per_node(). Outside of gdsm_parallel a node's main
    thread is its first. */
int gdsm_thread(void);
int gdsm_threads(void);
int gdsm_threads_per_node(void);
/** Seconds since the job started; the same clock on nodes of one host. */
double gdsm_time(void);

/** Collective over the nodes' main threads: runs function(argument) on every
    thread of every node and returns when all have returned. `argument` is the
    calling node's. Does not nest. */
GDSM_WAITS void gdsm_parallel(void (*function)(void *), void *argument);

/** Shared memory of `size` bytes, aligned to a block; its contents are zero.
    `block` is the unit of coherence in bytes: a power of two from 32 to 4096, or
    0 for the default (128, or what `graupel dsm run --block` says). */
GDSM_WAITS void *gdsm_alloc(size_t size, size_t block, int home);
/** As gdsm_alloc(size, 0, GDSM_HOME_ROUND_ROBIN). */
GDSM_WAITS void *gdsm_malloc(size_t size);
/** Frees on any node what any node allocated; NULL is ignored. */
void gdsm_free(void *memory);

/** Collective over the nodes' main threads: copies `size` bytes of node `root`'s
    private `data` to all nodes' `data`. The way to pass first pointers. */
GDSM_WAITS void gdsm_broadcast(void *data, size_t size, int root);

/** Collective: returns when all threads (of gdsm_parallel) or all main threads
    (outside of it) have called. */
GDSM_WAITS void gdsm_barrier(void);

/** A lock is a number; equal numbers are the same lock (counters, semaphores and
   condition variables below are others of that number). gdsm_locks_new returns
   the first of `count` consecutive ones that nobody else has. Locks are not
    recursive, and the thread that has taken one gives it back. Taking one
   orders memory as a mutex does. Node (number modulo gdsm_nodes()) keeps a
   lock: its threads take it without messages, and as fast as a mutex if nobody
   else wants it. */
typedef uint64_t gdsm_lock_t;
GDSM_WAITS gdsm_lock_t gdsm_locks_new(uint64_t count);
GDSM_WAITS void gdsm_lock(gdsm_lock_t lock);
void gdsm_unlock(gdsm_lock_t lock);

/** A counter, by number like a lock: adds and returns the value before, without
    moving a block. Counters start at 0. */
GDSM_WAITS int64_t gdsm_fetch_add(gdsm_lock_t counter, int64_t value);

/** A semaphore, by number like a lock: gdsm_sem_post adds `count` (1 or more),
    gdsm_sem_wait takes one away as soon as there is one, and gdsm_sem_trywait
    returns 1 if it could do so at once, else 0. Semaphores start at 0. Threads
    that wait get their turns in order. All of it orders memory: what was done
    before a post is seen behind the wait that got it. Cheap on the semaphore's
    home, as locks are; elsewhere a post is one message, a wait two. */
void gdsm_sem_post(gdsm_lock_t semaphore, int64_t count);
GDSM_WAITS void gdsm_sem_wait(gdsm_lock_t semaphore);
GDSM_WAITS int gdsm_sem_trywait(gdsm_lock_t semaphore);

/** A condition variable, by number: gdsm_cond_wait gives back `lock`, which the
    thread has, waits for a signal, and takes the lock again. No signal after
    giving it back is missed, and none is made up; still, the condition may have
    changed again. gdsm_cond_signal lets one thread go on, gdsm_cond_broadcast
    all that wait. Those who wait at the same time give the same lock. Give
    lock and condition variable the same number, or one home, and the wait
    needs fewer messages. */
GDSM_WAITS void gdsm_cond_wait(gdsm_lock_t condition, gdsm_lock_t lock);
void gdsm_cond_signal(gdsm_lock_t condition);
void gdsm_cond_broadcast(gdsm_lock_t condition);

/** Collective: combines one value a thread, in the order of threads, so that the
    result does not depend on timing. Every thread gets it. */
GDSM_WAITS double gdsm_reduce_double(double value,
                                     enum gdsm_operation operation);
GDSM_WAITS int64_t gdsm_reduce_int64(int64_t value,
                                     enum gdsm_operation operation);

/** Collective: the same for arrays of `count` elements (67,108,863 at most) of
    one type, in place: element i of every thread's `values`, which lie anywhere,
    becomes the combination of all threads' elements i. Sums of integers wrap. */
GDSM_WAITS void gdsm_reduce(void *values, size_t count, enum gdsm_type type,
                            enum gdsm_operation operation);

/** Calls function(argument), which may block for long in ways that the runtime does
    not know: sleep, pthread_join, accept, a library's wait. Others of the node
    serve meanwhile; a thread that just blocks makes those wait that want what it
    has. `function` must not touch shared memory nor call others of these functions.
    Input and output by the functions of dsm_wrappers.h need no gdsm_blocking. */
void gdsm_blocking(void (*function)(void *), void *argument);

/** Holds [memory, memory + size), shared or not, for code that is not compiled with
    checks: until gdsm_release, what the calling thread passes of it to such code
    may be read there, and written with GDSM_WRITE. Ranges of one thread may
    overlap; all are valid at the same time. Others who want the memory wait while
    that code runs, so it should not take long, and must not wait for them; not
    across gdsm_barrier. Data races are the program's, as ever. */
enum gdsm_mode { GDSM_READ, GDSM_WRITE };
void gdsm_fetch(const void *memory, size_t size, enum gdsm_mode mode);
/** Ends the last gdsm_fetch of the same memory and size by this thread. */
void gdsm_release(const void *memory, size_t size);

/** What this node has done since it started; see `graupel dsm report` for more. */
struct gdsm_statistics {
  uint64_t load_faults, store_faults; /**< Faults that needed the protocol. */
  uint64_t false_matches;             /**< Valid data that looks like the sentinel. */
  uint64_t polls;                     /**< That found something to do. */
  uint64_t handshakes;                /**< Waited for another thread of this node. */
  uint64_t messages, data_messages, message_bytes; /**< Sent. */
  uint64_t get_ro, get_rw, upgrades, invalidate_ro, invalidate_rw; /**< Sent. */
  uint64_t overflows;                 /**< Messages copied aside, see docs. */
  uint64_t acknowledgements; /**< Sent to return credits, and for nothing else. */
};
void gdsm_get_statistics(struct gdsm_statistics *statistics);

#ifdef __cplusplus
}
#endif

#ifdef GRAUPEL_DSM_SEQUENTIAL
#include "graupel/dsm_sequential.h"
#endif

#endif
