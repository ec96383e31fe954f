//===- Tables.cpp ---------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers the sites and loops of a module and writes their tables.
//
// 1. Tables(): make a placeholder for each table, so that code can have
//    addresses of entries.
// 2. add: enter each reference of a function as a site, with place, object and
//    loop. Loops get their numbers when they are first met, outer ones first
//    (loopNumber). Equal texts are entered once (text).
// 3. add: enter the members of summarized loops with their steps, and the
//    items, steps and terms of nests (addNest). Return the addresses of all
//    entries.
// 4. finish: write the arrays of members and nests, whose references are
//    relative to themselves.
// 5. Write both tables into their sections and replace the placeholders
//    (writeTable).
// 6. If there are sites, write the descriptor of the sections and the
//    constructor that registers it (writeConstructor); a program or library has
//    one of each.
//
//===----------------------------------------------------------------------===//

#include "Tables.h"
#include "Constructor.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace graupel::stride {

Tables::Tables(Module &M)
    : M(M), I8(Type::getInt8Ty(M.getContext())),
      I16(Type::getInt16Ty(M.getContext())),
      I32(Type::getInt32Ty(M.getContext())),
      I64(Type::getInt64Ty(M.getContext())) {
  auto Placeholder = [&] {
    return new GlobalVariable(M, I8, true, GlobalValue::ExternalLinkage,
                              nullptr, "graupel.stride.placeholder");
  };
  SiteTable = Placeholder();
  LoopTable = Placeholder();
}

Tables::Target Tables::text(StringRef Text) {
  if (Text.empty())
    return {};
  auto [Found, New] = TextNumbers.try_emplace(Text, Texts.size());
  if (New) {
    Constant *Data = ConstantDataArray::getString(M.getContext(), Text);
    auto *G = new GlobalVariable(M, Data->getType(), true,
                                 GlobalValue::PrivateLinkage, Data,
                                 "graupel.stride.text");
    G->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    G->setAlignment(Align(1));
    Texts.push_back(G);
  }
  return {Target::String, Found->second};
}

static std::string pathOf(const DIScope &Scope) {
  StringRef Name = Scope.getFilename();
  if (Name.empty() || sys::path::is_absolute(Name))
    return Name.str();
  SmallString<128> Path = Scope.getDirectory();
  sys::path::append(Path, Name);
  return std::string(Path);
}

Tables::Place Tables::placeOf(Function &F, const DebugLoc &At) {
  Place Result;
  Result.Within = text(F.getName());
  Result.Function = Result.Within;
  const DISubprogram *Program = F.getSubprogram();
  if (At) {
    Result.Line = At.getLine();
    Result.Column = At.getCol();
    Result.File = text(pathOf(*At->getScope()));
    Program = At->getScope()->getSubprogram();
  } else if (Program) {
    Result.File = text(pathOf(*Program));
  }
  if (Program)
    Result.Function =
        text(Program->getLinkageName().empty() ? Program->getName()
                                               : Program->getLinkageName());
  return Result;
}

unsigned Tables::loopNumber(Function &F, const Loop *L,
                            DenseMap<const Loop *, unsigned> &Known) {
  if (auto Found = Known.find(L); Found != Known.end())
    return Found->second;
  Target Parent;
  if (const Loop *Around = L->getParentLoop())
    Parent = {Target::Loop, loopNumber(F, Around, Known)};
  unsigned Number = Loops.size();
  Known[L] = Number;
  Loops.push_back(
      {placeOf(F, L->getStartLoc()), Parent, L->getLoopDepth(), {}});
  return Number;
}

static int64_t stepOf(const SCEV *S) {
  auto *Step = dyn_cast<SCEVConstant>(S);
  return Step ? Step->getAPInt().getSExtValue() : GRAUPEL_STRIDE_DYNAMIC;
}

Tables::Addresses Tables::add(Function &F, const Plan &P, const LoopInfo &LI,
                              ScalarEvolution &SE) {
  Addresses Result;
  DenseMap<const Loop *, unsigned> Numbers;
  unsigned First = Sites.size();
  for (const Reference &R : P.References) {
    Target Loop;
    if (const auto *L = LI.getLoopFor(R.Inst->getParent()))
      Loop = {Target::Loop, loopNumber(F, L, Numbers)};
    KnownObject Object = knownObject(R);
    Result.Sites.push_back(entryAddress(SiteTable, Sites.size()));
    Sites.push_back({placeOf(F, R.Inst->getDebugLoc()), text(Object.Name), Loop,
                     R.bytes(), R.lanes(), R.elementBytes(),
                     static_cast<uint8_t>(R.kind()),
                     static_cast<uint8_t>(R.type()), R.flags(),
                     static_cast<uint8_t>(Object.Kind)});
  }
  for (const LoopPlan &L : P.Loops) {
    unsigned Number = loopNumber(F, L.L, Numbers);
    Result.Loops.push_back(entryAddress(LoopTable, Number));
    LoopEntry &Entry = Loops[Number];
    Entry.Others = L.Members.empty() ? 0 : L.Others;
    for (const Member &Each : L.Members) {
      int64_t Step = stepOf(Each.Step);
      Entry.DynamicSteps += Step == GRAUPEL_STRIDE_DYNAMIC;
      Entry.Members.push_back({First + Each.Reference, Each.Order, Step});
    }
  }
  for (const NestPlan &Nest : P.Nests) {
    Result.Nests.push_back(
        entryAddress(LoopTable, loopNumber(F, Nest.L, Numbers)));
    addNest(F, Nest, First, Numbers);
  }
  return Result;
}

void Tables::addNest(Function &F, const NestPlan &Nest, unsigned FirstSite,
                     DenseMap<const Loop *, unsigned> &Known) {
  SmallVector<ItemEntry, 0> Items;
  SmallVector<int64_t, 0> Steps;
  for (const NestItem &Each : Nest.Items) {
    ItemEntry New{{},
                  static_cast<uint16_t>(Each.Kind),
                  static_cast<uint16_t>(Each.Level),
                  Each.Inside,
                  Each.BaseNumber,
                  Each.Offset,
                  Each.Term ? *Each.Term + 1 : 0};
    if (Each.refers())
      New.SiteOrLoop = {Target::Site, FirstSite + Each.Reference};
    else if (Each.L)
      New.SiteOrLoop = {Target::Loop, loopNumber(F, Each.L, Known)};
    Items.push_back(New);
    for (const SCEV *Step : Each.Steps)
      Steps.push_back(stepOf(Step));
  }
  LoopEntry &Entry = Loops[loopNumber(F, Nest.L, Known)];
  Entry.Items = std::move(Items);
  Entry.Steps = std::move(Steps);
  Entry.DynamicSteps = Nest.dynamicSteps();
  Entry.Terms = Nest.Terms;
  Entry.TermWords = Nest.TermWords.size();
}

Constant *Tables::entryAddress(GlobalVariable *Table, unsigned N) {
  return ConstantExpr::getInBoundsGetElementPtr(
      I8, Table,
      ConstantInt::get(I64, uint64_t(N) * GRAUPEL_STRIDE_ENTRY_BYTES));
}

Constant *Tables::relative(Target T, Constant *Entry) {
  Constant *To = nullptr;
  switch (T.To) {
  case Target::Nothing:
    return ConstantInt::get(I32, 0);
  case Target::String:
    To = Texts[T.Number];
    break;
  case Target::Members:
    To = MemberArrays[T.Number];
    break;
  case Target::Nest:
    To = NestArrays[T.Number];
    break;
  case Target::Loop:
    To = entryAddress(LoopTable, T.Number);
    break;
  case Target::Site:
    To = entryAddress(SiteTable, T.Number);
    break;
  }
  return ConstantExpr::getTrunc(
      ConstantExpr::getSub(ConstantExpr::getPtrToInt(To, I64),
                           ConstantExpr::getPtrToInt(Entry, I64)),
      I32);
}

Constant *Tables::siteEntry(unsigned N) {
  const SiteEntry &S = Sites[N];
  Constant *Self = entryAddress(SiteTable, N);
  return ConstantStruct::getAnon(
      {relative(S.At.Function, Self), relative(S.At.Within, Self),
       relative(S.At.File, Self), relative(S.Object, Self),
       relative(S.Loop, Self), ConstantInt::get(I32, S.At.Line),
       ConstantInt::get(I32, S.At.Column), ConstantInt::get(I32, S.Bytes),
       ConstantInt::get(I16, S.Lanes), ConstantInt::get(I16, S.ElementBytes),
       ConstantInt::get(I8, S.Kind), ConstantInt::get(I8, S.Type),
       ConstantInt::get(I8, S.Flags), ConstantInt::get(I8, S.ObjectKind),
       ConstantAggregateZero::get(ArrayType::get(I32, 6))},
      /*Packed=*/true);
}

Constant *Tables::loopEntry(unsigned N) {
  const LoopEntry &L = Loops[N];
  Constant *Self = entryAddress(LoopTable, N);
  Target Array, Nest;
  if (!L.Members.empty())
    Array = {Target::Members, N};
  if (!L.Items.empty())
    Nest = {Target::Nest, N};
  return ConstantStruct::getAnon(
      {relative(L.At.Function, Self), relative(L.At.Within, Self),
       relative(L.At.File, Self), relative(L.Parent, Self),
       relative(Array, Self), ConstantInt::get(I32, L.At.Line),
       ConstantInt::get(I32, L.At.Column), ConstantInt::get(I32, L.Depth),
       ConstantInt::get(I32, L.Members.size()), ConstantInt::get(I32, L.Others),
       ConstantInt::get(I32, L.DynamicSteps), relative(Nest, Self),
       ConstantInt::get(I32, L.Items.size()),
       ConstantInt::get(I32, L.Terms.size()),
       ConstantInt::get(I32, L.TermWords), ConstantInt::get(I32, 0)},
      /*Packed=*/true);
}

void Tables::writeMembers() {
  for (auto [N, L] : enumerate(Loops)) {
    MemberArrays.push_back(nullptr);
    if (L.Members.empty())
      continue;
    // Relative to themselves, so they need the array before it is written.
    Type *EntryType = StructType::get(M.getContext(), {I32, I32, I64});
    auto *ArrayOf = ArrayType::get(EntryType, L.Members.size());
    auto *All =
        new GlobalVariable(M, ArrayOf, true, GlobalValue::PrivateLinkage,
                           nullptr, "graupel.stride.members");
    MemberArrays[N] = All;
    SmallVector<Constant *, 8> Entries;
    for (auto [K, E] : enumerate(L.Members)) {
      Constant *Self = ConstantExpr::getInBoundsGetElementPtr(
          EntryType, All, ConstantInt::get(I64, K));
      Entries.push_back(ConstantStruct::getAnon(
          {relative({Target::Site, E.Site}, Self),
           ConstantInt::get(I32, E.Order),
           ConstantInt::get(I64, static_cast<uint64_t>(E.Step))}));
    }
    All->setInitializer(ConstantArray::get(ArrayOf, Entries));
  }
}

void Tables::writeNests() {
  for (auto [N, L] : enumerate(Loops)) {
    NestArrays.push_back(nullptr);
    if (L.Items.empty())
      continue;
    Type *ItemType = StructType::get(M.getContext(),
                                     {I32, I16, I16, I32, I32, I64, I32, I32});
    Type *TermType =
        StructType::get(M.getContext(), {I8, I8, I16, I32, I32, I32, I64});
    auto *ItemsType = ArrayType::get(ItemType, L.Items.size());
    auto *StepsType = ArrayType::get(I64, L.Steps.size());
    auto *TermsType = ArrayType::get(TermType, L.Terms.size());
    Type *NestType =
        StructType::get(M.getContext(), {ItemsType, StepsType, TermsType});
    auto *All =
        new GlobalVariable(M, NestType, true, GlobalValue::PrivateLinkage,
                           nullptr, "graupel.stride.nest");
    NestArrays[N] = All;
    SmallVector<Constant *, 16> Items, Steps, Terms;
    for (auto [K, E] : enumerate(L.Items)) {
      Constant *Self = ConstantExpr::getInBoundsGetElementPtr(
          ItemType, All, ConstantInt::get(I64, K));
      Items.push_back(ConstantStruct::getAnon(
          {relative(E.SiteOrLoop, Self), ConstantInt::get(I16, E.Kind),
           ConstantInt::get(I16, E.Level), ConstantInt::get(I32, E.Inside),
           ConstantInt::get(I32, E.Base),
           ConstantInt::get(I64, static_cast<uint64_t>(E.Offset)),
           ConstantInt::get(I32, E.Term), ConstantInt::get(I32, 0)}));
    }
    for (int64_t Step : L.Steps)
      Steps.push_back(ConstantInt::get(I64, static_cast<uint64_t>(Step)));
    for (const NestTerm &T : L.Terms)
      Terms.push_back(ConstantStruct::getAnon(
          {ConstantInt::get(I8, T.Kind), ConstantInt::get(I8, T.Bits),
           ConstantInt::get(I16, 0), ConstantInt::get(I32, T.A),
           ConstantInt::get(I32, T.B), ConstantInt::get(I32, T.C),
           ConstantInt::get(I64, static_cast<uint64_t>(T.Value))}));
    All->setInitializer(
        ConstantStruct::getAnon({ConstantArray::get(ItemsType, Items),
                                 ConstantArray::get(StepsType, Steps),
                                 ConstantArray::get(TermsType, Terms)}));
  }
}

void Tables::writeTable(GlobalVariable *&Placeholder, StringRef Name,
                        StringRef Section, ArrayRef<Constant *> Entries) {
  if (!Entries.empty()) {
    Constant *All = ConstantArray::get(
        ArrayType::get(Entries[0]->getType(), Entries.size()), Entries);
    auto *Table = new GlobalVariable(M, All->getType(), true,
                                     GlobalValue::InternalLinkage, All, Name);
    Table->setSection(Section);
    Table->setAlignment(Align(GRAUPEL_STRIDE_ENTRY_BYTES));
    Placeholder->replaceAllUsesWith(Table);
  }
  Placeholder->eraseFromParent();
  Placeholder = nullptr;
}

// All object files of a program or library share one descriptor and one
// constructor.
void Tables::writeConstructor() {
  auto Bound = [&](StringRef Prefix, StringRef Section) -> Constant * {
    std::string Name = (Prefix + Section).str();
    if (GlobalVariable *Known = M.getNamedGlobal(Name))
      return Known;
    // A program may have no loops.
    auto *G = new GlobalVariable(M, I8, true, GlobalValue::ExternalWeakLinkage,
                                 nullptr, Name);
    G->setVisibility(GlobalValue::HiddenVisibility);
    return G;
  };
  Constant *Descriptor = ConstantStruct::getAnon(
      {ConstantInt::get(I32, GRAUPEL_STRIDE_ABI), ConstantInt::get(I32, 0),
       Bound("__start_", GRAUPEL_STRIDE_SITE_SECTION),
       Bound("__stop_", GRAUPEL_STRIDE_SITE_SECTION),
       Bound("__start_", GRAUPEL_STRIDE_LOOP_SECTION),
       Bound("__stop_", GRAUPEL_STRIDE_LOOP_SECTION)});
  auto *Module = new GlobalVariable(M, Descriptor->getType(), true,
                                    GlobalValue::LinkOnceODRLinkage, Descriptor,
                                    "graupel.stride.module");
  Module->setVisibility(GlobalValue::HiddenVisibility);
  Module->setComdat(M.getOrInsertComdat(Module->getName()));
  addConstructor(M, "graupel.stride.register", /*IsShared=*/true,
                 "graupel_stride_register", {Module});
}

void Tables::finish() {
  SmallVector<Constant *, 0> SiteEntries, LoopEntries;
  writeMembers();
  writeNests();
  for (unsigned N = 0; N != Sites.size(); ++N)
    SiteEntries.push_back(siteEntry(N));
  for (unsigned N = 0; N != Loops.size(); ++N)
    LoopEntries.push_back(loopEntry(N));
  writeTable(SiteTable, "graupel.stride.sites", GRAUPEL_STRIDE_SITE_SECTION,
             SiteEntries);
  writeTable(LoopTable, "graupel.stride.loops", GRAUPEL_STRIDE_LOOP_SECTION,
             LoopEntries);
  if (!Sites.empty())
    writeConstructor();
}

} // namespace graupel::stride
