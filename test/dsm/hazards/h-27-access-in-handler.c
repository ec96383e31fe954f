// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* H-27: a handler of a protocol must not touch shared memory by checked accesses: the
   thread that runs it is in the runtime, and its fault would need the lock it has.
   Breaks without the test of the thread's state in Checks/Work.cpp: it deadlocks.

   RUN: %dsm-cc %s -o %t
   RUN: not %limit 20 %t 2>&1 | FileCheck %s
   RUN: not %dsm-run -n 2 %t 2>&1 | FileCheck %s
   CHECK: graupel dsm: error: {{.*}}shared memory is accessed by a handler of the protocol
*/
#include "checked.h"
#include "graupel/tempest.h"

static char *memory;

static void on_page_fault(void *address, uintptr_t pc, int is_store) {
  (void)pc;
  (void)is_store;
  STORE((char *)address + 4096, 1);
}

int main(void) {
  if (gdsm_node() == 0)
    memory = gdsm_alloc(3 * 4096, 0, 0);
  gdsm_broadcast(&memory, sizeof memory, 0);
  tempest_register_page_fault_handler(on_page_fault);
  STORE(memory, 1);
  gdsm_barrier();
  return 0;
}
