/* Replicated memory is coherent while it is written and copied again.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "check.h"
#include <stdatomic.h>
#include <sys/wait.h>

enum { PAGES = 16, BYTES = PAGES * PAGE, WRITES = 100 };

static graupel_numa_replicas *shared;
static atomic_int done;
static atomic_size_t reads, backwards, unordered, split;

typedef _Atomic uint64_t word;

static word *in(const void *base, size_t page) {
  return (word *)((char *)base + page * PAGE + 64);
}

/* The writer writes page 0, then 1, and so on; whoever sees page n at a value
   sees those before at that value too, through any node's mapping. */
static void reader(int node, void *data) {
  (void)data;
  uint64_t seen[PAGES] = {0};
  while (!done) {
    const void *own = graupel_numa_replicas_near(shared);
    const void *other =
        graupel_numa_replicas_of_node(shared, (node + 1) % nodes());
    for (size_t page = PAGES; page-- > 0;) {
      uint64_t a = atomic_load(in(own, page));
      uint64_t b = atomic_load(in(other, page));
      if (a < seen[page] || b < a)
        ++backwards;
      if (page + 1 < PAGES && b < seen[page + 1])
        ++unordered;
      seen[page] = b;
    }
    ++reads;
    /* Emulated processors share few real ones. */
    usleep(50);
  }
}

static void writer(int node, void *data) {
  (void)node, (void)data;
  void *memory = graupel_numa_replicas_writable(shared);
  for (uint64_t value = 1; value <= WRITES; ++value) {
    for (size_t page = 0; page < PAGES; ++page)
      atomic_store(in(memory, page), value);
    usleep(1000);
  }
}

/* Two writers, each with a page; two readers must not see them in different
   orders. */
static word *first_seen[2], *second_seen[2];
static void independent(int node, void *data) {
  int number = *(int *)data;
  (void)node;
  void *memory = graupel_numa_replicas_writable(shared);
  const void *own = graupel_numa_replicas_near(shared);
  size_t mine = (size_t)(number & 1);
  for (size_t n = 0; n < 7; ++n) {
    while (atomic_load(in(memory, 15)) < n)
      usleep(10);
    if (number < 2) {
      atomic_store(in(memory, 2 * n % 16 + mine), 1000 + n);
    } else {
      while ((first_seen[mine][n] = atomic_load(in(own, 2 * n % 16 + mine))) <
             1000 + n)
        ;
      second_seen[mine][n] = atomic_load(in(own, 2 * n % 16 + !mine));
    }
  }
}

int main(void) {
  struct graupel_numa_replica_counts c;
  shared = graupel_numa_replicas_new(BYTES);
  if (!shared) {
    printf("not ok - %s\n", graupel_numa_message());
    return 1;
  }
  char *memory = graupel_numa_replicas_writable(shared);
  fill(memory, BYTES, 4);
  uint64_t expected = hash(memory, BYTES);
  check(fine(graupel_numa_replicate(shared, 0, 0)), "replicated");
  graupel_numa_replicas_count(shared, &c);
  check(alone() ||
            (c.replicated == c.units && c.nodes == graupel_numa_all_nodes()),
        "%zu of %zu units on nodes %#llx", c.replicated, c.units,
        (unsigned long long)c.nodes);
  for (int node = 0; node < nodes(); ++node) {
    const char *view = graupel_numa_replicas_of_node(shared, node);
    check(hash(view, BYTES) == expected, "node %d reads what was written",
          node);
    check(!misplaced(view, PAGES, on_node, &node), "from its own memory");
  }

  /* A single write ends the copies of its unit, and no other's. */
  memory[3 * PAGE + 8] ^= 1;
  expected = hash(memory, BYTES);
  graupel_numa_replicas_count(shared, &c);
  check(alone() || (c.replicated == c.units - 1 && c.collapses == 1),
        "after a write %zu units have copies", c.replicated);
  for (int node = 0; node < nodes(); ++node)
    check(hash(graupel_numa_replicas_of_node(shared, node), BYTES) == expected,
          "node %d reads it", node);
  check(fine(graupel_numa_replicate(shared, 0, 0)), "replicated again");
  graupel_numa_replicas_count(shared, &c);
  check(alone() || c.replicated == c.units, "all units have copies again");

  /* One copy for all, far or near. */
  check(fine(graupel_numa_replicate(shared, 0, 63)), "with a wide radius");
  graupel_numa_replicas_count(shared, &c);
  check(alone() || __builtin_popcountll(c.nodes) == 1, "one node holds copies");
  graupel_numa_replicas_delete(shared);

  /* Readers on all nodes, a writer, and somebody who copies all the time. New
     memory each round, or units would stay single. */
  for (int round = 0; round < 2; ++round) {
    shared = graupel_numa_replicas_new(BYTES);
    done = 0;
    struct on readers[64], writing;
    for (int node = 0; node < nodes(); ++node)
      begin_on(&readers[node], node, reader, NULL);
    begin_on(&writing, round % nodes(), writer, NULL);
    for (int n = 0; n < 4; ++n) {
      graupel_numa_replicate(shared, 0, (unsigned)n % 2);
      usleep(20000);
    }
    end_on(&writing);
    done = 1;
    for (int node = 0; node < nodes(); ++node)
      end_on(&readers[node]);
    graupel_numa_replicas_count(shared, &c);
    printf("  %zu collapses, %zu frozen\n", c.collapses, c.frozen);
    for (int node = 0; node < nodes(); ++node)
      for (size_t page = 0; page < PAGES; ++page)
        split += atomic_load(in(graupel_numa_replicas_of_node(shared, node),
                                page)) != WRITES;
    graupel_numa_replicas_delete(shared);
  }
  check(reads > 0 && !backwards, "no reader went back in %zu rounds",
        (size_t)reads);
  check(!unordered, "no reader saw writes out of order");
  check(!split, "in the end all nodes read the same");

  /* Independent writes are seen in one order. */
  size_t contrary = 0;
  for (int round = 0; round < 3; ++round) {
    static word words[4][7];
    first_seen[0] = words[0], first_seen[1] = words[1];
    second_seen[0] = words[2], second_seen[1] = words[3];
    shared = graupel_numa_replicas_new(BYTES);
    struct on four[4];
    static int numbers[4] = {0, 1, 2, 3};
    for (int n = 0; n < 4; ++n)
      begin_on(&four[n], n % nodes(), independent, &numbers[n]);
    memory = graupel_numa_replicas_writable(shared);
    for (uint64_t n = 0; n < 7; ++n) {
      graupel_numa_replicate(shared, 0, 0);
      atomic_store(in(memory, 15), n);
      usleep(5000);
    }
    for (int n = 0; n < 4; ++n)
      end_on(&four[n]);
    for (int n = 0; n < 7; ++n)
      contrary += second_seen[0][n] < (uint64_t)(1000 + n) &&
                  second_seen[1][n] < (uint64_t)(1000 + n);
    graupel_numa_replicas_delete(shared);
  }
  check(!contrary, "two readers agree on the order of two writers");

  /* A child has memory of its own. */
  shared = graupel_numa_replicas_new(BYTES);
  graupel_numa_replicate(shared, 0, 0);
  memory = graupel_numa_replicas_writable(shared);
  atomic_store(in(memory, 3), 5);
  graupel_numa_replicate(shared, 0, 0);
  pid_t child = fork();
  if (!child) {
    int right = 0;
    graupel_numa_replicate(shared, 0, 0);
    atomic_store(in(memory, 2), 77);
    for (int node = 0; node < nodes(); ++node) {
      const void *view = graupel_numa_replicas_of_node(shared, node);
      right += atomic_load(in(view, 2)) == 77 && atomic_load(in(view, 3)) == 5;
    }
    _exit(right);
  }
  int status;
  waitpid(child, &status, 0);
  check(WIFEXITED(status) && WEXITSTATUS(status) == nodes(),
        "a child finds what was there, and what it writes");
  int seen = 0;
  for (int node = 0; node < nodes(); ++node)
    seen +=
        atomic_load(in(graupel_numa_replicas_of_node(shared, node), 2)) != 0;
  check(!seen, "which nobody else does");
  check(fine(graupel_numa_replicate(shared, 0, 0)), "there are copies again");
  graupel_numa_replicas_count(shared, &c);
  check(alone() || c.replicated == c.units, "of everything");
  return finish();
}
