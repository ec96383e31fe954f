// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "views.h"
void linked_views(void) { say_address("linked", (void *)linked_views); }
