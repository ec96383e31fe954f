//===- Missed.cpp - Accesses without checks, found by the processor -------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements the run mode check-missed, which finds accesses without checks by
// protection keys.
//
// 1. startCheckingMissed, before the region is reserved: read GRAUPEL_DSM,
//    allocate the keys and the table of settled tags, and handle SIGTRAP. A job
//    of one node needs none of that.
// 2. handleMissed takes a fault of a key, with address, instruction and
//    direction. The runtime's own accesses go to step 5 at once. A thread that
//    blocks in the C library goes online for the instruction.
// 3. missedAccesses: for code without checks, decode the ranges from the
//    instruction (accessesOf). For code with checks only stores count, since
//    its loads are checked by value. The access is missed if a settled tag
//    refuses it.
// 4. serve: count the place in the program's code, tell of the first miss
//    there, and acquire the ranges.
// 5. beginStep opens the keys to the thread and sets the trap flag. After one
//    instruction onStep closes them, and the thread goes offline again.
// 6. listMissed prints all places with their counts. opened widens a range to
//    whole pages.
//
//===----------------------------------------------------------------------===//

#include "Foreign/Missed.h"
#include "Base/Lines.h"
#include "Base/Objects.h"
#include "Entries/Entries.h"
#include "Errors/Error.h"
#include "Foreign/CodeMap.h"
#include "Foreign/Describe.h"
#include "Foreign/Operands.h"
#include "Memory/Keys.h"
#include "Node/Globals.h"
#include "Node/Node.h"
#include "Node/Ranges.h"
#include "Node/Signals.h"
#include "Transport/Fatal.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

namespace graupel::dsm {

namespace {

Keys *Protection = nullptr;
/// The tags that this thread may rely on until its next handshake point, though
/// another thread may be waiting for that to take blocks away.
TagTable *Settled = nullptr;

constexpr greg_t TrapFlag = 0x100;

greg_t &registerOf(void *Context, int Which) {
  return static_cast<ucontext_t *>(Context)->uc_mcontext.gregs[Which];
}

//===-- Owners of code ----------------------------------------------------===//

/// The map of the objects that are loaded now; made again when these change,
/// and never freed, for other threads may be reading it.
const CodeMap &currentMap() {
  static std::mutex Mutex;
  static unsigned long long Adds = 0;
  static const CodeMap *Map = nullptr;
  unsigned long long Now = 0;
  dl_iterate_phdr(
      [](dl_phdr_info *Object, size_t, void *To) {
        *static_cast<unsigned long long *>(To) = Object->dlpi_adds;
        return 1;
      },
      &Now);
  std::lock_guard Lock(Mutex);
  if (Now != Adds) {
    Map = new CodeMap;
    Adds = Now;
  }
  return *Map;
}

/// Instructions are asked for again and again.
bool isInChecked(uintptr_t Pc) {
  static std::atomic<uintptr_t> Known[4096];
  std::atomic<uintptr_t> &Cell = Known[(Pc * 0x9e3779b97f4a7c15u) >> 52];
  uintptr_t Value = Cell.load(std::memory_order_relaxed);
  if (Value >> 1 == Pc)
    return Value & 1;
  bool Checked = currentMap().isInChecked(Pc);
  Cell.store(Pc << 1 | Checked, std::memory_order_relaxed);
  return Checked;
}

bool isSystems(uintptr_t Pc) {
  Dl_info Where;
  return dladdr(reinterpret_cast<void *>(Pc), &Where) && Where.dli_fname &&
         isSystemFile(Where.dli_fname);
}

struct Search {
  uintptr_t Pc, Found;
  bool Inside;
};

_Unwind_Reason_Code lookAtFrame(_Unwind_Context *Frame, void *For) {
  auto &S = *static_cast<Search *>(For);
  uintptr_t A = _Unwind_GetIP(Frame);
  if (!S.Inside) {
    S.Inside = A == S.Pc;
    return _URC_NO_REASON;
  }
  if (!A || isSystems(A - 1) || isOurs(A - 1))
    return _URC_NO_REASON;
  S.Found = A - 1;
  return _URC_END_OF_STACK;
}

/// The program's instruction: the access, or the call of a library that made
/// it.
uintptr_t programsPlace(uintptr_t Pc) {
  if (!isSystems(Pc))
    return Pc;
  Search S = {Pc, Pc, false};
  _Unwind_Backtrace(lookAtFrame, &S);
  return S.Found;
}

std::string functionAt(uintptr_t Pc) {
  std::string Name;
  forEachObject([&](const ObjectFile &O) {
    O.forEachFunction([&](uintptr_t A, size_t Size, const char *Its) {
      if (Pc - A < Size)
        Name = Its;
    });
  });
  Dl_info Where;
  if (Name.empty() && dladdr(reinterpret_cast<void *>(Pc), &Where) &&
      Where.dli_sname)
    Name = Where.dli_sname;
  return Name.empty() ? "code without a name" : demangled(Name.c_str());
}

//===-- Reports -----------------------------------------------------------===//

struct Told {
  std::string Text;
  uint64_t Count = 0;
};
std::mutex PlacesLock;
std::map<uintptr_t, Told> *Places = nullptr;

/// Counts; returns whether it is the first time.
bool countPlace(uintptr_t Key) {
  std::lock_guard Lock(PlacesLock);
  return ++(*Places)[Key].Count == 1;
}

void tell(uintptr_t Key, const std::string &Text, const std::string &Detail) {
  {
    std::lock_guard Lock(PlacesLock);
    (*Places)[Key].Text = Text;
  }
  print(format("graupel dsm: missed: node %d: %s%s\n", TheNode->Number,
               Text.c_str(), Detail.c_str()));
}

void report(uintptr_t Pc, uintptr_t A, bool Store) {
  uintptr_t Place = programsPlace(Pc);
  if (!countPlace(Place))
    return;
  std::string Text = format("%s at %s %s shared memory without checks",
                            functionAt(Place).c_str(), nameOf(Place + 1).Text,
                            Place != Pc ? "calls a function that accesses"
                            : Store     ? "stores to"
                                        : "loads from");
  tell(Place, Text, format(", %#zx%s", size_t(A), allocationOf(A).c_str()));
}

//===-- Accesses ----------------------------------------------------------===//

/// The memory that an instruction accesses, as ranges.
struct Accesses {
  graupel_dsm_range Ranges[2];
  unsigned Count = 0;

  void add(uintptr_t A, size_t Bytes, bool Store) {
    Ranges[Count++] = {reinterpret_cast<void *>(A), Bytes << 1 | Store};
  }
};

/// Bytes that a string instruction still has to do on one page, or less.
size_t stringBytes(const Operands &O, uintptr_t A, void *Context) {
  if (!O.Repeated || registerOf(Context, REG_EFL) & 0x400)
    return O.Bytes;
  uint64_t Left = registerOf(Context, REG_RCX);
  uint64_t InPage = PageBytes - A % PageBytes;
  return std::max<uint64_t>(
      O.Bytes, std::min(Left < InPage ? Left * O.Bytes : InPage, InPage));
}

Accesses accessesOf(uintptr_t Pc, uintptr_t A, bool Store, void *Context) {
  Operands O = operandsOf(reinterpret_cast<const uint8_t *>(Pc));
  Accesses All;
  auto Source = static_cast<uintptr_t>(registerOf(Context, REG_RSI));
  auto Target = static_cast<uintptr_t>(registerOf(Context, REG_RDI));
  switch (O.Where) {
  case Operands::One:
    All.add(A, O.Bytes, Store);
    break;
  case Operands::Source:
    All.add(Source, stringBytes(O, Source, Context), false);
    break;
  case Operands::Target:
    All.add(Target, stringBytes(O, Target, Context), Store);
    break;
  case Operands::Both:
  case Operands::Compared:
    All.add(Source, stringBytes(O, Source, Context), false);
    All.add(Target, stringBytes(O, Target, Context), O.Where == Operands::Both);
    break;
  case Operands::Scattered:
    fail("%s at %s gathers or scatters shared memory (%#zx) without checks, "
         "which check-missed cannot help; compile it with graupel-dsm.cfg",
         functionAt(Pc).c_str(), nameOf(Pc + 1).Text, size_t(A));
  }
  return All;
}

uintptr_t firstRefusedOf(const Accesses &All) {
  for (unsigned I = 0; I != All.Count; ++I)
    if (uintptr_t A =
            firstRefused(*Settled, TheNode->Shared.addresses(), All.Ranges[I]);
        A != NoAddress)
      return A;
  return NoAddress;
}

/// The runtime is at work for this thread; the program is not.
bool isRuntimes(uintptr_t Pc) {
  const ThreadRecord *T = self();
  return isOurs(Pc) || Dispatcher::inHandler() ||
         (T && !(T->state() & 1) && !T->BlockedAt);
}

/// Functions that block, to open a file or take a mutex, are handshake
/// points, at which code with checks would lose what it has just checked.
class NoHandshake {
public:
  NoHandshake() : T(self()) {
    if (T)
      ++T->Handlers;
  }
  ~NoHandshake() {
    if (T)
      --T->Handlers;
  }

private:
  ThreadRecord *T;
};

/// None if all is valid.
Accesses missedAccesses(uintptr_t Pc, uintptr_t A, bool Store, void *Context) {
  NoHandshake Here;
  Accesses All;
  if (!isInChecked(Pc))
    All = accessesOf(Pc, A, Store, Context);
  else if (Store) // Its checks are by tags; loads look at the value.
    All.add(A, 1, true);
  return firstRefusedOf(All) == NoAddress ? Accesses() : All;
}

void serve(uintptr_t Pc, uintptr_t A, bool Store, void *Context) {
  Accesses Missed = missedAccesses(Pc, A, Store, Context);
  if (!Missed.Count)
    return;
  report(Pc, A, Store);
  acquireFor(Missed.Ranges, Missed.Count, Pc);
}

/// Code without checks in a function that blocks: for the instruction the
/// thread is online, so that nothing is taken.
__thread bool OnlineForStep __attribute__((tls_model("initial-exec")));

void beginStep(void *Context) {
  Protection->open(Context);
  registerOf(Context, REG_EFL) |= TrapFlag;
}

void endStep(void *Context) {
  registerOf(Context, REG_EFL) &= ~TrapFlag;
  Protection->close(Context);
  if (OnlineForStep)
    self()->goOffline();
  OnlineForStep = false;
}

void onStep(int Signal, siginfo_t *Info, void *Context) {
  if (Info->si_code != TRAP_TRACE) {
    signal(Signal, SIG_DFL);
    return;
  }
  endStep(Context);
}

} // namespace

bool checksMissed() { return Protection; }

void startCheckingMissed(Node &N) {
  const char *Mode = getenv("GRAUPEL_DSM");
  if (!Mode || !*Mode)
    return;
  if (strcmp(Mode, "check-missed"))
    fail("GRAUPEL_DSM is '%s'; there is only check-missed", Mode);
  if (N.Count == 1)
    return; // Everything is here.
  Places = new std::map<uintptr_t, Told>;
  auto *K = new Keys;
  K->allocate();
  Settled = new TagTable;
  Settled->reserve();
  N.Shared.protectBy(*K, *Settled);
  Protection = K;
  struct sigaction Step = {};
  Step.sa_sigaction = onStep;
  Step.sa_flags = SA_SIGINFO;
  sigemptyset(&Step.sa_mask);
  setRuntimesHandler(SIGTRAP, Step, nullptr);
}

bool handleMissed(const siginfo_t &Info, void *Context) {
  if (!Protection || Info.si_code != SEGV_PKUERR || !TheNode)
    return false;
  int Errno = errno;
  auto A = reinterpret_cast<uintptr_t>(Info.si_addr);
  auto Pc = static_cast<uintptr_t>(registerOf(Context, REG_RIP));
  bool Store = registerOf(Context, REG_ERR) & 2;
  if (!isRuntimes(Pc)) {
    if (ThreadRecord *T = self(); T && !(T->state() & 1)) {
      T->goOnline();
      OnlineForStep = true;
    }
    serve(Pc, A, Store, Context);
  }
  beginStep(Context);
  errno = Errno;
  return true;
}

void noteMissed(uintptr_t Key, const std::function<std::string()> &Text) {
  if (countPlace(Key))
    tell(Key, Text(), "");
}

void listMissed() {
  if (!Protection)
    return;
  std::lock_guard Lock(PlacesLock);
  std::string Lines = format("graupel dsm: node %d: %zu places miss checks\n",
                             TheNode->Number, Places->size());
  for (auto &[Key, P] : *Places)
    Lines += format("graupel dsm: node %d: %8llu times: %s\n", TheNode->Number,
                    static_cast<unsigned long long>(P.Count), P.Text.c_str());
  print(Lines);
}

graupel_dsm_range opened(const graupel_dsm_range &R) {
  auto Start = reinterpret_cast<uintptr_t>(R.start);
  uint64_t Bytes = R.size_and_store >> 1;
  if (!Protection || !Bytes || !Look.Shared.contains(Start))
    return R;
  uintptr_t First = Start & -PageBytes,
            End = (Start + Bytes + PageBytes - 1) & -PageBytes;
  return {reinterpret_cast<void *>(First),
          (End - First) << 1 | (R.size_and_store & 1)};
}

} // namespace graupel::dsm
