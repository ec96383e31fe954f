//===- Process/Several.cpp - Several children at once ---------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Several.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>
#include <vector>

using namespace llvm;
using namespace graupel::environment;

/// Memory that could be allocated without swapping, in bytes; 0 if unknown.
static uint64_t availableMemory() {
  auto File = MemoryBuffer::getFileAsStream("/proc/meminfo");
  if (!File)
    return 0;
  StringRef Rest = (*File)->getBuffer().split("MemAvailable:").second.ltrim();
  uint64_t Kilobytes = 0;
  return Rest.consumeInteger(10, Kilobytes) ? 0 : Kilobytes << 10;
}

Capacity Capacity::ofMachine() {
  return {std::max(1u, std::thread::hardware_concurrency()),
          availableMemory() / 4 * 3};
}

namespace {

/// Jobs that wait, and the memory that is left for them.
class Queue {
public:
  Queue(ArrayRef<uint64_t> Needs, uint64_t Memory)
      : Needs(Needs), Left(int64_t(Memory)), Waiting(Needs.size()) {
    std::iota(Waiting.begin(), Waiting.end(), 0);
    llvm::stable_sort(Waiting,
                      [&](size_t A, size_t B) { return Needs[A] > Needs[B]; });
  }

  /// The next job for which there is memory, when there is. Nothing if no job
  /// waits.
  std::optional<size_t> begin() {
    std::unique_lock<std::mutex> Mine(Access);
    while (!Waiting.empty()) {
      const auto Next = llvm::find_if(Waiting, [&](size_t Job) {
        return Running == 0 || int64_t(Needs[Job]) <= Left;
      });
      if (Next == Waiting.end()) {
        Changed.wait(Mine);
        continue;
      }
      const size_t Job = *Next;
      Waiting.erase(Next);
      ++Running;
      Left -= int64_t(Needs[Job]);
      return Job;
    }
    return std::nullopt;
  }

  void end(size_t Job, bool GoesOn) {
    const std::lock_guard<std::mutex> Mine(Access);
    --Running;
    Left += int64_t(Needs[Job]);
    if (!GoesOn)
      Waiting.clear();
    Changed.notify_all();
  }

private:
  const ArrayRef<uint64_t> Needs;
  std::mutex Access;
  std::condition_variable Changed;
  int64_t Left; ///< Below 0 while a job runs that needs more than there is.
  unsigned Running = 0;
  std::vector<size_t> Waiting; ///< Those that need most first.
};

} // namespace

static size_t threadsOfThisProcess() {
  std::error_code Ignored;
  return std::distance(
      std::filesystem::directory_iterator("/proc/self/task", Ignored), {});
}

void graupel::environment::runSeveral(ArrayRef<uint64_t> Needs, Capacity There,
                                      function_ref<bool(size_t)> Do) {
  Queue Jobs(Needs, There.Memory);
  auto work = [&] {
    while (const std::optional<size_t> Job = Jobs.begin())
      Jobs.end(*Job, Do(*Job));
  };
  const size_t Workers = std::min<size_t>(There.Jobs, Needs.size());
  const size_t Before = threadsOfThisProcess();
  std::vector<std::thread> Threads;
  for (size_t I = 1; I < Workers; ++I)
    Threads.emplace_back(work);
  work();
  for (std::thread &T : Threads)
    T.join();
  // A thread that was joined may still be ending, and unshare(2) fails then.
  for (int Tries = 0; Tries < 1000 && threadsOfThisProcess() > Before; ++Tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}
