//===- Manager/Jobs.h - What buttons have started ------------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TOOLS_MANAGER_JOBS_H
#define GRAUPEL_TOOLS_MANAGER_JOBS_H

#include "Environment/Actions/Make.h"
#include "llvm/Support/JSON.h"
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace graupel::ui {

/// What came of a job.
struct Outcome {
  enum class State { Done, InPart, Failed };
  State Became = State::Done;
  std::vector<std::string> Lines; ///< What to show of it.
};

/// Does the work; calls the function while it goes on.
using Work = std::function<Outcome(const environment::ProgressFunction &)>;

/// Works, one after the other, in a thread of its own. All functions may be
/// called by any thread.
class Jobs {
public:
  Jobs();
  Jobs(const Jobs &) = delete;
  ~Jobs();

  /// The new job's number, from 1 on. \p Title says what it is, as in
  /// "Optimize app".
  int64_t add(std::string Title, Work W);

  /// The last ones, newest first: id, title, state, done, total, image, lines.
  llvm::json::Array describe() const;

private:
  struct Job {
    int64_t Id;
    std::string Title, State, Image;
    size_t Done, Total;
    std::vector<std::string> Lines;
    Work W;
  };
  void work();
  Job *find(int64_t Id);

  static constexpr size_t Kept = 20;
  mutable std::mutex Lock;
  std::condition_variable Change;
  std::deque<Job> All; ///< Oldest first.
  int64_t Last = 0;
  bool Ends = false;
  std::thread Worker;
};

} // namespace graupel::ui

#endif
