// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As ways.c, for what only C++ has.
#include "shape.h"
#include "way.h"
#include <algorithm>
#include <cstring>
#include <graupel/dsm.hpp>
#include <locale>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

static long *data;

namespace {

struct Checked : Shape {
  long sum(const long *p) const override { return std::accumulate(p, p + N, 0L); }
};
struct Adder : Visitor {
  long visit(long *p) override { return *p; }
};
struct Member {
  long (*function)(const long *);
  long operator()(const long *p) const { return function(p); }
};

long byThread(void (*function)(void *)) {
  std::thread t(function, data);
  t.join();
  return N;
}

long bySort(bool (*comparison)(const long &, const long &)) {
  std::sort(data, data + N, comparison);
  return std::accumulate(data, data + N, 0L);
}
bool checkedLess(const long &a, const long &b) { return a < b; }

long byException() {
  try {
    throw data;
  } catch (const long *p) {
    return std::accumulate(p, p + N, 0L);
  }
}

long byVector() {
  std::vector<long> mine(data, data + N);
  gcc_fill(mine.data());
  mine.assign(data, data + N);
  return gcc_sum(mine.data());
}

long byScope() {
  graupel::dsm_fetched hold(data, N * sizeof *data, GDSM_READ);
  return (makeShape()->sum(data) + makeFunction()(data)) / 2;
}

long byString() {
  strcpy(reinterpret_cast<char *>(data), "64");
  std::string text("0");
  text += reinterpret_cast<const char *>(data);
  return std::stol(text);
}

long byFacet() {
  auto &facet =
      std::use_facet<std::codecvt<wchar_t, char, mbstate_t>>(std::locale());
  wchar_t to[N], *last;
  mbstate_t state = {};
  const char *from = reinterpret_cast<char *>(data), *next;
  facet.in(state, from, from + N, next, to, to + N, last);
  return last - to;
}

long go(const std::string &way) {
  std::unique_ptr<Shape> shape(makeShape());
  Checked checked;
  Adder adder;
  if (way == "virtual")
    return shape->sum(data);
  if (way == "member-pointer") {
    long (Shape::*volatile sum)(const long *) const = &Shape::sum;
    return (shape.get()->*sum)(data);
  }
  if (way == "qualified")
    return checked.Shape::sum(data);
  if (way == "function")
    return makeFunction()(data);
  if (way == "functor")
    return std::function<long(const long *)>(Member{gcc_sum})(data);
  if (way == "inline")
    return sumInline(data);
  if (way == "thread")
    return byThread(gcc_work);
  if (way == "sort")
    return bySort(less);
  if (way == "visitor")
    return visitEach(adder, data);
  if (way == "visitor-pointer") {
    auto visit = std::mem_fn(&Visitor::visit);
    long s = 0;
    for (int i = 0; i < N; i++)
      s += visit(adder, data + i);
    return s;
  }
  if (way == "checked-virtual")
    return static_cast<Shape &>(checked).sum(data);
  if (way == "checked-sort")
    return bySort(checkedLess);
  if (way == "exception")
    return byException();
  if (way == "vector")
    return byVector();
  if (way == "scope")
    return byScope();
  if (way == "facet")
    return byFacet();
  if (way == "string")
    return byString();
  return -1;
}

} // namespace

int main(int, char **argv) {
  if (gdsm_node() == 0) {
    data = static_cast<long *>(gdsm_alloc(4096, 0, 0));
    std::fill(data, data + N, 1);
  }
  gdsm_broadcast(&data, sizeof data, 0);
  gdsm_barrier();
  return on_node_1([](const char *way) { return go(way); }, argv[1]);
}
