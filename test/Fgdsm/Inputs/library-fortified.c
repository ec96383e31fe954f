// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same as most distributions compile it.
#ifdef __OPTIMIZE__
#define _FORTIFY_SOURCE 2
#endif
#include "library.c"
