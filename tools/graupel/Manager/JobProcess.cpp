//===- Manager/JobProcess.cpp - A job in a process of its own -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The server starts a job as a process group of its own, `graupel-ui job`:
//
// 1. The action goes to its standard input. It answers in lines of JSON on its
//    standard output: progress, log lines, and the outcome last (take). All
//    other output is log.
// 2. Follow it until it has ended and all is read (follow). A thread that
//    cancels writes to a pipe, so that this is seen at once: the group gets
//    SIGTERM, and SIGKILL after Patience.
// 3. The rest of the group is killed before the job is reaped, as long as its
//    number is its own (end).
//
// The other side reads, performs, and prints (runJob).
//
//===----------------------------------------------------------------------===//

#include "JobProcess.h"
#include "Environment/Process/Spawn.h"
#include "Environment/Process/WriteAll.h"
#include "Environment/Substitution/Descriptor.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "JSON/Parse.h"
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace graupel;
using namespace graupel::ui;
using environment::Spawn;
using environment::waitForEnd;
using substitution::Descriptor;

/// Between SIGTERM and SIGKILL.
static constexpr std::chrono::seconds Patience(1);

/// Process groups, for killAllJobs(). More than these are not ended.
static std::atomic<pid_t> Running[64];

static void replaceIn(pid_t Old, pid_t New) {
  for (std::atomic<pid_t> &Slot : Running)
    if (pid_t Expected = Old; Slot.compare_exchange_strong(Expected, New))
      return;
}

void graupel::ui::killAllJobs() {
  for (std::atomic<pid_t> &Slot : Running)
    if (const pid_t Group = Slot)
      kill(-Group, SIGKILL);
}

namespace {

struct Pipe {
  Descriptor From, To;

  bool open() {
    int Ends[2];
    if (pipe2(Ends, O_CLOEXEC) != 0)
      return false;
    From = Descriptor(Ends[0]);
    To = Descriptor(Ends[1]);
    return true;
  }
};

/// Bytes that come, as lines.
class LineReader {
public:
  template <class Function> void add(llvm::StringRef Bytes, Function Do) {
    Rest += Bytes;
    size_t At = 0, End;
    while ((End = Rest.find('\n', At)) != std::string::npos) {
      Do(llvm::StringRef(Rest).slice(At, End));
      At = End + 1;
    }
    Rest.erase(0, At);
    if (Rest.size() > Longest)
      flush(Do);
  }
  template <class Function> void flush(Function Do) {
    if (!Rest.empty())
      Do(llvm::StringRef(Rest));
    Rest.clear();
  }

private:
  static constexpr size_t Longest = 1 << 20;
  std::string Rest;
};

/// The server's side of one process.
class JobProcess {
public:
  JobProcess(const std::vector<std::string> &Command, llvm::StringRef Input,
             Monitor &Told)
      : Command(Command), Input(Input), Told(Told) {}

  Outcome run();

private:
  int start();
  void follow();
  void write();
  void read(Descriptor &From, LineReader &Lines);
  void take(llvm::StringRef Line);
  void end();

  const std::vector<std::string> &Command;
  llvm::StringRef Input;
  Monitor &Told;
  Pipe In, Out, Err, Stop;
  LineReader Printed, Complained;
  pid_t Child = 0;
  bool IsCancelled = false;
  std::optional<std::chrono::steady_clock::time_point> KillAt;
  std::optional<Outcome> Result;
};

} // namespace

/// 0 or an error. Only async-signal-safe functions run in the child.
int JobProcess::start() {
  Spawn Start;
  Start.pass(In.From.number(), STDIN_FILENO);
  Start.pass(Out.To.number(), STDOUT_FILENO);
  Start.pass(Err.To.number(), STDERR_FILENO);
  sigset_t Usual, None;
  sigemptyset(&None);
  sigemptyset(&Usual);
  for (int Signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ})
    sigaddset(&Usual, Signal);
  Start.setDefault(Usual);
  Start.setSignalMask(None);
  Start.leadGroup();
  return Start.start(Command, Child);
}

void JobProcess::take(llvm::StringRef Line) {
  llvm::Expected<llvm::json::Value> Root = parseJSON(Line);
  const llvm::json::Object *O = Root ? Root->getAsObject() : nullptr;
  if (!O) {
    llvm::consumeError(Root.takeError());
    Told.log(Line);
    return;
  }
  if (auto Text = O->getString("log"))
    Told.log(*Text);
  if (auto Total = O->getInteger("total"))
    Told.progress({size_t(O->getInteger("done").value_or(0)), size_t(*Total),
                   O->getString("image").value_or("")});
  const auto Status = outcomeFromName(O->getString("outcome").value_or(""));
  if (!Status)
    return;
  Result.emplace();
  Result->Status = *Status;
  if (const llvm::json::Array *Lines = O->getArray("lines"))
    for (const llvm::json::Value &Text : *Lines)
      Result->Lines.push_back(Text.getAsString().value_or("").str());
}

void JobProcess::read(Descriptor &From, LineReader &Lines) {
  char Bytes[1 << 14];
  const ssize_t Got = ::read(From.number(), Bytes, sizeof(Bytes));
  const bool IsMessage = &Lines == &Printed;
  auto Do = [&](llvm::StringRef Line) {
    IsMessage ? take(Line) : Told.log(Line);
  };
  if (Got > 0) {
    Lines.add(llvm::StringRef(Bytes, size_t(Got)), Do);
  } else if (Got == 0 || errno != EINTR) {
    Lines.flush(Do);
    From = Descriptor();
  }
}

void JobProcess::write() {
  const ssize_t Put = ::write(In.To.number(), Input.data(), Input.size());
  if (Put > 0)
    Input = Input.drop_front(size_t(Put));
  if (Input.empty() || (Put < 0 && errno != EINTR && errno != EAGAIN))
    In.To = Descriptor();
}

/// Waits until it has ended, and all that it has printed has been read. Its
/// children may hold the pipes for longer.
void JobProcess::follow() {
  bool IsOver = false;
  fcntl(In.To.number(), F_SETFL, O_NONBLOCK);
  while (!IsOver || Out.From || Err.From) {
    pollfd All[] = {{Out.From ? Out.From.number() : -1, POLLIN, 0},
                    {Err.From ? Err.From.number() : -1, POLLIN, 0},
                    {Stop.From.number(), short(IsCancelled ? 0 : POLLIN), 0},
                    {In.To ? In.To.number() : -1, POLLOUT, 0}};
    const int Ready = poll(All, std::size(All), IsOver ? 0 : 100);
    if (All[0].revents)
      read(Out.From, Printed);
    if (All[1].revents)
      read(Err.From, Complained);
    if (All[3].revents)
      write();
    if (All[2].revents & POLLIN) {
      IsCancelled = true;
      KillAt = std::chrono::steady_clock::now() + Patience;
      kill(-Child, SIGTERM);
    }
    if (KillAt && std::chrono::steady_clock::now() > *KillAt) {
      KillAt.reset();
      kill(-Child, SIGKILL);
    }
    // Not reaped yet: its number, and that of its group, stay its own.
    siginfo_t Info = {};
    if (IsOver && Ready <= 0)
      break;
    IsOver =
        waitid(P_PID, id_t(Child), &Info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        Info.si_pid == Child;
  }
}

void JobProcess::end() {
  // Kill the rest of the group, also if something else has killed the job.
  if (IsCancelled || !Result)
    kill(-Child, SIGKILL);
  replaceIn(Child, 0);
  // It failed, somehow, if nobody tells.
  const int Status = waitForEnd(Child).value_or(125 << 8);
  auto Log = [&](llvm::StringRef Line) { Told.log(Line); };
  Printed.flush([&](llvm::StringRef Line) { take(Line); });
  Complained.flush(Log);
  if (Result)
    return;
  Result = Outcome{Outcome::State::Failed, {}};
  if (IsCancelled)
    return;
  Result->Lines.push_back(
      WIFSIGNALED(Status)
          ? "the job was ended by signal " + std::to_string(WTERMSIG(Status))
          : "the job ended with status " + std::to_string(WEXITSTATUS(Status)) +
                " and said nothing; its log may say more");
}

Outcome JobProcess::run() {
  if (!In.open() || !Out.open() || !Err.open() || !Stop.open())
    return {Outcome::State::Failed,
            {std::string("no pipe can be made: ") + strerror(errno) +
             "; close some programs"}};
  if (const int Code = start())
    return {Outcome::State::Failed,
            {Command[0] + ": cannot be run: " + strerror(Code)}};
  replaceIn(0, Child);
  In.From = Descriptor();
  Out.To = Descriptor();
  Err.To = Descriptor();
  Told.onCancel([End = Stop.To.number()] {
    const char Byte = 0;
    (void)!::write(End, &Byte, 1);
  });
  follow();
  Told.onCancel(nullptr);
  end();
  if (IsCancelled && Result->Status == Outcome::State::Failed)
    Result->Status = Outcome::State::Cancelled;
  return *Result;
}

Work graupel::ui::inProcess(std::vector<std::string> Command,
                            std::string Input) {
  return [Command = std::move(Command), Input = std::move(Input)](
             Monitor &Told) { return JobProcess(Command, Input, Told).run(); };
}

Work graupel::ui::jobProcess(std::string Action) {
  return inProcess({"/proc/self/exe", "job"}, std::move(Action));
}

// --- The other side ----------------------------------------------------------

namespace {

/// Prints messages.
class Printer final : public Monitor {
public:
  void progress(const environment::Progress &P) override {
    send(llvm::json::Object{{"done", int64_t(P.Done)},
                            {"total", int64_t(P.Total)},
                            {"image", llvm::json::fixUTF8(P.Image)}});
  }
  void log(llvm::StringRef Line) override {
    send(llvm::json::Object{{"log", llvm::json::fixUTF8(Line)}});
  }
  void onCancel(std::function<void()>) override {}

  void send(llvm::json::Object O) {
    std::string Text;
    llvm::raw_string_ostream(Text) << llvm::json::Value(std::move(O)) << '\n';
    (void)environment::writeAll(STDOUT_FILENO, Text);
  }
};

} // namespace

/// For all of the group: graupel-bolt, a command that is measured.
static void endGroup(int) {
  signal(SIGTERM, SIG_IGN);
  kill(0, SIGTERM);
  _exit(128 + SIGTERM);
}

int graupel::ui::runJob(
    llvm::function_ref<Outcome(llvm::StringRef, Monitor &)> Perform) {
  struct sigaction Action = {};
  Action.sa_handler = endGroup;
  sigaction(SIGTERM, &Action, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  auto Input = llvm::MemoryBuffer::getSTDIN();
  if (!Input)
    return 1;
  Printer Told;
  const Outcome Result = Perform((*Input)->getBuffer(), Told);
  llvm::json::Array Lines;
  for (const std::string &Line : Result.Lines)
    Lines.push_back(llvm::json::fixUTF8(Line));
  Told.send(llvm::json::Object{{"outcome", name(Result.Status)},
                               {"lines", std::move(Lines)}});
  return 0;
}
