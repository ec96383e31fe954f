//===- Keys.h - Protection of pages against code without checks -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Protection keys of the processor. A page has one of two keys, or none; what
// is permitted to a key is a register of each thread. So one thread may get at
// a page for an instruction while it stays closed to all others.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_MEMORY_KEYS_H
#define GRAUPEL_DSM_MEMORY_KEYS_H

#include <cstddef>
#include <cstdint>

namespace graupel::dsm {

class Keys {
public:
  /// The accesses to a page that code without checks may make.
  enum Permission : uint8_t { Nothing, Loads, Everything };

  /// Ends the process with a message if there are no keys.
  void allocate();
  bool exist() const { return Closed >= 0; }

  void set(void *Pages, size_t Bytes, Permission) const;

  /// Changes the rights of the thread that a signal has interrupted, when its
  /// handler returns.
  void open(void *Context) const;
  void close(void *Context) const;

private:
  void change(void *Context, bool Open) const;

  int Closed = -1, ReadOnly = -1;
  size_t RegisterOffset = 0;
};

} // namespace graupel::dsm

#endif
