//===- Main.cpp - Programs directly on Transport.h -----------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// dsm-transport-test MODE [NAME=NUMBER...], under graupel dsm run or mpirun.
//
//===----------------------------------------------------------------------===//

#include "Test.h"
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <time.h>
#include <unistd.h>

Options::Options(int Argc, char **Argv) {
  for (int I = 2; I < Argc; ++I) {
    char *Equal = strchr(Argv[I], '=');
    if (!Equal)
      wrong("%s is not NAME=NUMBER", Argv[I]);
    Values[std::string(Argv[I], Equal)] = strtoull(Equal + 1, nullptr, 0);
  }
}

uint64_t Options::get(const std::string &Name, uint64_t Default) const {
  auto Found = Values.find(Name);
  return Found == Values.end() ? Default : Found->second;
}

void wrong(const char *Format, ...) {
  va_list Arguments;
  va_start(Arguments, Format);
  fputs("wrong: ", stderr);
  vfprintf(stderr, Format, Arguments);
  fputc('\n', stderr);
  va_end(Arguments);
  _exit(1);
}

double seconds() {
  timespec Time;
  clock_gettime(CLOCK_MONOTONIC, &Time);
  return double(Time.tv_sec) + 1e-9 * double(Time.tv_nsec);
}

/// The modes in which something goes wrong: node `node` does it.
static void misbehave(const std::string &Mode, Bootstrap &Boot,
                      const Options &O) {
  if (Mode == "ignore-sigterm")
    signal(SIGTERM, SIG_IGN);
  // What is left of it if this process is killed here.
  if (Mode == "leak" && shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) < 0)
    wrong("no shared memory");
  auto T = Transport::open(Boot, 1);
  printf("node %d is ready\n", Boot.node());
  fflush(stdout);
  bool Mine = Boot.node() == int(O.get("node", 0));
  if (Mine && Mode == "kill")
    raise(int(O.get("signal", SIGKILL)));
  if (Mine && Mode == "exit")
    exit(int(O.get("status", 0)));
  if (Mine && Mode == "abort")
    Boot.abortJob("this is a test");
  for (;;)
    T->progress();
}

int main(int Argc, char **Argv) {
  std::string Mode = Argc > 1 ? Argv[1] : "";
  Options O(Argc, Argv);
  auto Boot = Bootstrap::open();
  if (Mode == "latency")
    runLatency(*Boot, O);
  else if (Mode == "kill" || Mode == "exit" || Mode == "abort" ||
           Mode == "hang" || Mode == "leak" || Mode == "ignore-sigterm")
    misbehave(Mode, *Boot, O);
  else
    runTraffic(Mode, *Boot, O);
  Boot->finish();
  return int(O.get("result", 0));
}
