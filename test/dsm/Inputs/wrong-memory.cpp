// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory that is given to the C library's allocator: by delete, or by code
// without checks, which is this file with -DUNCHECKED. Threads that use up their
// stack.
#include <cstdlib>
#ifdef UNCHECKED
void *kept;
void giveBack() {
  free(kept);
}
void *larger() {
  return realloc(kept, 2000);
}
#else
#include <cstdio>
#include <cstring>
#include <graupel/dsm.hpp>
#include <pthread.h>

extern void *kept;
void giveBack();
void *larger();

struct Shape {
  long Sides = 4;
  virtual ~Shape() {}
};

static volatile int Depth = 100000000;
static int Deep; // The number of the thread that is to.

// Compilers make loops of simpler recursion.
__attribute__((noinline)) static int descend(volatile char *Above, int N) {
  volatile char Here[200];
  Here[0] = static_cast<char>(N);
  return N ? descend(Here, N - 1) + Above[0] : Here[0];
}

static void *descendAll(void *Unused) {
  char Here = 0;
  std::printf("%d\n", descend(&Here, Depth));
  return Unused;
}

static void work(void *) {
  if (gdsm_thread() == Deep)
    descendAll(nullptr);
  gdsm_barrier();
}

static void descendInThread() {
  pthread_t Thread;
  pthread_create(&Thread, nullptr, descendAll, nullptr);
  pthread_join(Thread, nullptr);
}

int main(int, char **Arguments) {
  delete new Shape;
  free(malloc(10));
  auto is = [&](const char *Name) { return !std::strcmp(Arguments[1], Name); };
  Shape *S = graupel::dsm_new<Shape>();
  kept = gdsm_malloc(800);
  if (is("delete"))
    delete S;
  if (is("free"))
    giveBack();
  if (is("realloc"))
    std::printf("%p\n", larger());
  if (is("deep-thread"))
    descendInThread();
  Deep = is("deep-main") ? 0 : is("deep-worker") ? 1 : -1;
  if (Deep >= 0)
    gdsm_parallel(work, nullptr);
  graupel::dsm_delete(S);
  gdsm_free(kept);
  std::puts("well");
}
#endif
