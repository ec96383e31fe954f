// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "views.h"
void loaded_views(void) { say_address("loaded", (void *)loaded_views); }
