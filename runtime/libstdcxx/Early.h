//===- Early.h - Checks before any constructor ------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included first into each source of libgraupel-dsm-c++.a. A program that is
// linked with one defines functions of the C++ library for all its libraries,
// so that their constructors, which may run before that of libgraupel-dsm.so,
// run checked code. What stands in .preinit_array runs before all of them;
// linkers keep one of the entries, and drop those of shared libraries.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_LIBSTDCXX_EARLY_H
#define GRAUPEL_LIBSTDCXX_EARLY_H

extern "C" void graupel_dsm_prepare_checks();

__attribute__((section(".preinit_array"), used)) inline void (
    *graupel_dsm_prepare_checks_early)() = graupel_dsm_prepare_checks;

#endif
