//===- Handshakes.cpp -----------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Functions of this module are quiet if they will have no checks or polls
//    and cannot be replaced by another definition.
// 2. Those with a call that is not quiet are not; repeat until nothing changes.
// 3. Calls of other functions are quiet if the name is one that programs cannot
//    have, the library's function neither waits nor calls back, and what it
//    prints has the standard's conversions only.
//
//===----------------------------------------------------------------------===//

#include "Handshakes.h"
#include "Assembly.h"
#include "CallGuards.h"
#include "LibraryCalls.h"
#include "Markers.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace graupel::fgdsm {

static bool isMarker(const Function &F) {
  return F.getName() == PrivateMarkerName || F.getName() == SharedMarkerName;
}

// Functions of <math.h>, each also with the suffixes f and l.
static constexpr StringLiteral Mathematical[] = {
    "acos",       "acosh",   "asin",      "asinh",  "atan",      "atan2",
    "atanh",      "cabs",    "cbrt",      "ceil",   "copysign",  "cos",
    "cosh",       "erf",     "exp",       "exp2",   "expm1",     "fabs",
    "fdim",       "floor",   "fmax",      "fmin",   "fmod",      "frexp",
    "hypot",      "ilogb",   "ldexp",     "log",    "log10",     "log1p",
    "log2",       "logb",    "modf",      "nan",    "nearbyint", "nextafter",
    "nexttoward", "pow",     "remainder", "remquo", "rint",      "round",
    "roundeven",  "scalbln", "scalbn",    "sin",    "sinh",      "sqrt",
    "tan",        "tanh",    "tgamma",    "trunc"};
static constexpr StringLiteral Others[] = {
    "abs",      "atof",    "atoi",    "atol",      "atoll",    "clock",
    "getenv",   "isdigit", "labs",    "llabs",     "memchr",   "memcmp",
    "memcpy",   "memmove", "memset",  "mktime",    "rand",     "snprintf",
    "sprintf",  "srand",   "sscanf",  "strcat",    "strchr",   "strcmp",
    "strcoll",  "strcpy",  "strcspn", "strlen",    "strncat",  "strncmp",
    "strncpy",  "strpbrk", "strrchr", "strspn",    "strstr",   "strtod",
    "strtof",   "strtok",  "strtol",  "strtold",   "strtoll",  "strtoul",
    "strtoull", "strxfrm", "time",    "vsnprintf", "vsprintf", "vsscanf",
    "wcslen"};

bool isQuietName(StringRef Name) {
  if (is_contained(Others, Name) || is_contained(Mathematical, Name))
    return true;
  return (Name.consume_back("f") || Name.consume_back("l")) &&
         is_contained(Mathematical, Name);
}

//===-- Formats -----------------------------------------------------------===//

// The argument that is the format of a function that prints into memory; or -1.
static int formatArgument(StringRef Name) {
  return StringSwitch<int>(Name)
      .Cases({"sprintf", "vsprintf"}, 1)
      .Cases({"snprintf", "vsnprintf"}, 2)
      .Cases({"__sprintf_chk", "__vsprintf_chk"}, 3)
      .Cases({"__snprintf_chk", "__vsnprintf_chk"}, 4)
      .Default(-1);
}

// Whatever else a conversion is, the program has registered it.
static bool isStandardConversion(StringRef &Format) {
  auto SkipAll = [&](StringRef Set) { Format = Format.ltrim(Set); };
  SkipAll("0123456789$-+ #'I*");
  if (Format.consume_front("."))
    SkipAll("0123456789$*");
  for (StringRef Length : {"hh", "h", "ll", "l", "L", "q", "j", "z", "Z", "t"})
    if (Format.consume_front(Length))
      break;
  bool IsStandard =
      !Format.empty() &&
      StringRef("diouxXeEfFgGaAcCsSpnm%").contains(Format.front());
  Format = Format.drop_front(IsStandard);
  return IsStandard;
}

// Other conversions call functions of the program's
// (register_printf_specifier).
static bool printsOnlyStandard(const CallBase &Call, unsigned Index) {
  StringRef Format;
  if (Index >= Call.arg_size() ||
      !getConstantStringInfo(Call.getArgOperand(Index), Format))
    return false;
  for (;;) {
    Format = Format.drop_until([](char C) { return C == '%'; });
    if (!Format.consume_front("%"))
      return true;
    if (!isStandardConversion(Format))
      return false;
  }
}

//===-- Calls -------------------------------------------------------------===//

// Names that programs cannot have. A name that they may have, however usual as
// a name of a library function (random, operator new), may be checked code.
bool isQuietLibraryCall(const CallBase &Call,
                        const TargetLibraryInfo &Library) {
  const Function *F = Call.getCalledFunction();
  LibFunc Known;
  if (!F || !F->isDeclaration() || Call.hasFnAttr(Attribute::ReturnsTwice) ||
      isBlocking(F->getName()))
    return false;
  StringRef Name = F->getName();
  int Format = formatArgument(Name);
  if (Format >= 0 && !printsOnlyStandard(Call, Format))
    return false;
  if (isQuietName(Name))
    return Library.getLibFunc(*F, Known) ||
           is_contained({"rand", "srand", "time", "clock"}, Name);
  // These call back.
  if (Name == "__cxa_atexit" || Name == "__cxa_throw")
    return false;
  if (Name.starts_with("__") && Library.getLibFunc(*F, Known))
    return true;
  return StringSwitch<bool>(Name)
      .Cases({"__errno_location", "__ctype_b_loc", "__ctype_tolower_loc",
              "__ctype_toupper_loc"},
             true)
      .Cases({"__cxa_allocate_exception", "__cxa_free_exception"}, true)
      .Cases({"gdsm_node", "gdsm_nodes", "gdsm_thread", "gdsm_threads",
              "gdsm_threads_per_node", "gdsm_time", GuardEntry},
             true)
      .Default(false);
}

// Calls of functions that this module does not define.
static bool isQuietDeclaration(const CallBase &Call) {
  if (isa<IntrinsicInst>(Call))
    return !Call.hasFnAttr(Attribute::ReturnsTwice);
  return isMarker(*Call.getCalledFunction());
}

Handshakes::Handshakes(Module &M, const DenseSet<const Function *> &HasOwn) {
  // Another definition of the same function may poll where this one does not.
  for (const Function &F : M)
    if (!F.isDeclaration() && F.hasExactDefinition() && !HasOwn.contains(&F))
      Quiet.insert(&F);
  const TargetLibraryInfoImpl Impl(M.getTargetTriple());
  const TargetLibraryInfo Library(Impl);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Function &F : M)
      if (Quiet.contains(&F) && any_of(instructions(F), [&](const auto &I) {
            auto *Call = dyn_cast<CallBase>(&I);
            return Call && endsValidity(*Call, Library);
          })) {
        Quiet.erase(&F);
        Changed = true;
      }
  }
}

bool Handshakes::endsValidity(const CallBase &Call,
                              const TargetLibraryInfo &Library) const {
  if (Call.isInlineAsm())
    return mayRunOtherCode(Call);
  const Function *F = Call.getCalledFunction();
  if (!F)
    return true;
  if (F->isDeclaration())
    return !isQuietDeclaration(Call) && !isQuietLibraryCall(Call, Library);
  return !Quiet.contains(F);
}

} // namespace graupel::fgdsm
