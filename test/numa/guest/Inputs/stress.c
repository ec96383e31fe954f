/* Memory that threads use while all that can move it does: calls that migrate,
   next touch, counters, copies that are made and ended; in an order that is
   different each time. Nothing is lost, nothing is old.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "check.h"
#include <stdatomic.h>
#include <time.h>

enum { PAGES = 24, BYTES = PAGES * PAGE, WORDS = BYTES / 8, ROUNDS = 2 };
enum { OPERATIONS = 15, MOVERS = 2, COPIED = 12 };

static uint64_t seed;

/* Each thread has a generator of its own. */
static uint64_t next(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}
static uint64_t generator(uint64_t number) {
  uint64_t state = seed * 0x9e3779b97f4a7c15u + number * 0xbf58476d1ce4e5b9u;
  state |= 1;
  next(&state);
  return state;
}

static char *constants; /* Nobody writes them. */
static uint64_t *own;   /* Word n is thread n % nodes' alone. */
static uint64_t expected[PAGES];
static graupel_numa_counters *counters;
static atomic_int done, movers;
static atomic_size_t lost, changed, laps, moved, watched;

/*===--- Pages that move --------------------------------------------------===*/

static void user(int node, void *data) {
  (void)data;
  uint64_t state = generator(100 + (uint64_t)node), lap = 0;
  uint64_t mine = (uint64_t)node, threads = (uint64_t)nodes();
  do {
    /* Some words of each page, in any order of pages. */
    uint64_t first = next(&state) % PAGES;
    for (uint64_t n = 0; n < PAGES; ++n) {
      uint64_t page = (first + n) % PAGES;
      for (uint64_t word = mine; word < PAGE / 8; word += 37 * threads) {
        uint64_t *at = own + page * PAGE / 8 + word;
        lost += *at != lap;
        *at = lap + 1;
      }
      graupel_numa_count(counters, own + page * PAGE / 8, node,
                         next(&state) % 64);
    }
    uint64_t page = next(&state) % PAGES;
    changed += hash(constants + page * PAGE, PAGE) != expected[page];
    ++lap;
    ++laps;
    /* Emulated processors share few real ones. */
    usleep(50);
  } while (!done);
  for (uint64_t page = 0; page < PAGES; ++page)
    for (uint64_t word = mine; word < PAGE / 8; word += 37 * threads)
      lost += own[page * PAGE / 8 + word] != lap;
}

static void mover(int node, void *data) {
  (void)node;
  uint64_t state = generator(*(uint64_t *)data);
  for (int n = 0; n < OPERATIONS; ++n) {
    char *memory = next(&state) & 1 ? constants : (char *)own;
    size_t first = next(&state) % PAGES;
    size_t count = 1 + next(&state) % (PAGES - first);
    char *start = memory + first * PAGE;
    int to = (int)(next(&state) % (uint64_t)nodes());
    struct graupel_numa_policy policy = {.kind = GRAUPEL_NUMA_NEXT_TOUCH};
    void *pages[PAGES];
    int where[PAGES], status[PAGES];
    switch (next(&state) % 6) {
    case 0:
      graupel_numa_migrate(start, count * PAGE, to, NULL);
      break;
    case 1: /* As another process does it. */
      for (size_t page = 0; page < count; ++page) {
        pages[page] = start + page * PAGE;
        where[page] = to;
      }
      move_pages(0, count, pages, where, status, MPOL_MF_MOVE);
      break;
    case 2:
      policy.unit = (1 + next(&state) % 4) * PAGE;
      graupel_numa_attach(start, count * PAGE, &policy);
      break;
    case 3:
      graupel_numa_detach(start, count * PAGE);
      break;
    case 4:
      policy.kind =
          next(&state) & 1 ? GRAUPEL_NUMA_INTERLEAVE : GRAUPEL_NUMA_ROUND_ROBIN;
      graupel_numa_attach(start, count * PAGE, &policy);
      break;
    default:
      moved += (size_t)graupel_numa_balance(counters);
    }
    usleep(next(&state) % 2000);
  }
  --movers;
}

static void moving(void) {
  struct graupel_numa_limits limits = {
      .threshold = 500, .freeze = 20, .melt = 5000};
  constants = graupel_numa_alloc(BYTES, NULL);
  own = graupel_numa_alloc(BYTES, NULL);
  fill(constants, BYTES, seed);
  memset(own, 0, BYTES);
  for (size_t page = 0; page < PAGES; ++page)
    expected[page] = hash(constants + page * PAGE, PAGE);
  counters = graupel_numa_counters_new(own, BYTES, &limits);
  done = 0;
  movers = MOVERS;
  struct on users[64], moves[MOVERS];
  static uint64_t numbers[MOVERS];
  for (int node = 0; node < nodes(); ++node)
    begin_on(&users[node], node, user, NULL);
  for (int n = 0; n < MOVERS; ++n) {
    numbers[n] = 200 + (uint64_t)n + laps;
    begin_on(&moves[n], n % nodes(), mover, &numbers[n]);
  }
  for (int n = 0; n < MOVERS; ++n)
    end_on(&moves[n]);
  done = 1;
  for (int node = 0; node < nodes(); ++node)
    end_on(&users[node]);
  for (size_t page = 0; page < PAGES; ++page)
    changed += hash(constants + page * PAGE, PAGE) != expected[page];
  graupel_numa_counters_delete(counters);
  graupel_numa_detach(own, BYTES);
  graupel_numa_detach(constants, BYTES);
  graupel_numa_free(own, BYTES);
  graupel_numa_free(constants, BYTES);
}

/*===--- Copies that are written ------------------------------------------===*/

typedef _Atomic uint64_t word;
static graupel_numa_replicas *shared;
/* What has been written when a store has returned. */
static word published[COPIED];
static atomic_size_t old, backwards, torn;

static word *in(const void *base, size_t page) {
  return (word *)((char *)base + page * PAGE);
}

static void writer(int node, void *data) {
  (void)node, (void)data;
  uint64_t state = generator(300);
  uint64_t values[COPIED] = {0};
  void *memory = graupel_numa_replicas_writable(shared);
  for (int n = 0; n < 120; ++n) {
    size_t page = next(&state) % COPIED;
    uint64_t value = ++values[page];
    /* Far apart in the page, in this order. */
    atomic_store(in(memory, page), value);
    atomic_store(in(memory, page) + 400, value);
    atomic_store(&published[page], value);
    for (int view = 0; view < nodes(); ++view)
      old += atomic_load(in(graupel_numa_replicas_of_node(shared, view),
                            page)) != value;
    if (next(&state) % 4 == 0)
      usleep(next(&state) % 1500);
  }
}

static void reader(int node, void *data) {
  (void)data;
  uint64_t state = generator(400 + (uint64_t)node), seen[COPIED] = {0};
  while (!done) {
    size_t page = next(&state) % COPIED;
    const void *view = graupel_numa_replicas_of_node(
        shared,
        next(&state) & 1 ? node : (int)(next(&state) % (uint64_t)nodes()));
    uint64_t least = atomic_load(&published[page]);
    uint64_t second = atomic_load(in(view, page) + 400);
    uint64_t first = atomic_load(in(view, page));
    /* The first word is never behind the second, nor behind what is done. */
    torn += first < second;
    old += first < least || second < least;
    backwards += first < seen[page];
    seen[page] = first;
    ++watched;
    if (next(&state) % 8 == 0)
      usleep(50);
  }
}

static void copying(void) {
  uint64_t state = generator(500 + watched);
  shared = graupel_numa_replicas_new(COPIED * PAGE);
  memset(graupel_numa_replicas_writable(shared), 0, COPIED * PAGE);
  for (size_t page = 0; page < COPIED; ++page)
    published[page] = 0;
  done = 0;
  struct on readers[64], writing;
  for (int node = 0; node < nodes(); ++node)
    begin_on(&readers[node], node, reader, NULL);
  begin_on(&writing, (int)(next(&state) % (uint64_t)nodes()), writer, NULL);
  for (int n = 0; n < 12; ++n) {
    graupel_numa_nodes who = next(&state) & graupel_numa_all_nodes();
    graupel_numa_replicate(shared, who, (unsigned)(next(&state) % 3));
    usleep(next(&state) % 8000);
  }
  end_on(&writing);
  done = 1;
  for (int node = 0; node < nodes(); ++node)
    end_on(&readers[node]);
  for (int node = 0; node < nodes(); ++node)
    for (size_t page = 0; page < COPIED; ++page)
      old += atomic_load(in(graupel_numa_replicas_of_node(shared, node),
                            page)) != published[page];
  graupel_numa_replicas_delete(shared);
}

/*===--- Few mappings -----------------------------------------------------===*/

static long mappings(void) {
  FILE *maps = fopen("/proc/self/maps", "r");
  long count = 0;
  for (int c; (c = getc(maps)) != EOF;)
    count += c == '\n';
  fclose(maps);
  return count;
}

static int limit(long most) {
  FILE *file = fopen("/proc/sys/vm/max_map_count", "w");
  return file && fprintf(file, "%ld\n", most) > 0 && fclose(file) == 0;
}

/* Every other page is written, so that each is a mapping of its own; there are
   not that many. */
static void scarce(long more) {
  enum { MANY = 64 };
  shared = graupel_numa_replicas_new(MANY * PAGE);
  word *memory = graupel_numa_replicas_writable(shared);
  memset((void *)memory, 0, MANY * PAGE);
  graupel_numa_replicate(shared, 0, 0);
  limit(mappings() + more);
  size_t wrong = 0;
  for (size_t n = 0; n < 2 * MANY; ++n) {
    size_t page = n * 2 % MANY + (n >= MANY / 2) * (n % 3);
    page %= MANY;
    atomic_store(in(memory, page), n + 1);
    for (int node = 0; node < nodes(); ++node)
      wrong += atomic_load(in(graupel_numa_replicas_of_node(shared, node),
                              page)) != n + 1;
  }
  limit(65530);
  check(!wrong, "copies are coherent with %ld more mappings: %zu old", more,
        wrong);
  graupel_numa_replicas_delete(shared);
}

int main(int count, char **arguments) {
  seed = count > 1 ? strtoull(arguments[1], NULL, 10) : (uint64_t)time(NULL);
  printf("seed %llu\n", (unsigned long long)seed);
  for (int round = 0; round < ROUNDS; ++round, ++seed) {
    moving();
    copying();
  }
  check(!lost && !changed,
        "pages that move: %zu counts lost, %zu pages changed in %zu laps",
        (size_t)lost, (size_t)changed, (size_t)laps);
  check(!old && !backwards && !torn && watched,
        "copies that are written: %zu old, %zu backwards, %zu torn of %zu",
        (size_t)old, (size_t)backwards, (size_t)torn, (size_t)watched);
  if (!alone() && limit(65530))
    for (long more = 2; more < 36; more += 5)
      scarce(more);
  return finish();
}
