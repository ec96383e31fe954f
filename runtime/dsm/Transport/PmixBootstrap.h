//===- PmixBootstrap.h - Under mpirun and srun --------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRANSPORT_PMIXBOOTSTRAP_H
#define GRAUPEL_DSM_TRANSPORT_PMIXBOOTSTRAP_H

#include "Transport/Bootstrap.h"

namespace graupel::dsm {

/// With the launcher's PMIx server. Launchers without it are refused elsewhere.
class PmixBootstrap final : public Bootstrap {
public:
  /// Null if the environment does not speak of PMIx.
  static std::unique_ptr<Bootstrap> open();

  std::vector<std::string> exchange(const std::string &Value) override;
  void finish() override;

private:
  [[noreturn]] void end(const std::string &Message, int Status) override;
  explicit PmixBootstrap(std::string Namespace) : Namespace(Namespace) {}

  std::string Namespace;
  unsigned Round = 0; // of exchange(); keys are not used twice
};

} // namespace graupel::dsm

#endif
