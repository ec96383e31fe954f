//===- Actions/Enable.cpp - Programs start with their versions ------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Find what starts the program: its name in PATH, or a line ExecStart= of a
//    systemd service.
// 2. Make the text of a file that goes before it: a wrapper in an earlier
//    folder of PATH, or a drop-in of the service. Names in it are data.
// 3. Remember the file, and then write it beside its place and link it there: a
//    file that is there is never replaced, and what is there is known.
// 4. To take it back, compare the file with what was written, remove it and the
//    folders that were made for it, and forget it.
//
//===----------------------------------------------------------------------===//

#include "Enable.h"
#include "Actions/Units.h"
#include "Process/Random.h"
#include "Process/WriteAll.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cstring>
#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace graupel::environment;

/// After those of users: the last ExecStart= counts.
static constexpr StringLiteral DropIn = "zz-graupel.conf";

static std::string realOf(const Twine &Path) {
  SmallString<256> Real;
  return sys::fs::real_path(Path, Real) ? std::string() : std::string(Real);
}

static Expected<std::string> ownProgram() {
  std::string Own = realOf("/proc/self/exe");
  if (Own.empty())
    return createStringError("/proc is not there; mount it");
  return Own;
}

// --- A wrapper in PATH -------------------------------------------------------

std::string graupel::environment::shellWord(StringRef Text) {
  std::string Word = "'";
  for (const char C : Text)
    if (C == '\'')
      Word += "'\\''";
    else
      Word += C;
  return Word + "'";
}

static std::string wrapperText(StringRef Graupel, const Locations &L,
                               StringRef Program) {
  const std::string Own = shellWord(Graupel), Runs = shellWord(Program);
  return "#!/bin/sh\n"
         "# `graupel enable` made this, and `graupel disable` removes it. "
         "With\n# GRAUPEL_WRAPPERS=off it starts the program itself.\n"
         "if [ \"$GRAUPEL_WRAPPERS\" != off ] && [ -x " +
         Own + " ] && [ -r " + shellWord(L.Database) + " ]; then\n  exec " +
         Own + " run --state=" + shellWord(L.State) + " -- " + Runs +
         " \"$@\"\nfi\nexec " + Runs + " \"$@\"\n";
}

/// Folders of PATH; an empty one is where we are, which is nowhere for others.
static std::vector<std::string> pathFolders() {
  std::vector<std::string> Result;
  SmallVector<StringRef> Parts;
  const char *Variable = getenv("PATH");
  StringRef(Variable ? Variable : "/bin:/usr/bin").split(Parts, ':');
  for (StringRef Part : Parts)
    if (Part.starts_with("/"))
      Result.push_back(Part.str());
  return Result;
}

static Expected<std::string> wrapperFolder(const StartRequest &R) {
  SmallString<256> Folder(R.Folder);
  if (Folder.empty()) {
    const char *Home = getenv("HOME");
    if (!Home || *Home != '/')
      return createStringError("there is no home folder for a wrapper; set "
                               "HOME, or name a folder with --folder");
    Folder = Home;
    sys::path::append(Folder, ".local", "bin");
  }
  sys::fs::make_absolute(Folder);
  return std::string(Folder);
}

/// Where in PATH the program is found by a name; the file as it is called
/// there.
static std::optional<std::pair<size_t, std::string>>
findInPath(Connection &DB, const std::vector<std::string> &Folders,
           StringRef Name, StringRef Main) {
  for (const auto &[Number, Folder] : enumerate(Folders)) {
    const std::string File = Folder + "/" + Name.str();
    const std::string Real = realOf(File);
    if (Real.empty() || !sys::fs::can_execute(Real))
      continue;
    if (const auto S = findStarter(DB, Real); S && S->Unit.empty())
      continue;
    if (Real == Main)
      return std::pair(Number, File);
    return std::nullopt;
  }
  return std::nullopt;
}

static Expected<Starter> planWrapper(Environment &E, const Application &A,
                                     const StartRequest &R) {
  const std::vector<std::string> Folders = pathFolders();
  auto Found = R.Name.find('/') == R.Name.npos
                   ? findInPath(E.database(), Folders, R.Name, A.Main)
                   : std::nullopt;
  if (!Found)
    Found =
        findInPath(E.database(), Folders, sys::path::filename(A.Main), A.Main);
  if (!Found)
    return createStringError(
        A.Main + ": nothing starts it by its name in PATH; put its folder into "
                 "PATH, or name the service that starts it with --unit");
  Expected<std::string> Folder = wrapperFolder(R);
  if (!Folder)
    return Folder.takeError();
  Expected<std::string> Own = ownProgram();
  if (!Own)
    return Own.takeError();
  const std::string Wanted = realOf(*Folder);
  const auto Before = ArrayRef(Folders).take_front(Found->first);
  if (none_of(Before, [&](const std::string &F) {
        return F == *Folder || (!Wanted.empty() && realOf(F) == Wanted);
      }))
    return createStringError(*Folder + " is not before " +
                             Folders[Found->first] +
                             " in PATH, so a wrapper there would not be found; "
                             "put it there, or name a folder with --folder");
  Starter S;
  S.Application = A.Id;
  S.Program = Found->second;
  S.File = (Wanted.empty() ? *Folder : Wanted) + "/" +
           sys::path::filename(Found->second).str();
  S.Text = wrapperText(*Own, E.locations(), S.Program);
  return S;
}

// --- A drop-in of a unit -----------------------------------------------------

/// The program that a line starts, as a path.
static std::string programOf(const StartLine &Line) {
  if (StringRef(Line.Program).starts_with("/"))
    return Line.Program;
  // systemd searches these folders for names without a slash.
  for (const char *Folder : {"/usr/local/sbin/", "/usr/local/bin/",
                             "/usr/sbin/", "/usr/bin/", "/sbin/", "/bin/"})
    if (const std::string Path = Folder + Line.Program;
        !Line.Program.empty() && sys::fs::can_execute(Path))
      return Path;
  return "";
}

static bool isTrue(StringRef Value) {
  return Value.equals_insensitive("yes") || Value.equals_insensitive("true") ||
         Value.equals_insensitive("on") || Value == "1";
}

/// Whether it is hidden by ProtectHome=.
static bool isInHomes(StringRef Path) {
  return Path.starts_with("/home/") || Path.starts_with("/root/") ||
         Path.starts_with("/run/user/");
}

/// Settings with which `graupel run` could not be started, not find its
/// database or be somebody else. Nothing, or a sentence.
static std::string whyNotUnit(const Unit &U, const Locations &L,
                              StringRef Graupel) {
  const StringRef User = U.setting("User");
  if (const passwd *Own = getpwuid(geteuid());
      !User.empty() && User != std::to_string(geteuid()) &&
      (!Own || User != Own->pw_name))
    return "it runs as user " + User.str() + ", who cannot read " + L.State +
           "; have a service of that user";
  if (isTrue(U.setting("DynamicUser")))
    return "it runs as a user of its own (DynamicUser=), who cannot read " +
           L.State + "; give it a user";
  for (const char *Key : {"RootDirectory", "RootImage"})
    if (!U.setting(Key).empty() && U.setting(Key) != "/")
      return std::string("it has a root folder of its own (") + Key +
             "=), in which there is no Graupel; start the program there with "
             "`graupel run`";
  const StringRef Homes = U.setting("ProtectHome");
  const bool HidesHomes = isTrue(Homes) || Homes == "tmpfs";
  if (HidesHomes && isInHomes(L.State))
    return "it does not see " + L.State +
           " (ProtectHome=); set that to read-only, or keep the database "
           "elsewhere with XDG_STATE_HOME";
  if (HidesHomes && isInHomes(Graupel))
    return "it does not see " + Graupel.str() +
           " (ProtectHome=); set that to read-only, or install Graupel "
           "elsewhere";
  if (!U.setting("SystemCallFilter").empty() &&
      U.setting("SystemCallErrorNumber").empty())
    return "it is killed for mounts (SystemCallFilter=); have them fail with "
           "SystemCallErrorNumber=EPERM";
  if (U.setting("Type") == "forking" && U.setting("PIDFile").empty())
    return "systemd guesses its main process (Type=forking without PIDFile=); "
           "give it a PIDFile=";
  return "";
}

/// Nothing, or why the line cannot go through `graupel run`.
static std::string whyNotLine(const StartLine &Line) {
  if (StringRef(Line.Prefixes).contains('@'))
    return "its ExecStart= gives the program another name (@); leave that out";
  if (StringRef(Line.Prefixes).contains('|'))
    return "its ExecStart= is run by a shell (|); leave that out";
  SmallVector<StringRef> Words;
  StringRef(Line.Rest).split(Words, ' ', -1, /*KeepEmpty=*/false);
  if (is_contained(Words, ";"))
    return "its ExecStart= has several commands in a line; give each a line";
  return "";
}

/// The line with `graupel run` before its program.
static Expected<std::string> lineText(const StartLine &Line, StringRef Graupel,
                                      StringRef State, StringRef Program) {
  const bool KeepsDollars = StringRef(Line.Prefixes).contains(':');
  const std::string Words[] = {Line.Prefixes + Graupel.str(), "run",
                               "--state=" + State.str(), "--", Program.str()};
  std::string Text = "ExecStart=";
  for (const std::string &Word : Words) {
    // systemd looks for no variables in the path of what it starts.
    const bool IsFirst = &Word == Words;
    Expected<std::string> Quoted = unitWord(Word, KeepsDollars || IsFirst);
    if (!Quoted)
      return Quoted.takeError();
    Text += (IsFirst ? "" : " ") + *Quoted;
  }
  return Text + Line.Rest + "\n";
}

static Expected<std::string> dropInText(const Unit &U, const Locations &L,
                                        const Application &A,
                                        StringRef Graupel) {
  std::string Text = "# `graupel enable` made this, and `graupel disable` "
                     "removes it.\n[Service]\nExecStart=\n";
  bool Any = false;
  std::string Others;
  for (const StartLine &Line : U.Starts) {
    const std::string Program = programOf(Line);
    if (Program.empty() || realOf(Program) != A.Main) {
      Text += "ExecStart=" + Line.Text + "\n";
      Others += (Others.empty() ? " but " : ", ") + Line.Program;
      continue;
    }
    if (std::string Why = whyNotLine(Line); !Why.empty())
      return createStringError(U.Name + ": " + Why);
    Expected<std::string> New = lineText(Line, Graupel, L.State, Program);
    if (!New)
      return New.takeError();
    Text += *New;
    Any = true;
  }
  if (!Any)
    return createStringError(U.Name + ": it does not start " + A.Main + Others +
                             "; register what it starts");
  return Text;
}

static Expected<Starter> planDropIn(Environment &E, const Application &A,
                                    const StartRequest &R) {
  const std::vector<std::string> Folders = unitFolders();
  Expected<Unit> U = readUnit(R.Unit, Folders, DropIn);
  if (!U)
    return U.takeError();
  Expected<std::string> Own = ownProgram();
  if (!Own)
    return Own.takeError();
  if (std::string Why = whyNotUnit(*U, E.locations(), *Own); !Why.empty())
    return createStringError(U->Name + ": " + Why);
  Expected<std::string> Text = dropInText(*U, E.locations(), A, *Own);
  if (!Text)
    return Text.takeError();
  Starter S;
  S.Application = A.Id;
  S.Unit = U->Name;
  S.Program = A.Main;
  S.File = Folders.front() + "/" + U->Name + ".d/" + DropIn.str();
  S.Text = *Text;
  return S;
}

Expected<Starter> graupel::environment::planStarter(Environment &E,
                                                    const Application &A,
                                                    const StartRequest &R) {
  return R.Unit.empty() ? planWrapper(E, A, R) : planDropIn(E, A, R);
}

// --- Files -------------------------------------------------------------------

static std::optional<std::string> contentOf(const std::string &Path) {
  struct stat Status;
  if (lstat(Path.c_str(), &Status) != 0 || !S_ISREG(Status.st_mode))
    return std::nullopt;
  auto Buffer = MemoryBuffer::getFile(Path);
  return Buffer ? std::optional((*Buffer)->getBuffer().str()) : std::nullopt;
}

static bool exists(const std::string &Path) {
  struct stat Status;
  return lstat(Path.c_str(), &Status) == 0;
}

static Error failed(const Twine &Path, int Code) {
  return createStringError(Path + ": cannot be written: " + strerror(Code) +
                           (Code == ENOSPC || Code == EDQUOT
                                ? "; free some space"
                                : "; check the rights of its folder"));
}

static Error isThere(const Twine &Path) {
  return createStringError(
      Path + ": there is such a file, which is not replaced; move it away");
}

/// The uppermost folder that has to be made for a file, or nothing.
static std::string uppermostMissing(StringRef File) {
  std::string Missing;
  for (StringRef Folder = sys::path::parent_path(File);
       !Folder.empty() && !exists(Folder.str());
       Folder = sys::path::parent_path(Folder))
    Missing = Folder.str();
  return Missing;
}

static Error makeFile(const Starter &S) {
  const StringRef Folder = sys::path::parent_path(S.File);
  if (std::error_code EC = sys::fs::create_directories(
          Folder, /*IgnoreExisting=*/true, sys::fs::perms(0755)))
    return failed(Folder, EC.value());
  const std::string Beside = Folder.str() + "/.graupel-" + randomHex(8);
  const int File = open(Beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                        S.Unit.empty() ? 0755 : 0644);
  if (File < 0)
    return failed(S.File, errno);
  int Code = writeAll(File, S.Text) && fsync(File) == 0 ? 0 : errno;
  close(File);
  const bool IsWritten = !Code;
  if (IsWritten && link(Beside.c_str(), S.File.c_str()) != 0)
    Code = errno;
  unlink(Beside.c_str());
  if (!Code)
    return Error::success();
  return IsWritten && Code == EEXIST ? isThere(S.File) : failed(S.File, Code);
}

static void removeFolders(const Starter &S) {
  if (S.Folder.empty())
    return;
  for (StringRef Folder = sys::path::parent_path(S.File);
       Folder.size() >= S.Folder.size() && rmdir(Folder.str().c_str()) == 0;
       Folder = sys::path::parent_path(Folder))
    ;
}

static Error forget(Environment &E, const Starter &S) {
  Transaction T(E.database());
  removeStarter(E.database(), S.File);
  return T.commit();
}

Error graupel::environment::writeStarter(Environment &E, Starter S) {
  const auto Known = findStarter(E.database(), S.File);
  if (Known && exists(S.File)) {
    if (Known->Application != S.Application)
      return createStringError(S.File + ": another application is enabled by "
                                        "it; `graupel disable` that one first");
    if (Known->Text == S.Text && contentOf(S.File) == S.Text)
      return Error::success();
    // Its program has changed; the file is still the one that we wrote.
    if (Error Err = removeStarter(E, *Known))
      return Err;
  }
  if (exists(S.File))
    return isThere(S.File);
  S.Folder = uppermostMissing(S.File);
  {
    Transaction T(E.database());
    putStarter(E.database(), S);
    if (Error Err = T.commit())
      return Err;
  }
  Error Err = makeFile(S);
  if (!Err)
    return Err;
  removeFolders(S);
  consumeError(forget(E, S));
  return Err;
}

Error graupel::environment::removeStarter(Environment &E, const Starter &S) {
  if (exists(S.File)) {
    if (contentOf(S.File) != S.Text)
      return createStringError(S.File + ": it was changed since it was "
                                        "written, and stays; remove it");
    if (unlink(S.File.c_str()) != 0)
      return createStringError(S.File +
                               ": cannot be removed: " + strerror(errno) +
                               "; check the rights of its folder");
  }
  removeFolders(S);
  return forget(E, S);
}

std::string graupel::environment::whatIsWrong(Environment &E,
                                              const Application &A,
                                              const Starter &S) {
  if (!exists(S.File))
    return "it is gone; `graupel enable` writes it again";
  if (contentOf(S.File) != S.Text)
    return "it was changed since it was written";
  if (S.Unit.empty())
    return "";
  Expected<Starter> Now = planDropIn(E, A, {A.Name, S.Unit, ""});
  if (!Now) {
    consumeError(Now.takeError());
    return "its unit cannot be started so any more; `graupel disable` removes "
           "it";
  }
  if (Now->Text != S.Text)
    return "its unit has changed since; `graupel enable` writes it again";
  return "";
}

std::string graupel::environment::behindWrapper(Connection &DB,
                                                const std::string &Path) {
  const auto S = findStarter(DB, Path);
  if (!S || !S->Unit.empty())
    return Path;
  const std::string Real = realOf(S->Program);
  return Real.empty() ? Path : Real;
}
