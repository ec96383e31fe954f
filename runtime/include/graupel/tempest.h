/*===- graupel/tempest.h - Mechanisms for coherence protocols ------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Tempest (Reinhardt, Larus, Wood 1994; Schoinas 1998, 1.2 and A.4): user-level
|* pages, tags on blocks, active messages, threads. A protocol is a library on
|* these calls alone; the default one is Stache (runtime/dsm/Stache).
|*
|* Handlers (of page faults, block faults and messages) run one at a time on a
|* node, to completion, on whatever thread lets the protocol work. They must not
|* block, must not touch shared memory except through the calls below, and call
|* nothing of graupel/dsm.h. All calls below are for handlers and for the
|* protocol's start function unless they say otherwise.
|*
|* Messages between two nodes arrive in the order in which they were sent.
|*
|* Guarantees of the calls that move data and tags together:
|*   G1  After a downgrade "and get", the copy holds every store that was done
|*       under the old tag: no thread of the node stores later.
|*   G2  After an upgrade "and put", an access that did not fault but would have
|*       under the old tag sees the new data.
|*
\*===----------------------------------------------------------------------===*/

#ifndef GRAUPEL_TEMPEST_H
#define GRAUPEL_TEMPEST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TEMPEST_PAGE_SIZE = 4096,
  TEMPEST_MAX_NODES = 64,
  TEMPEST_MAX_PAYLOAD = 4096, /**< Bytes of region, block or forward a message. */
  TEMPEST_MAX_WORDS = 8,      /**< 8-byte words a message. */
  TEMPEST_MAX_FAULTS = 32,    /**< Faults that a thread waits for at a time. */
  TEMPEST_MODES = 8           /**< Page modes are 0 ... 7. */
};

typedef enum tempest_tag {
  TEMPEST_READ_WRITE = 0x00,
  TEMPEST_READ_ONLY = 0x01,
  TEMPEST_INVALID = 0x80,
  TEMPEST_BUSY = 0x81 /**< As Invalid; tells a protocol that a request is out. */
} tempest_tag;

typedef enum tempest_access { TEMPEST_LOAD, TEMPEST_STORE } tempest_access;

/** From and to, so that work that a change does not need is left out. A current
    tag other than the first named is a bug; builds with assertions stop. */
typedef enum tempest_change {
  TEMPEST_INVALID_TO_READ_WRITE,
  TEMPEST_INVALID_TO_READ_ONLY,
  TEMPEST_INVALID_TO_BUSY,
  TEMPEST_READ_WRITE_TO_INVALID,
  TEMPEST_READ_WRITE_TO_READ_ONLY,
  TEMPEST_READ_ONLY_TO_INVALID,
  TEMPEST_READ_ONLY_TO_READ_WRITE,
  TEMPEST_BUSY_TO_READ_WRITE,
  TEMPEST_BUSY_TO_READ_ONLY,
  TEMPEST_BUSY_TO_INVALID,
  TEMPEST_NO_CHANGE
} tempest_change;

/* --- The node ------------------------------------------------------------- */

int tempest_node(void);
int tempest_nodes(void);
/** A pointer that the runtime keeps per node for the protocol; NULL at first. */
void **tempest_protocol_data(void);
/** Ends the job on all nodes with a message (printf's) that names this node. */
void tempest_fatal(const char *format, ...)
    __attribute__((format(printf, 1, 2), noreturn));

/** The allocation around an address: its unit of coherence and home policy. */
struct tempest_allocation {
  uint32_t block; /**< Bytes. */
  int home;       /**< A node, or GDSM_HOME_ROUND_ROBIN, GDSM_HOME_FIRST_TOUCH. */
};
/** 1 if the address belongs to an allocation of any node, 0 if not. Every node
    knows of an allocation before gdsm_alloc returns on one. */
int tempest_get_allocation(const void *address, struct tempest_allocation *);

/* --- Pages ---------------------------------------------------------------- */

struct tempest_page_info {
  int mode;
  int home;
  void *user_pointer;
};
enum tempest_page_protection { TEMPEST_PAGE_INVALID, TEMPEST_PAGE_READ_WRITE };

/** A block or page fault that a page has not been mapped for: a thread of this
    node touched it. The thread waits until tempest_resume. */
typedef void (*tempest_page_fault_handler)(void *address, uintptr_t pc,
                                           int is_store);
void tempest_register_page_fault_handler(tempest_page_fault_handler);

/** Maps a page, all of its blocks with the tag `tag`; mode, home and user_pointer
    are the protocol's own. A page mapped Invalid holds the sentinel; one mapped
    ReadOnly or ReadWrite holds zeros, or what globals in it begin with. Returns 0, and does nothing, if the page is
    unaligned, mapped already or outside of all allocations; else 1. */
int tempest_alloc_and_map(void *page, int mode, tempest_tag tag, int home,
                          void *user_pointer);
/** Forgets a mapped page and its contents. The same results. */
int tempest_unmap_and_free(void *page);
/** Moves contents, tags, mode, home and user_pointer of a mapped page to an
    unmapped one of the same block size. The same results. */
int tempest_remap(void *old_page, void *new_page);
/** 1: mapped, `info` is filled; 0: not mapped; -1: no shared address. */
int tempest_get_page_info(const void *address, struct tempest_page_info *info);
/** Changes what alloc_and_map recorded. 1, or 0 if the page is not mapped. */
int tempest_set_page_info(void *address, const struct tempest_page_info *info);
/** A page whose protection is Invalid faults (as a page fault) whatever its tags,
    which it keeps. -1 if it is not mapped. */
int tempest_get_page_protection(const void *address);
int tempest_set_page_protection(void *address, enum tempest_page_protection);

/* --- Tags ----------------------------------------------------------------- */

/* `address` and `length` are whole blocks of one page. Changes to Invalid fill
   the blocks with the sentinel. Downgrades wait until no thread of this node
   relies on the old tag. */
tempest_tag tempest_get_tag(const void *address);
void tempest_change_blocks(void *address, size_t length, tempest_change);
/** Downgrades, and copies the data out; G1. */
void tempest_change_blocks_and_get(void *address, size_t length, tempest_change,
                                   void *buffer);
/** Copies the data in, and upgrades; G2. */
void tempest_change_blocks_and_put(void *address, size_t length, tempest_change,
                                   const void *buffer);

/** `address` is the first byte refused of a block. The thread waits until
    tempest_resume covers it, and then tries again: a handler must bear being called
    for a block whose tag permits the access meanwhile, or whose request is out.
    A thread that needs several blocks faults for others, too, before it waits, up
    to TEMPEST_MAX_FAULTS at a time; the handlers run one after the other, as if
    the faults were those of so many threads. It goes on when it has them all. */
typedef void (*tempest_block_fault_handler)(void *address, void *user_pointer,
                                            int home);
void tempest_register_block_fault_handler(int mode, tempest_tag, tempest_access,
                                          tempest_block_fault_handler);

/** 1 if a thread of this node that acquires several blocks has got this one and
    holds it: no call may downgrade it until the release handler has run. A thread
    that holds waits for one block at a time, in ascending order. Held are only blocks that permit what their thread wants, at addresses below the block
    that the thread is waiting for, and that one itself from the moment on that its
    tag permits the access; never one that is held for a load while the same thread
    waits for a store to it. Chains of waiting so ascend, and end. A thread holds
    only after it has had to wait: two that held in turns what neither waits for
    would keep it from the other nodes for ever. */
int tempest_is_held(const void *block);
/** Runs as a handler after a thread has released something that it held. */
typedef void (*tempest_release_handler)(void);
void tempest_register_release_handler(tempest_release_handler);

/* --- Messages ------------------------------------------------------------- */

/** `size`: bytes of words and payload. */
typedef void (*tempest_message_handler)(int source, int size);
/** Numbers from 0 in the order of the calls, which must be the same on all nodes;
    names are compared between the nodes when the job starts. */
unsigned tempest_register_message_handler(const char *name,
                                          tempest_message_handler);

/** A message under construction: begin, put words (W), then at most one payload
    (R, Rs, Ba, Bs or F of the paper), then send. */
struct tempest_message {
  int destination;
  uint16_t handler;
  uint8_t words, kind;
  uint32_t length;
  uint64_t word[TEMPEST_MAX_WORDS];
  const void *payload;
  uint64_t remote_address;
  uint8_t change, remote_change;
};
void tempest_begin(struct tempest_message *, int destination, unsigned handler);
void tempest_put_word(struct tempest_message *, uint64_t);
/** R: private memory of this node. */
void tempest_put_region(struct tempest_message *, const void *, size_t length);
/** Rs: ... that is at remote_address of the receiver before the handler runs. */
void tempest_put_region_at(struct tempest_message *, const void *,
                           size_t length, void *remote_address);
/** Ba: blocks, whose tags change here atomically with the copy; G1. */
void tempest_put_blocks(struct tempest_message *, void *, size_t length,
                        tempest_change);
/** Bs: ... that are in place and have changed tags at the receiver before the
    handler runs; G1 and G2. */
void tempest_put_blocks_at(struct tempest_message *, void *, size_t length,
                           tempest_change, void *remote_address,
                           tempest_change remote_change);
/** F: the first `length` bytes of the payload of the message being handled, which
    may still be received (into blocks, say) afterwards. */
void tempest_put_forward(struct tempest_message *, size_t length);
/** Sends; everything named may be changed afterwards. To this node itself, too:
    its handler runs after the current one. May be called by any thread that is
    no handler, too (the paper's injected messages). */
void tempest_send(struct tempest_message *);
/** As tempest_send, but R and Rs payloads must stay until tempest_is_done. */
uint64_t tempest_send_async(struct tempest_message *);
int tempest_is_done(uint64_t token);

/** In a message handler: the next word, payload into private memory, payload into
    blocks with a change of tags (G2). For Rs and Bs the latter do nothing. The
    types must match those sent; builds with assertions stop if not. */
uint64_t tempest_get_word(void);
void tempest_get_region(void *, size_t length);
void tempest_get_blocks(void *, size_t length, tempest_change);

/* --- Bulk channels -------------------------------------------------------- */

typedef void (*tempest_channel_done)(uint64_t channel);
/** A channel from `address` here to what the destination sets; `done` runs as a
    handler when all has been sent. Returns its number, which the protocol tells
    the receiver. Private or shared memory; tags are not changed. */
uint64_t tempest_channel_source(const void *address, size_t length,
                                int destination, tempest_channel_done done);
void tempest_channel_destination(uint64_t channel, int source, void *address,
                                 size_t length, tempest_channel_done done);
/** At the source, when the destination is known to be set. */
void tempest_channel_send(uint64_t channel);
/** After completion, on both ends: use again, or forget. */
void tempest_channel_reset(uint64_t channel);
void tempest_channel_destroy(uint64_t channel);

/* --- Threads -------------------------------------------------------------- */

/** All faults in the range that threads of this node wait for are over: each thread
    tries the same access again, and it faults again, before the thread looks at any
    other block, if that is still refused. So a thread never has more requests under
    way than it waits for faults. */
void tempest_resume(const void *address, size_t length);

typedef struct tempest_semaphore {
  int64_t count;
} tempest_semaphore;
/** Not in handlers: adds 1; if the sum is above 0, waits until it is not. */
void tempest_sleep(tempest_semaphore *);
/** Subtracts 1, and wakes sleepers at 0. */
void tempest_wakeup(tempest_semaphore *);
void tempest_atomic_increment(tempest_semaphore *);
/** Not in handlers: lets the protocol work until the function returns 0. The first
    one's function may touch private memory only, the second's shared, too. */
void tempest_spin(int (*function)(void *), void *argument);
void tempest_shared_spin(int (*function)(void *), void *argument);

#ifdef __cplusplus
}
#endif

#endif
