/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "common.h"
#include "ops.inc"
