/* Every policy puts every page where it says, and verification sees what is
   not. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "check.h"

enum { PAGES = 96, BYTES = PAGES * PAGE };

static struct graupel_numa_policy policy;

static void touch(int node, void *memory) {
  (void)node;
  memset(memory, 7, BYTES);
}

struct quarter {
  char *memory;
};
static void touch_part(int node, void *data) {
  size_t part = BYTES / (size_t)nodes() & -(size_t)PAGE;
  memset(((struct quarter *)data)->memory + part * (size_t)node, 1, part);
}
static int part_of(size_t page, void *data) {
  (void)data;
  return (int)(page / (PAGES / (size_t)nodes()));
}

struct turns {
  int order[64], count;
  unsigned weights[64];
  size_t unit_pages;
};
static int turn(size_t page, void *data) {
  struct turns *t = data;
  unsigned all = 0;
  for (int n = 0; n < t->count; ++n)
    all += t->weights[n];
  unsigned at = (unsigned)(page / t->unit_pages % all);
  int n = 0;
  while (at >= t->weights[n])
    at -= t->weights[n++];
  return t->order[n];
}

static void proves(const char *what, void *memory, size_t bytes) {
  struct graupel_numa_report r;
  int result = graupel_numa_verify(memory, bytes, &r, NULL, NULL);
  check(fine(result) && r.pages == bytes / PAGE && r.present == r.pages &&
            r.right + r.free_choice == r.pages && r.wrong == 0,
        "%s: verified, %zu right, %zu free", what, r.right, r.free_choice);
}

static void first_touch(void) {
  policy = (struct graupel_numa_policy){.kind = GRAUPEL_NUMA_FIRST_TOUCH};
  struct quarter q = {graupel_numa_alloc(BYTES, &policy)};
  on_all(touch_part, &q);
  check(!misplaced(q.memory, PAGES, part_of, NULL), "first touch");
  graupel_numa_free(q.memory, BYTES);
}

static void fixed(void) {
  for (int mandatory = 0; mandatory < 2; ++mandatory)
    for (int node = 0; node < nodes(); ++node) {
      policy = (struct graupel_numa_policy){.kind = GRAUPEL_NUMA_FIXED,
                                            .nodes = &node,
                                            .node_count = 1,
                                            .mandatory = mandatory};
      char *memory = graupel_numa_alloc(BYTES, &policy);
      once_on((node + 1) % nodes(), touch, memory);
      check(!misplaced(memory, PAGES, on_node, &node),
            "fixed to %d, touched elsewhere%s", node,
            mandatory ? ", mandatory" : "");
      proves("fixed", memory, BYTES);
      int other = (node + 1) % nodes();
      policy.nodes = &other;
      int result = graupel_numa_attach(memory, BYTES, &policy);
      check(fine(result) && !misplaced(memory, PAGES, on_node, &other),
            "pages that are there follow to %d", other);
      graupel_numa_free(memory, BYTES);
    }
}

/* Units of several sizes, orders and weights, also over large pages. */
static void round_robin(size_t pages, size_t unit_pages, int weighted,
                        int large) {
  struct turns t = {.count = nodes(), .unit_pages = unit_pages};
  for (int n = 0; n < t.count; ++n) {
    t.order[n] = t.count - 1 - n;
    t.weights[n] = weighted ? (unsigned)(n % 3 + 1) : 1;
  }
  policy = (struct graupel_numa_policy){.kind = GRAUPEL_NUMA_ROUND_ROBIN,
                                        .nodes = t.order,
                                        .node_count = (size_t)t.count,
                                        .weights = weighted ? t.weights : NULL,
                                        .unit = unit_pages * PAGE};
  char *memory = graupel_numa_alloc(pages * PAGE, NULL);
  if (large) {
    madvise(memory, pages * PAGE, MADV_HUGEPAGE);
    fill(memory, pages * PAGE, 3);
  }
  uint64_t before = hash(memory, large ? pages * PAGE : 0);
  int result = graupel_numa_attach(memory, pages * PAGE, &policy);
  check(hash(memory, large ? pages * PAGE : 0) == before, "contents stay");
  for (size_t page = 0; page < pages; ++page)
    memory[page * PAGE] = 1;
  check(fine(result) && !misplaced(memory, pages, turn, &t),
        "round robin, %zu pages, units of %zu%s%s", pages, unit_pages,
        weighted ? ", weighted" : "",
        large ? ", there before as large ones" : "");
  proves("round robin", memory, pages * PAGE);
  graupel_numa_free(memory, pages * PAGE);
}

static void interleave(void) {
  policy = (struct graupel_numa_policy){.kind = GRAUPEL_NUMA_INTERLEAVE};
  char *memory = graupel_numa_alloc(BYTES, &policy);
  memset(memory, 1, BYTES);
  int first = node_of(memory), wrong = 0;
  for (size_t page = 0; page < PAGES; ++page)
    wrong += node_of(memory + page * PAGE) != (first + (int)page) % nodes();
  check(!wrong, "interleave");
  proves("interleave", memory, BYTES);
  if (!alone()) {
    struct graupel_numa_report r;
    graupel_numa_migrate(memory, PAGE, (first + 1) % nodes(), NULL);
    graupel_numa_verify(memory, BYTES, &r, NULL, NULL);
    check(r.wrong == 1, "one page that is elsewhere is found, and no other");
  }
  graupel_numa_free(memory, BYTES);
}

static void nested(void) {
  int inner = nodes() - 1, outer = 0;
  policy = (struct graupel_numa_policy){
      .kind = GRAUPEL_NUMA_FIXED, .nodes = &inner, .node_count = 1};
  char *memory = graupel_numa_alloc(BYTES, NULL);
  check(fine(graupel_numa_attach(memory + 8 * PAGE, 8 * PAGE, &policy)),
        "inner policy");
  policy.nodes = &outer;
  check(fine(graupel_numa_attach(memory, BYTES, &policy)),
        "outer policy, attached later");
  memset(memory, 1, BYTES);
  check(!misplaced(memory, 8, on_node, &outer) &&
            !misplaced(memory + 8 * PAGE, 8, on_node, &inner) &&
            !misplaced(memory + 16 * PAGE, PAGES - 16, on_node, &outer),
        "the most specific policy holds");
  proves("nested", memory, BYTES);
  check(fine(graupel_numa_detach(memory + 8 * PAGE, 8 * PAGE)) &&
            !misplaced(memory, PAGES, on_node, &outer),
        "without it the outer one holds again");
  graupel_numa_free(memory, BYTES);
}

static void count_page(void *page, graupel_numa_nodes wanted, int node,
                       void *data) {
  (void)page;
  if (wanted == 1 && node == 1)
    ++*(int *)data;
}

/* Pages that are taken away behind the library's back. */
static void seen(void) {
  int zero = 0, found = 0, status;
  policy = (struct graupel_numa_policy){
      .kind = GRAUPEL_NUMA_FIXED, .nodes = &zero, .node_count = 1};
  char *memory = graupel_numa_alloc(BYTES, &policy);
  memset(memory, 1, BYTES);
  if (!alone()) {
    int one = 1;
    for (size_t page = 0; page < PAGES; page += 10) {
      void *address = memory + page * PAGE;
      move_pages(0, 1, &address, &one, &status, MPOL_MF_MOVE);
    }
    struct graupel_numa_report r;
    int result = graupel_numa_verify(memory, BYTES, &r, count_page, &found);
    check(result == GRAUPEL_NUMA_FELL_BACK && r.wrong == 10 && found == 10 &&
              r.right == PAGES - 10,
          "verification finds the 10 pages that were moved away: %s",
          graupel_numa_message());
  }
  graupel_numa_free(memory, BYTES);
}

static char variable[64 * PAGE] __attribute__((aligned(4096)));

static void others(void) {
  int last = nodes() - 1;
  policy = (struct graupel_numa_policy){
      .kind = GRAUPEL_NUMA_FIXED, .nodes = &last, .node_count = 1};
  check(fine(graupel_numa_attach_section(GRAUPEL_NUMA_DATA, &policy)),
        "the program's data has a policy");
  memset(variable, 1, sizeof(variable));
  check(!misplaced(variable, 64, on_node, &last), "variables");
  check(fine(graupel_numa_default(&policy)), "a thread's default");
  char *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(memory, 1, BYTES);
  check(!misplaced(memory, PAGES, on_node, &last), "memory by default");

  int none = 63;
  policy.nodes = &none;
  check(graupel_numa_attach(memory, BYTES, &policy) == -EINVAL, "refused: %s",
        graupel_numa_message());
  policy.nodes = &last;
  policy.mandatory = 1;
  size_t large = (size_t)1 << 40;
  char *reserved = mmap(NULL, large, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved != MAP_FAILED && !alone())
    check(graupel_numa_attach(reserved, large, &policy) == -ENOMEM,
          "refused: %s", graupel_numa_message());
}

int main(void) {
  first_touch();
  fixed();
  round_robin(PAGES, 1, 0, 0);
  round_robin(PAGES, 4, 0, 0);
  round_robin(PAGES, 1, 1, 0);
  round_robin(1200, 1, 1, 0);
  round_robin(2048, 16, 0, 1);
  round_robin(2048, 1, 1, 1);
  interleave();
  nested();
  seen();
  others();
  return finish();
}
