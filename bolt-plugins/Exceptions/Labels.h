//===- Exceptions/Labels.h - Labels of emitted tables -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_EXCEPTIONS_LABELS_H
#define GRAUPEL_EXCEPTIONS_LABELS_H

#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCStreamer.h"

namespace graupel {

/// A new label where \p Out is.
inline llvm::MCSymbol *labelHere(llvm::MCStreamer &Out) {
  llvm::MCSymbol *Label = Out.getContext().createTempSymbol();
  Out.emitLabel(Label);
  return Label;
}

/// \p A - \p B.
inline const llvm::MCExpr *distance(const llvm::MCSymbol *A,
                                    const llvm::MCSymbol *B,
                                    llvm::MCContext &Context) {
  return llvm::MCBinaryExpr::createSub(
      llvm::MCSymbolRefExpr::create(A, Context),
      llvm::MCSymbolRefExpr::create(B, Context), Context);
}

} // namespace graupel

#endif // GRAUPEL_EXCEPTIONS_LABELS_H
