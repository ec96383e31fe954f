// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types at run time of objects in shared memory: virtual functions,
// dynamic_cast up, down and across, typeid, exceptions that point to such
// objects. One node makes and changes the objects, all others ask.

#include <cstdio>
#include <cstring>
#include <functional>
#include <graupel/dsm.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual int corners() const = 0;
  int Size = 1;
};
struct Named {
  virtual ~Named() = default;
  char Name[40] = "";
};
struct Square : Shape {
  int corners() const override { return 4 * Size; }
};
struct NamedSquare : Named, Square {
  int corners() const override { return 40 * Size; }
};
struct Left : virtual Shape {
  int corners() const override { return 3 * Size; }
};
struct Right : virtual Shape, Named {
  int corners() const override { return 5 * Size; }
};
struct Both : Left, Right {
  int corners() const override { return 7 * Size; }
};

struct Failure : std::runtime_error {
  Shape *Culprit;
  Failure(const char *What, Shape *Culprit)
      : std::runtime_error(What), Culprit(Culprit) {}
};

struct Root {
  std::vector<Shape *, graupel::dsm_allocator<Shape *>> Shapes;
  std::shared_ptr<int> Counted;
  std::vector<std::shared_ptr<int>,
              graupel::dsm_allocator<std::shared_ptr<int>>>
      Copies;
  std::function<int(int)> Function;
  char Text[40];
};

static Root *R;
static gdsm_lock_t Lock;
static int Wrong;

#define EXPECT(Condition)                                                      \
  do                                                                           \
    if (!(Condition)) {                                                        \
      printf("thread %d, line %d: %s\n", gdsm_thread(), __LINE__, #Condition); \
      __atomic_fetch_add(&Wrong, 1, __ATOMIC_RELAXED);                         \
    }                                                                          \
  while (0)

static void make(int Turn) {
  Shape *Made[] = {graupel::dsm_new<Square>(), graupel::dsm_new<NamedSquare>(),
                   graupel::dsm_new<Left>(), graupel::dsm_new<Right>(),
                   graupel::dsm_new<Both>()};
  for (Shape *S : Made) {
    S->Size = Turn;
    if (auto *N = dynamic_cast<Named *>(S))
      snprintf(N->Name, sizeof N->Name, "turn %d", Turn);
    R->Shapes.push_back(S);
  }
  snprintf(R->Text, sizeof R->Text, "what turn %d says", Turn);
  R->Function = [Turn](int X) { return X + Turn; };
}

[[noreturn]] static void fail(Shape *S) {
  if (S->Size % 2)
    throw Failure(R->Text, S);
  throw S;
}

static void ask(int Turn) {
  char Name[40];
  snprintf(Name, sizeof Name, "turn %d", Turn);
  // Nobody here has touched the objects before.
  Shape **S = &R->Shapes[R->Shapes.size() - 5];
  int Corners[] = {4, 40, 3, 5, 7};
  EXPECT(dynamic_cast<Square *>(S[0]) && dynamic_cast<Square *>(S[1]));
  EXPECT(!dynamic_cast<Square *>(S[2]) && !dynamic_cast<NamedSquare *>(S[0]));
  EXPECT(!dynamic_cast<Named *>(S[0]) && !dynamic_cast<Named *>(S[2]));
  for (int I : {1, 3, 4}) {
    auto *N = dynamic_cast<Named *>(S[I]);
    EXPECT(N && !strcmp(N->Name, Name));
    EXPECT(N && dynamic_cast<Shape *>(N) == S[I]);
    EXPECT(dynamic_cast<void *>(N) == dynamic_cast<void *>(S[I]));
  }
  EXPECT(dynamic_cast<Left *>(S[4]) && dynamic_cast<Right *>(S[4]));
  EXPECT(dynamic_cast<Left *>(dynamic_cast<Named *>(S[4])));
  EXPECT(typeid(*S[4]) == typeid(Both) && typeid(*S[3]) != typeid(Both));
  bool Bad = false;
  try {
    (void)dynamic_cast<Both &>(*S[3]);
  } catch (std::bad_cast &) {
    Bad = true;
  }
  EXPECT(Bad);
  for (int I = 0; I != 5; ++I)
    EXPECT(S[I]->corners() == Corners[I] * Turn);
  EXPECT(R->Function(10) == 10 + Turn);
}

/// Pointers to shared objects are converted on their way to a handler.
static void catchThem(int Turn) {
  Shape **S = &R->Shapes[R->Shapes.size() - 5];
  int Caught = 0;
  for (int I = 0; I != 5; ++I)
    try {
      fail(S[I]);
    } catch (const Failure &F) {
      char Text[40];
      snprintf(Text, sizeof Text, "what turn %d says", Turn);
      EXPECT(!strcmp(F.what(), Text) && F.Culprit == S[I]);
      ++Caught;
    } catch (Shape *Thrown) {
      EXPECT(Thrown == S[I]);
      ++Caught;
    }
  EXPECT(Caught == 5);
  try {
    throw static_cast<Both *>(dynamic_cast<Both *>(S[4]));
  } catch (Shape *Thrown) {
    EXPECT(Thrown == S[4] && Thrown->corners() == 7 * Turn);
  }
  try {
    throw dynamic_cast<Both *>(S[4]);
  } catch (Named *Thrown) {
    EXPECT(dynamic_cast<Shape *>(Thrown) == S[4]);
  }
}

static void work(void *) {
  for (int Turn = 1; Turn != 9; ++Turn) {
    if (Turn % gdsm_threads() == gdsm_thread())
      make(Turn);
    gdsm_barrier();
    ask(Turn);
    catchThem(Turn);
    gdsm_barrier();
  }
  // Reference counts.
  for (int I = 0; I != 300; ++I) {
    std::shared_ptr<int> Mine = R->Counted, Other = Mine;
    if (I % 50 == 0) {
      gdsm_lock(Lock);
      R->Copies.push_back(Other);
      gdsm_unlock(Lock);
    }
  }
  gdsm_barrier();
  EXPECT(R->Counted.use_count() == 1 + 6 * gdsm_threads());
  EXPECT(*R->Counted == 5);
  gdsm_barrier();
  if (gdsm_thread() == gdsm_threads() - 1)
    R->Copies.clear();
  gdsm_barrier();
  EXPECT(R->Counted.use_count() == 1);
}

int main() {
  if (gdsm_node() == 0) {
    R = graupel::dsm_new<Root>();
    R->Counted = std::allocate_shared<int>(graupel::dsm_allocator<int>(), 5);
    Lock = gdsm_locks_new(1);
  }
  gdsm_broadcast(&R, sizeof R, 0);
  gdsm_broadcast(&Lock, sizeof Lock, 0);
  gdsm_parallel(work, nullptr);
  long Sum = gdsm_reduce_int64(Wrong, GDSM_SUM);
  if (gdsm_node() == 0)
    printf("%s on %d threads\n", Sum ? "wrong" : "all right", gdsm_threads());
  return Sum != 0;
}
