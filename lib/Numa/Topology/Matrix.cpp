//===- Numa/Topology/Matrix.cpp - Distances between nodes -----------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Matrix.h"
#include <algorithm>

using namespace graupel::numa;

Matrix graupel::numa::classesOf(const Matrix &Distances) {
  unsigned Size = Distances.size();
  std::vector<double> Values;
  for (unsigned From = 0; From < Size; ++From)
    for (unsigned To = 0; To < Size; ++To)
      if (From != To)
        Values.push_back(Distances.at(From, To));
  std::sort(Values.begin(), Values.end());
  Values.erase(std::unique(Values.begin(), Values.end()), Values.end());
  Matrix Classes(Size);
  for (unsigned From = 0; From < Size; ++From)
    for (unsigned To = 0; To < Size; ++To)
      if (From != To)
        Classes.set(From, To,
                    double(std::lower_bound(Values.begin(), Values.end(),
                                            Distances.at(From, To)) -
                           Values.begin() + 1));
  return Classes;
}

std::vector<std::pair<unsigned, unsigned>>
graupel::numa::neighborsIn(const Matrix &Distances) {
  unsigned Size = Distances.size();
  // Firmware may give a pair two distances; the greater one decides, or a third
  // node could come between the two in one direction only.
  auto Between = [&](unsigned A, unsigned B) {
    return std::max(Distances.at(A, B), Distances.at(B, A));
  };
  std::vector<std::pair<unsigned, unsigned>> Pairs;
  for (unsigned A = 0; A < Size; ++A)
    for (unsigned B = A + 1; B < Size; ++B) {
      bool Nearer = false;
      for (unsigned C = 0; C < Size && !Nearer; ++C)
        Nearer = C != A && C != B && Between(A, C) < Between(A, B) &&
                 Between(C, B) < Between(A, B);
      if (!Nearer)
        Pairs.emplace_back(A, B);
    }
  return Pairs;
}
