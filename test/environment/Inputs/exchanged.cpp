// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exchanged: a program that does what depends on its loader: exceptions,
// threads, thread-local variables, constructors, sequences of the kernel,
// variables without initial value, children, and itself again. Prints what came
// of it. With "maps" it says which file it runs from.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <sys/auxv.h>
#include <sys/rseq.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static int zeroes[100000];
static thread_local int mine = 7;
static std::string constructed = "constructed";
static std::atomic<int> sum;

__attribute__((noinline)) static int thrower(int n) {
  if (n % 3 == 0)
    throw std::runtime_error("three");
  return n;
}

static int caught() {
  int n = 0;
  for (int i = 0; i < 300; ++i)
    try {
      n += thrower(i) & 1;
    } catch (const std::exception &e) {
      n += e.what()[0] == 't' ? 100 : 0;
    }
  return n;
}

/// What the kernel tells others of the program is what it has told the program.
static bool agrees() {
  FILE *file = fopen("/proc/self/auxv", "r");
  unsigned long entry[2];
  bool same = true;
  while (fread(entry, sizeof(entry), 1, file) == 1 && entry[0])
    if (entry[0] == AT_PHDR || entry[0] == AT_PHNUM || entry[0] == AT_ENTRY ||
        entry[0] == AT_BASE)
      same &= getauxval(entry[0]) == entry[1];
  fclose(file);
  return same;
}

/// The file that main is mapped from.
static int showOwnFile() {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[5000];
  while (fgets(line, sizeof(line), maps)) {
    unsigned long from, to, own = (unsigned long)&showOwnFile;
    if (sscanf(line, "%lx-%lx", &from, &to) == 2 && own >= from && own < to)
      printf("runs %s", strchr(line, '/'));
  }
  return fclose(maps);
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "maps"))
    return showOwnFile();
  for (int value : zeroes)
    sum += value;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back(
        [] { sum += mine++ + caught() + (sched_getcpu() >= 0); });
  for (std::thread &t : threads)
    t.join();
  std::map<std::string, int> words;
  for (int i = 0; i < 10000; ++i)
    ++words[std::to_string(i % 97)];
  printf("%s %d %d %zu heap %d sequences %d vector %d\n", constructed.c_str(),
         sum.load(), mine, words.size(), brk(sbrk(0)) == 0, __rseq_size != 0,
         agrees());
  fflush(stdout);
  if (argc > 1 && !strcmp(argv[1], "again")) {
    if (pid_t child = fork()) {
      int status;
      waitpid(child, &status, 0);
      return WEXITSTATUS(status);
    }
    execl("/proc/self/exe", argv[0], "once", nullptr);
    _exit(9);
  }
  return 3;
}
