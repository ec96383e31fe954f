//===- ControlPages.h - The control pages of a host ---------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRANSPORT_CONTROLPAGES_H
#define GRAUPEL_DSM_TRANSPORT_CONTROLPAGES_H

#include "Transport/Bootstrap.h"
#include "Transport/Control.h"
#include <memory>

namespace graupel::dsm {

/// Where the nodes run. With GRAUPEL_DSM_TEST_HOSTS=1 each node claims a host
/// of its own, so that one machine suffices to test several.
struct NodePlace {
  std::string Host; ///< Its name, for messages.
  int Process;      ///< Its id there, for messages.
  bool SameHost;    ///< As this node, and its memory can be shared.
};

/// One page for each node of this host, in an anonymous file: the launcher's,
/// or the one of the lowest node of the host, whose file the others open
/// through /proc. Nothing is left behind whoever dies.
class ControlPages {
public:
  /// Collective. Ends the job with a message if memory cannot be shared.
  static std::unique_ptr<ControlPages> open(Bootstrap &);
  /// The pages of a single process, for tests: `File` has a page for each node.
  ControlPages(int File, int Node, std::vector<NodePlace> Places);
  ~ControlPages();
  ControlPages(const ControlPages &) = delete;
  ControlPages &operator=(const ControlPages &) = delete;

  int nodes() const { return int(Places.size()); }
  const NodePlace &place(int Node) const { return Places[Node]; }
  /// True if a node is on another host.
  bool manyHosts() const;
  /// Null for nodes of other hosts.
  ControlPage *page(int Node) const {
    return Places[Node].SameHost ? &First[Node] : nullptr;
  }
  /// The file, and this node's page in it.
  int file(uint64_t &Offset) const;

private:
  struct alignas(4096) Page : ControlPage {};

  int File, Node;
  std::vector<NodePlace> Places;
  Page *First;
};

} // namespace graupel::dsm

#endif
