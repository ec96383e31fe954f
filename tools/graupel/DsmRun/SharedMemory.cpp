//===- SharedMemory.cpp - Segments that killed processes left ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"
#include <algorithm>
#include <sys/ipc.h>
#include <sys/shm.h>

using namespace graupel;

void graupel::removeSegments(const std::vector<pid_t> &Processes,
                             time_t Since) {
  shminfo Limits;
  int Last = shmctl(0, IPC_INFO, reinterpret_cast<shmid_ds *>(&Limits));
  for (int Index = 0; Index <= Last; ++Index) {
    shmid_ds Segment;
    int Id = shmctl(Index, SHM_STAT, &Segment);
    if (Id >= 0 && Segment.shm_nattch == 0 && Segment.shm_ctime >= Since &&
        std::find(Processes.begin(), Processes.end(), Segment.shm_cpid) !=
            Processes.end())
      shmctl(Id, IPC_RMID, nullptr);
  }
}
