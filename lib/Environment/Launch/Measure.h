//===- Launch/Measure.h - Runs a command before and after ----- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_LAUNCH_MEASURE_H
#define GRAUPEL_ENVIRONMENT_LAUNCH_MEASURE_H

#include "Environment/Actions/Measurements.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace graupel::environment {

/// The command ends otherwise with optimized versions than with originals, each
/// time that it was tried.
class OtherStatus : public llvm::ErrorInfo<OtherStatus> {
public:
  static char ID;
  OtherStatus(int Original, int Optimized)
      : Original(Original), Optimized(Optimized) {}
  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  int Original, Optimized;
};

/// Runs \p Command with originals and with the optimized versions of all
/// applications in place, in \p Rounds rounds (LeastRounds or more) whose order
/// changes. The time to put versions in place is not measured. It is an error
/// if not all runs end with the same status. It runs in \p Folder. \p Tell is
/// called before each round with its number, from 0 on.
llvm::Expected<Measurement> measure(Environment &E, const Application &A,
                                    const std::vector<std::string> &Command,
                                    const std::string &Folder, unsigned Rounds,
                                    const std::function<void(unsigned)> &Tell);

/// One round: the original, the optimized versions and the original again, in
/// all orders in turn, so that none is always the first.
llvm::Expected<Round>
runRound(llvm::function_ref<llvm::Expected<RunTime>(bool IsOptimized)> Run,
         unsigned Number);

/// The name (versionsOf) of what is in place of \p A 's images if optimized
/// versions are; empty if none is.
std::string optimizedVersions(Environment &E, const Application &A);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_LAUNCH_MEASURE_H
