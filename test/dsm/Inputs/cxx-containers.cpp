// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each container of the standard library in shared memory, changed by one
// thread after the other, compared by all of them with a private one that went
// through the same. Then all threads change them at once, under a lock.

#include <algorithm>
#include <cstdio>
#include <deque>
#include <forward_list>
#include <functional>
#include <graupel/dsm.hpp>
#include <list>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

template <class T> using Shared = graupel::dsm_allocator<T>;
template <class T> using Private = std::allocator<T>;

template <template <class> class Where> struct Containers {
  using String = std::basic_string<char, std::char_traits<char>, Where<char>>;
  std::map<int, String, std::less<int>, Where<std::pair<const int, String>>>
      Map;
  std::multimap<String, int, std::less<String>,
                Where<std::pair<const String, int>>>
      Multimap;
  std::set<int, std::less<int>, Where<int>> Set;
  std::list<int, Where<int>> List;
  std::forward_list<int, Where<int>> Forward;
  std::unordered_map<int, String, std::hash<int>, std::equal_to<int>,
                     Where<std::pair<const int, String>>>
      Hashed;
  std::unordered_multiset<int, std::hash<int>, std::equal_to<int>, Where<int>>
      HashedSet;
  std::deque<String, Where<String>> Deque;
  std::vector<String, Where<String>> Vector;
  String Text;

  static String name(unsigned N) {
    String S(N % 40, char('a' + N % 26));
    return S += '/';
  }

  void change(std::mt19937 &Random) {
    unsigned N = Random() % 200;
    switch (Random() % 18) {
    case 0:
      Map[int(N)] = name(N);
      break;
    case 1:
      Map.erase(int(N));
      break;
    case 2:
      Multimap.emplace(name(N), int(N));
      break;
    case 3:
      Multimap.erase(name(N));
      break;
    case 4:
      Set.insert(int(N));
      break;
    case 5:
      Set.erase(Set.lower_bound(int(N)), Set.upper_bound(int(N) + 5));
      break;
    case 6:
      List.push_back(int(N));
      List.push_front(int(N) + 1);
      break;
    case 7:
      List.sort();
      break;
    case 8:
      List.reverse();
      if (N % 8 == 0)
        List.remove(int(N));
      break;
    case 9:
      Forward.push_front(int(N));
      if (N % 16 == 0)
        Forward.sort();
      break;
    case 10:
      Hashed[int(N)] += name(N + 1);
      break;
    case 11:
      Hashed.erase(int(N));
      break;
    case 12:
      HashedSet.insert(int(N));
      if (N % 32 == 0)
        HashedSet.rehash(N * 4);
      break;
    case 13:
      Deque.push_front(name(N));
      if (Deque.size() > 40)
        Deque.pop_back();
      break;
    case 14:
      Vector.insert(Vector.begin() + long(N % (Vector.size() + 1)), name(N));
      break;
    case 15:
      std::sort(Vector.begin(), Vector.end());
      if (Vector.size() > 30)
        Vector.resize(9);
      break;
    case 16:
      Text.insert(N % (Text.size() + 1), name(N));
      if (Text.size() > 300)
        Text.erase(7, 250);
      break;
    case 17: {
      std::list<int, Where<int>> Other(List.begin(), List.end());
      Other.sort();
      List.sort();
      List.merge(Other);
      List.unique();
      Map.merge(decltype(Map)(Map));
      Map.extract(int(N));
      break;
    }
    }
  }
};

static bool same(int X, int Y) { return X == Y; }
static bool same(std::string_view X, std::string_view Y) { return X == Y; }
template <class A, class B, class C, class D>
static bool same(const std::pair<A, B> &X, const std::pair<C, D> &Y) {
  return same(X.first, Y.first) && same(X.second, Y.second);
}
template <class A, class B> static bool equal(const A &X, const B &Y) {
  return std::equal(X.begin(), X.end(), Y.begin(), Y.end(),
                    [](const auto &P, const auto &Q) { return same(P, Q); });
}

static Containers<Shared> *C;
static gdsm_lock_t Lock;
static int Wrong;

static void expect(bool Right, const char *What, int Turn) {
  if (Right)
    return;
  printf("thread %d, turn %d: %s differs\n", gdsm_thread(), Turn, What);
  __atomic_fetch_add(&Wrong, 1, __ATOMIC_RELAXED);
}

static void compare(const Containers<Private> &P, int Turn) {
  expect(equal(C->Map, P.Map), "map", Turn);
  expect(equal(C->Multimap, P.Multimap), "multimap", Turn);
  expect(equal(C->Set, P.Set), "set", Turn);
  expect(equal(C->List, P.List), "list", Turn);
  expect(equal(C->Forward, P.Forward), "forward_list", Turn);
  expect(equal(C->Hashed, P.Hashed), "unordered_map", Turn);
  expect(equal(C->HashedSet, P.HashedSet), "unordered_multiset", Turn);
  expect(equal(C->Deque, P.Deque), "deque", Turn);
  expect(equal(C->Vector, P.Vector), "vector", Turn);
  expect(std::string_view(C->Text) == P.Text, "string", Turn);
}

static void work(void *) {
  Containers<Private> Own;
  for (int Turn = 0; Turn != 24; ++Turn) {
    std::mt19937 ForShared(Turn + 1), ForOwn(Turn + 1);
    if (Turn % gdsm_threads() == gdsm_thread())
      for (int I = 0; I != 60; ++I)
        C->change(ForShared);
    for (int I = 0; I != 60; ++I)
      Own.change(ForOwn);
    gdsm_barrier();
    compare(Own, Turn);
    gdsm_barrier();
  }
  // Keys of its own each.
  int Me = gdsm_thread(), All = gdsm_threads();
  for (int I = 0; I != 20; ++I) {
    gdsm_lock(Lock);
    C->Map[1000 + I * All + Me] = "mine";
    C->Hashed[1000 + I * All + Me] = "mine";
    C->List.push_back(1000 + I * All + Me);
    gdsm_unlock(Lock);
  }
  gdsm_barrier();
  for (int I = 0; I != 20 * All; ++I) {
    expect(C->Map.count(1000 + I) && C->Map.at(1000 + I) == "mine",
           "map of all", I);
    expect(C->Hashed.count(1000 + I), "unordered_map of all", I);
    expect(std::count(C->List.begin(), C->List.end(), 1000 + I) == 1,
           "list of all", I);
  }
}

int main() {
  if (gdsm_node() == 0)
    C = graupel::dsm_new<Containers<Shared>>(), Lock = gdsm_locks_new(1);
  gdsm_broadcast(&C, sizeof C, 0);
  gdsm_broadcast(&Lock, sizeof Lock, 0);
  gdsm_parallel(work, nullptr);
  long Sum = gdsm_reduce_int64(Wrong, GDSM_SUM);
  if (gdsm_node() == gdsm_nodes() - 1) {
    size_t Entries = C->Map.size();
    graupel::dsm_delete(C);
    printf("%s on %d threads%s\n", Sum ? "wrong" : "all right", gdsm_threads(),
           Entries > 40 ? "" : ", too little done");
  }
  return Sum != 0;
}
