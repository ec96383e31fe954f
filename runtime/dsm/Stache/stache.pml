/*===- Stache/stache.pml - The protocol, for spin -----------------------------===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===--------------------------------------------------------------------------===*/
/* NODES nodes of THREADS threads access BLOCKS blocks; block b is at home on node
   b. The transitions are those of Transitions.def, by inclusion; what is written
   here is what actions and guards mean, as briefly as Home.cpp and Cache.cpp say
   it. A handler is one step, as Tempest guarantees. Contents are one bit: a store
   flips the block's `latest` bit and the node's copy.

   Checked: assertions (a load sees the last store; a store finds no other copy;
   the tag is the old one of each change; no more messages between two nodes than
   threads in the job, or than blocks that they wait for; directory and home's tag agree; no event without a row),
   invalid end states (any thread may stop for good between two operations, so one
   that is never resumed ends up alone), and with -DLIVE that each thread is served.

   Operations: load or store one block; -DHOLDS: or hold it meanwhile, or acquire
   all blocks in ascending order, holding; -DSETS: only the last; -DLIVE: to hold
   only after a fault, as the runtime does. (Two threads of a node that held a block
   by turns without ever having to wait for it would keep it from all others.)
   -DLATE: the handler of a fault is also called twice, or when the access has become
   permitted meanwhile. -DWIDE: threads acquire all blocks, in this way: they fault
   for each that is refused, wait for all of them at a time, and look again; or, with
   -DHOLDS, turn to holding then. First touch is left to the simulator
   (test/unit/dsm). */

#ifndef NODES
#define NODES 3
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif
#ifndef THREADS
#define THREADS 1
#endif
#define ALLTHREADS (NODES * THREADS)
/* Requests that threads of the job may have out. */
#ifdef WIDE
#define REQUESTS (ALLTHREADS * BLOCKS)
#else
#define REQUESTS ALLTHREADS
#endif

#define HOME_STATE(N) , H_##N
mtype = { H_none
#include "Transitions.def"
}
#define HOME_EVENT(N) , HE_##N
mtype = { HE_none
#include "Transitions.def"
}
#define CACHE_STATE(N) , C_##N
mtype = { C_none
#include "Transitions.def"
}
#define CACHE_EVENT(N) , CE_##N
mtype = { CE_none
#include "Transitions.def"
}
#define HOME_ACTION(N) , A_##N
#define CACHE_ACTION(N) , A_##N
mtype = { A_none
#include "Transitions.def"
}
#define ONE(A) todo = A_##A; then = A_none
#define TWO(A, B) todo = A_##A; then = A_##B

/* pan says in the end which lines of Transitions.def it has seen at work. */
c_decl {
  static unsigned char coveredLines[1024];
  static void reportCovered(void) {
    int line;
    printf("covered lines:");
    for (line = 0; line < 1024; line++)
      if (coveredLines[line])
        printf(" %d", line);
    printf("\n");
  }
}
#define COVERED c_code { coveredLines[__LINE__] = 1; };

/* Tags. */
#define RW 0
#define RO 1
#define INV 2
#define BUSY 3

/* Of blocks at home. */
mtype hState[BLOCKS];
byte hNodes[BLOCKS], hRequester[BLOCKS];
bit hReplay[BLOCKS], hStalled[BLOCKS];
chan deferred[BLOCKS] = [ALLTHREADS + 2] of {byte, byte}; /* event, from */
/* Of blocks elsewhere, and tags and contents of all. */
mtype cState[NODES * BLOCKS];
byte tag[NODES * BLOCKS];
bit copy[NODES * BLOCKS], latest[BLOCKS];
/* Messages: event, block, contents. */
chan wire[NODES * NODES] = [REQUESTS] of {byte, byte, bit};
/* Stalled: event, block, source. */
chan stalled[NODES] = [REQUESTS + 2] of {byte, byte, byte};
bit release[NODES];
/* Threads. */
#define IDLE 0
#define TRY 1  /* About to look at the tag of block `at`. */
#define WAIT 2 /* To be resumed. */
#define GONE 3
byte pc[ALLTHREADS];
byte at[ALLTHREADS];
byte stores[ALLTHREADS]; /* A bit a block: to store, not to load. */
bit set[ALLTHREADS];     /* All blocks from 0 on; not only `at`. */
bit holds[ALLTHREADS];
#ifdef WIDE
bit wide[ALLTHREADS];   /* In the middle of a round; pc is TRY. */
byte waits[ALLTHREADS]; /* A bit a block: what it has faulted for. */
#define TRIES(t) (pc[t] == TRY && !wide[t])
#define HASALL(t) (HASLAST(t) || wide[t] && !waits[t] && PERMITSALL(t))
#if BLOCKS == 1
#define PERMITSALL(t) PERMITS(t, 0)
#else
#define PERMITSALL(t) (PERMITS(t, 0) && PERMITS(t, 1))
#endif
#else
#define TRIES(t) (pc[t] == TRY)
#define HASALL(t) HASLAST(t)
#endif
#define HASLAST(t)                                                             \
  (TRIES(t) && PERMITS(t, at[t]) && (!set[t] || at[t] == BLOCKS - 1))

/* Scratch within a step: node, block, event, its source; loops; messages. */
hidden byte n, b, e, f, e2, f2, i, k, mark, v, found, again, behind, todo, then, next,
    last;

#define BIT(x) (1 << (x))
#define AT(node, block) ((node) * BLOCKS + (block))
#define NODEOF(t) ((t) / THREADS)
#define PERMITS(t, block)                                                      \
  (tag[AT(NODEOF(t), block)] == RW ||                                          \
   (tag[AT(NODEOF(t), block)] == RO && !(stores[t] & BIT(block))))
#define HOLDSIT(t, block)                                                      \
  (holds[t] && (pc[t] == TRY || pc[t] == WAIT) &&                              \
   ((set[t] && (block) < at[t]) || ((block) == at[t] && PERMITS(t, block))))
#if THREADS == 1
#define HELD(node, block) HOLDSIT(node, block)
#else
#define HELD(node, block)                                                      \
  (HOLDSIT((node) * 2, block) || HOLDSIT((node) * 2 + 1, block))
#endif

/* --- What guards and actions mean ------------------------------------------- */

#ifndef TABLE /* What a test compares with the code's table has the names. */
#define G_Always true
#define G_Held HELD(n, b)
#define G_Free !HELD(n, b)
#define LAST (hNodes[b] == BIT(f))
#define SHARER (hNodes[b] & BIT(f))
#define G_More !LAST
#define G_Last LAST
#define G_LastHeld LAST && HELD(n, b)
#define G_LastFree LAST && !HELD(n, b)
#define G_Stranger !SHARER
#define G_Others SHARER && !LAST
#define G_AloneHeld G_LastHeld
#define G_AloneFree G_LastFree
#endif

#define SEND(to, kind)                                                         \
  assert(len(wire[n * NODES + to]) < REQUESTS);                              \
  wire[n * NODES + to] ! kind, b, copy[AT(n, b)]
#define FORWARD(to, kind)                                                      \
  assert(len(wire[n * NODES + to]) < REQUESTS);                              \
  wire[n * NODES + to] ! kind, b, v
#define CHANGE(from, to)                                                       \
  assert(tag[AT(n, b)] == from);                                               \
  assert(from >= to || !HELD(n, b));                                           \
  tag[AT(n, b)] = to
#define LOSE /* The copy is gone: less to remember. */ copy[AT(n, b)] = 0

inline resume() {
  i = n * THREADS;
  do
  :: i < (n + 1) * THREADS ->
     if
     :: pc[i] == WAIT && at[i] == b -> pc[i] = TRY
#ifdef WIDE
     :: wide[i] -> waits[i] = waits[i] & ~BIT(b)
#endif
     :: else
     fi;
     i++
  :: else -> break
  od;
  i = 0
}

inline do_ShareOwn() {
  hNodes[b] = BIT(f); SEND(f, CE_DataRO); CHANGE(RW, RO)
}
inline do_Share() { hNodes[b] = hNodes[b] | BIT(f); SEND(f, CE_DataRO) }
inline do_GiveOwn() {
  hNodes[b] = BIT(f); SEND(f, CE_DataRW); CHANGE(RW, INV); LOSE
}
inline do_Give() {
  hNodes[b] = BIT(hRequester[b]);
  SEND(hRequester[b], CE_DataRW); CHANGE(RO, INV); LOSE;
  hRequester[b] = 0
}
inline do_Approve() {
  if
  :: e == HE_Ack -> k = hRequester[b]
  :: else -> k = f
  fi;
  hRequester[b] = 0; hNodes[b] = BIT(k);
  CHANGE(RO, INV); LOSE; SEND(k, CE_UpgradeOK); k = 0
}
inline recall(kind) {
  hRequester[b] = f;
  k = 0;
  do
  :: k < NODES ->
     if
     :: (hNodes[b] & BIT(k)) -> SEND(k, kind)
     :: else
     fi;
     k++
  :: else -> break
  od;
  k = 0
}
inline do_RecallSharers() {
  hNodes[b] = hNodes[b] & ~BIT(f); recall(CE_InvalidateRO)
}
inline do_RecallOwner() { recall(CE_InvalidateRW) }
inline do_DowngradeOwner() { recall(CE_Downgrade) }
inline do_DropSharer() { hNodes[b] = hNodes[b] & ~BIT(f) }
inline do_RelayShared() {
  hNodes[b] = BIT(hRequester[b]);
  FORWARD(hRequester[b], CE_DataRO); hRequester[b] = 0;
  copy[AT(n, b)] = v; CHANGE(INV, RO)
}
inline do_RelayExclusive() {
  hNodes[b] = BIT(hRequester[b]);
  FORWARD(hRequester[b], CE_DataRW); hRequester[b] = 0
}
inline do_TakeBack() {
  hNodes[b] = 0; hRequester[b] = 0; copy[AT(n, b)] = v; CHANGE(INV, RW)
}
inline do_CopyBack() { hRequester[b] = 0; copy[AT(n, b)] = v; CHANGE(INV, RO) }
inline do_Reclaim() { hNodes[b] = 0; hRequester[b] = 0; CHANGE(RO, RW) }
/* What home's threads deferred and may do now is forgotten. */
inline do_Resume() {
  last = A_Resume;
  k = len(deferred[b]);
  do
  :: k > 0 ->
     deferred[b] ? e2, f2;
     if
     :: e2 == HE_HomeLoad -> skip
     :: e2 == HE_HomeStore && hState[b] == H_Exclusive -> skip
     :: else -> deferred[b] ! e2, f2
     fi;
     k--
  :: else -> break
  od;
  resume()
}
inline do_Wait() { skip }
inline do_Defer() {
  k = len(deferred[b]); found = 0;
  do
  :: k > 0 ->
     deferred[b] ? e2, f2; deferred[b] ! e2, f2;
     if
     :: e2 == e && f2 == f -> found = 1
     :: else
     fi;
     k--
  :: else -> break
  od;
  if
  :: found -> found = 0
  :: else -> deferred[b] ! e, f
  fi
}
inline do_Stall() {
  last = A_Stall;
  if
  :: e == HE_Ack -> stalled[n] ! e, b, f
  :: else -> /* Becomes the oldest. */
     hStalled[b] = 1;
     k = len(deferred[b]);
     deferred[b] ! e, f;
     do
     :: k > 0 -> deferred[b] ? e2, f2; deferred[b] ! e2, f2; k--
     :: else -> break
     od
  fi
}

inline do_AskRO() { CHANGE(INV, BUSY); SEND(f, HE_GetRO) }
inline do_AskRW() { CHANGE(INV, BUSY); SEND(f, HE_GetRW) }
inline do_AskUpgrade() { SEND(f, HE_Upgrade) }
inline do_FillRO() { copy[AT(n, b)] = v; CHANGE(BUSY, RO); resume() }
inline do_FillRW() { copy[AT(n, b)] = v; CHANGE(BUSY, RW); resume() }
inline do_Promote() { CHANGE(RO, RW); resume() }
inline do_Drop() { CHANGE(RO, INV); LOSE }
inline do_DropToBusy() { CHANGE(RO, INV); CHANGE(INV, BUSY); LOSE }
inline do_SendAck() { SEND(f, HE_Ack) }
inline do_GiveBack() { SEND(f, HE_WriteBack); CHANGE(RW, INV); LOSE }
inline do_ShareBack() { SEND(f, HE_WriteBack); CHANGE(RW, RO) }
inline do_Retry() { resume() }
inline do_Join() { skip }
inline do_Hold() { stalled[n] ! e, b, f }

/* --- The engines -------------------------------------------------------------- */

#define STABLE                                                                 \
  (hState[b] == H_Exclusive || hState[b] == H_Shared || hState[b] == H_Remote)

/* Home's tag follows from its state. */
#define CONSISTENT                                                             \
  (tag[AT(n, b)] ==                                                            \
   (hState[b] == H_Exclusive -> RW :                                           \
    (hState[b] == H_Shared || hState[b] == H_SharersToRemote ||                \
     hState[b] == H_SharersToUpgrade || hState[b] == H_SharersToHome ->        \
     RO : INV)))

#define RAISEDEFERRED deferred[b] ? e, f; again = 1

/* An event at home, and what is deferred, as the table's head says. */
inline homeEvent(fresh) {
  again = 1; k = fresh;
  do
  :: again ->
     again = 0; last = A_none;
     behind = k && len(deferred[b]) > 0 && STABLE; k = 0;
     if
#define HOME(S, E, G, A, N)                                                    \
     :: hState[b] == H_##S && e == HE_##E && (G_##G) -> next = H_##N; A; COVERED
#include "Transitions.def"
     fi;
     if
     :: behind && todo != A_Resume -> todo = A_Defer; then = A_none
     :: else -> hState[b] = next
     fi;
     behind = 0;
     do
#define HOME_ACTION(N) :: todo == A_##N -> do_##N(); todo = then; then = A_none
#include "Transitions.def"
     :: todo == A_none -> break
     od;
     if
     :: STABLE && len(deferred[b]) > 0 && !hReplay[b] && !hStalled[b] ->
        if
        :: last == A_Resume -> hReplay[b] = 1
        :: else -> RAISEDEFERRED
        fi
     :: else
     fi
  :: else -> break
  od;
  last = 0; next = 0;
  assert(CONSISTENT)
}

inline cacheEvent() {
  if
#define CACHE(S, E, G, A, N)                                                   \
  :: cState[AT(n, b)] == C_##S && e == CE_##E && (G_##G) ->                    \
     cState[AT(n, b)] = C_##N; A; COVERED
#include "Transitions.def"
  fi;
  do
#define CACHE_ACTION(N) :: todo == A_##N -> do_##N(); todo = then; then = A_none
#include "Transitions.def"
  :: todo == A_none -> break
  od
}

#define ISCACHE                                                                \
  (e == CE_DataRO || e == CE_DataRW || e == CE_UpgradeOK ||                    \
   e == CE_InvalidateRO || e == CE_InvalidateRW || e == CE_Downgrade)

/* --- Nodes -------------------------------------------------------------------- */

/* The release handler lets what is deferred at a block of the node be raised by
   the message to itself: one step more than the code takes.

   Things that nodes do by themselves, by number: below PAIRS the wire's next
   message arrives; then a block's message of home to itself; then a node's release
   handler. */
#define PAIRS (NODES * NODES)
#define REPLAYS (PAIRS + BLOCKS)
#define PARTS (REPLAYS + NODES)
#define READY(x)                                                               \
  ((x) < PAIRS && len(wire[(x) % PAIRS]) > 0 ||                                \
   (x) >= PAIRS && (x) < REPLAYS && hReplay[((x) + PAIRS * BLOCKS - PAIRS) % BLOCKS] || \
   (x) >= REPLAYS && (x) < PARTS && release[((x) + REPLAYS * NODES - REPLAYS) % NODES])

inline handle(x) {
  if
  :: x < PAIRS -> n = x % NODES; mark = 1
  :: x >= PAIRS && x < REPLAYS ->
     b = x - PAIRS; n = b; mark = len(deferred[b]) > 0 && STABLE;
     hReplay[b] = 0; hStalled[b] = 0
  :: else ->
     n = x - REPLAYS; release[n] = 0; mark = len(stalled[n]);
     if
     :: n < BLOCKS && hStalled[n % BLOCKS] -> hReplay[n % BLOCKS] = 1
     :: else
     fi
  fi;
  do
  :: mark > 0 ->
     mark--;
     if
     :: x < PAIRS -> wire[x] ? e, b, v; f = x / NODES
     :: x >= PAIRS && x < REPLAYS -> deferred[b] ? e, f
     :: else -> stalled[n] ? e, b, f
     fi;
     if
     :: ISCACHE -> cacheEvent()
     :: else -> homeEvent(x < PAIRS || x >= REPLAYS)
     fi
  :: else -> break
  od;
  v = 0
}

#ifdef LIVE
/* Apart, so that weak fairness means each of them. */
proctype Part(byte x) {
end:
  do
  :: d_step { READY(x) -> handle(x) }
  od
}
#else
proctype Network() {
  byte x;
end:
  do
  :: atomic {
       if
       :: READY(0) -> x = 0
       :: READY(1) -> x = 1
       :: READY(2) -> x = 2
       :: READY(3) -> x = 3
       :: READY(4) -> x = 4
       :: READY(5) -> x = 5
       :: READY(6) -> x = 6
       :: READY(7) -> x = 7
#if NODES + BLOCKS > 3
       :: READY(8) -> x = 8
       :: READY(9) -> x = 9
       :: READY(10) -> x = 10
       :: READY(11) -> x = 11
       :: READY(12) -> x = 12
       :: READY(13) -> x = 13
#endif
#if NODES > 3
       :: READY(14) -> x = 14
       :: READY(15) -> x = 15
       :: READY(16) -> x = 16
       :: READY(17) -> x = 17
       :: READY(18) -> x = 18
       :: READY(19) -> x = 19
       :: READY(20) -> x = 20
#endif
       fi;
       d_step { handle(x); x = 0 }
     }
  od
}
#endif

/* --- Threads -------------------------------------------------------------------- */

/* The access to one block. */
inline perform(block) {
  i = 0;
  do
  :: i < NODES ->
     assert(i == n || tag[AT(i, block)] >= INV ||
            (tag[AT(i, block)] == RO && !(stores[me] & BIT(block))));
     i++
  :: else -> break
  od;
  if
  :: (stores[me] & BIT(block)) ->
     latest[block] = 1 - latest[block]; copy[AT(n, block)] = latest[block]
  :: else -> assert(copy[AT(n, block)] == latest[block])
  fi
}

/* Of thread `me`, for block b. */
inline handleFault() {
  if
  :: b == n -> f = n;
     if
     :: (stores[me] & BIT(b)) -> e = HE_HomeStore
     :: else -> e = HE_HomeLoad
     fi;
     homeEvent(1)
  :: else -> f = b;
     if
     :: (stores[me] & BIT(b)) -> e = CE_Store
     :: else -> e = CE_Load
     fi;
     cacheEvent()
  fi
}

inline fault() {
  pc[me] = WAIT; b = at[me]; v = 0;
#ifdef LIVE
  holds[me] = 1;
#endif
  handleFault()
}

#ifdef WIDE
#define FAULTFOR(block)                                                        \
  :: d_step {                                                                  \
       wide[me] && !(waits[me] & BIT(block)) && !PERMITS(me, block) ->         \
       n = NODEOF(me); b = block; v = 0;                                       \
       waits[me] = waits[me] | BIT(b); handleFault(); v = 0                    \
     }
#endif

proctype Thread(byte me) {
idle:
  atomic {
    if
#ifdef WIDE
    :: at[me] = 0; set[me] = 1; wide[me] = 1
#else
#ifndef SETS
    :: at[me] = 0
#if BLOCKS > 1
    :: at[me] = 1
#endif
#endif
#ifdef HOLDS
    :: at[me] = 0; set[me] = 1; holds[me] = 1
#endif
#endif
#ifndef LIVE
    :: pc[me] = GONE; goto gone
#endif
    fi;
    if
    :: stores[me] = 0
    :: stores[me] = BIT(at[me])
#if (defined(HOLDS) || defined(WIDE)) && BLOCKS > 1
    :: set[me] -> stores[me] = 2
    :: set[me] -> stores[me] = 3
#endif
    fi;
#ifdef SETS
    holds[me] = 1;
#elif defined(HOLDS) && !defined(LIVE) && !defined(WIDE)
    if
    :: holds[me] = 1
    :: !set[me] -> holds[me] = 0
    fi;
#endif
    pc[me] = TRY
  }
  do
  :: d_step {
       TRIES(me) && !PERMITS(me, at[me]) -> n = NODEOF(me); fault(); v = 0
     }
#ifdef LATE
  :: d_step {
       pc[me] == WAIT || TRIES(me) && PERMITS(me, at[me]) ->
       n = NODEOF(me); fault(); v = 0
     }
#endif
#ifdef WIDE
  FAULTFOR(0)
#if BLOCKS > 1
  FAULTFOR(1)
#endif
#ifdef HOLDS
  :: d_step { wide[me] && !waits[me] -> wide[me] = 0; holds[me] = 1 }
#endif
#endif
  :: d_step {
       TRIES(me) && PERMITS(me, at[me]) && set[me] && at[me] < BLOCKS - 1 ->
       at[me] = at[me] + 1
     }
  :: d_step {
       HASALL(me) ->
       n = NODEOF(me);
       if
       :: set[me] ->
          k = 0;
          do
          :: k < BLOCKS -> perform(k); k++
          :: else -> break
          od
       :: else -> k = at[me]; perform(k)
       fi;
       if
       :: holds[me] && (len(stalled[n]) > 0 ||
                        n < BLOCKS && hStalled[n % BLOCKS]) ->
          release[n] = 1
       :: else
       fi;
       pc[me] = IDLE; at[me] = 0; stores[me] = 0; set[me] = 0; holds[me] = 0;
#ifdef WIDE
       wide[me] = 0
#endif
     } -> break
  od;
progress:
served:
  goto idle;
gone:
  skip
}

init {
  atomic {
    c_code { atexit(reportCovered); };
    n = 0;
    do
    :: n < BLOCKS -> hState[n] = H_Exclusive; n++
    :: else -> break
    od;
    n = 0;
    do
    :: n < NODES ->
       b = 0;
       do
       :: b < BLOCKS ->
          if
          :: n == b -> tag[AT(n, b)] = RW
          :: else -> tag[AT(n, b)] = INV; cState[AT(n, b)] = C_Invalid
          fi;
          b++
       :: else -> break
       od;
       n++
    :: else -> break
    od;
    n = 0;
    do
    :: n < ALLTHREADS -> run Thread(n); n++
    :: else -> break
    od;
#ifdef LIVE
    n = 0;
    do
    :: n < PARTS -> run Part(n); n++
    :: else -> break
    od
#else
    run Network()
#endif
  }
}

#ifdef STARVE
/* A thread that waits is served, for each scheduler that is fair to all parts. */
ltl served { [] ((pc[ALLTHREADS - 1] == WAIT) -> <> (pc[ALLTHREADS - 1] == IDLE)) }
#endif
