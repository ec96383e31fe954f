//===- Job.cpp - The nodes of a job on this host -------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the nodes of a job as child processes of this one, the launcher:
//
// 1. prepare() blocks signals and reads them from a descriptor, makes the
//    launcher the parent of orphans, and makes the file of the control pages.
// 2. startNodes() sets the variables of the runtime and starts the nodes. The
//    first one that cannot be started ends the job.
// 3. loop() waits in poll() until all nodes have ended: for signals, for frames
//    of nodes, for output, and for room to write that. When each node has sent
//    its value, each gets all of them (answerExchange).
// 4. end() ends the job early: when a node is killed, exits before the end of a
//    job that nodes have joined, complains, or sends a frame that makes no
//    sense; when output cannot be written; or on a signal. Nodes get SIGTERM, a
//    second later SIGKILL. SIGINT gives them five seconds before that
//    (interrupt).
// 5. run() then kills orphans, removes shared memory that processes left if the
//    job ended early, and writes the rest of the output. The job's status is
//    the one that ended it early, else the first of a node that is not 0.
//
//===----------------------------------------------------------------------===//

#include "Job.h"
#include "NodeProcess.h"
#include "SharedMemory.h"
#include "Transport/LauncherProtocol.h"
#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <memory>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

using namespace graupel;
using graupel::dsm::LauncherFrame;

namespace {
int64_t milliseconds() {
  timespec Time;
  clock_gettime(CLOCK_MONOTONIC, &Time);
  return int64_t(Time.tv_sec) * 1000 + Time.tv_nsec / 1000000;
}

class Job {
public:
  explicit Job(const JobOptions &O) : Options(O) {}
  int run();

private:
  bool prepare();
  bool startNodes();
  void loop();
  void wait();
  void takeSignals();
  void stop();
  void reap();
  void nodeEnded(NodeProcess &, int Status);
  void heedComplaint();
  void outputFailed(const Output &, int Error);
  void takeFrames(NodeProcess &);
  void joined(NodeProcess &);
  void answerExchange();
  void end(int Code);
  void interrupt(bool FromTerminal);
  void signalNodes(int Signal);
  void killOrphans();
  bool allEnded() const;
  bool anyJoined() const;
  std::string name(const NodeProcess &) const;
  [[gnu::format(printf, 2, 3)]] void say(const char *Format, ...);

  const JobOptions &Options;
  Output Out{STDOUT_FILENO}, Err{STDERR_FILENO};
  std::vector<std::unique_ptr<NodeProcess>> Nodes;
  sigset_t SignalsBefore;
  int SignalFile = -1, ControlFile = -1;
  int Code = 0;
  bool Ending = false;
  std::vector<pid_t> EndedProcesses; // nodes, and what they left
  time_t StartTime = time(nullptr);
  std::string Complaint;     // the first node's that cannot go on
  int ComplaintCode = 1;     // the job's exit status then
  int64_t ComplaintTime = 0; // when it is told
  int64_t EndTime = 0;       // when those that ignore SIGINT get SIGTERM
  int64_t KillTime = 0;      // when those that ignore SIGTERM are killed
};

void Job::say(const char *Format, ...) {
  char Text[1024];
  va_list Arguments;
  va_start(Arguments, Format);
  vsnprintf(Text, sizeof(Text), Format, Arguments);
  va_end(Arguments);
  Err.add(std::string("graupel dsm: ") + Text + "\n");
}

std::string Job::name(const NodeProcess &P) const {
  char Host[256] = "";
  gethostname(Host, sizeof(Host) - 1);
  size_t Node = 0;
  while (Nodes[Node].get() != &P)
    ++Node;
  return "node " + std::to_string(Node) + " (process " + std::to_string(P.Pid) +
         " on " + Host + ")";
}

bool Job::allEnded() const {
  return std::all_of(Nodes.begin(), Nodes.end(),
                     [](auto &P) { return P->Ended; });
}

bool Job::anyJoined() const {
  return std::any_of(Nodes.begin(), Nodes.end(),
                     [](auto &P) { return P->Joined; });
}

// --- Start -------------------------------------------------------------------

bool Job::prepare() {
  // All signals that concern us come through a descriptor; those of writing do
  // not come at all.
  sigset_t Signals;
  sigemptyset(&Signals);
  for (int Signal :
       {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT})
    sigaddset(&Signals, Signal);
  signal(SIGCHLD, SIG_DFL); // Ignored, children could not be waited for.
  SignalFile = signalfd(-1, &Signals, SFD_CLOEXEC | SFD_NONBLOCK);
  sigaddset(&Signals, SIGPIPE);
  sigaddset(&Signals, SIGXFSZ); // An error says more.
  sigprocmask(SIG_BLOCK, &Signals, &SignalsBefore);
  // Processes that nodes leave behind become our children.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  ControlFile = memfd_create("graupel-dsm-control", MFD_CLOEXEC);
  if (SignalFile >= 0 && ControlFile >= 0 &&
      ftruncate(ControlFile, off_t(4096) * Options.Nodes) == 0)
    return true;
  say("error: cannot prepare the job: %s; check this shell's limits (`ulimit "
      "-a`)",
      strerror(errno));
  return false;
}

void setEnvironment(const JobOptions &O) {
  if (O.ThreadsPerNode)
    setenv("GRAUPEL_DSM_THREADS", std::to_string(O.ThreadsPerNode).c_str(), 1);
  if (O.Block)
    setenv("GRAUPEL_DSM_BLOCK", std::to_string(O.Block).c_str(), 1);
  if (O.CheckMissed)
    setenv("GRAUPEL_DSM", "check-missed", 1);
  if (!O.Report.empty())
    setenv("GRAUPEL_DSM_REPORT", O.Report.c_str(), 1);
  // A program's own signals are no business of UCX, which would report them as
  // its errors. Read when it is loaded, so only we can say that.
  setenv("UCX_HANDLE_ERRORS", "none", 0);
}

bool Job::startNodes() {
  setEnvironment(Options);
  for (unsigned I = 0; I < Options.Nodes; ++I) {
    int Error;
    NodeStart Start{I, Options.Nodes, ControlFile, Options.Program,
                    SignalsBefore};
    Nodes.push_back(std::make_unique<NodeProcess>(Start, Out, Err, Error));
    if (Error == 0)
      continue;
    Nodes.back()->Ended = Nodes.back()->Pid < 0;
    say("error: cannot run %s: %s; %s", Options.Program[0].c_str(),
        strerror(Error),
        Error == ENOENT ? "give a path, or a name that PATH leads to"
                        : "check the file and this host's limits");
    return false;
  }
  return true;
}

// --- While it runs -----------------------------------------------------------

void Job::takeFrames(NodeProcess &P) {
  P.receive();
  bool Damaged = false;
  while (auto F = P.frame(Damaged)) {
    if (F->Type == LauncherFrame::Exchange) {
      P.Value = F->Body;
      joined(P);
    } else if (F->Type == LauncherFrame::Finish) {
      P.Finished = true;
    } else if (!Ending && Complaint.empty()) {
      char *Text;
      ComplaintCode = int(strtol(F->Body.c_str(), &Text, 10));
      Complaint = "error: " + name(P) + ":" + Text;
      ComplaintTime = milliseconds() + 500;
    }
  }
  if (Damaged && !Ending) {
    say("error: %s does not speak as this launcher does; build the program and "
        "Graupel with the same version",
        name(P).c_str());
    end(1);
  }
  answerExchange();
}

void Job::joined(NodeProcess &P) {
  P.Joined = true;
  for (auto &Other : Nodes)
    if (Other->Ended && !Other->Finished && !Ending) {
      say("%s ended before it joined the job, which others have; the job ends",
          name(*Other).c_str());
      end(Code ? Code : 1);
    }
}

void Job::answerExchange() {
  auto HasValue = [](auto &P) { return P->Value.has_value(); };
  if (!std::all_of(Nodes.begin(), Nodes.end(), HasValue))
    return;
  std::string Answer;
  for (auto &P : Nodes) {
    uint32_t Size = uint32_t(P->Value->size());
    Answer.append(reinterpret_cast<char *>(&Size), sizeof(Size));
    Answer += *P->Value;
  }
  LauncherFrame Head{LauncherFrame::Exchange, uint32_t(Answer.size())};
  Answer.insert(0, reinterpret_cast<char *>(&Head), sizeof(Head));
  for (auto &P : Nodes) {
    P->Value.reset();
    P->send(Answer);
  }
}

/// A node that complains may have noticed the death of another one before the
/// kernel told us; then that is what happened.
void Job::heedComplaint() {
  if (Ending || Complaint.empty())
    return;
  say("%s", Complaint.c_str());
  end(std::clamp(ComplaintCode, 1, 255));
}

void Job::nodeEnded(NodeProcess &P, int Status) {
  takeFrames(P); // The last thing it said counts.
  P.Ended = true;
  bool Killed = WIFSIGNALED(Status);
  int Own = Killed ? 128 + WTERMSIG(Status) : WEXITSTATUS(Status);
  if (!Killed)
    heedComplaint();
  if (Ending)
    return;
  if (Killed) {
    say("%s was killed by signal %d (%s); the job ends", name(P).c_str(),
        WTERMSIG(Status), strsignal(WTERMSIG(Status)));
    end(Own);
  } else if (!P.Finished && anyJoined()) {
    say("%s exited with status %d before the end of the job; the job ends",
        name(P).c_str(), Own);
    end(Own ? Own : 1);
  } else if (Code == 0) {
    Code = Own;
  }
}

void Job::reap() {
  int Status;
  pid_t Pid;
  while ((Pid = waitpid(-1, &Status, WNOHANG)) > 0) {
    EndedProcesses.push_back(Pid);
    for (auto &P : Nodes)
      if (P->Pid == Pid && !P->Ended)
        nodeEnded(*P, Status);
  }
}

void Job::takeSignals() {
  signalfd_siginfo Info;
  bool Child = false, Stop = false;
  // A launcher that is asked to end says nothing of nodes that were asked, too.
  while (read(SignalFile, &Info, sizeof(Info)) == sizeof(Info))
    switch (Info.ssi_signo) {
    case SIGCHLD:
      Child = true;
      break;
    case SIGTSTP:
      Stop = true;
      break;
    case SIGCONT:
      Stop = false;
      signalNodes(SIGCONT);
      break;
    case SIGINT:
      Stop = false;
      interrupt(Info.ssi_code == SI_KERNEL);
      break;
    default:
      Stop = false;
      end(128 + int(Info.ssi_signo));
    }
  if (Child)
    reap();
  if (Stop)
    stop();
}

/// Like any program, job and launcher together: in a process group that nobody
/// could continue (under nohup or setsid, say) the kernel ignores SIGTSTP,
/// which SIGSTOP would not respect.
void Job::stop() {
  signalNodes(SIGTSTP);
  sigset_t Signals;
  sigemptyset(&Signals);
  sigaddset(&Signals, SIGTSTP);
  raise(SIGTSTP);
  sigprocmask(SIG_UNBLOCK, &Signals, nullptr);
  sigprocmask(SIG_BLOCK, &Signals, nullptr);
}

void Job::outputFailed(const Output &O, int Error) {
  if (Error == EPIPE)
    return end(128 + SIGPIPE);
  if (&O != &Out || Ending)
    return; // There is nowhere to tell that.
  say("error: cannot write what the nodes print: %s; the job ends",
      strerror(Error));
  end(1);
}

/// Waits for something to happen, and does what it calls for.
void Job::wait() {
  std::vector<pollfd> Files;
  std::vector<std::function<void()>> Actions;
  auto Add = [&](int File, int Events, std::function<void()> Action) {
    Files.push_back({File, short(Events), 0});
    Actions.push_back(std::move(Action));
  };
  Add(SignalFile, POLLIN, [this] { takeSignals(); });
  for (Output *O : {&Out, &Err})
    if (O->pending())
      Add(O->file(), POLLOUT, [this, O] {
        if (!O->write())
          outputFailed(*O, errno);
      });
  for (auto &P : Nodes) {
    if (P->socket() >= 0)
      Add(P->socket(), POLLIN | (P->sending() ? POLLOUT : 0), [this, &P] {
        P->sendMore();
        takeFrames(*P);
      });
    for (unsigned I : {0, 1})
      if (LineRelay &R = P->relay(I); R.ready())
        Add(R.file(), POLLIN, [&R] { R.read(false); });
  }
  int Timeout = -1;
  if (Ending || !Complaint.empty())
    Timeout = int(std::clamp<int64_t>(
        (Ending ? KillTime : ComplaintTime) - milliseconds(), 0, 1000));
  if (poll(Files.data(), Files.size(), Timeout) <= 0)
    return;
  for (size_t I = 0; I < Files.size(); ++I)
    if (Files[I].revents)
      Actions[I]();
}

void Job::loop() {
  while (!allEnded()) {
    wait();
    if (milliseconds() >= ComplaintTime)
      heedComplaint();
    if (EndTime && milliseconds() >= EndTime) {
      EndTime = 0;
      signalNodes(SIGTERM);
    }
    if (Ending && milliseconds() >= KillTime) {
      signalNodes(SIGKILL);
      KillTime = milliseconds() + 1000;
    }
  }
}

// --- End ---------------------------------------------------------------------

void Job::signalNodes(int Signal) {
  for (auto &P : Nodes)
    if (!P->Ended)
      kill(P->Pid, Signal);
}

/// The first call's code is the job's.
void Job::end(int C) {
  if (Ending)
    return;
  Ending = true;
  Code = C;
  KillTime = milliseconds() + 1000;
  signalNodes(SIGTERM);
  signalNodes(SIGCONT);
}

/// Nodes say what they are at before they end. A terminal has told them itself.
void Job::interrupt(bool FromTerminal) {
  if (!Ending)
    Code = 128 + SIGINT;
  // Once more: they are not to take their time.
  EndTime = milliseconds() + (Ending ? 0 : 5000);
  KillTime = EndTime + 1000;
  Ending = true;
  if (!FromTerminal)
    signalNodes(SIGINT);
  signalNodes(SIGCONT);
}

/// Kills processes that nodes have started and left behind; killing one may
/// leave others.
void Job::killOrphans() {
  for (int Round = 0; Round < 100; ++Round) {
    FILE *File = fopen("/proc/thread-self/children", "re");
    int Pid, Count = 0;
    while (File && fscanf(File, "%d", &Pid) == 1) {
      kill(Pid, SIGKILL);
      ++Count;
    }
    if (File)
      fclose(File);
    if (!Count)
      return;
    usleep(1000);
    while ((Pid = waitpid(-1, nullptr, WNOHANG)) > 0)
      EndedProcesses.push_back(Pid);
  }
}

int Job::run() {
  if (!prepare()) {
    Err.finish();
    return 1;
  }
  if (!startNodes())
    end(1);
  loop();
  killOrphans();
  if (Ending)
    removeSegments(EndedProcesses, StartTime);
  for (auto &P : Nodes)
    for (unsigned I : {0, 1})
      if (P->relay(I).open())
        P->relay(I).read(true);
  // The reader of our output may be slow; then signals end us as any program. A
  // reader that has gone is no reason to end by a signal.
  sigaddset(&SignalsBefore, SIGPIPE);
  sigprocmask(SIG_SETMASK, &SignalsBefore, nullptr);
  if (!Out.finish())
    outputFailed(Out, errno);
  Err.finish();
  return Code;
}
} // namespace

int graupel::runJob(const JobOptions &O) { return Job(O).run(); }
