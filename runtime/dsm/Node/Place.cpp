//===- Place.cpp - Sharing of processors with other nodes -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Node/Place.h"
#include <cstdio>
#include <ctime>
#include <sched.h>
#include <string>
#include <unistd.h>

namespace graupel::dsm {

namespace {

/// Different on hosts that run at the same time.
std::string hostName() {
  char Name[256] = "";
  gethostname(Name, sizeof(Name) - 1);
  std::string Answer = Name;
  if (FILE *F = fopen("/proc/sys/kernel/random/boot_id", "re")) {
    if (fgets(Name, sizeof(Name), F))
      Answer += Name;
    fclose(F);
  }
  for (char &C : Answer)
    if (C == ' ' || C == '\n')
      C = '-';
  return Answer;
}

double monotonicSeconds() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return static_cast<double>(T.tv_sec) + 1e-9 * static_cast<double>(T.tv_nsec);
}

} // namespace

Place findPlace(Bootstrap &Boot, int ThreadsPerNode) {
  cpu_set_t Own, Union;
  CPU_ZERO(&Own);
  CPU_ZERO(&Union);
  sched_getaffinity(0, sizeof(Own), &Own);
  std::string Mask;
  for (unsigned I = 0; I != CPU_SETSIZE; ++I)
    Mask += CPU_ISSET(I, &Own) ? '1' : '0';
  std::string Host = hostName();
  char Start[64];
  snprintf(Start, sizeof(Start), "%.9f", monotonicSeconds());
  auto Answers = Boot.exchange(Host + " " + std::to_string(ThreadsPerNode) +
                               " " + Start + " " + Mask);

  Place P = {ThreadsPerNode > CPU_COUNT(&Own), 0};
  int Threads = 0;
  bool First = true;
  for (const std::string &A : Answers) {
    size_t Space = A.find(' ');
    if (A.compare(0, Space, Host) != 0)
      continue;
    int Theirs;
    double Time;
    int MaskAt;
    if (sscanf(A.c_str() + Space, " %d %lf %n", &Theirs, &Time, &MaskAt) != 2)
      continue;
    Threads += Theirs;
    if (First || Time < P.StartTime)
      P.StartTime = Time;
    First = false;
    const char *TheirMask = A.c_str() + Space + MaskAt;
    for (unsigned I = 0; I != CPU_SETSIZE && TheirMask[I]; ++I)
      if (TheirMask[I] == '1')
        CPU_SET(I, &Union);
  }
  P.Oversubscribed |= Threads > CPU_COUNT(&Union);
  return P;
}

} // namespace graupel::dsm
