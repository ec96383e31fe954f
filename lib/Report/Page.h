//===- Report/Page.h - A page of tables and charts --------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_REPORT_PAGE_H
#define GRAUPEL_REPORT_PAGE_H

#include "Table.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace graupel {

/// A page that needs nothing but itself and follows the reader's light or dark
/// scheme. It is complete when this object is gone.
class Page {
public:
  /// \p From says below the title what the figures are made of.
  Page(llvm::StringRef Title, llvm::StringRef From, llvm::raw_ostream &OS);
  ~Page();
  Page(const Page &) = delete;
  Page &operator=(const Page &) = delete;

  /// Adds \p T with the chart that \p Draw writes above it.
  void add(const Table &T, llvm::function_ref<void(llvm::raw_ostream &)> Draw);

private:
  llvm::raw_ostream &OS;
  bool HasSortable = false;
};

} // namespace graupel

#endif // GRAUPEL_REPORT_PAGE_H
