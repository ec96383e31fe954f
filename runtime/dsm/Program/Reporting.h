//===- Reporting.h - The node, as its report needs it -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_PROGRAM_REPORTING_H
#define GRAUPEL_DSM_PROGRAM_REPORTING_H

#include "Node/Node.h"

namespace graupel::dsm {

/// Starts Trace/ if the environment asks for a report. Ends the job with a
/// message if it cannot be written.
void startReport(Node &);

} // namespace graupel::dsm

#endif
