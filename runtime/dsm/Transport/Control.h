//===- Control.h - Memory that the nodes of one host share -----*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One page a node, in one anonymous file a host (nothing has to be removed when
// processes die). A node's own page is also mapped at gs:[0] (dsm_checks.h), so
// that a sender of the same host sets the flag that the receiver's code polls
// (Schoinas 1998, 3.5.2: a cacheable flag that the network interface sets).
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRANSPORT_CONTROL_H
#define GRAUPEL_DSM_TRANSPORT_CONTROL_H

#include <atomic>
#include <cstdint>

namespace graupel::dsm {

/// A node's page; all zero at first.
struct ControlPage {
  /// Not 0: a thread of the node should call graupel_dsm_poll. A line of its own,
  /// which others write only when there is something.
  std::atomic<uint8_t> Poll;
  /// Not 0: processors are few, so loops that only wait should call it, too.
  std::atomic<uint8_t> Rest;
  char Padding0[62];
  /// Not 0: threads of the node sleep in a futex on Wake, or did so, and have to be
  /// woken when a message arrives. Senders look at it after each message; the one
  /// who wakes them clears it, so that messages behind do not wake once more who
  /// has not got a processor yet.
  std::atomic<uint32_t> Sleepers;
  std::atomic<uint32_t> Wake;
  char Padding1[56];
  /// Messages that each node of the host has sent to this one, by node. Those
  /// that were announced and have not arrived yet keep Poll set.
  std::atomic<uint64_t> Announced[64];
  /// Changes when somebody of this host wants to know what the node's threads
  /// wait for; a futex of Program/Watch.cpp.
  std::atomic<uint32_t> Asked;
};
static_assert(sizeof(ControlPage) <= 4096, "must fit into a page");

} // namespace graupel::dsm

#endif
