//===- Records.cpp --------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Records.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace graupel::fgdsm {

void tieTo(GlobalVariable &Record, GlobalObject &Owner) {
  Record.setMetadata(
      LLVMContext::MD_associated,
      MDNode::get(Owner.getContext(), ValueAsMetadata::get(&Owner)));
  if (Comdat *Group = Owner.getComdat())
    Record.setComdat(Group);
}

GlobalVariable *makeText(Module &M, StringRef Text, const Twine &Name) {
  Constant *Bytes = ConstantDataArray::getString(M.getContext(), Text);
  auto *G = new GlobalVariable(M, Bytes->getType(), true,
                               GlobalValue::PrivateLinkage, Bytes, Name);
  G->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  G->setAlignment(Align(1));
  return G;
}

} // namespace graupel::fgdsm
