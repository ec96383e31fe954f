//===- kmeans.cpp - Clusters of points, and a grid of what is dense -------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lloyd's algorithm, with a barrier of its own between its phases. Then all
// threads fill a hash table of the cells of a grid, and each looks for the
// densest neighborhood. Coordinates are multiples of 1/1024, so sums of them
// are exact, in whatever order.
//
//===----------------------------------------------------------------------===//

#include "graupel/dsm.hpp"
#include "options.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

template <class T>
using SharedVector = std::vector<T, graupel::dsm_allocator<T>>;

template <class T, std::size_t Dimensions>
struct Vector : std::array<T, Dimensions> {
  Vector &operator+=(const Vector &Other) {
    std::transform(this->begin(), this->end(), Other.begin(), this->begin(),
                   std::plus<T>());
    return *this;
  }
  friend T distance(const Vector &A, const Vector &B) {
    return std::inner_product(A.begin(), A.end(), B.begin(), T(),
                              std::plus<T>(),
                              [](T X, T Y) { return (X - Y) * (X - Y); });
  }
};

using Point = Vector<double, 3>;

/// Lets threads go on when all have come, and then again.
class Barrier {
public:
  explicit Barrier(int Count) : Count(Count) {}

  void wait() {
    const int Round = Rounds.load(std::memory_order_acquire);
    if (Arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == Count) {
      Arrived.store(0, std::memory_order_relaxed);
      Rounds.store(Round + 1, std::memory_order_release);
      return;
    }
    while (Rounds.load(std::memory_order_acquire) == Round)
      std::this_thread::yield();
  }

private:
  const int Count;
  std::atomic<int> Arrived{0}, Rounds{0};
};

/// What one thread has found of a cluster.
template <class P> struct Partial {
  P Sum{};
  long Count = 0;

  Partial &operator+=(const Partial &Other) {
    Sum += Other.Sum;
    Count += Other.Count;
    return *this;
  }
};

using Key = std::tuple<int, int, int>;

struct KeyHash {
  std::size_t operator()(const Key &K) const {
    auto [X, Y, Z] = K;
    return (static_cast<std::size_t>(X) * 73856093u) ^
           (static_cast<std::size_t>(Y) * 19349663u) ^
           (static_cast<std::size_t>(Z) * 83492791u);
  }
};

struct Cell {
  int Count = 0;
  SharedVector<int> Members;
};

using Grid =
    std::unordered_map<Key, Cell, KeyHash, std::equal_to<Key>,
                       graupel::dsm_allocator<std::pair<const Key, Cell>>>;

/// The grid in parts, each with a lock.
struct SharedGrid {
  static constexpr std::size_t Parts = 16;
  std::array<Grid, Parts> Cells;
  gdsm_lock_t Locks = gdsm_locks_new(Parts);

  static std::size_t partOf(const Key &K) { return KeyHash()(K) / 7 % Parts; }

  void add(const Key &K, int Member) {
    const std::size_t Part = partOf(K);
    gdsm_lock(Locks + Part);
    Cell &C = Cells[Part][K];
    C.Count++;
    C.Members.push_back(Member);
    gdsm_unlock(Locks + Part);
  }

  int count(const Key &K) const {
    const Grid &G = Cells[partOf(K)];
    auto Found = G.find(K);
    return Found == G.end() ? 0 : Found->second.Count;
  }
};

struct Best {
  int Count = -1;
  Key Where;
};

class Clustering {
public:
  Clustering(int Points, int Clusters, int Threads)
      : Meet(Threads), Places(static_cast<std::size_t>(Points)),
        Nearest(Places.size(), -1), Centers(static_cast<std::size_t>(Clusters)),
        Partials(static_cast<std::size_t>(Threads),
                 SharedVector<Partial<Point>>(Centers.size())),
        Bests(static_cast<std::size_t>(Threads)) {
    std::mt19937_64 Random(7);
    for (Point &P : Places) {
      const double Middle = static_cast<double>(Random() % 8) * 100;
      for (double &X : P)
        X = Middle + static_cast<double>(Random() % 65536) / 1024;
    }
    for (std::size_t I = 0; I < Centers.size(); ++I)
      Centers[I] = Places[I * Places.size() / Centers.size()];
  }

  void run() {
    do {
      assign();
      Meet.wait();
      update();
      Meet.wait();
    } while (!Done);
    forOwn(Places.size(), [this](std::size_t I) {
      Cells.add(keyOf(Places[I]), static_cast<int>(I));
    });
    Meet.wait();
    findDensest();
    Meet.wait();
  }

  void print() const {
    double Error = 0;
    for (std::size_t I = 0; I < Places.size(); ++I)
      Error +=
          distance(Places[I], Centers[static_cast<std::size_t>(Nearest[I])]);
    const Best &Found = *std::max_element(
        Bests.begin(), Bests.end(), [](const Best &A, const Best &B) {
          return std::tie(A.Count, A.Where) < std::tie(B.Count, B.Where);
        });
    std::size_t Filled = 0;
    long Members = 0;
    for (const Grid &G : Cells.Cells) {
      Filled += G.size();
      for (const auto &[K, C] : G)
        Members += std::accumulate(C.Members.begin(), C.Members.end(), 0L) *
                   (std::get<0>(K) + 1);
    }
    auto [X, Y, Z] = Found.Where;
    std::printf("result: kmeans points %zu rounds %d error %.6f cells %zu "
                "members %ld densest %d at %d %d %d\n",
                Places.size(), Rounds, Error, Filled, Members, Found.Count, X,
                Y, Z);
  }

private:
  template <class Function> void forOwn(std::size_t Count, Function F) const {
    const auto Me = static_cast<std::size_t>(gdsm_thread()),
               All = static_cast<std::size_t>(gdsm_threads());
    for (std::size_t I = Count * Me / All; I < Count * (Me + 1) / All; ++I)
      F(I);
  }

  static Key keyOf(const Point &P) {
    auto Of = [](double X) { return static_cast<int>(std::floor(X / 16)); };
    return {Of(P[0]), Of(P[1]), Of(P[2])};
  }

  void assign() {
    auto &Own = Partials[static_cast<std::size_t>(gdsm_thread())];
    std::fill(Own.begin(), Own.end(), Partial<Point>());
    forOwn(Places.size(), [&](std::size_t I) {
      auto Closest =
          std::min_element(Centers.begin(), Centers.end(),
                           [&P = Places[I]](const Point &A, const Point &B) {
                             return distance(P, A) < distance(P, B);
                           });
      auto Cluster = static_cast<std::size_t>(Closest - Centers.begin());
      if (Nearest[I] != static_cast<short>(Cluster)) {
        Nearest[I] = static_cast<short>(Cluster);
        Moved.fetch_add(1, std::memory_order_relaxed);
      }
      Own[Cluster] += {Places[I], 1};
    });
  }

  /// Each thread computes some of the centers.
  void update() {
    forOwn(Centers.size(), [&](std::size_t C) {
      Partial<Point> Sum;
      for (const auto &Thread : Partials)
        Sum += Thread[C];
      if (Sum.Count)
        for (std::size_t D = 0; D < Sum.Sum.size(); ++D)
          Centers[C][D] = Sum.Sum[D] / static_cast<double>(Sum.Count);
    });
    if (gdsm_thread() == 0) {
      Done = ++Rounds == 15 || Moved.exchange(0) == 0;
    }
  }

  void findDensest() {
    Best Found;
    forOwn(SharedGrid::Parts, [&](std::size_t Part) {
      for (const auto &[K, C] : Cells.Cells[Part]) {
        auto [X, Y, Z] = K;
        int Count = 0;
        for (int I = 0; I < 27; ++I)
          Count +=
              Cells.count({X + I % 3 - 1, Y + I / 3 % 3 - 1, Z + I / 9 - 1});
        if (std::tie(Count, K) > std::tie(Found.Count, Found.Where))
          Found = {Count, K};
      }
    });
    Bests[static_cast<std::size_t>(gdsm_thread())] = Found;
  }

  Barrier Meet;
  SharedVector<Point> Places;
  SharedVector<short> Nearest;
  SharedVector<Point> Centers;
  SharedVector<SharedVector<Partial<Point>>> Partials;
  SharedVector<Best> Bests;
  SharedGrid Cells;
  std::atomic<int> Moved{0};
  int Rounds = 0;
  bool Done = false;
};

} // namespace

int main(int argc, char **argv) {
  const bool Middle = is_middle(argc, argv);
  Clustering *All = nullptr;
  if (gdsm_node() == 0)
    All = graupel::dsm_new<Clustering>(Middle ? 100000 : 2000, Middle ? 32 : 12,
                                       gdsm_threads());
  gdsm_broadcast(&All, sizeof All, 0);
  const double Start = gdsm_time();
  gdsm_parallel([](void *P) { static_cast<Clustering *>(P)->run(); }, All);
  if (gdsm_node() == 0) {
    All->print();
    std::printf("time: %.4f\n", gdsm_time() - Start);
    graupel::dsm_delete(All);
  }
  return 0;
}
