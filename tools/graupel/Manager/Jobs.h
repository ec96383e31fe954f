//===- Manager/Jobs.h - Jobs that buttons have started -------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. A job waits in the queue; one thread does one after the other. An endless
//    job (watching) has a thread of its own, and keeps none waiting.
// 2. While a job runs its work reports progress and log lines to a Monitor.
// 3. cancel() takes a waiting job out of the queue, and calls the function that
//    a running one has set with Monitor::onCancel.
// 4. The last jobs that ended stay known, with their logs.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_MANAGER_JOBS_H
#define GRAUPEL_TOOLS_MANAGER_JOBS_H

#include "Environment/Actions/Make.h"
#include "llvm/Support/JSON.h"
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace graupel::ui {

/// The outcome of a job.
struct Outcome {
  enum class State { Done, InPart, Failed, Cancelled };
  State Status = State::Done;
  std::vector<std::string> Lines; ///< Text to show.
};
llvm::StringRef name(Outcome::State S);
std::optional<Outcome::State> outcomeFromName(llvm::StringRef Name);

/// Receives the progress of a job's work.
class Monitor {
public:
  virtual ~Monitor() = default;
  virtual void progress(const environment::Progress &P) = 0;
  virtual void log(llvm::StringRef Line) = 0;
  /// From now on a cancellation calls \p F, in another thread; at once, if
  /// there was one. Nothing: no longer.
  virtual void onCancel(std::function<void()> F) = 0;
};

/// Does the work; tells the monitor while it goes on.
using Work = std::function<Outcome(Monitor &)>;

/// All functions may be called by any thread.
class Jobs {
public:
  enum class Queue { InTurn, Beside };

  Jobs();
  Jobs(const Jobs &) = delete;
  ~Jobs();

  /// The new job's number, from 1 on. \p Title says what it is, as in
  /// "Optimize app".
  int64_t add(std::string Title, Work W, Queue Q = Queue::InTurn);

  /// False if it is not known, or has ended.
  bool cancel(int64_t Id);

  /// The last ones, newest first: id, title, state, done, total, image, lines,
  /// began, ended, logged (lines of the log), beside.
  llvm::json::Array describe() const;

  /// Another number when a job has been added, has begun or has ended.
  int64_t stamp() const;

  /// The log of a job, or nothing.
  std::optional<llvm::json::Array> log(int64_t Id) const;

private:
  class Watched;
  struct Job {
    int64_t Id;
    std::string Title, State, Image;
    size_t Done = 0, Total = 0;
    int64_t Began = 0, Ended = 0;
    std::vector<std::string> Lines;
    std::deque<std::string> Log;
    size_t Forgotten = 0; ///< Lines at the beginning of the log.
    Work W;               ///< Until it has ended.
    Queue Q = Queue::InTurn;
    std::function<void()> Cancel;
    bool IsCancelled = false;
  };
  void work();
  void run(std::unique_lock<std::mutex> &L, int64_t Id);
  Job *find(int64_t Id);
  const Job *find(int64_t Id) const;
  void forgetOld();
  void joinEnded();

  static constexpr size_t Kept = 20, KeptLines = 2000;
  mutable std::mutex Lock;
  std::condition_variable Change;
  std::deque<Job> All; ///< Oldest first.
  int64_t Last = 0, Events = 0;
  bool Ends = false;
  std::thread Worker;
  std::map<int64_t, std::thread> Others; ///< By job.
};

} // namespace graupel::ui

#endif
