//===- Numa/Report/PlanView.h - A plan for people and programs --*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_NUMA_REPORT_PLANVIEW_H
#define GRAUPEL_NUMA_REPORT_PLANVIEW_H

#include "Numa/Plan/Plan.h"
#include "Numa/Profile/Recorded.h"

namespace graupel::numa {

struct PlanView {
  const Topology &T;
  const NumaProfile &Profile;
  const Plan &P;
};

std::string wordsOf(const PlanView &V);
std::string jsonOf(const PlanView &V);
/// A page that needs nothing but a browser.
std::string pageOf(const PlanView &V);

/// "12.3 MB"
std::string amount(double Bytes);

} // namespace graupel::numa

#endif
