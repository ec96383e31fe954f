//===- Commons.cpp --------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. A block's debug expressions, one a member, have its offset.
//   2. A member ends where the next begins; the bytes between them are padding.
//      The first of several at one offset (EQUIVALENCE) is taken.
//
//===----------------------------------------------------------------------===//

#include "Commons.h"
#include "Constructor.h"
#include "graupel/stride_sites.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include <map>

using namespace llvm;

namespace graupel::stride {

/// Names by offset, as `/block/member`.
static std::map<uint64_t, std::string> membersOf(const GlobalVariable &G) {
  std::map<uint64_t, std::string> Result;
  SmallVector<DIGlobalVariableExpression *, 8> All;
  G.getDebugInfo(All);
  for (const DIGlobalVariableExpression *Each : All) {
    const DIGlobalVariable *V = Each->getVariable();
    auto *Block = dyn_cast_or_null<DICommonBlock>(V->getScope());
    int64_t Offset = 0;
    if (!Block || !Each->getExpression()->extractIfOffset(Offset) || Offset < 0)
      continue;
    StringRef Name = Block->getName();
    if (Name == "__BLNK__") // Blank COMMON.
      Name = "";
    Result.try_emplace(static_cast<uint64_t>(Offset),
                       ("/" + Name + "/" + V->getName()).str());
  }
  return Result;
}

void tellCommons(Module &M) {
  LLVMContext &C = M.getContext();
  Type *I64 = Type::getInt64Ty(C);
  SmallVector<Constant *, 0> Parts;
  for (GlobalVariable &G : make_early_inc_range(M.globals())) {
    if (G.use_empty() || !G.getValueType()->isSized())
      continue;
    std::map<uint64_t, std::string> Members = membersOf(G);
    uint64_t Bytes = M.getDataLayout().getTypeAllocSize(G.getValueType());
    for (auto It = Members.begin(); It != Members.end(); ++It) {
      auto Next = std::next(It);
      uint64_t End = Next == Members.end() ? Bytes : Next->first;
      if (It->first >= End)
        continue;
      auto *Name = new GlobalVariable(
          M, ArrayType::get(Type::getInt8Ty(C), It->second.size() + 1), true,
          GlobalValue::PrivateLinkage,
          ConstantDataArray::getString(C, It->second), "graupel.stride.part");
      Parts.push_back(ConstantStruct::getAnon(
          {ConstantExpr::getInBoundsGetElementPtr(
               Type::getInt8Ty(C), &G, ConstantInt::get(I64, It->first)),
           ConstantInt::get(I64, End - It->first), Name}));
    }
  }
  if (Parts.empty())
    return;
  Constant *All = ConstantArray::get(
      ArrayType::get(Parts[0]->getType(), Parts.size()), Parts);
  auto *Table =
      new GlobalVariable(M, All->getType(), true, GlobalValue::PrivateLinkage,
                         All, "graupel.stride.parts");
  addConstructor(M, "graupel.stride.commons", /*IsShared=*/false,
                 "graupel_stride_parts",
                 {Table, ConstantInt::get(I64, Parts.size())});
}

} // namespace graupel::stride
