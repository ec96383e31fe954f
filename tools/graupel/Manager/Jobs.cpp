//===- Manager/Jobs.cpp - Jobs that buttons have started ------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The queue of Jobs.h. One lock guards all jobs, and is free while one works:
//
// 1. add() appends the job, forgets the oldest ended ones beyond 20, and joins
//    threads whose jobs have ended. A job beside the queue gets its thread
//    here.
// 2. work(), the queue's thread, runs the first job that waits, and sleeps
//    while there is none.
// 3. run() unlocks, calls the work with a Watched as its monitor, locks again
//    and stores the outcome. Jobs with work are never forgotten, so Watched and
//    run() find theirs again.
// 4. cancel() marks a job. One that waits ends at once; for one that runs the
//    function of onCancel() is called.
// 5. describe(), log() and stamp() copy what is known into JSON or a number.
// 6. The destructor cancels jobs beside the queue and waits for all that run.
//
//===----------------------------------------------------------------------===//

#include "Jobs.h"
#include "llvm/ADT/STLExtras.h"

using namespace graupel::ui;
using graupel::environment::Progress;

static const char *const Names[] = {"done", "in part", "failed", "cancelled"};

llvm::StringRef graupel::ui::name(Outcome::State S) { return Names[int(S)]; }

std::optional<Outcome::State>
graupel::ui::outcomeFromName(llvm::StringRef Name) {
  for (int I = 0; I < int(std::size(Names)); ++I)
    if (Name == Names[I])
      return Outcome::State(I);
  return std::nullopt;
}

/// A running job, for its work. One that has work stays in the list, so it can
/// be found again.
class Jobs::Watched final : public Monitor {
public:
  Watched(Jobs &All, int64_t Id) : All(All), Id(Id) {}

  void progress(const Progress &P) override {
    std::lock_guard L(All.Lock);
    Job *J = All.find(Id);
    J->Done = P.Done;
    J->Total = P.Total;
    J->Image = P.Image.str();
  }

  void log(llvm::StringRef Line) override {
    std::lock_guard L(All.Lock);
    Job *J = All.find(Id);
    J->Log.push_back(Line.str());
    if (J->Log.size() <= KeptLines)
      return;
    J->Log.pop_front();
    ++J->Forgotten;
  }

  void onCancel(std::function<void()> F) override {
    std::unique_lock L(All.Lock);
    Job *J = All.find(Id);
    if (J->IsCancelled && F)
      F();
    J->Cancel = std::move(F);
  }

private:
  Jobs &All;
  const int64_t Id;
};

Jobs::Jobs() : Worker([this] { work(); }) {}

/// The one that runs in its turn is waited for; what would never end is not.
Jobs::~Jobs() {
  {
    std::lock_guard L(Lock);
    Ends = true;
    for (Job &J : All) {
      J.IsCancelled |= J.Q == Queue::Beside;
      if (J.Q == Queue::Beside && J.Cancel)
        J.Cancel();
    }
  }
  Change.notify_all();
  Worker.join();
  for (auto &[Id, T] : Others)
    T.join();
}

void Jobs::forgetOld() {
  while (All.size() > Kept) {
    auto Old = llvm::find_if(All, [](const Job &J) { return !J.W; });
    if (Old == All.end())
      return;
    All.erase(Old);
  }
}

/// A thread whose job has ended has nothing more to do, and keeps its stack
/// until somebody joins it.
void Jobs::joinEnded() {
  for (auto It = Others.begin(); It != Others.end();) {
    const Job *J = find(It->first);
    if (J && J->W) {
      ++It;
      continue;
    }
    It->second.join();
    It = Others.erase(It);
  }
}

int64_t Jobs::add(std::string Title, Work W, Queue Q) {
  std::lock_guard L(Lock);
  Job J;
  J.Id = ++Last;
  J.Title = std::move(Title);
  J.State = Q == Queue::Beside ? "running" : "waiting";
  J.W = std::move(W);
  J.Q = Q;
  All.push_back(std::move(J));
  forgetOld();
  joinEnded();
  if (Q == Queue::Beside)
    Others.emplace(Last, [this, Id = Last] {
      std::unique_lock Inner(Lock);
      run(Inner, Id);
    });
  ++Events;
  Change.notify_all();
  return Last;
}

Jobs::Job *Jobs::find(int64_t Id) {
  auto It = llvm::find_if(All, [&](const Job &J) { return J.Id == Id; });
  return It == All.end() ? nullptr : &*It;
}

const Jobs::Job *Jobs::find(int64_t Id) const {
  return const_cast<Jobs *>(this)->find(Id);
}

bool Jobs::cancel(int64_t Id) {
  std::lock_guard L(Lock);
  Job *J = find(Id);
  if (!J || !J->W)
    return false;
  J->IsCancelled = true;
  ++Events;
  if (J->State == "waiting") {
    J->State = name(Outcome::State::Cancelled);
    J->Ended = environment::now();
    J->W = nullptr;
  } else if (J->Cancel) {
    J->Cancel();
  }
  return true;
}

/// \p L is locked before and after, and not while the work goes on.
void Jobs::run(std::unique_lock<std::mutex> &L, int64_t Id) {
  Job *J = find(Id);
  const Work W = J->W;
  ++Events;
  J->State = "running";
  J->Began = environment::now();
  L.unlock();
  Watched Told(*this, Id);
  Outcome Result = W(Told);
  L.lock();
  J = find(Id);
  J->State = name(Result.Status);
  J->Lines = std::move(Result.Lines);
  J->Ended = environment::now();
  J->Cancel = nullptr;
  J->W = nullptr;
  ++Events;
}

void Jobs::work() {
  std::unique_lock L(Lock);
  while (!Ends) {
    auto Next =
        llvm::find_if(All, [](const Job &J) { return J.State == "waiting"; });
    if (Next == All.end())
      Change.wait(L);
    else
      run(L, Next->Id);
  }
}

static llvm::json::Array texts(llvm::ArrayRef<std::string> Lines) {
  llvm::json::Array Result;
  for (const std::string &Line : Lines)
    Result.push_back(llvm::json::fixUTF8(Line));
  return Result;
}

llvm::json::Array Jobs::describe() const {
  std::lock_guard L(Lock);
  llvm::json::Array List;
  for (const Job &J : llvm::reverse(All))
    List.push_back(
        llvm::json::Object{{"id", J.Id},
                           {"title", llvm::json::fixUTF8(J.Title)},
                           {"state", J.State},
                           {"done", int64_t(J.Done)},
                           {"total", int64_t(J.Total)},
                           {"image", llvm::json::fixUTF8(J.Image)},
                           {"began", J.Began},
                           {"ended", J.Ended},
                           {"beside", J.Q == Queue::Beside},
                           {"logged", int64_t(J.Forgotten + J.Log.size())},
                           {"lines", texts(J.Lines)}});
  return List;
}

std::optional<llvm::json::Array> Jobs::log(int64_t Id) const {
  std::lock_guard L(Lock);
  const Job *J = find(Id);
  if (!J)
    return std::nullopt;
  llvm::json::Array Lines;
  if (J->Forgotten)
    Lines.push_back("(" + std::to_string(J->Forgotten) +
                    " earlier lines were not kept)");
  for (const std::string &Line : J->Log)
    Lines.push_back(llvm::json::fixUTF8(Line));
  return Lines;
}

int64_t Jobs::stamp() const {
  std::lock_guard L(Lock);
  return Events;
}
