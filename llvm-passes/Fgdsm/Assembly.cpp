//===- Assembly.cpp -------------------------------------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the text of inline assembly a statement at a time, in both syntaxes:
//
// 1. Take comments and quotations away. Statements end at line ends, semicolons
//    and where the alternatives of the two syntaxes meet, as LLVM writes them.
// 2. Skip labels and prefixes. The instruction comes next.
// 3. Jumps are within the assembly if they go to a numbered label, to one that
//    the text defines, or to a label of the function.
// 4. The stack pointer changes if it is the destination, or is exchanged. The
//    effects of push and pop on it do not count.
//
//===----------------------------------------------------------------------===//

#include "Assembly.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstrTypes.h"
#include <string>

using namespace llvm;

namespace graupel::fgdsm {

namespace {

struct Statement {
  StringRef Mnemonic, Operands;
};

class Reader {
public:
  explicit Reader(const InlineAsm &Assembly);
  bool mayLeave() const {
    return any_of(Statements, [this](const Statement &S) {
      return leavesBy(S) || writesStackPointer(S);
    });
  }

private:
  void read(StringRef Line);
  bool isWithin(StringRef Target) const;
  bool writesStackPointer(const Statement &S) const;
  bool leavesBy(const Statement &S) const;

  bool IsIntel;
  std::string Text;
  StringSet<> Labels;
  SmallVector<Statement, 8> Statements;
};

} // namespace

// Takes what stands between quotation marks, whatever it is; else nothing.
static void skipQuoted(StringRef &Text) {
  if (Text.starts_with("'"))
    Text = Text.drop_front(
        std::min<size_t>(Text.size(), Text.substr(2).starts_with("'") ? 3 : 2));
  else if (Text.consume_front("\""))
    Text = Text.split('"').second;
}

// In lower case, with a line for each statement.
static std::string linesOf(StringRef Text) {
  std::string Lines;
  while (!Text.empty()) {
    skipQuoted(Text);
    if (Text.consume_front("/*")) {
      Text = Text.split("*/").second;
    } else if (Text.starts_with("#") || Text.starts_with("//")) {
      Text = Text.drop_until([](char C) { return C == '\n'; });
    } else if (Text.consume_front("$(") || Text.consume_front("$|") ||
               Text.consume_front("$)") || Text.consume_front(";")) {
      Lines += '\n';
    } else if (!Text.empty()) {
      Lines += toLower(Text.front());
      Text = Text.drop_front();
    }
  }
  return Lines;
}

static bool isLabelCharacter(char C) {
  return isAlnum(C) || StringRef("_.$@{}:").contains(C);
}

static bool isPrefix(StringRef Word) {
  return Word.starts_with("{") || Word.starts_with("rex") ||
         StringSwitch<bool>(Word)
             .Cases({"lock", "rep", "repe", "repz", "repne", "repnz"}, true)
             .Cases({"notrack", "bnd", "data16", "addr32", "xacquire"}, true)
             .Cases({"xrelease", "cs", "ds", "es", "fs", "gs", "ss"}, true)
             .Default(false);
}

Reader::Reader(const InlineAsm &Assembly)
    : IsIntel(Assembly.getDialect() == InlineAsm::AD_Intel),
      Text(linesOf(Assembly.getAsmString())) {
  SmallVector<StringRef, 8> Lines;
  SplitString(Text, Lines, "\n");
  for (StringRef Line : Lines)
    read(Line);
}

void Reader::read(StringRef Line) {
  for (;;) {
    Line = Line.ltrim();
    StringRef Word = Line.take_until([](char C) { return isSpace(C); });
    // A label's name may have an operand, ${:uid}, which has a colon itself.
    StringRef Label = Line.take_while(isLabelCharacter);
    size_t Colon = Label.rfind(':');
    if (Colon != StringRef::npos && Colon && !Label.ends_with("}")) {
      Labels.insert(Label.take_front(Colon));
      Line = Line.drop_front(Colon + 1);
    } else if (isPrefix(Word)) {
      Line = Line.drop_front(Word.size());
    } else {
      if (!Word.empty())
        Statements.push_back({Word, Line.drop_front(Word.size()).trim()});
      return;
    }
  }
}

// Labels of the function are operands: ${2:l}.
bool Reader::isWithin(StringRef Target) const {
  StringRef Digits = Target.take_while(isDigit), Rest = Target;
  Rest = Rest.drop_front(Digits.size());
  if (!Digits.empty() && (Rest == "f" || Rest == "b"))
    return true;
  return Labels.contains(Target) ||
         (Target.starts_with("${") && Target.ends_with(":l}"));
}

bool Reader::leavesBy(const Statement &S) const {
  StringRef M = S.Mnemonic;
  if (M.starts_with("call") || M.starts_with("lcall") || M.starts_with("ljmp"))
    return true;
  if (M.starts_with("j") || M.starts_with("loop") || M == "xbegin")
    return !isWithin(S.Operands.split(',').first.trim());
  return StringSwitch<bool>(M)
      .Cases({"syscall", "sysenter", "int", "int3", "into"}, true)
      .Cases({"ret", "retq", "retl", "retw", "lret", "lretq"}, true)
      .Cases({"iret", "iretq", "iretl", "retf", "uiret"}, true)
      .Default(false);
}

static bool isStackPointer(StringRef Operand) {
  Operand = Operand.trim();
  while (Operand.consume_front("%") || Operand.consume_front("$$"))
    ;
  return Operand == "rsp" || Operand == "esp" || Operand == "sp" ||
         Operand == "spl";
}

bool Reader::writesStackPointer(const Statement &S) const {
  StringRef M = S.Mnemonic;
  if (M.starts_with("leave") || M.starts_with("enter"))
    return true;
  if (M.starts_with("cmp") || M.starts_with("test") || M.starts_with("push") ||
      M.starts_with("bt"))
    return M.starts_with("cmpxchg") && S.Operands.contains("sp");
  auto [First, Rest] = S.Operands.split(',');
  StringRef Last = S.Operands.substr(S.Operands.rfind(',') + 1);
  if (M.starts_with("xchg") || M.starts_with("xadd"))
    return isStackPointer(First) || isStackPointer(Last);
  return isStackPointer(IsIntel ? First : Last);
}

bool mayRunOtherCode(const CallBase &Call) {
  auto *Assembly = cast<InlineAsm>(Call.getCalledOperand());
  if (Reader(*Assembly).mayLeave())
    return true;
  // The compiler is told that the stack pointer changes.
  return any_of(Assembly->ParseConstraints(), [](const auto &C) {
    return C.Type != InlineAsm::isInput && any_of(C.Codes, [](StringRef Code) {
             return Code == "{rsp}" || Code == "{esp}" || Code == "{sp}";
           });
  });
}

} // namespace graupel::fgdsm
