//===- agent/Agent.cpp - Reports files that a process loads ---------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dynamic linker loads it into a namespace of its own (rtld-audit(7)). It
// needs no library there, so it costs little, and the program does not see it.
//
// 1. la_version: no code of the program has run. Where nothing can be mounted,
//    it becomes its version (Exchange.h). If it is to be asked about, ask: it
//    may have to be started again, or to join other namespaces.
// 2. la_objsearch: the linker is about to open a path. It opens a version
//    instead (Places.h), or waits until one is in the path's place.
// 3. la_objopen: a file was mapped. If there is too little room for
// thread-local
//    storage, start the program again (ThreadLocal.h).
// 4. la_preinit: the program begins; it is not started again any more.
//
//===----------------------------------------------------------------------===//

#include "graupel/agent.h"
#include "Exchange.h"
#include "Namespaces.h"
#include "Places.h"
#include "Self.h"
#include "ThreadLocal.h"
#include "profile/Syscall.h"
#include "profile/Text.h"
#include <linux/auxvec.h>
#include <linux/limits.h>
#include <linux/un.h>

using namespace graupel;

#define GRAUPEL_EXPORT __attribute__((visibility("default")))

namespace {

constexpr unsigned AuditVersion =
    2; // LAV_CURRENT of all C libraries since 2021.
constexpr unsigned SearchOriginal = 1; // LA_SER_ORIG.
constexpr int SocketUnix = 1, SocketPackets = 5, SocketCloseOnExec = O_CLOEXEC;
constexpr int NoSignal = 0x4000;

/// The kernel's data on the stack.
struct Beginning {
  char **Arguments = nullptr, **Environment = nullptr;
  uint64_t *Auxiliary = nullptr;

  /// Empty if /proc is not there.
  Beginning() {
    const uint64_t Address = OwnNumbers()[28]; // Where the stack began.
    if (!Address)
      return;
    Arguments = reinterpret_cast<char **>(Address) + 1;
    char **End = Arguments;
    while (*End)
      ++End;
    Environment = ++End;
    while (*End)
      ++End;
    Auxiliary = reinterpret_cast<uint64_t *>(End + 1);
  }

  const char *variable(const char *Name) const {
    for (char **V = Environment; V && *V; ++V) {
      size_t N = 0;
      while (Name[N] && (*V)[N] == Name[N])
        ++N;
      if (!Name[N] && (*V)[N] == '=')
        return *V + N + 1;
    }
    return nullptr;
  }
  uint64_t auxiliary(uint64_t Type) const {
    for (uint64_t *A = Auxiliary; A && A[0] != AT_NULL; A += 2)
      if (A[0] == Type)
        return A[1];
    return 0;
  }
};

/// The name of the socket of the answering process.
char Name[64];

/// Until the program begins.
struct Loading {
  bool IsOn = true;
  bool Asks = true;
  uint64_t ThreadLocal = 0; ///< Bytes that libraries take of the reserve.
  uint64_t Reserve = 0;
};
Loading Now;

/// Used if nothing can be mounted.
Places Redirected;

int connectToOthers() {
  sockaddr_un Address = {};
  Address.sun_family = SocketUnix;
  const size_t Length = length(Name);
  if (Length + 1 > sizeof(Address.sun_path))
    return -1;
  copyBytes(Address.sun_path + 1, Name, Length);
  const int File = static_cast<int>(
      sys::call(__NR_socket, SocketUnix, SocketPackets | SocketCloseOnExec, 0));
  if (File < 0)
    return -1;
  const long Size =
      static_cast<long>(offsetof(sockaddr_un, sun_path) + 1 + Length);
  if (sys::retry(__NR_connect, File, sys::word(&Address), Size) == 0)
    return File;
  sys::close(File);
  return -1;
}

/// Waits as long as it takes; nobody there is an answer, too. With an answer
/// there may come descriptors.
char ask(char Kind, const char *Path, Namespaces *Received = nullptr) {
  char Question[1 + PATH_MAX];
  TextWriter Writer(Question, sizeof(Question));
  Writer.put(Kind);
  Writer.put(Path);
  const int File = Writer.overflowed() ? -1 : connectToOthers();
  if (File < 0)
    return GRAUPEL_AGENT_GO_ON;
  char Answer = GRAUPEL_AGENT_GO_ON;
  if (sys::retry(__NR_sendto, File, sys::word(Question),
                 static_cast<long>(Writer.length()), NoSignal, 0L, 0L) > 0)
    receive(File, Answer, Received);
  sys::close(File);
  return Answer;
}

/// As opposed to a script.
bool isProgram(const char *Path) {
  char Magic[4] = {};
  const int File = sys::open(Path, O_RDONLY);
  if (File < 0)
    return false;
  const bool IsRead = sys::read(File, Magic, sizeof(Magic)) == sizeof(Magic);
  sys::close(File);
  return IsRead && sameBytes(Magic, "\177ELF", sizeof(Magic));
}

/// The path by which this program was started; null if that leads elsewhere: a
/// script's name leads to the script, the linker's own to the linker. Something
/// else may have come to its place already, so names are compared.
const char *ownPath(const Beginning &B) {
  const auto *Path = reinterpret_cast<const char *>(B.auxiliary(AT_EXECFN));
  char Own[PATH_MAX];
  if (!readOwnPath(Own))
    return nullptr;
  // A version that was taken from its place since has no path any more.
  if (Path && Own[0] == '/' && !Own[1])
    return isProgram(Path) ? Path : nullptr;
  struct stat Named, Runs;
  const bool IsOwn = Path && sys::stat(Path, Named) == 0 &&
                     sys::stat(Own, Runs) == 0 && Named.st_ino == Runs.st_ino &&
                     Named.st_dev == Runs.st_dev;
  return IsOwn ? Path : nullptr;
}

/// Takes a variable away from the program, before it has seen it.
void removeVariable(const Beginning &B, const char *Name) {
  const size_t Size = length(Name);
  char **To = B.Environment;
  for (char **From = To; From && *From; ++From)
    if (!sameBytes(*From, Name, Size) || (*From)[Size] != '=')
      *To++ = *From;
  if (To)
    *To = nullptr;
}

/// If another program has replaced this one's file, becomes that program, which
/// would have been started a moment later. False if nothing more is to be
/// asked: it has joined the namespaces of the originals, or the programs it
/// starts are to be skipped.
bool considerProgram(const Beginning &B) {
  const char *Path = ownPath(B);
  Namespaces Others;
  const char Answer = ask(GRAUPEL_AGENT_PROGRAM, Path ? Path : "", &Others);
  if (Answer == GRAUPEL_AGENT_AGAIN && Path)
    sys::call(__NR_execve, sys::word(Path), sys::word(B.Arguments),
              sys::word(B.Environment));
  if (Answer == GRAUPEL_AGENT_ORIGINALS)
    return !join(Others);
  if (Answer != GRAUPEL_AGENT_LEAVE)
    return true;
  removeVariable(B, "LD_AUDIT");
  removeVariable(B, GRAUPEL_AGENT_VARIABLE);
  return false;
}

/// Valgrind runs programs in a process that is not theirs: an agent there would
/// look into valgrind's memory.
bool interpretsPrograms() {
  char Own[PATH_MAX];
  if (!readOwnPath(Own))
    return false;
  const char *Name = Own;
  for (const char *C = Own; *C; ++C)
    if (*C == '/')
      Name = C + 1;
  return sameText(Name, "valgrind") || sameText(Name, "valgrind.bin");
}

/// The number behind a word that begins a line of /proc/self/status.
uint64_t statusNumber(const char *Word, uint64_t Otherwise) {
  char Text[4096];
  const int File = sys::open("/proc/self/status", O_RDONLY);
  const long Got = File < 0 ? 0 : sys::read(File, Text, sizeof(Text) - 1);
  if (File >= 0)
    sys::close(File);
  const size_t Size = length(Word);
  for (long At = 0; At + static_cast<long>(Size) < Got; ++At) {
    if ((At && Text[At - 1] != '\n') || !sameBytes(Text + At, Word, Size))
      continue;
    At += static_cast<long>(Size);
    while (At < Got && (Text[At] == '\t' || Text[At] == ' '))
      ++At;
    uint64_t Value = 0;
    for (; At < Got && Text[At] >= '0' && Text[At] <= '9'; ++At)
      Value = Value * 10 + static_cast<uint64_t>(Text[At] - '0');
    return Value;
  }
  return Otherwise;
}

/// Parses GRAUPEL_AGENT. False if this process is to be skipped: a filter of
/// system calls may kill it for a question.
bool mayAsk(const Beginning &B) {
  const char *Text = B.variable(GRAUPEL_AGENT_VARIABLE);
  if (!Text)
    return false;
  TextWriter Writer(Name, sizeof(Name));
  for (; *Text && *Text != '/'; ++Text)
    Writer.put(*Text);
  uint64_t Filters = 0;
  for (Text += *Text == '/'; *Text >= '0' && *Text <= '9'; ++Text)
    Filters = Filters * 10 + static_cast<uint64_t>(*Text - '0');
  return !Writer.overflowed() &&
         statusNumber("Seccomp_filters:", Filters) <= Filters;
}

/// Starts the program again with a larger reserve; see ThreadLocal.h. Comes
/// back if that is not possible.
void startWithReserve(const Beginning &B, uint64_t Reserve) {
  const char *Before = B.variable(GRAUPEL_AGENT_TUNABLES);
  size_t Count = 0;
  while (B.Environment && B.Environment[Count])
    ++Count;
  const size_t TextSize = (Before ? length(Before) : 0) + 256;
  auto **Variables = static_cast<char **>(
      sys::allocate((Count + 2) * sizeof(char *) + TextSize));
  if (!Variables)
    return;
  auto *Text = reinterpret_cast<char *>(Variables + Count + 2);
  TextWriter Writer(Text, TextSize);
  Writer.put(GRAUPEL_AGENT_TUNABLES "=");
  putTunables(Writer, Before, Reserve);
  size_t Used = 0;
  for (size_t V = 0; V < Count; ++V)
    if (!sameBytes(B.Environment[V], Text, sizeof(GRAUPEL_AGENT_TUNABLES)))
      Variables[Used++] = B.Environment[V];
  Variables[Used] = Text;
  const char *Path = ownPath(B);
  sys::call(__NR_execve, sys::word(Path ? Path : "/proc/self/exe"),
            sys::word(B.Arguments), sys::word(Variables));
}

bool hasFolder(const char *Path) {
  for (; *Path; ++Path)
    if (*Path == '/')
      return true;
  return false;
}

} // namespace

extern "C" GRAUPEL_EXPORT unsigned la_version(unsigned Version) {
  const Beginning B;
  const bool Asks = mayAsk(B);
  Redirected.begin(B.variable(GRAUPEL_PLACES_VARIABLE));
  if (!Asks && !Redirected.any())
    return 0;
  if (Redirected.any() && interpretsPrograms()) {
    removeVariable(B, "LD_AUDIT");
    removeVariable(B, GRAUPEL_PLACES_VARIABLE);
    return 0;
  }
  // A debugger knows the original, and where it is.
  const bool IsTraced = statusNumber("TracerPid:", 1) != 0;
  if (const char *Version = IsTraced ? nullptr : Redirected.program();
      Version && B.Auxiliary)
    exchangeProgram(Version, reinterpret_cast<uint64_t *>(B.Arguments) - 1,
                    B.Auxiliary);
  Now.Reserve = reserveIn(B.variable(GRAUPEL_AGENT_TUNABLES));
  // It is still to have room for its libraries: this one is loaded already.
  Now.Asks = Asks && considerProgram(B);
  return Version < AuditVersion ? Version : AuditVersion;
}

/// Called with each file that was mapped, as the first fields of its link_map.
extern "C" GRAUPEL_EXPORT unsigned la_objopen(const LinkMap *Library,
                                              long Namespace, uintptr_t *) {
  const char *Path = Library->Name;
  // Others (dlmopen) have copies of their own.
  if (Namespace == 0)
    Redirected.opened(Library);
  // The program's own is not taken from the reserve.
  if (!Now.IsOn || !Path || !*Path)
    return 0;
  Now.ThreadLocal += threadLocalBytes(Path);
  const uint64_t Wanted = GRAUPEL_AGENT_USUAL_RESERVE + Now.ThreadLocal;
  if (Wanted > Now.Reserve) {
    startWithReserve(Beginning(), Wanted + GRAUPEL_AGENT_LARGER_RESERVE);
    Now.IsOn = false;
  }
  return 0;
}

/// Called before the program begins: from now on nothing is started again.
extern "C" GRAUPEL_EXPORT void la_preinit(uintptr_t *) { Now.IsOn = false; }

/// Called before a file is closed; its cookie is still what it was at first.
extern "C" GRAUPEL_EXPORT unsigned la_objclose(uintptr_t *Cookie) {
  if (Redirected.any())
    Redirected.closed(reinterpret_cast<const LinkMap *>(*Cookie));
  return 0;
}

/// Called with each path that the linker is going to try.
extern "C" GRAUPEL_EXPORT char *
la_objsearch(const char *Path, uintptr_t *Cookie, unsigned Stage) {
  struct stat Status;
  if (Redirected.any() && hasFolder(Path))
    if (const char *Version =
            Redirected.search(Path, Stage == SearchOriginal,
                              reinterpret_cast<const LinkMap *>(*Cookie)))
      return const_cast<char *>(Version);
  if (Now.Asks && hasFolder(Path) && sys::stat(Path, Status) == 0)
    ask(GRAUPEL_AGENT_LIBRARY, Path);
  return const_cast<char *>(Path);
}
