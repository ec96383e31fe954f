/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Declarations that disagree with definitions in definitions.c, one at a time. */

#include <dlfcn.h>
#include <graupel/dsm.h>
#include <stdio.h>

#ifdef SHARED_DECLARATION
extern GDSM_GLOBAL int is_private;
static int use(void) { return is_private++; }
#elif defined PRIVATE_DECLARATION
extern int is_shared;
static int use(void) { return is_shared++; }
#elif defined PRIVATE_ADDRESS
extern int is_shared;
static int *address = &is_shared;
static int use(void) { return (*address)++; }
#elif defined LARGE
extern double is_large[];
static int use(void) { return (int)is_large[gdsm_node()]++; }
#elif defined RIGHT
extern GDSM_GLOBAL int is_shared;
extern GDSM_GLOBAL double is_large[];
extern int is_private;
static int use(void) { return is_shared++ + (int)is_large[5]++ + is_private; }
#elif defined FREED
static GDSM_GLOBAL int mine[4];
static int use(void) { return gdsm_free(&mine[1]), 1; }
#elif defined BROADCAST
static GDSM_GLOBAL void *pointer;
static int use(void) {
  return gdsm_broadcast(&pointer, sizeof pointer, 0), 1;
}
#elif defined OPENED
static int use(void) { return !dlopen(OPENED, RTLD_NOW); }
#endif

int main(void) {
  int used = use();
  printf("used %d\n", used);
  return 0;
}
