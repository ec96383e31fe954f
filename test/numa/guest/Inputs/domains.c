/* Domains get nodes, threads get domains, pages are counted and follow.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "check.h"
#include <sched.h>

enum { PAGES = 16, BYTES = PAGES * PAGE };

static graupel_numa_domain *domains[8];

static void make(size_t count, size_t bytes, unsigned radius) {
  for (size_t n = 0; n < count; ++n)
    domains[n] = graupel_numa_domain_new(bytes, radius);
}
static void drop(size_t count) {
  for (size_t n = 0; n < count; ++n)
    graupel_numa_domain_delete(domains[n]);
}

static void sets(void) {
  size_t count = (size_t)nodes();
  make(count, BYTES, 0);
  check(graupel_numa_domain_node(domains[0]) == -1, "no node before");
  char *memory = graupel_numa_alloc(BYTES, NULL);
  check(graupel_numa_attach_domain(memory, BYTES, domains[0], 0) == -EINVAL,
        "refused: %s", graupel_numa_message());
  struct graupel_numa_request request = {.shape = GRAUPEL_NUMA_CUBE};
  check(fine(graupel_numa_place_set(domains, count, &request)),
        "a cube of %zu domains", count);
  graupel_numa_nodes used = 0;
  int order = 0;
  for (size_t n = 0; n < count; ++n) {
    int node = graupel_numa_domain_node(domains[n]);
    used |= (graupel_numa_nodes)1 << node;
    order = order * 10 + node;
  }
  check(used == graupel_numa_all_nodes(), "each has a node of its own: %d",
        order);
  /* 0-3 and 1-2 are furthest apart in the guest: they are the diagonals. */
  if (count == 4)
    check(graupel_numa_steps(graupel_numa_domain_node(domains[0]),
                             graupel_numa_domain_node(domains[3])) == 3 &&
              graupel_numa_steps(graupel_numa_domain_node(domains[1]),
                                 graupel_numa_domain_node(domains[2])) == 3,
          "diagonals of the cube are the longest ways");
  for (size_t n = 0; n < count; ++n) {
    int node = graupel_numa_domain_node(domains[n]);
    check(fine(graupel_numa_attach_domain(memory, BYTES, domains[n], 1)),
          "memory of domain %zu", n);
    memset(memory, 1, BYTES);
    check(!misplaced(memory, PAGES, on_node, &node), "is on node %d", node);
    check(fine(graupel_numa_link_thread(0, domains[n], (int)n & 1)) &&
              (sched_yield(), graupel_numa_here()) == (alone() ? 0 : node),
          "the thread runs there");
  }
  graupel_numa_free(memory, BYTES);
  drop(count);
}

static void wishes(void) {
  const char *near[] = {nodes() == 4 ? "node3" : "node0"};
  struct graupel_numa_request request = {.near = near, .near_count = 1};
  make(1, BYTES, 1);
  check(fine(graupel_numa_place_set(domains, 1, &request)) &&
            graupel_numa_domain_node(domains[0]) == (nodes() == 4 ? 3 : 0),
        "a domain near %s", near[0]);
  int members = __builtin_popcountll(graupel_numa_domain_nodes(domains[0]));
  check(members == (alone() ? 1 : 2), "its radius takes in %d nodes", members);
  near[0] = "nothing7";
  check(graupel_numa_place_set(domains, 1, &request) == GRAUPEL_NUMA_FELL_BACK,
        "advisory: %s", graupel_numa_message());
  request.mandatory = 1;
  check(graupel_numa_place_set(domains, 1, &request) == -EINVAL,
        "mandatory: %s", graupel_numa_message());
  drop(1);
  make(1, (size_t)1 << 50, 0);
  request = (struct graupel_numa_request){.mandatory = 1};
  check(graupel_numa_place_set(domains, 1, &request) == -ENOMEM,
        "mandatory: %s", graupel_numa_message());
  check(graupel_numa_domain_node(domains[0]) == -1, "nothing was placed");
  drop(1);
  int last = nodes() - 1;
  make(1, BYTES, 0);
  request = (struct graupel_numa_request){.shape = GRAUPEL_NUMA_PHYSICAL,
                                          .nodes = &last};
  check(fine(graupel_numa_place_set(domains, 1, &request)) &&
            graupel_numa_domain_node(domains[0]) == last,
        "on the node that is asked for");
  drop(1);
}

static int told;
static void tell(void *page, int home, int node, void *data) {
  (void)page;
  if (home == 0 && node == *(int *)data)
    ++told;
}

static void counters(void) {
  int last = nodes() - 1, zero = 0;
  struct graupel_numa_policy policy = {
      .kind = GRAUPEL_NUMA_FIXED, .nodes = &zero, .node_count = 1};
  struct graupel_numa_limits limits = {
      .threshold = 100, .freeze = 2, .melt = 1000};
  char *memory = graupel_numa_alloc(BYTES, &policy);
  memset(memory, 1, BYTES);
  graupel_numa_counters *c = graupel_numa_counters_new(memory, BYTES, &limits);
  for (size_t page = 0; page < PAGES; ++page) {
    graupel_numa_count(c, memory + page * PAGE + 9, 0, 50);
    graupel_numa_count(c, memory + page * PAGE + 9, last, page < 4 ? 200 : 120);
  }
  check(graupel_numa_counted(c, memory + 6 * PAGE, last) ==
            (alone() ? 170 : 120),
        "counts are kept");
  check(alone() || (!misplaced(memory, 4, on_node, &last) &&
                    !misplaced(memory + 4 * PAGE, PAGES - 4, on_node, &zero)),
        "pages past the threshold follow, the others stay");
  if (!alone()) {
    /* Two moves are as many as it gets, until the difference is great. */
    graupel_numa_count(c, memory, 0, 101);
    check(node_of(memory) == 0, "it goes back");
    graupel_numa_count(c, memory, last, 500);
    check(node_of(memory) == 0, "then it is frozen");
    graupel_numa_count(c, memory, last, 501);
    check(node_of(memory) == last, "and melts");

    int status = 1;
    graupel_numa_counters_notify(c, tell, &status);
    status = last;
    graupel_numa_count(c, memory + 5 * PAGE, last, 1000);
    graupel_numa_count(c, memory + 5 * PAGE, last, 1000);
    check(told == 1 && node_of(memory + 5 * PAGE) == 0,
          "who wants to be told is, once");
    check(graupel_numa_balance(c) == 1 && node_of(memory + 5 * PAGE) == last,
          "balancing moves what is due");
  }
  graupel_numa_counters_delete(c);
  graupel_numa_free(memory, BYTES);
}

int main(void) {
  sets();
  wishes();
  counters();
  return finish();
}
