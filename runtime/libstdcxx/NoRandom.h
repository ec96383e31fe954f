//===- NoRandom.h - Strings without std::random_device ----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The files that instantiate strings also define functions of random_device,
// which call others that libstdc++.so keeps to itself.
//
//===----------------------------------------------------------------------===//

#include <bits/c++config.h>
#undef _GLIBCXX_USE_C99_STDINT_TR1
