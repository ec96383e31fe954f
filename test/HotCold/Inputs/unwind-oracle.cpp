// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// unwind-oracle [-seed N] [-one-in N] [-steps N] FUNCTIONS PROGRAM ARGUMENT...
//
// Runs PROGRAM instruction by instruction and writes down the return addresses
// that calls put on the stack. At instructions chosen by chance in the functions
// that the file FUNCTIONS names, one a line, and in their cold parts, a debugger's
// unwinder, elfutils' libdw, has to find all of them, by nothing but .eh_frame.
//
// 1. The program runs to its entry, where nobody has called anybody.
// 2. Behind a call instruction, what is at the stack pointer is a return address.
//    It is forgotten when the stack pointer is above it: that is how functions
//    return, exceptions are caught, and longjmp gets away.
// 3. A signal adds two: where its handler returns to, and the place interrupted.
// 4. Each place is looked at when it is reached for the first, the 8th, the 64th
//    time and so on: others may have led there.
//
// What comes first in a cold part behind a jump from the hot part is a stub, up to
// its jump.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <elfutils/libdwfl.h>
#include <fstream>
#include <sched.h>
#include <set>
#include <string>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unordered_map>
#include <vector>

using Address = uint64_t;

[[noreturn]] static void die(const std::string &What) {
  fprintf(stderr, "unwind-oracle: %s\n", What.c_str());
  exit(2);
}

/// The program that runs.
class Tracee {
public:
  explicit Tracee(char **Command) : Pid(forkHere()) {
    if (Pid < 0)
      die("fork failed");
    if (Pid == 0) {
      ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
      personality(ADDR_NO_RANDOMIZE);
      execv(Command[0], Command);
      _exit(127);
    }
    wait();
    if (!IsRunning)
      die(std::string("cannot run ") + Command[0]);
    ptrace(PTRACE_SETOPTIONS, Pid, nullptr, PTRACE_O_EXITKILL);
    runTo(entry());
  }

  const pid_t Pid;
  user_regs_struct Registers;
  bool IsRunning = true;
  int Status = 0;

  Address word(Address At) const {
    return ptrace(PTRACE_PEEKTEXT, Pid, reinterpret_cast<void *>(At), nullptr);
  }
  /// Returns the signal that came instead, or 0.
  int step(int Signal) {
    ptrace(PTRACE_SINGLESTEP, Pid, nullptr, Signal);
    return wait();
  }

private:
  /// They take turns, which is faster in one place.
  static pid_t forkHere() {
    cpu_set_t Here;
    CPU_ZERO(&Here);
    CPU_SET(sched_getcpu(), &Here);
    sched_setaffinity(0, sizeof(Here), &Here);
    return fork();
  }

  int wait() {
    if (waitpid(Pid, &Status, 0) != Pid)
      die("waitpid failed");
    IsRunning = WIFSTOPPED(Status);
    if (!IsRunning)
      return 0;
    ptrace(PTRACE_GETREGS, Pid, nullptr, &Registers);
    return WSTOPSIG(Status) == SIGTRAP ? 0 : WSTOPSIG(Status);
  }

  Address entry() const {
    std::ifstream File("/proc/" + std::to_string(Pid) + "/auxv",
                       std::ios::binary);
    Elf64_auxv_t Entry;
    while (File.read(reinterpret_cast<char *>(&Entry), sizeof(Entry)))
      if (Entry.a_type == AT_ENTRY)
        return Entry.a_un.a_val;
    die("no entry");
  }

  void runTo(Address At) {
    const Address Old = word(At);
    auto poke = [&](Address New) {
      ptrace(PTRACE_POKETEXT, Pid, reinterpret_cast<void *>(At), New);
    };
    poke((Old & ~Address(0xff)) | 0xcc);
    ptrace(PTRACE_CONT, Pid, nullptr, nullptr);
    wait();
    poke(Old);
    Registers.rip = At;
    ptrace(PTRACE_SETREGS, Pid, nullptr, &Registers);
  }
};

/// The return addresses as the calls left them.
class ShadowStack {
public:
  void push(Address Slot, Address Return) { Entries.push_back({Slot, Return}); }
  void forgetBelow(Address StackPointer) {
    while (!Entries.empty() && Entries.back().Slot < StackPointer)
      Entries.pop_back();
  }
  std::vector<Address> all(Address Here) const {
    std::vector<Address> Result{Here};
    for (size_t I = Entries.size(); I--;)
      Result.push_back(Entries[I].Return);
    return Result;
  }

private:
  struct Entry {
    Address Slot, Return;
  };
  std::vector<Entry> Entries;
};

/// The unwinder under which the program has to hold.
class Unwinder {
public:
  explicit Unwinder(const Tracee &Program) : Program(Program) {
    Callbacks.find_elf = dwfl_linux_proc_find_elf;
    Callbacks.find_debuginfo = dwfl_standard_find_debuginfo;
    Session = dwfl_begin(&Callbacks);
    report();
    if (dwfl_linux_proc_attach(Session, Program.Pid, /*stopped=*/true))
      die("libdw cannot attach");
  }

  /// Libraries may have come.
  void report() {
    dwfl_report_begin_add(Session);
    dwfl_linux_proc_report(Session, Program.Pid);
    dwfl_report_end(Session, nullptr, nullptr);
  }

  std::vector<Address> unwind() {
    std::vector<Address> Found;
    dwfl_getthread_frames(Session, Program.Pid, addFrame, &Found);
    return Found;
  }

  /// Does call frame information say anything of \p At?
  bool knows(Address At) {
    Dwfl_Module *Module = dwfl_addrmodule(Session, At);
    Dwarf_Addr Bias;
    Dwarf_CFI *Rules = Module ? dwfl_module_eh_cfi(Module, &Bias) : nullptr;
    Dwarf_Frame *Frame = nullptr;
    if (!Rules || dwarf_cfi_addrframe(Rules, At - Bias, &Frame))
      return false;
    free(Frame);
    return true;
  }

  /// Calls \p Do with each function of the program, and its name.
  template <typename Action> void forEachFunction(Action Do) {
    Dwfl_Module *Module = dwfl_addrmodule(Session, Program.Registers.rip);
    const int Count = dwfl_module_getsymtab(Module);
    for (int I = 1; I < Count; ++I) {
      GElf_Sym Symbol;
      GElf_Addr At;
      const char *Name = dwfl_module_getsym_info(Module, I, &Symbol, &At,
                                                 nullptr, nullptr, nullptr);
      if (Name && ELF64_ST_TYPE(Symbol.st_info) == STT_FUNC)
        Do(std::string(Name), At, Symbol.st_size);
    }
  }

private:
  const Tracee &Program;
  Dwfl_Callbacks Callbacks = {};
  Dwfl *Session;

  static int addFrame(Dwfl_Frame *Frame, void *Result) {
    auto &Found = *static_cast<std::vector<Address> *>(Result);
    Dwarf_Addr At;
    if (!dwfl_frame_pc(Frame, &At, nullptr) || Found.size() > 10000)
      return DWARF_CB_ABORT;
    Found.push_back(At);
    return DWARF_CB_OK;
  }
};

enum Part : uint8_t { None, Hot, Cold, Stub };

struct Options {
  uint64_t Seed = 1, OneIn = 1, Steps = UINT64_MAX;
};

class Oracle {
public:
  Oracle(const Options &Wanted, const char *Functions, char **Command)
      : Wanted(Wanted), Program(Command), Debugger(Program) {
    std::ifstream File(Functions);
    std::set<std::string> Names;
    for (std::string Name; std::getline(File, Name);)
      Names.insert(Name);
    Debugger.forEachFunction([&](const std::string &Name, Address At,
                                 Address Size) {
      const size_t Suffix = Name.find(".cold");
      if (!Names.count(Name) && !Names.count(Name.substr(0, Suffix)))
        return;
      for (Address I = At; I < At + Size; ++I)
        Parts[I] = Suffix == std::string::npos ? Hot : Cold;
    });
    if (Parts.empty())
      die("no such functions");
  }

  int run() {
    int Signal = 0;
    uint64_t NumSteps = 0;
    for (; Program.IsRunning && NumSteps < Wanted.Steps; ++NumSteps) {
      const Address From = Program.Registers.rip, Depth = Program.Registers.rsp;
      visit(From);
      const Way Goes = wayOf(From);
      const int Delivered = Signal;
      Signal = Program.step(Signal);
      if (!Program.IsRunning)
        break;
      follow(From, Depth, Goes == Call, Delivered);
      enter(From, Goes == Jump);
    }
    printf("%llu steps; %u hot, %u stub and %u cold places, %u unwound, %u "
           "wrong\n",
           static_cast<unsigned long long>(NumSteps), Places[Hot], Places[Stub],
           Places[Cold], NumUnwound, NumWrong);
    return NumWrong != 0 || NumUnwound == 0;
  }

private:
  const Options Wanted;
  Tracee Program;
  Unwinder Debugger;
  ShadowStack Calls;
  std::unordered_map<Address, Part> Parts;
  std::unordered_map<Address, uint64_t> Visits;
  enum Way : uint8_t { Other, Call, Jump };
  std::unordered_map<Address, Way> Ways; ///< Of code that was executed.
  unsigned Places[4] = {}, NumUnwound = 0, NumWrong = 0;
  bool InStub = false, HasLibraries = false;

  Way wayOf(Address At) {
    const auto [Known, IsNew] = Ways.try_emplace(At, Other);
    if (!IsNew)
      return Known->second;
    Address Code = Program.word(At);
    auto byte = [&] { return static_cast<unsigned>(Code & 0xff); };
    auto isPrefix = [&] {
      return byte() == 0x66 || byte() == 0x67 || byte() == 0x2e ||
             byte() == 0x3e || byte() == 0xf2 || byte() == 0xf3 ||
             (byte() & 0xf0) == 0x40;
    };
    while (isPrefix())
      Code >>= 8;
    if (byte() == 0xe8 || (byte() == 0xff && (Code >> 11 & 7) == 2))
      return Known->second = Call;
    if (byte() == 0xe9 || byte() == 0xeb)
      return Known->second = Jump;
    return Other;
  }

  Part partOf(Address At) const {
    const auto Found = Parts.find(At);
    return Found == Parts.end() ? None : Found->second;
  }

  void enter(Address From, bool Jumps) {
    const Part Before = partOf(From), Now = partOf(Program.Registers.rip);
    if (Now != Cold || (Before == Cold && Jumps))
      InStub = false;
    else if (Before == Hot)
      InStub = true;
  }

  /// Keeps track of the stack behind a step.
  void follow(Address From, Address OldDepth, bool Called, bool MayInterrupt) {
    const Address Depth = Program.Registers.rsp;
    Calls.forgetBelow(Depth);
    if (Called && Depth == OldDepth - 8)
      Calls.push(Depth, Program.word(Depth));
    // A handler was entered instead, behind the red zone.
    if (!MayInterrupt || Depth + 128 > OldDepth)
      return;
    Calls.push(Depth + 8, From);
    Calls.push(Depth, Program.word(Depth));
  }

  void visit(Address At) {
    const Part In = partOf(At);
    if (In == None || (At * 0x9e3779b97f4a7c15 + Wanted.Seed * 77777) /
                              0x10001 % Wanted.OneIn)
      return;
    uint64_t Count = ++Visits[At];
    if (Count == 1)
      ++Places[In == Cold && InStub ? Stub : In];
    while (Count % 8 == 0)
      Count /= 8;
    if (Count == 1)
      check(At);
  }

  void check(Address At) {
    if (!HasLibraries)
      Debugger.report();
    HasLibraries = true;
    ++NumUnwound;
    const std::vector<Address> Expected = Calls.all(At);
    std::vector<Address> Found = Debugger.unwind();
    if (Found == Expected && Debugger.knows(At))
      return;
    Debugger.report();
    Found = Debugger.unwind();
    if (Found == Expected && Debugger.knows(At))
      return;
    if (++NumWrong > 20)
      return;
    printf("wrong at 0x%lx:\n  called:  ", At);
    print(Expected);
    printf("  unwound: ");
    print(Found);
  }

  static void print(const std::vector<Address> &Frames) {
    for (Address At : Frames)
      printf(" 0x%lx", At);
    printf("\n");
  }
};

int main(int Argc, char **Argv) {
  Options Wanted;
  int I = 1;
  for (; I + 1 < Argc && Argv[I][0] == '-'; I += 2) {
    const std::string Name = Argv[I];
    uint64_t &Value = Name == "-seed"     ? Wanted.Seed
                      : Name == "-one-in" ? Wanted.OneIn
                      : Name == "-steps"  ? Wanted.Steps
                                          : (die("unknown " + Name), Wanted.Seed);
    Value = strtoull(Argv[I + 1], nullptr, 0);
  }
  if (I + 2 > Argc)
    die("usage: unwind-oracle [-seed N] [-one-in N] [-steps N] FUNCTIONS "
        "PROGRAM ARGUMENT...");
  return Oracle(Wanted, Argv[I], Argv + I + 1).run();
}
