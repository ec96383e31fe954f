//===- Place/ReferenceGraph.h - Code parts and their calls ------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program as a placement algorithm sees it: parts of code with a size, and
// how often control passes from one to another.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_PLACE_REFERENCEGRAPH_H
#define GRAUPEL_PLACE_REFERENCEGRAPH_H

#include <cstdint>
#include <vector>

namespace graupel {

/// Nodes are numbered in the original order of the code.
struct ReferenceGraph {
  struct Part {
    uint64_t Size;  ///< Bytes.
    uint64_t Count; ///< Executed instructions: the weight in "density".
  };
  struct Edge {
    uint32_t Source;
    uint32_t Target;
    uint64_t Count;  ///< Calls.
    uint64_t Offset; ///< Bytes from the start of the source to the call.
  };

  std::vector<Part> Parts;
  std::vector<Edge> Edges;
};

} // namespace graupel

#endif // GRAUPEL_PLACE_REFERENCEGRAPH_H
