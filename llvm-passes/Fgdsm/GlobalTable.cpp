//===- GlobalTable.cpp ----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// So that no page has shared and private variables
// (docs/design/dsm-globals.md):
//
//  1. Small variables stay in gdsm_globals: the first begins a page, each
//     begins a block, and a page of padding ends the module's part.
//  2. Large ones, and those that the linker may drop or move by themselves, get
//     whole pages.
//  3. Each shared variable has an entry in gdsm_global_table.
//  4. Each variable of another module has one in gdsm_global_uses for each
//     function that uses it, which goes if the function goes.
//  5. A constructor, one in what is linked, shows these tables to the runtime.
//
//===----------------------------------------------------------------------===//

#include "GlobalTable.h"
#include "Markers.h"
#include "Records.h"
#include "SharedGlobals.h"
#include "graupel/dsm_checks.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace graupel::fgdsm {

static constexpr char ConstructorName[] = "graupel_dsm_check_own_globals";
static constexpr char PaddingName[] = "gdsm.globals.end";
static constexpr uint64_t PageBytes = uint64_t(1) << GRAUPEL_DSM_PAGE_SHIFT;

static constexpr char Definitions[] = "gdsm_global_table",
                      Uses[] = "gdsm_global_uses";

static bool isEntry(const GlobalVariable &G) {
  return G.getSection() == Definitions || G.getSection() == Uses;
}

// The value that an entry is associated with.
static const Value *ownerOf(const GlobalVariable &Entry) {
  MDNode *Tie = Entry.getMetadata(LLVMContext::MD_associated);
  auto *Owner =
      Tie ? dyn_cast_or_null<ValueAsMetadata>(Tie->getOperand(0)) : nullptr;
  return Owner ? Owner->getValue() : nullptr;
}

namespace {

class GlobalTable {
public:
  explicit GlobalTable(Module &M) : M(M), C(M.getContext()) {
    SmallVector<GlobalValue *, 8> All;
    collectUsedGlobalVariables(M, All, /*CompilerUsed=*/false);
    Used.insert(All.begin(), All.end());
    for (GlobalVariable &G : M.globals())
      if (isEntry(G))
        Listed.insert({G.getInitializer()->getOperand(0), ownerOf(G)});
  }

  bool run();

private:
  bool needsPages(const GlobalVariable &G, uint64_t Size) const;
  void layOut(GlobalVariable &G, uint64_t Size);
  GlobalVariable &pad(GlobalVariable &G, uint64_t Size);
  void endPacked();
  void listUses(GlobalVariable &G);
  void addEntry(GlobalVariable &G, uint64_t Size, GlobalPlace Place,
                graupel_dsm_global_kind Kind, GlobalObject &Owner);
  GlobalVariable *text(const GlobalVariable &G, const GlobalPlace &Place);
  void addConstructor();

  Module &M;
  LLVMContext &C;
  SmallPtrSet<GlobalValue *, 8> Used;
  /// Variables and owners of entries that another run made.
  DenseSet<std::pair<const Value *, const Value *>> Listed;
  bool HasPacked = false;
  SmallVector<GlobalValue *, 0> Entries; ///< Entries of the tables.
};

} // namespace

//===-- Layout ------------------------------------------------------------===//

bool GlobalTable::needsPages(const GlobalVariable &G, uint64_t Size) const {
  return Size >= PageBytes || G.getAlign().valueOrOne() > PageBytes ||
         G.hasComdat() || G.hasMetadata(LLVMContext::MD_associated) ||
         G.hasPartition() || Used.contains(&G);
}

GlobalVariable &GlobalTable::pad(GlobalVariable &G, uint64_t Size) {
  uint64_t Rest = alignTo(Size, PageBytes) - Size;
  if (!Rest)
    return G;
  Constant *Zeros =
      ConstantAggregateZero::get(ArrayType::get(Type::getInt8Ty(C), Rest));
  Constant *Fields[] = {G.getInitializer(), Zeros};
  Constant *Whole = ConstantStruct::getAnon(C, Fields, /*Packed=*/true);
  auto *New = new GlobalVariable(M, Whole->getType(), false, G.getLinkage(),
                                 Whole, "", &G);
  New->copyAttributesFrom(&G);
  New->copyMetadata(&G, 0);
  New->setComdat(G.getComdat());
  New->takeName(&G);
  G.replaceAllUsesWith(New);
  G.eraseFromParent();
  return *New;
}

void GlobalTable::layOut(GlobalVariable &G, uint64_t Size) {
  GlobalPlace Place = placeOf(G);
  bool Zeros = G.getInitializer()->isNullValue();
  Align Wanted = std::max(G.getAlign().valueOrOne(),
                          M.getDataLayout().getPreferredAlign(&G));
  if (needsPages(G, Size)) {
    GlobalVariable &Padded = pad(G, Size);
    Padded.setAlignment(std::max(Wanted, Align(PageBytes)));
    Padded.setSection(Zeros ? ZerosSection : PagesSection);
    return addEntry(Padded, Size, Place,
                    Zeros ? GRAUPEL_DSM_GLOBAL_ZEROS : GRAUPEL_DSM_GLOBAL_PAGES,
                    Padded);
  }
  G.setAlignment(std::max(
      Wanted, Align(HasPacked ? GRAUPEL_DSM_GLOBAL_ALIGNMENT : PageBytes)));
  HasPacked = true;
  addEntry(G, Size, Place, GRAUPEL_DSM_GLOBAL_PACKED, G);
}

static bool isPadding(const GlobalVariable &G) {
  return G.getName().starts_with(PaddingName);
}

void GlobalTable::endPacked() {
  Type *Page = ArrayType::get(Type::getInt8Ty(C), PageBytes);
  auto *End = new GlobalVariable(M, Page, false, GlobalValue::PrivateLinkage,
                                 ConstantAggregateZero::get(Page), PaddingName);
  End->setSection(GlobalsSection);
  End->setAlignment(Align(1));
  appendToCompilerUsed(M, {End});
}

//===-- Tables ------------------------------------------------------------===//

GlobalVariable *GlobalTable::text(const GlobalVariable &G,
                                  const GlobalPlace &Place) {
  return makeText(M, demangle(G.getName()) + '\0' + Place.File,
                  "gdsm.global.text");
}

// Writable: it may need relocations.
void GlobalTable::addEntry(GlobalVariable &G, uint64_t Size, GlobalPlace Place,
                           graupel_dsm_global_kind Kind, GlobalObject &Owner) {
  Type *I32 = Type::getInt32Ty(C), *I64 = Type::getInt64Ty(C);
  Constant *Fields[] = {&G, ConstantInt::get(I64, Size), text(G, Place),
                        ConstantInt::get(I32, Place.Line),
                        ConstantInt::get(I32, Kind)};
  Constant *Record = ConstantStruct::getAnon(C, Fields);
  auto *Entry =
      new GlobalVariable(M, Record->getType(), false,
                         GlobalValue::PrivateLinkage, Record, "gdsm.global");
  Entry->setSection(G.isDeclarationForLinker() ? Uses : Definitions);
  Entry->setAlignment(Align(8));
  tieTo(*Entry, Owner);
  Entries.push_back(Entry);
}

// The linker's, and what only looks like a variable.
static bool isNoVariable(StringRef Name) {
  return Name.starts_with("llvm.") || Name.starts_with("__start_") ||
         Name.starts_with("__stop_") ||
         StringSwitch<bool>(Name)
             .Cases({"__dso_handle", "__bss_start", "__executable_start"}, true)
             .Cases({"edata", "_edata", "end", "_end", "etext", "_etext"}, true)
             .Default(false);
}

// Functions and variables that a variable's address is in, and the line of one
// use in a function.
static MapVector<GlobalObject *, unsigned> usersOf(GlobalVariable &G) {
  MapVector<GlobalObject *, unsigned> Users;
  SmallVector<User *, 8> Worklist(G.users());
  SmallPtrSet<User *, 8> Seen;
  while (!Worklist.empty()) {
    User *U = Worklist.pop_back_val();
    if (!Seen.insert(U).second)
      continue;
    if (auto *I = dyn_cast<Instruction>(U)) {
      unsigned &Line = Users[I->getFunction()];
      if (!Line && I->getDebugLoc())
        Line = I->getDebugLoc().getLine();
    } else if (auto *Variable = dyn_cast<GlobalVariable>(U)) {
      if (!Variable->getName().starts_with("llvm.") && !isEntry(*Variable))
        Users.insert({Variable, 0});
    } else if (isa<Constant>(U) && !isa<GlobalValue>(U)) {
      append_range(Worklist, U->users());
    }
  }
  return Users;
}

void GlobalTable::listUses(GlobalVariable &G) {
  bool Shared = G.getSection() == GlobalsSection;
  for (auto [User, Line] : usersOf(G)) {
    if (Listed.contains({&G, User}))
      continue;
    GlobalPlace Place = {M.getSourceFileName(), Line};
    if (auto *F = dyn_cast<Function>(User))
      if (DISubprogram *Debug = F->getSubprogram())
        Place.File = Debug->getFilename().str();
    addEntry(G, 0, Place,
             Shared ? GRAUPEL_DSM_GLOBAL_USED_SHARED
                    : GRAUPEL_DSM_GLOBAL_USED_PRIVATE,
             *User);
  }
}

// The linker joins those of all modules by its name.
void GlobalTable::addConstructor() {
  if (M.getNamedValue(ConstructorName))
    return;
  Type *I8 = Type::getInt8Ty(C);
  auto *F =
      Function::Create(FunctionType::get(Type::getVoidTy(C), false),
                       GlobalValue::LinkOnceODRLinkage, ConstructorName, M);
  F->setVisibility(GlobalValue::HiddenVisibility);
  F->setDSOLocal(true);
  F->setComdat(M.getOrInsertComdat(ConstructorName));
  F->setDoesNotThrow();
  // It is as it should be.
  for (StringRef Attribute :
       {DoneAttribute, ListedAttribute, NoCheckAttribute, NoPollAttribute})
    F->addFnAttr(Attribute);
  IRBuilder<> B(BasicBlock::Create(C, "", F));
  SmallVector<Value *, 4> Bounds;
  for (StringRef Bound :
       {"__start_gdsm_global_table", "__stop_gdsm_global_table",
        "__start_gdsm_global_uses", "__stop_gdsm_global_uses"}) {
    GlobalVariable *G = M.getGlobalVariable(Bound);
    if (!G)
      G = new GlobalVariable(M, I8, false, GlobalValue::ExternalWeakLinkage,
                             nullptr, Bound);
    G->setVisibility(GlobalValue::HiddenVisibility);
    Bounds.push_back(G);
  }
  Type *Ptr = B.getPtrTy();
  B.CreateCall(M.getOrInsertFunction("graupel_dsm_check_globals", B.getVoidTy(),
                                     Ptr, Ptr, Ptr, Ptr),
               Bounds);
  B.CreateRetVoid();
  appendToGlobalCtors(M, F, 0, F);
}

bool GlobalTable::run() {
  SmallVector<GlobalVariable *, 0> Shared, Others;
  for (GlobalVariable &G : M.globals()) {
    if (G.isDeclarationForLinker()) {
      if (!G.isConstant() && !G.isThreadLocal() && !isNoVariable(G.getName()) &&
          G.getSection() != AnyGlobalsSection)
        Others.push_back(&G);
    } else if (G.getSection() == GlobalsSection && !Listed.contains({&G, &G}) &&
               !isPadding(G)) {
      Shared.push_back(&G);
    }
  }
  for (GlobalVariable *G : Others)
    listUses(*G);
  for (GlobalVariable *G : Shared)
    if (uint64_t Size = M.getDataLayout().getTypeAllocSize(G->getValueType()))
      layOut(*G, Size);
    else
      G->setSection("");
  if (HasPacked)
    endPacked();
  appendToCompilerUsed(M, Entries);
  if (!Entries.empty())
    addConstructor();
  return !Entries.empty();
}

PreservedAnalyses GlobalTablePass::run(Module &M, ModuleAnalysisManager &) {
  return GlobalTable(M).run() ? PreservedAnalyses::none()
                              : PreservedAnalyses::all();
}

} // namespace graupel::fgdsm
