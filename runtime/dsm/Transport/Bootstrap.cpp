//===- Bootstrap.cpp - Connecting the nodes of a job ----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transport/Bootstrap.h"
#include "Transport/Fatal.h"
#include "Transport/LauncherBootstrap.h"
#include "Transport/PmixBootstrap.h"
#include <cstdlib>

using namespace graupel::dsm;

namespace {
/// A job of one node.
class AloneBootstrap final : public Bootstrap {
public:
  std::vector<std::string> exchange(const std::string &Value) override {
    return {Value};
  }
  void finish() override {}

protected:
  // One node waits for no other, so all of its errors are its own.
  [[noreturn]] void end(const std::string &Message, int) override {
    fatal("%s", Message.c_str());
  }
};

/// Without PMIx each process would take itself for a job of one node.
void refuseOtherLaunchers() {
  static constexpr struct {
    const char *Variable, *Advice;
  } Launchers[] = {
      {"SLURM_STEP_NUM_TASKS", "start it with `srun --mpi=pmix`"},
      {"OMPI_COMM_WORLD_SIZE",
       "start it with Open MPI 4 or newer, or with `graupel dsm run`"},
      {"PMI_SIZE",
       "start it with a launcher that offers PMIx, or with `graupel dsm run`"},
  };
  for (const auto &L : Launchers)
    if (const char *Size = getenv(L.Variable); Size && atoi(Size) > 1)
      fatal("%s says that this is one of %s processes, but their launcher does "
            "not offer PMIx; %s",
            L.Variable, Size, L.Advice);
}
} // namespace

std::unique_ptr<Bootstrap> Bootstrap::open() {
  if (auto Boot = LauncherBootstrap::open())
    return Boot;
  if (auto Boot = PmixBootstrap::open())
    return Boot;
  refuseOtherLaunchers();
  return std::make_unique<AloneBootstrap>();
}
