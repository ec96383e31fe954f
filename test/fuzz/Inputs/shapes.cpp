// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exceptions, landing pads, virtual calls, constructors and thread-local data.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

struct Shape {
  virtual ~Shape() {}
  virtual int area() const = 0;
};
struct Square : Shape {
  int Side;
  explicit Square(int Side) : Side(Side) {}
  int area() const override { return Side * Side; }
};
struct Line : Shape {
  int area() const override { throw std::runtime_error("a line has no area"); }
};

static thread_local int Caught;
static int Started = [] { return 40; }();

struct Guard {
  int &Count;
  ~Guard() { ++Count; }
};

__attribute__((noinline)) int measure(const Shape &S, int &Left) {
  Guard G{Left};
  try {
    return S.area();
  } catch (const std::runtime_error &E) {
    ++Caught;
    return std::string(E.what()).size();
  }
}

int main(int argc, char **argv) {
  int Sum = Started, Left = 0;
  for (int I = 0; I < 300; ++I) {
    if (I % 7 == 3)
      Sum += measure(Line(), Left);
    else
      Sum += measure(Square(I % 11 + argc), Left);
  }
  std::printf("%d %d %d\n", Sum, Caught, Left);
  return Sum % 50;
}
