//===- wordcount.cpp - How often words occur in a text --------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the words of a made-up text. A reader thread of each node claims parts
// of the text and hands lines to the node's workers through a bounded queue. A
// worker counts in a table of its own, then adds that to its node's; the last
// one adds the node's table to the shared index, one lock a shard.
//
//===----------------------------------------------------------------------===//

#include "graupel/dsm.hpp"
#include "options.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <iomanip>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

template <class T>
using SharedVector = std::vector<T, graupel::dsm_allocator<T>>;

struct Entry {
  long Count = 0;
  std::size_t FirstAt = std::string::npos;
};

using Counts = std::unordered_map<std::string, Entry>;
using Index = std::map<
    graupel::dsm_string, Entry, std::less<>,
    graupel::dsm_allocator<std::pair<const graupel::dsm_string, Entry>>>;

constexpr int Shards = 8;

/// What all nodes share.
struct Work {
  graupel::dsm_string Text;
  SharedVector<std::size_t> Parts; ///< Where they begin, and the text's end.
  std::atomic<std::size_t> NextPart{0};
  std::array<Index, Shards> Words;
  gdsm_lock_t Locks = 0;
};

struct Line {
  std::string Text;
  std::size_t At;
};

/// Hands lines from a reader to workers.
class Queue {
public:
  explicit Queue(std::size_t Limit) : Limit(Limit) {}

  void push(Line L) {
    std::unique_lock<std::mutex> Lock(Mutex);
    NotFull.wait(Lock, [this] { return Lines.size() < Limit; });
    Lines.push_back(std::move(L));
    NotEmpty.notify_one();
  }

  void close() {
    std::lock_guard<std::mutex> Lock(Mutex);
    Closed = true;
    NotEmpty.notify_all();
  }

  std::optional<Line> pop() {
    std::unique_lock<std::mutex> Lock(Mutex);
    NotEmpty.wait(Lock, [this] { return Closed || !Lines.empty(); });
    if (Lines.empty())
      return std::nullopt;
    Line L = std::move(Lines.front());
    Lines.pop_front();
    NotFull.notify_one();
    return L;
  }

private:
  const std::size_t Limit;
  std::mutex Mutex;
  std::condition_variable NotFull, NotEmpty;
  std::deque<Line> Lines;
  bool Closed = false;
};

class Random {
public:
  explicit Random(std::uint64_t Seed) : State(Seed) {}
  std::uint64_t below(std::uint64_t Limit) {
    State = State * 6364136223846793005u + 1442695040888963407u;
    return (State >> 33) % Limit;
  }

private:
  std::uint64_t State;
};

std::string wordOf(std::uint64_t Number) {
  static const char *const Syllables[] = {"ka", "lo",  "mi", "ter",  "sun",
                                          "ra", "vel", "do", "quin", "po"};
  std::string Word;
  do {
    Word += Syllables[Number % 10];
    Number /= 10;
  } while (Number);
  return Word;
}

/// Words of which some are frequent, in lines, with punctuation.
void writeText(Work &W, std::size_t Size) {
  Random Next(2024);
  W.Text.reserve(Size + 64);
  W.Parts.push_back(0);
  while (W.Text.size() < Size) {
    std::uint64_t Number = Next.below(1 + Next.below(900));
    std::string Word = wordOf(Number);
    if (Next.below(12) == 0)
      Word.front() = static_cast<char>(std::toupper(Word.front()));
    W.Text.append(Word.data(), Word.size());
    W.Text += Next.below(10) ? " " : Next.below(3) ? ",\n" : ".\n";
    if (W.Text.back() == '\n' && W.Text.size() - W.Parts.back() > 1500)
      W.Parts.push_back(W.Text.size());
  }
  W.Parts.push_back(W.Text.size());
}

void read(Work &W, Queue &Lines) {
  for (;;) {
    std::size_t Part = W.NextPart.fetch_add(1);
    if (Part + 1 >= W.Parts.size())
      break;
    std::size_t At = W.Parts[Part];
    std::string_view Text(W.Text.data() + At, W.Parts[Part + 1] - At);
    while (!Text.empty()) {
      std::size_t End = Text.find('\n');
      std::size_t Length = End == Text.npos ? Text.size() : End;
      Lines.push({std::string(Text.substr(0, Length)), At});
      Length = std::min(Text.size(), Length + 1);
      Text.remove_prefix(Length);
      At += Length;
    }
  }
  Lines.close();
}

void addTo(Entry &To, const Entry &More) {
  To.Count += More.Count;
  To.FirstAt = std::min(To.FirstAt, More.FirstAt);
}

void count(const Line &L, Counts &Into) {
  std::istringstream Stream(L.Text);
  std::string Word;
  std::size_t Number = 0;
  while (Stream >> Word) {
    Word.erase(std::remove_if(Word.begin(), Word.end(),
                              [](unsigned char C) { return std::ispunct(C); }),
               Word.end());
    std::transform(Word.begin(), Word.end(), Word.begin(),
                   [](unsigned char C) { return std::tolower(C); });
    if (!Word.empty())
      addTo(Into[Word], {1, L.At * 64 + Number++});
  }
}

/// What the threads of a node share.
struct NodeState {
  Queue Lines{32};
  std::mutex Mutex;
  std::condition_variable Finished;
  Counts Words;
  int Left = gdsm_threads_per_node();
};

int shardOf(std::string_view Word) {
  unsigned Hash = 2166136261u;
  for (unsigned char C : Word)
    Hash = (Hash ^ C) * 16777619u;
  return static_cast<int>(Hash % Shards);
}

/// All words of one shard under one lock, whoever else has the lock.
void publish(Work &W, const Counts &Words) {
  std::array<std::vector<const Counts::value_type *>, Shards> Sorted;
  for (const auto &Word : Words)
    Sorted[shardOf(Word.first)].push_back(&Word);
  for (int I = 0; I < Shards; ++I) {
    int Shard = (I + gdsm_node()) % Shards;
    gdsm_lock(W.Locks + Shard);
    Index &Into = W.Words[Shard];
    for (const auto *Word : Sorted[Shard]) {
      auto Found = Into.find(std::string_view(Word->first));
      if (Found == Into.end())
        Found = Into.emplace(graupel::dsm_string(Word->first.data(),
                                                 Word->first.size()),
                             Entry())
                    .first;
      addTo(Found->second, Word->second);
    }
    gdsm_unlock(W.Locks + Shard);
  }
}

void work(Work &W, NodeState &Node) {
  std::thread Reader;
  if (gdsm_thread() % gdsm_threads_per_node() == 0)
    Reader = std::thread([&] { read(W, Node.Lines); });
  Counts Own;
  while (std::optional<Line> L = Node.Lines.pop())
    count(*L, Own);
  if (Reader.joinable())
    Reader.join();

  std::unique_lock<std::mutex> Lock(Node.Mutex);
  for (const auto &Word : Own)
    addTo(Node.Words[Word.first], Word.second);
  if (--Node.Left == 0)
    Node.Finished.notify_all();
  else
    Node.Finished.wait(Lock, [&] { return Node.Left == 0; });
  Lock.unlock();
  if (gdsm_thread() % gdsm_threads_per_node() == 0)
    publish(W, Node.Words);
}

void print(const Work &W) {
  struct Row {
    std::string_view Word;
    Entry Found;
  };
  std::vector<Row> Rows;
  for (const Index &Shard : W.Words)
    for (const auto &[Word, Found] : Shard)
      Rows.push_back({std::string_view(Word.data(), Word.size()), Found});
  std::sort(Rows.begin(), Rows.end(), [](const Row &A, const Row &B) {
    return A.Found.Count != B.Found.Count ? A.Found.Count > B.Found.Count
                                          : A.Word < B.Word;
  });
  long Total = 0;
  std::uint64_t Sum = 0;
  for (const Row &R : Rows) {
    Total += R.Found.Count;
    Sum = Sum * 31 + static_cast<std::uint64_t>(R.Found.Count) * 7 +
          R.Found.FirstAt + static_cast<std::uint64_t>(shardOf(R.Word));
  }
  std::cout << "result: wordcount words " << Total << " distinct "
            << Rows.size() << " sum " << std::hex << std::setw(16)
            << std::setfill('0') << Sum << std::dec;
  for (std::size_t I = 0; I < 5 && I < Rows.size(); ++I)
    std::cout << ' ' << Rows[I].Word << '=' << Rows[I].Found.Count;
  std::cout << std::endl;
}

/// Calls a lambda on all threads of all nodes.
template <class Function> void onAllThreads(Function Body) {
  gdsm_parallel([](void *P) { (*static_cast<Function *>(P))(); }, &Body);
}

} // namespace

int main(int argc, char **argv) {
  const bool Middle = is_middle(argc, argv);
  Work *W = nullptr;
  if (gdsm_node() == 0) {
    W = graupel::dsm_new<Work>();
    W->Locks = gdsm_locks_new(Shards);
    writeText(*W, Middle ? 4000000 : 100000);
  }
  gdsm_broadcast(&W, sizeof W, 0);
  NodeState Node;
  const double Start = gdsm_time();
  onAllThreads([&] { work(*W, Node); });
  if (gdsm_node() == 0) {
    print(*W);
    std::cout << "time: " << gdsm_time() - Start << std::endl;
    graupel::dsm_delete(W);
  }
  return 0;
}
