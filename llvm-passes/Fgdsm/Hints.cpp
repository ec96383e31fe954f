//===- Hints.cpp ----------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the file of -fgdsm-hints and applies it.
//
// 1. get reads the file once a process. A file that cannot be read, or begins
//    with another line, is a warning and gives no hints.
// 2. Parse each line into kind, file, line and values (parse, parseWord). A
//    line that is no hint is a warning.
// 3. find compares the line number and the end of the path of a debug location
//    with each hint. trips does that for loops.
// 4. applyToAllocations: visit direct calls of gdsm_alloc and gdsm_malloc. A
//    hinted gdsm_malloc becomes a gdsm_alloc. A gdsm_alloc gets the block if
//    its own is 0 or the hint says replace, and gets the home.
// 5. The home is chosen when the program runs: if the job has no such node, the
//    home stays as it was (homeFor).
// 6. Warn of hints for files of this module that no allocation has used, and of
//    a module without line numbers.
//
//===----------------------------------------------------------------------===//

#include "Hints.h"
#include "Options.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace graupel::fgdsm {

static constexpr StringLiteral FirstLine = "graupel-fgdsm-hints 1";
static constexpr uint64_t LeastBlock = 32, MostBlock = 4096;
static constexpr unsigned MostNodes = 64;

static void warn(LLVMContext &Context, const Twine &Message) {
  const std::string Text = ("-fgdsm-hints: " + Message).str();
  Context.diagnose(DiagnosticInfoGeneric(Text, DS_Warning));
}

static bool isBlock(uint64_t Bytes) {
  return isPowerOf2_64(Bytes) && Bytes >= LeastBlock && Bytes <= MostBlock;
}

/// Parses a word after the line number.
bool Hints::parseWord(StringRef Word, Hint &To) const {
  if (To.OfLoop)
    return Word.consume_front("trips=") && !Word.getAsInteger(10, To.Value) &&
           To.Value;
  if (Word == "replace")
    return To.Replace = true;
  if (Word.consume_front("block="))
    return !Word.getAsInteger(10, To.Value) && isBlock(To.Value);
  if (!Word.consume_front("home="))
    return false;
  unsigned Node;
  if (Word == "round-robin")
    To.Home = -1;
  else if (Word == "first-touch")
    To.Home = -2;
  else if (!Word.getAsInteger(10, Node) && Node < MostNodes)
    To.Home = int(Node);
  return To.Home.has_value();
}

/// "alloc grid.c:41 block=1024 home=first-touch replace" or
/// "loop grid.c:57 trips=8".
bool Hints::parse(StringRef Text, Hint &To) const {
  SmallVector<StringRef, 4> Words;
  Text.split(Words, ' ', -1, /*KeepEmpty=*/false);
  if (Words.size() < 3)
    return false;
  To.OfLoop = Words[0] == "loop";
  auto [File, Line] = Words[1].rsplit(':');
  To.File = File.str();
  if ((!To.OfLoop && Words[0] != "alloc") || File.empty() ||
      Line.getAsInteger(10, To.Line) || (To.OfLoop && Words.size() != 3))
    return false;
  for (StringRef Word : ArrayRef(Words).drop_front(2))
    if (!parseWord(Word, To))
      return false;
  return To.Value || To.Home;
}

void Hints::read(StringRef From, LLVMContext &Context) {
  Path = From.str();
  auto File = MemoryBuffer::getFile(Path);
  if (!File)
    return warn(Context, "cannot read " + Path + ": " +
                             File.getError().message() +
                             "; compiling without hints");
  SmallVector<StringRef, 0> Lines;
  (*File)->getBuffer().split(Lines, '\n');
  if (Lines.empty() || Lines[0].trim() != FirstLine)
    return warn(Context, Path + " does not begin with `" + FirstLine +
                             "`; compiling without hints (make them by "
                             "`graupel stride export --fgdsm`)");
  for (unsigned N = 1; N < Lines.size(); ++N) {
    StringRef Text = Lines[N].split('#').first.trim();
    Hint New = {};
    if (Text.empty())
      continue;
    if (parse(Text, New)) {
      New.InFile = N + 1;
      All.push_back(New);
    } else {
      warn(Context, Path + ":" + Twine(N + 1) + ": `" + Text +
                        "` is no hint; it is left out");
    }
  }
}

const Hints &Hints::get(LLVMContext &Context) {
  static const Hints Known = [&] {
    Hints H;
    if (!HintsOption.empty())
      H.read(HintsOption, Context);
    return H;
  }();
  return Known;
}

static bool isFile(StringRef Path, StringRef End) {
  return Path.consume_back(End) && (Path.empty() || Path.back() == '/');
}

static bool isIn(const DIScope *Scope, StringRef End) {
  return Scope &&
         (isFile(Scope->getFilename(), End) ||
          isFile((Scope->getDirectory() + "/" + Scope->getFilename()).str(),
                 End));
}

const Hints::Hint *Hints::find(bool OfLoop, const DebugLoc &Where) const {
  if (!All.empty() && Where)
    for (const Hint &H : All)
      if (H.OfLoop == OfLoop && H.Line == Where.getLine() &&
          isIn(cast<DIScope>(Where.getScope()), H.File))
        return &H;
  return nullptr;
}

uint64_t Hints::trips(const DebugLoc &Where) const {
  const Hint *H = find(true, Where);
  return H ? H->Value : 0;
}

/// The hinted home; on fewer nodes than it was recorded on, the one that is
/// there may be none.
static Value *homeFor(CallInst &Call, int Hinted, Value *Otherwise) {
  IRBuilder<> B(&Call);
  Value *Home = ConstantInt::getSigned(B.getInt32Ty(), Hinted);
  if (Hinted <= 0)
    return Home;
  FunctionCallee Nodes =
      Call.getModule()->getOrInsertFunction("gdsm_nodes", B.getInt32Ty());
  return B.CreateSelect(B.CreateICmpSLT(Home, B.CreateCall(Nodes)), Home,
                        Otherwise);
}

/// Whether the call changed.
static bool applyTo(CallInst &Call, uint64_t Block, std::optional<int> Home,
                    bool Replace) {
  Type *Size = Call.getArgOperand(0)->getType();
  IRBuilder<> B(&Call);
  if (Call.arg_size() == 1) {
    Value *RoundRobin = ConstantInt::getSigned(B.getInt32Ty(), -1);
    FunctionCallee Alloc = Call.getModule()->getOrInsertFunction(
        "gdsm_alloc", Call.getType(), Size, Size, B.getInt32Ty());
    CallInst *New = B.CreateCall(
        Alloc, {Call.getArgOperand(0), ConstantInt::get(Size, Block),
                homeFor(Call, Home.value_or(-1), RoundRobin)});
    Call.replaceAllUsesWith(New);
    Call.eraseFromParent();
    return true;
  }
  // A block that the program names is better than one that was hinted without
  // having seen the program run.
  auto *Old = dyn_cast<ConstantInt>(Call.getArgOperand(1));
  bool Changed = Block && (Replace || (Old && Old->isZero()));
  if (Changed)
    Call.setArgOperand(1, ConstantInt::get(Size, Block));
  if (Home)
    Call.setArgOperand(2, homeFor(Call, *Home, Call.getArgOperand(2)));
  return Changed || Home;
}

bool Hints::applyToAllocations(Module &M) const {
  SmallVector<CallInst *, 8> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (Function *Callee = Call->getCalledFunction();
            Callee &&
            ((Callee->getName() == "gdsm_alloc" && Call->arg_size() == 3) ||
             (Callee->getName() == "gdsm_malloc" && Call->arg_size() == 1)))
          Calls.push_back(Call);
  bool Changed = false;
  std::vector<bool> Used(All.size());
  for (CallInst *Call : Calls) {
    const DebugLoc &Where = Call->getDebugLoc();
    for (size_t N = 0; Where && N < All.size(); ++N)
      Used[N] = Used[N] || (!All[N].OfLoop && All[N].Line == Where.getLine() &&
                            isIn(cast<DIScope>(Where.getScope()), All[N].File));
    if (const Hint *H = find(false, Where))
      Changed |= applyTo(*Call, H->Value, H->Home, H->Replace);
  }
  // Warn about unused hints for files that are compiled here only.
  for (DICompileUnit *Unit : M.debug_compile_units())
    for (size_t N = 0; N < All.size(); ++N)
      if (!All[N].OfLoop && !Used[N] && isIn(Unit, All[N].File))
        warn(M.getContext(),
             Path + ":" + Twine(All[N].InFile) + ": " + All[N].File + ":" +
                 Twine(All[N].Line) +
                 " has no allocation; the source has changed since the record");
  if (!All.empty() && M.debug_compile_units().empty())
    warn(M.getContext(), "there are no line numbers, by which hints are found; "
                         "compile with -g");
  return Changed;
}

} // namespace graupel::fgdsm
