//===- RuntimeNames.cpp ---------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace graupel::fgdsm {

bool isRuntimes(StringRef Name) {
  // From runtime/dsm/exports.map, graupel/dsm.h and graupel/tempest.h.
  static const StringSet<> Names = {
#include "RuntimeNames.inc"
  };
  return Names.contains(Name) || Name.starts_with("graupel.fgdsm.");
}

bool isCompilers(StringRef Name) {
  static constexpr StringLiteral Prefixes[] = {
      "__asan_",      "__ubsan_",    "__sanitizer_",    "__tsan_",
      "__llvm_",      "__xray_",     "__cyg_profile",   "__kmpc_fork_",
      "__kmpc_omp_",  "__kmpc_for_", "__kmpc_dispatch", "__kmpc_barrier",
      "__kmpc_reduce"};
  if (any_of(Prefixes, [&](StringRef P) { return Name.starts_with(P); }))
    return true;
  // Functions of --coverage.
  return StringSwitch<bool>(Name)
      .Cases({"llvm_gcov_init", "llvm_gcda_start_file"}, true)
      .Cases({"llvm_gcda_emit_function", "llvm_gcda_emit_arcs"}, true)
      .Cases({"llvm_gcda_summary_info", "llvm_gcda_end_file"}, true)
      .Default(false);
}

} // namespace graupel::fgdsm
