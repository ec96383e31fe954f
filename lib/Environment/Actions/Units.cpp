//===- Actions/Units.cpp - Programs that systemd units start --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// systemd need not run: units are read as systemd.unit(5) and systemd.syntax(7)
// say.
//
// 1. The first folder with the unit's file has it. A unit `a@b.service` may be
//    `a@.service` there.
// 2. Drop-ins are the files *.conf in the folders UNIT.d of all folders, sorted
//    by name; of two with the same name the first folder's counts.
// 3. An empty ExecStart= takes back those before it.
// 4. A line is prefixes, a program and the rest. The rest stays as it is
//    written: variables and specifiers mean the same in our drop-in.
//
//===----------------------------------------------------------------------===//

#include "Units.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdlib>
#include <map>
#include <unistd.h>

using namespace llvm;
using namespace graupel::environment;

StringRef Unit::setting(StringRef Key) const {
  StringRef Value;
  for (const auto &[K, V] : Settings)
    if (K == Key)
      Value = V;
  return Value;
}

// --- Folders -----------------------------------------------------------------

static std::string variable(const char *Name, const std::string &Otherwise) {
  const char *Value = getenv(Name);
  return Value && *Value == '/' ? Value : Otherwise;
}

static std::vector<std::string> usualFolders() {
  if (geteuid() == 0)
    return {"/etc/systemd/system", "/run/systemd/system",
            "/usr/local/lib/systemd/system", "/usr/lib/systemd/system",
            "/lib/systemd/system"};
  const std::string Home = variable("HOME", "/");
  const std::string Own = "/run/user/" + std::to_string(geteuid());
  return {variable("XDG_CONFIG_HOME", Home + "/.config") + "/systemd/user",
          "/etc/systemd/user",
          variable("XDG_RUNTIME_DIR", Own) + "/systemd/user",
          "/run/systemd/user",
          variable("XDG_DATA_HOME", Home + "/.local/share") + "/systemd/user",
          "/usr/local/share/systemd/user",
          "/usr/share/systemd/user",
          "/usr/local/lib/systemd/user",
          "/usr/lib/systemd/user"};
}

std::vector<std::string> graupel::environment::unitFolders() {
  const char *Variable = getenv("SYSTEMD_UNIT_PATH");
  if (!Variable || !*Variable)
    return usualFolders();
  std::vector<std::string> Result;
  SmallVector<StringRef> Parts;
  StringRef(Variable).split(Parts, ':');
  for (StringRef Part : Parts)
    if (!Part.empty())
      Result.push_back(Part.str());
  if (StringRef(Variable).ends_with(":"))
    append_range(Result, usualFolders());
  return Result;
}

// --- Files -------------------------------------------------------------------

static StringRef trimmed(StringRef Text) { return Text.trim(" \t\r\n"); }

/// Lines that end with a backslash go on; comments among them are left out.
static std::vector<std::string> logicalLines(StringRef Text) {
  std::vector<std::string> Lines;
  SmallVector<StringRef> Physical;
  Text.split(Physical, '\n');
  bool GoesOn = false;
  for (StringRef Line : Physical) {
    const StringRef Start = Line.ltrim(" \t\r");
    if (Start.starts_with("#") || Start.starts_with(";"))
      continue;
    const bool Was = GoesOn;
    GoesOn = Line.ends_with("\\");
    if (GoesOn)
      Line = Line.drop_back();
    if (Was)
      Lines.back() += " " + Line.str();
    else
      Lines.push_back(Line.str());
  }
  return Lines;
}

static void addFile(const std::string &Path, Unit &To) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return;
  StringRef Section;
  for (const std::string &Line : logicalLines((*Buffer)->getBuffer())) {
    const StringRef Text = trimmed(Line);
    if (Text.starts_with("[")) {
      Section = Text == "[Service]" ? "Service" : "";
      continue;
    }
    if (Section.empty() || !Text.contains('='))
      continue;
    const auto [Key, Raw] = Text.split('=');
    const StringRef Value = trimmed(Raw);
    if (trimmed(Key) != "ExecStart")
      To.Settings.push_back({trimmed(Key).str(), Value.str()});
    else if (Value.empty())
      To.Starts.clear();
    else
      To.Starts.push_back(readStartLine(Value));
  }
}

/// `a@b.service` may be a file `a@.service`.
static std::string templateOf(StringRef Name) {
  const size_t At = Name.find('@'), Dot = Name.rfind('.');
  return At == Name.npos || Dot < At
             ? std::string()
             : (Name.take_front(At + 1) + Name.drop_front(Dot)).str();
}

/// Names of the units whose drop-ins are read, the most general first.
static std::vector<std::string> dropInNames(StringRef Name) {
  std::vector<std::string> Names{"service"};
  for (size_t Dash = Name.find('-'); Dash != Name.npos;
       Dash = Name.find('-', Dash + 1))
    Names.push_back((Name.take_front(Dash + 1) + ".service").str());
  if (std::string Template = templateOf(Name); !Template.empty())
    Names.push_back(Template);
  Names.push_back(Name.str());
  return Names;
}

Expected<Unit> graupel::environment::readUnit(StringRef Name,
                                              ArrayRef<std::string> Folders,
                                              StringRef Except) {
  Unit Result;
  Result.Name = Name.str();
  if (Name.contains('/') || Name.empty() || Name.starts_with("."))
    return createStringError("`" + Name +
                             "` is no name of a unit; give one as "
                             "`systemctl list-units` shows it");
  const size_t Dot = Name.rfind('.');
  if (Dot == Name.npos)
    Result.Name += ".service";
  else if (Name.drop_front(Dot) != ".service")
    return createStringError(Name + ": only services start programs; give the "
                                    "name of the service");
  bool IsFound = false;
  for (const std::string &File : {Result.Name, templateOf(Result.Name)})
    for (const std::string &Folder : Folders)
      if (!IsFound && !File.empty() && sys::fs::exists(Folder + "/" + File)) {
        addFile(Folder + "/" + File, Result);
        IsFound = true;
      }
  if (!IsFound)
    return createStringError(Result.Name + ": there is no such unit in " +
                             join(Folders, ", ") +
                             "; `systemctl list-unit-files` lists them");
  std::map<std::string, std::string> DropIns;
  const std::vector<std::string> Names = dropInNames(Result.Name);
  for (const std::string &UnitName : reverse(Names))
    for (const std::string &Folder : Folders) {
      std::error_code EC;
      for (sys::fs::directory_iterator It(Folder + "/" + UnitName + ".d", EC),
           End;
           !EC && It != End; It.increment(EC)) {
        const StringRef File = StringRef(It->path()).rsplit('/').second;
        if (File.ends_with(".conf") && File != Except)
          DropIns.emplace(File.str(), It->path());
      }
    }
  for (const auto &[File, Path] : DropIns)
    addFile(Path, Result);
  return Result;
}

// --- Words -------------------------------------------------------------------

/// Appends the character for the escape sequence after a backslash at \p At,
/// and moves \p At behind it. False if the sequence is unknown.
static bool readEscape(StringRef Text, size_t &At, std::string &To) {
  static constexpr StringLiteral From = "abfnrtvs\\\"'",
                                 Means = "\a\b\f\n\r\t\v \\\"'";
  const size_t Which = At < Text.size() ? From.find(Text[At]) : From.npos;
  if (Which != From.npos) {
    To += Means[Which];
    ++At;
    return true;
  }
  unsigned Byte;
  if (At + 3 <= Text.size() && Text[At] == 'x' &&
      !Text.substr(At + 1, 2).getAsInteger(16, Byte) && Byte) {
    To += char(Byte);
    At += 3;
    return true;
  }
  return false;
}

/// The first word, without quotes. False if it is not to be understood. A
/// specifier is known to systemd alone.
static bool readWord(StringRef Text, size_t &At, std::string &To) {
  char Quote = 0;
  while (At < Text.size() && (Quote || !isSpace(Text[At]))) {
    const char C = Text[At++];
    if (C == '\\') {
      if (!readEscape(Text, At, To))
        return false;
    } else if (Quote ? C == Quote : C == '"' || C == '\'') {
      Quote = Quote ? 0 : C;
    } else if (C == '%') {
      if (At == Text.size() || Text[At++] != '%')
        return false;
      To += C;
    } else {
      To += C;
    }
  }
  return !Quote;
}

StartLine graupel::environment::readStartLine(StringRef Text) {
  StartLine Result;
  Result.Text = Text.str();
  size_t At = 0;
  std::string Word;
  // Prefixes may be within the word's quotes.
  if (readWord(Text, At, Word)) {
    const size_t Size = std::min(Word.find_first_not_of("@-:+!|"), Word.size());
    Result.Prefixes = Word.substr(0, Size);
    Result.Program = Word.substr(Size);
    Result.Rest = Text.drop_front(At).str();
  }
  return Result;
}

Expected<std::string> graupel::environment::unitWord(StringRef Text,
                                                     bool KeepsDollars) {
  if (!json::isUTF8(Text))
    return createStringError("`" + Text +
                             "` is not UTF-8, which units have to "
                             "be; give it another name");
  std::string Word = "\"";
  for (const char C : Text) {
    if (C == '"' || C == '\\')
      Word += '\\';
    if (C == '%' || (C == '$' && !KeepsDollars))
      Word += C;
    if ((unsigned char)C < ' ' || C == 127)
      Word += "\\x" + toHex(StringRef(&C, 1), /*LowerCase=*/true);
    else
      Word += C;
  }
  return Word + "\"";
}
