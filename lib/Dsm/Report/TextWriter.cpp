//===- Dsm/Report/TextWriter.cpp - The report as text ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Writers.h"

using namespace llvm;
using namespace graupel;
using namespace graupel::dsm;

static void add(const Table &T, raw_ostream &OS) {
  OS << '\n';
  if (T.Rows.empty()) {
    OS << T.Title << '\n';
    for (const std::string &Sentence : T.Sentences)
      OS << "  " << Sentence << '\n';
    return;
  }
  writeTable(T, OS);
}

void graupel::dsm::writeText(const Report &R, raw_ostream &OS) {
  OS << summary(R.P) << '\n';
  add(nodesTable(R.P), OS);
  add(missesTable(R), OS);
  add(objectsTable(R), OS);
  add(pollsTable(R.P), OS);
  add(messagesTable(R.P), OS);
  add(peersTable(R.P), OS);
  OS << "\nAdvice\n";
  OS << "  " << sumOf(R.Advices) << '\n';
  for (const Advice &A : R.Advices.All) {
    OS << "  " << R.P.Data[A.Object].Name << ": " << A.Text << '\n';
    if (A.Then)
      OS << "    predicted: " << predicted(A) << '\n';
    OS << "    " << A.Reasons << '\n';
  }
}
