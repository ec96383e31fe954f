/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Shared globals: what is marked, checked, laid out and listed. */

/* RUN: %fgdsm-clang -O2 -DMARKED %s -S -emit-llvm -o - | FileCheck %s --check-prefixes=BOTH,MARKED */
