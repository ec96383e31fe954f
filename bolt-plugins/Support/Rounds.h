//===- Support/Rounds.h - Until nothing changes -----------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_SUPPORT_ROUNDS_H
#define GRAUPEL_SUPPORT_ROUNDS_H

namespace graupel {

/// Calls \p Look with the functions of \p ToDo, which are all in \p Order, in
/// this order, and once more with \p Dependents(one) each time it was true for
/// one, until there are none. \p ToDo is a set.
template <typename Functions, typename Set, typename Action,
          typename DependentsOf>
void lookInRounds(const Functions &Order, Set ToDo, Action Look,
                  DependentsOf Dependents) {
  while (!ToDo.empty())
    for (auto *BF : Order)
      if (ToDo.erase(BF) && Look(*BF))
        ToDo.insert_range(Dependents(*BF));
}

} // namespace graupel

#endif // GRAUPEL_SUPPORT_ROUNDS_H
