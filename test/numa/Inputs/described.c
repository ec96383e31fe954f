/* A machine of four nodes that does not exist; skipped where it cannot be read.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "check.h"

int main(void) {
  if (graupel_numa_all_nodes() != 0xf)
    return 0;
  check(graupel_numa_steps(0, 1) == 2 && graupel_numa_steps(1, 3) == 1,
        "steps are the description's");
  check(graupel_numa_nodes_within(1, 1) == 0xa, "and so is what is near");
  check(graupel_numa_steps(0, 4) == -EINVAL, "no such node");
  graupel_numa_domain *domains[4];
  for (int n = 0; n < 4; ++n)
    domains[n] = graupel_numa_domain_new(1 << 20, 0);
  check(graupel_numa_place_set(domains, 4, NULL) == GRAUPEL_NUMA_TRIVIAL,
        "a set is placed, trivially");
  int node = 3;
  struct graupel_numa_policy policy = {
      .kind = GRAUPEL_NUMA_FIXED, .nodes = &node, .node_count = 1};
  char *memory = graupel_numa_alloc(8 * PAGE, NULL);
  check(graupel_numa_attach(memory, 8 * PAGE, &policy) == GRAUPEL_NUMA_TRIVIAL,
        "a policy is recorded");
  memset(memory, 1, 8 * PAGE);
  struct graupel_numa_report report;
  check(graupel_numa_verify(memory, 8 * PAGE, &report, NULL, NULL) ==
                GRAUPEL_NUMA_TRIVIAL &&
            report.right == 8,
        "and holds");
  check(graupel_numa_run_on(0, 2, 1) == GRAUPEL_NUMA_TRIVIAL,
        "threads stay where they are");
  check(graupel_numa_run_on(0, 3, 1) == -EINVAL, "refused: %s",
        graupel_numa_message());
  return finish();
}
