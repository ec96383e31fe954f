//===- Test.h - Programs directly on Transport.h ------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TEST_DSM_TRANSPORT_TEST_H
#define TEST_DSM_TRANSPORT_TEST_H

#include "Transport/Transport.h"
#include <map>
#include <string>

/// NAME=NUMBER of the command line.
class Options {
public:
  Options(int Argc, char **Argv);
  uint64_t get(const std::string &Name, uint64_t Default) const;

private:
  std::map<std::string, uint64_t> Values;
};

/// Prints `wrong: ...` and ends the process with status 1.
[[noreturn, gnu::format(printf, 1, 2)]] void wrong(const char *Format, ...);

double seconds();

using graupel::dsm::Bootstrap;
using graupel::dsm::Transport;

void runTraffic(const std::string &Mode, Bootstrap &, const Options &);
void runLatency(Bootstrap &, const Options &);

#endif
