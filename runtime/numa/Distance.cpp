//===- numa/Distance.cpp - Distance to a thread's copies ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "graupel/numa_copies.h"

/// graupel/numa_copies.h
extern "C" __attribute__((
    visibility("default"),
    tls_model("initial-exec"))) __thread uint64_t graupel_numa_distance;
__thread uint64_t graupel_numa_distance;

extern "C"
    __attribute__((visibility("default"))) graupel_numa_range graupel_numa_data;
graupel_numa_range graupel_numa_data;
