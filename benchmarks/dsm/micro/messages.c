/*===- messages.c - Active messages through the whole runtime -----*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* What the messages of tempest.h cost, with dispatch loop, credits and locks;
|* ucx_pingpong is the same with nothing but UCX. Two nodes of one thread.
|*
|*   round trip BYTES          a thread sends a request of two words and waits;
|*                             a handler answers with two words and BYTES
|*   handler round trip BYTES  the same, but the request is sent by the handler
|*                             of the last answer
|*   blast BYTES               65,536 messages one after the other in one
|*                             direction, MB/s of what they carry
|*   blasted, acknowledged     of these, and what came back for them
|*   set aside                 messages that were copied because a handler could
|*                             not send: none, here and under Stache
|*
|*   graupel dsm run -n 2 messages [ROUNDS]
|*
\*===----------------------------------------------------------------------===*/

#include "timing.h"

#include "graupel/tempest.h"

enum { LARGEST = TEMPEST_MAX_PAYLOAD, BLAST = 65536, BATCH = 100 };
enum { PARTNER = 1 };

static unsigned request_handler, answer_handler, blast_handler;
static char data[LARGEST], received[LARGEST];
static long rounds = 20000;

/* --- Round trips ---------------------------------------------------------- */

static long answers, wanted; /* Of the latter, handlers ask for the rest. */
static uint64_t payload;
static int by_handlers;

IN_HANDLER static void ask(void) {
  struct tempest_message message;
  tempest_begin(&message, PARTNER, request_handler);
  tempest_put_word(&message, payload);
  tempest_put_word(&message, 0);
  tempest_send(&message);
}
IN_HANDLER static void on_request(int source, int size) {
  struct tempest_message message;
  uint64_t bytes = tempest_get_word();
  (void)size;
  tempest_begin(&message, source, answer_handler);
  tempest_put_word(&message, bytes);
  tempest_put_word(&message, 0);
  if (bytes)
    tempest_put_region(&message, data, bytes);
  tempest_send(&message);
}
IN_HANDLER static void on_answer(int source, int size) {
  (void)source, (void)size;
  uint64_t bytes = tempest_get_word();
  if (bytes)
    tempest_get_region(received, bytes);
  if (__atomic_add_fetch(&answers, 1, __ATOMIC_RELEASE) < wanted && by_handlers)
    ask();
}
IN_HANDLER static int is_waiting(void *unused) {
  (void)unused;
  return __atomic_load_n(&answers, __ATOMIC_ACQUIRE) < wanted;
}

/** Ticks until `count` answers are here. */
static uint64_t exchange(uint64_t bytes, long count) {
  payload = bytes;
  by_handlers = count > 1;
  wanted = answers + count;
  uint64_t start = __rdtsc();
  ask();
  tempest_spin(is_waiting, NULL);
  return __rdtsc() - start;
}

static void measure_round_trips(uint64_t bytes, uint64_t *ticks) {
  char name[60];
  for (long r = 0; r < rounds / 10; ++r)
    exchange(bytes, 1);
  for (long r = 0; r < rounds; ++r)
    ticks[r] = exchange(bytes, 1);
  snprintf(name, sizeof name, "round trip %d", (int)bytes);
  report(name, ticks, rounds, 1, 1e6);
  long batches = rounds / BATCH;
  for (long b = 0; b < batches; ++b)
    ticks[b] = exchange(bytes, BATCH);
  snprintf(name, sizeof name, "handler round trip %d", (int)bytes);
  report(name, ticks, batches, BATCH, 1e6);
}

/* --- One way -------------------------------------------------------------- */

static long blasted;

IN_HANDLER static void on_blast(int source, int size) {
  (void)source;
  tempest_get_region(received, (size_t)size);
  __atomic_add_fetch(&blasted, 1, __ATOMIC_RELEASE);
}
IN_HANDLER static int is_blasted(void *unused) {
  (void)unused;
  return __atomic_load_n(&blasted, __ATOMIC_ACQUIRE) < BLAST;
}
IN_HANDLER static void send_blast(size_t bytes) {
  struct tempest_message message;
  for (long i = 0; i < BLAST; ++i) {
    tempest_begin(&message, PARTNER, blast_handler);
    tempest_put_region(&message, data, bytes);
    tempest_send(&message);
  }
}

static int64_t acknowledgements(void) {
  struct gdsm_statistics mine;
  gdsm_get_statistics(&mine);
  return (int64_t)mine.acknowledgements;
}

static void measure_blast(size_t bytes) {
  int64_t before = acknowledgements();
  blasted = 0;
  gdsm_barrier();
  double start = gdsm_time();
  if (gdsm_node() == PARTNER)
    tempest_spin(is_blasted, NULL);
  else
    send_blast(bytes);
  int64_t sent = acknowledgements() - before;
  gdsm_barrier();
  if (gdsm_node() != PARTNER)
    printf("blast %zu: %.1f MB/s\n", bytes,
           1e-6 * BLAST * (double)bytes / (gdsm_time() - start));
  else if (bytes == LARGEST)
    printf("blasted: %d messages\nacknowledged: %lld messages\n", BLAST,
           (long long)sent);
}

/* --- The program ---------------------------------------------------------- */

static void measure(void *unused) {
  static const uint64_t Sizes[] = {0, 32, 64, 128, 1024, LARGEST};
  (void)unused;
  calibrate();
  gdsm_barrier();
  if (gdsm_thread() == 0) {
    uint64_t *ticks = private_alloc((size_t)rounds * sizeof *ticks);
    for (size_t s = 0; s < sizeof Sizes / sizeof *Sizes; ++s)
      measure_round_trips(Sizes[s], ticks);
    free(ticks);
  }
  gdsm_barrier();
  measure_blast(128);
  measure_blast(LARGEST);
}

int main(int argc, char **argv) {
  program_name = "messages";
  if (argc > 1)
    rounds = atol(argv[1]);
  if (rounds < BATCH)
    fail("usage: messages [ROUNDS], at least 100; not ", argv[1]);
  if (gdsm_nodes() != 2 || gdsm_threads() != 2)
    fail("needs two nodes of one thread: graupel dsm run -n 2 messages", "");
  request_handler = tempest_register_message_handler("ask", on_request);
  answer_handler = tempest_register_message_handler("answer", on_answer);
  blast_handler = tempest_register_message_handler("blast", on_blast);
  gdsm_parallel(measure, NULL);
  report_set_aside();
  return 0;
}
