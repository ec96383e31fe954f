//===- Build/Result.cpp - The result of a build ---------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/build.md has the schema.
//
//===----------------------------------------------------------------------===//

#include "Build.h"

using namespace llvm;
using namespace graupel;
using namespace graupel::build;

StringRef graupel::build::name(OutputState B) {
  static const char *const Names[] = {"optimized", "prepared", "not run",
                                      "unfit", "failed"};
  return Names[int(B)];
}

json::Object graupel::build::toJSON(const BuildResult &R) {
  json::Array Outputs;
  for (const Row &W : R.Rows) {
    json::Array Paths;
    for (const std::string &Path : W.Paths)
      Paths.push_back(json::fixUTF8(Path));
    json::Object O{{"name", json::fixUTF8(W.Name)},
                   {"paths", std::move(Paths)},
                   {"state", name(W.State)},
                   {"bytes_before", W.Before}};
    if (W.After)
      O["bytes_after"] = W.After;
    if (!W.Why.empty())
      O["why"] = json::fixUTF8(W.Why);
    if (!W.Note.empty())
      O["note"] = json::fixUTF8(W.Note);
    if (W.Said.Optimized)
      O["optimized_functions"] = *W.Said.Optimized;
    if (W.Said.Functions)
      O["functions"] = *W.Said.Functions;
    if (W.Said.CountedPercent)
      O["optimized_instructions_percent"] = *W.Said.CountedPercent;
    if (!W.Said.Skipped.empty())
      O["skipped"] = json::fixUTF8(W.Said.Skipped);
    Outputs.push_back(std::move(O));
  }
  json::Object O{
      {"version", 1}, {"status", R.Status}, {"outputs", std::move(Outputs)}};
  if (R.Measured)
    O["measured"] = environment::toJSON(*R.Measured);
  if (!R.Failure.empty())
    O["failure"] = json::fixUTF8(R.Failure);
  return O;
}
