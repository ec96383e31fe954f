//===- taskgraph.cpp - Tasks that depend on each other, and thieves -------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes a graph of tasks. A task runs when all that it depends on have; then
// those that depend on it may. Workers take tasks from the end of their own
// deque and steal from the front of others'. Some tasks start further ones, and
// some fail: the exception becomes the task's error, and whoever depends on it
// sees a default.
//
//===----------------------------------------------------------------------===//

#include "graupel/dsm.hpp"
#include "options.h"
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using Number = std::uint64_t;
template <class T>
using SharedVector = std::vector<T, graupel::dsm_allocator<T>>;
template <class T> using SharedDeque = std::deque<T, graupel::dsm_allocator<T>>;

Number hash(Number X) {
  X += 0x9e3779b97f4a7c15u;
  X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9u;
  X = (X ^ (X >> 27)) * 0x94d049bb133111ebu;
  return X ^ (X >> 31);
}

class Scheduler;

/// Runs once, on any thread of any node.
class Task {
public:
  explicit Task(Number Id) : Id(Id) {}
  virtual ~Task() = default;
  virtual Number run(Scheduler &) = 0;

  void dependOn(Task &Other) {
    DependsOn.push_back(&Other);
    Other.Dependents.push_back(this);
    Unfinished.fetch_add(1, std::memory_order_relaxed);
  }
  bool isReady() const { return Unfinished.load() == 0; }

  const Number Id;
  Number Result = 0;
  graupel::dsm_string Error;

protected:
  SharedVector<Task *> DependsOn;

private:
  friend class Scheduler;
  SharedVector<Task *> Dependents;
  std::atomic<int> Unfinished{0};
};

/// A deque of tasks and its lock.
struct Worker {
  SharedDeque<Task *> Tasks;
  gdsm_lock_t Lock = 0;
  long Ran = 0, Stolen = 0;
};

/// Holds a lock of the job for a scope.
class Guard {
public:
  explicit Guard(gdsm_lock_t Lock) : Lock(Lock) { gdsm_lock(Lock); }
  ~Guard() { gdsm_unlock(Lock); }
  Guard(const Guard &) = delete;
  Guard &operator=(const Guard &) = delete;

private:
  gdsm_lock_t Lock;
};

class Scheduler {
public:
  explicit Scheduler(int Count) : Workers(static_cast<std::size_t>(Count)) {
    gdsm_lock_t First = gdsm_locks_new(static_cast<std::uint64_t>(Count));
    for (Worker &W : Workers)
      W.Lock = First++;
  }

  /// Before any thread runs: a task that is ready will run there.
  void add(Task &T, std::size_t At) {
    Left.fetch_add(1);
    if (T.isReady())
      Workers[At % Workers.size()].Tasks.push_back(&T);
  }

  /// A task that a running one starts; nobody depends on it.
  void spawn(Task &T) {
    Left.fetch_add(1);
    push(T);
  }

  void work() {
    Worker &Own = Workers[static_cast<std::size_t>(gdsm_thread())];
    while (Left.load(std::memory_order_acquire) > 0) {
      Task *T = take(Own);
      if (!T) {
        std::this_thread::yield();
        continue;
      }
      Own.Ran++;
      execute(*T);
    }
  }

  long ran() const {
    return std::accumulate(
        Workers.begin(), Workers.end(), 0L,
        [](long Sum, const Worker &W) { return Sum + W.Ran; });
  }

private:
  void push(Task &T) {
    Worker &Own = Workers[static_cast<std::size_t>(gdsm_thread())];
    Guard Hold(Own.Lock);
    Own.Tasks.push_back(&T);
  }

  Task *take(Worker &Own) {
    {
      Guard Hold(Own.Lock);
      if (!Own.Tasks.empty()) {
        Task *T = Own.Tasks.back();
        Own.Tasks.pop_back();
        return T;
      }
    }
    for (Worker &Other : Workers) {
      Guard Hold(Other.Lock);
      if (Other.Tasks.empty())
        continue;
      Task *T = Other.Tasks.front();
      Other.Tasks.pop_front();
      Own.Stolen++;
      return T;
    }
    return nullptr;
  }

  void execute(Task &T) {
    try {
      T.Result = T.run(*this);
    } catch (const std::exception &E) {
      T.Error = E.what();
      T.Result = 1;
    }
    for (Task *Next : T.Dependents)
      if (Next->Unfinished.fetch_sub(1, std::memory_order_acq_rel) == 1)
        push(*Next);
    Left.fetch_sub(1, std::memory_order_release);
  }

  SharedVector<Worker> Workers;
  std::atomic<long> Left{0};
};

// --- The tasks ---------------------------------------------------------------

/// Numbers that several tasks read.
using Input = SharedVector<Number>;

class Sort : public Task {
public:
  Sort(Number Id, std::shared_ptr<const Input> Numbers)
      : Task(Id), Numbers(std::move(Numbers)) {}
  Number run(Scheduler &) override {
    Sorted.assign(Numbers->begin(), Numbers->end());
    std::sort(Sorted.begin(), Sorted.end(),
              [this](Number A, Number B) { return (A ^ Id) < (B ^ Id); });
    Number Sum = 0;
    for (Number N : Sorted)
      Sum = Sum * 3 + N;
    return Sum;
  }

private:
  std::shared_ptr<const Input> Numbers;
  Input Sorted;
};

/// What the results of others come to, by a function that the task was given.
class Combine : public Task {
public:
  using Function = std::function<Number(Number, Number)>;
  Combine(Number Id, Function F) : Task(Id), F(std::move(F)) {}
  Number run(Scheduler &) override {
    Number Sum = Id;
    for (const Task *T : DependsOn)
      Sum = F(Sum, T->Result);
    return Sum;
  }

private:
  Function F;
};

struct Overflow : std::runtime_error {
  explicit Overflow(Number Id)
      : std::runtime_error("task " + std::to_string(Id) + " overflows") {}
};

class Checked : public Task {
public:
  using Task::Task;
  Number run(Scheduler &) override {
    return std::accumulate(DependsOn.begin(), DependsOn.end(), Id,
                           [this](Number Sum, const Task *T) {
                             return add(Sum, T->Result % 1000);
                           });
  }

private:
  Number add(Number A, Number B) const {
    if ((A + B) % 7 == 0)
      throw Overflow(Id);
    return A + B;
  }
};

/// Counts what was added to it from anywhere.
class Total {
public:
  void add(Number N) { Sum.fetch_add(N, std::memory_order_relaxed); }
  Number get() const { return Sum.load(); }

private:
  std::atomic<Number> Sum{0};
};

/// Halves a range until it is small.
class Split : public Task {
public:
  Split(Number Id, Number First, Number Last, Total &Into)
      : Task(Id), First(First), Last(Last), Into(Into) {}
  Number run(Scheduler &S) override {
    if (Last - First <= 16) {
      Number Sum = 0;
      for (Number I = First; I < Last; ++I)
        Sum += hash(I);
      Into.add(Sum);
      return Sum;
    }
    const Number Middle = First + (Last - First) / 2;
    Lower.reset(graupel::dsm_new<Split>(Id * 2, First, Middle, Into));
    Upper.reset(graupel::dsm_new<Split>(Id * 2 + 1, Middle, Last, Into));
    S.spawn(*Lower);
    S.spawn(*Upper);
    return 0;
  }

private:
  struct Delete {
    void operator()(Split *S) const { graupel::dsm_delete(S); }
  };
  Number First, Last;
  Total &Into;
  std::unique_ptr<Split, Delete> Lower, Upper;
};

// --- The graph ---------------------------------------------------------------

struct Graph {
  explicit Graph(int Threads) : Workers(Threads) {}

  Scheduler Workers;
  SharedVector<Task *> Tasks;
  Total Sum;
};

std::shared_ptr<const Input> makeInput(Number Seed) {
  auto Numbers =
      std::allocate_shared<Input>(graupel::dsm_allocator<Input>(), 60u);
  std::generate(Numbers->begin(), Numbers->end(),
                [Seed]() mutable { return Seed = hash(Seed); });
  return Numbers;
}

Task *makeTask(Number Id, const std::vector<std::shared_ptr<const Input>> &All,
               Total &Sum) {
  switch (hash(Id) % 5) {
  case 0:
  case 1:
    return graupel::dsm_new<Sort>(Id, All[Id % All.size()]);
  case 2:
    return graupel::dsm_new<Combine>(
        Id, [Id](Number A, Number B) { return hash(A ^ B) + Id; });
  case 3:
    return graupel::dsm_new<Checked>(Id);
  default:
    return graupel::dsm_new<Split>(Id, Id * 1000, Id * 1000 + Id % 200, Sum);
  }
}

/// Layers of tasks that depend on some of the layer before.
void build(Graph &G, Number Layers, Number Width) {
  std::vector<std::shared_ptr<const Input>> Inputs;
  for (Number I = 0; I < 4; ++I)
    Inputs.push_back(makeInput(I));
  for (Number I = 0; I < Layers * Width; ++I)
    G.Tasks.push_back(makeTask(I, Inputs, G.Sum));
  for (Number I = Width; I < Layers * Width; ++I)
    for (Number K = 0; K < 1 + hash(I + 99) % 4; ++K)
      G.Tasks[I]->dependOn(
          *G.Tasks[(I / Width - 1) * Width + hash(I * 8 + K) % Width]);
  for (std::size_t I = 0; I < G.Tasks.size(); ++I)
    G.Workers.add(*G.Tasks[I], I);
}

void print(const Graph &G) {
  Number Sum = 0;
  long Sorts = 0, Errors = 0;
  std::size_t Letters = 0;
  for (const Task *T : G.Tasks) {
    Sum = hash(Sum ^ T->Result);
    Sorts += dynamic_cast<const Sort *>(T) != nullptr;
    Errors += !T->Error.empty();
    Letters += T->Error.size();
  }
  std::printf("result: taskgraph tasks %zu ran %ld sorts %ld errors %ld "
              "letters %zu sum %016llx total %016llx\n",
              G.Tasks.size(), G.Workers.ran(), Sorts, Errors, Letters,
              static_cast<unsigned long long>(Sum),
              static_cast<unsigned long long>(G.Sum.get()));
}

void work(void *Argument) { static_cast<Graph *>(Argument)->Workers.work(); }

} // namespace

int main(int argc, char **argv) {
  const bool Middle = is_middle(argc, argv);
  Graph *G = nullptr;
  if (gdsm_node() == 0) {
    G = graupel::dsm_new<Graph>(gdsm_threads());
    build(*G, Middle ? 100 : 12, Middle ? 200 : 30);
  }
  gdsm_broadcast(&G, sizeof G, 0);
  const double Start = gdsm_time();
  gdsm_parallel(work, G);
  if (gdsm_node() == 0) {
    print(*G);
    std::printf("time: %.4f\n", gdsm_time() - Start);
  }
  return 0;
}
