//===- Reporting.cpp - The node, as its report needs it ---------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reporting.h"
#include "Entries/Entries.h"
#include "Errors/Error.h"
#include "Foreign/Missed.h"
#include "Tempest/Tempest.h"
#include "Trace/Trace.h"
#include <cstring>
#include <iterator>

namespace graupel::dsm {

namespace {

constexpr const char *InternalNames[] = {
#define INTERNAL_MESSAGE(Name) #Name,
#include "Node/Internal.def"
};

std::string handlerName(unsigned Handler) {
  constexpr auto First = static_cast<unsigned>(Internal::FirstOfProtocol);
  if (Handler < std::size(InternalNames))
    return std::string("runtime.") + InternalNames[Handler];
  const char *Name = registeredHandlers();
  for (unsigned I = First; *Name; ++I) {
    const char *End = strchrnul(Name, '\n');
    if (I == Handler)
      return std::string(Name, End);
    Name = *End ? End + 1 : End;
  }
  return "";
}

bool anyOnline() { return TheNode && TheNode->Team.anyOnline(); }

} // namespace

void startReport(Node &N) {
  std::string Problem;
  Look.Reported =
      trace::start({N.Number, N.Count, N.ThreadsPerNode, N.Shared.start(),
                    &N.Wire->control(), anyOnline, handlerName},
                   Problem);
  if (!Problem.empty())
    fail("%s", Problem.c_str());
  // Whole pages are more than looks know of.
  Look.Reported |= checksMissed();
}

} // namespace graupel::dsm
