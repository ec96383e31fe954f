/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "names.h"
#define F(NAME)                                                                \
  long NAME(long *p) { return ++*p; }
#ifdef ONLY_FEW
FEW
#else
NAMES
#endif
