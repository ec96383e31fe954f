//===- PmixBootstrap.cpp - Under mpirun and srun -------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transport/PmixBootstrap.h"
#include "Transport/Fatal.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pmix.h>
#include <unistd.h>

using namespace graupel::dsm;

static void require(pmix_status_t Status, const char *Operation) {
  if (Status != PMIX_SUCCESS)
    fatal("%s of PMIx failed: %s; is the launcher's PMIx of another version?",
          Operation, PMIx_Error_string(Status));
}

std::unique_ptr<Bootstrap> PmixBootstrap::open() {
  if (!getenv("PMIX_RANK") || !getenv("PMIX_NAMESPACE"))
    return nullptr;
  pmix_proc_t Self;
  require(PMIx_Init(&Self, nullptr, 0), "PMIx_Init");
  pmix_proc_t Job;
  PMIX_LOAD_PROCID(&Job, Self.nspace, PMIX_RANK_WILDCARD);
  pmix_value_t *Size;
  require(PMIx_Get(&Job, PMIX_JOB_SIZE, nullptr, 0, &Size), "the job's size");
  std::unique_ptr<PmixBootstrap> Boot(new PmixBootstrap(Self.nspace));
  Boot->Node = int(Self.rank);
  Boot->Nodes = int(Size->data.uint32);
  PMIX_VALUE_RELEASE(Size);
  // Sets of nodes are words.
  if (Boot->Nodes > 64)
    fatal("the job has %d nodes; there can be 64 at most, so start fewer",
          Boot->Nodes);
  return Boot;
}

std::vector<std::string> PmixBootstrap::exchange(const std::string &Value) {
  std::string Key = "graupel." + std::to_string(Round++);
  pmix_value_t Own;
  PMIX_VALUE_CONSTRUCT(&Own);
  Own.type = PMIX_BYTE_OBJECT;
  Own.data.bo.bytes = const_cast<char *>(Value.data());
  Own.data.bo.size = Value.size();
  require(PMIx_Put(PMIX_GLOBAL, Key.c_str(), &Own), "PMIx_Put");
  require(PMIx_Commit(), "PMIx_Commit");

  pmix_proc_t Job;
  PMIX_LOAD_PROCID(&Job, Namespace.c_str(), PMIX_RANK_WILDCARD);
  pmix_info_t Collect;
  bool True = true;
  PMIX_INFO_LOAD(&Collect, PMIX_COLLECT_DATA, &True, PMIX_BOOL);
  require(PMIx_Fence(&Job, 1, &Collect, 1), "PMIx_Fence");
  PMIX_INFO_DESTRUCT(&Collect);

  std::vector<std::string> Values;
  for (int I = 0; I < Nodes; ++I) {
    pmix_proc_t Peer;
    PMIX_LOAD_PROCID(&Peer, Namespace.c_str(), pmix_rank_t(I));
    pmix_value_t *Theirs;
    require(PMIx_Get(&Peer, Key.c_str(), nullptr, 0, &Theirs), "PMIx_Get");
    Values.emplace_back(Theirs->data.bo.bytes, Theirs->data.bo.size);
    PMIX_VALUE_RELEASE(Theirs);
  }
  return Values;
}

void PmixBootstrap::end(const std::string &Message, int Status) {
  char Host[256] = "";
  gethostname(Host, sizeof(Host) - 1);
  std::string Line =
      format("graupel dsm: error: node %d (process %d on %s): %s\n", Node,
             int(getpid()), Host, Message.c_str());
  [[maybe_unused]] ssize_t Written =
      write(STDERR_FILENO, Line.data(), Line.size());
  PMIx_Abort(Status, Message.c_str(), nullptr, 0);
  _exit(Status);
}

void PmixBootstrap::finish() { PMIx_Finalize(nullptr, 0); }
