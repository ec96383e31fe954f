//===- agent/Namespaces.h - Namespaces of the originals ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that copies files must see originals (Environment/Substitution/
// Originals.h). Before it has opened anything, it joins the namespaces in which
// nothing covers them:
//
//   1. The user namespace, if there is one: it gives all capabilities.
//   2. The mount namespace. The working folder is that of the same path there.
//   3. The capabilities are what they were.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_AGENT_NAMESPACES_H
#define GRAUPEL_AGENT_NAMESPACES_H

namespace graupel {

/// Descriptors, or -1.
struct Namespaces {
  int Mounts = -1, Users = -1;
};

/// Reads one byte into \p Answer, and the descriptors that come with it.
void receive(int File, char &Answer, Namespaces *Received);

/// Closes the descriptors. False if the process is where it was.
bool join(const Namespaces &);

} // namespace graupel

#endif // GRAUPEL_AGENT_NAMESPACES_H
