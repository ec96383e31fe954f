//===- Numa/Topology/Matrix.h - Distances between nodes ------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_MATRIX_H
#define GRAUPEL_NUMA_MATRIX_H

#include <cstddef>
#include <utility>
#include <vector>

namespace graupel::numa {

/// A value for each pair of nodes, given by their indices in Topology::Nodes.
/// Rows are where the processor is, columns where the memory is.
class Matrix {
public:
  Matrix() = default;
  explicit Matrix(unsigned Size, double Value = 0)
      : Side(Size), Values(size_t(Size) * Size, Value) {}

  unsigned size() const { return Side; }
  double at(unsigned From, unsigned To) const {
    return Values[size_t(From) * Side + To];
  }
  void set(unsigned From, unsigned To, double Value) {
    Values[size_t(From) * Side + To] = Value;
  }

private:
  unsigned Side = 0;
  std::vector<double> Values;
};

/// The rank of each distance among those between different nodes: 0 on the
/// diagonal, 1 for the nearest neighbors. Smaller values are nearer.
Matrix classesOf(const Matrix &Distances);

/// The pairs, lower index first, that are neighbors: no third node is nearer
/// to both than they are to each other. These always connect all nodes.
std::vector<std::pair<unsigned, unsigned>> neighborsIn(const Matrix &Distances);

} // namespace graupel::numa

#endif
