// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams, strings, conversions and algorithms of the C++ library with shared
// arguments: text and numbers that the next node wrote, places for results that
// it has looked at. Streams themselves are private.

#include <algorithm>
#include <charconv>
#include <complex>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <graupel/dsm.hpp>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <memory_resource>
#include <numeric>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

using graupel::dsm_string;

struct Root {
  char Chars[4096];
  wchar_t Wide[256];
  dsm_string Text;
  long Long;
  int Int;
  double Double;
  bool Bool;
  std::complex<double> Complex;
  tm Day;
  char Read[4096];
  std::vector<double, graupel::dsm_allocator<double>> Numbers;
  std::vector<dsm_string, graupel::dsm_allocator<dsm_string>> Words;
  std::pmr::unordered_map<int, std::pmr::string> Resource{
      &graupel::dsm_resource};
  std::pmr::monotonic_buffer_resource Buffer{100, &graupel::dsm_resource};
};

static Root *R;
static int Wrong;
static std::string File;

#define EXPECT(Condition)                                                      \
  do                                                                           \
    if (!(Condition)) {                                                        \
      printf("thread %d, line %d: %s\n", gdsm_thread(), __LINE__, #Condition); \
      __atomic_fetch_add(&Wrong, 1, __ATOMIC_RELAXED);                         \
    }                                                                          \
  while (0)

static std::string text(int Turn) {
  std::string S;
  for (int I = 0; I != 300; ++I)
    S += "turn " + std::to_string(Turn) + (I % 7 ? ", " : "; ");
  return S;
}

static void write(int Turn) {
  std::string Is = text(Turn);
  strcpy(R->Chars, Is.c_str());
  wcscpy(R->Wide, (L"turn " + std::to_wstring(Turn)).c_str());
  R->Text = Is.c_str();
  R->Long = Turn * 1000000007L;
  R->Int = Turn;
  R->Double = Turn / 8.0;
  R->Complex = {double(Turn), 2.0};
  R->Day = {};
  R->Day.tm_year = 100 + Turn;
  R->Day.tm_mday = 3;
  R->Numbers.resize(1000);
  std::iota(R->Numbers.begin(), R->Numbers.end(), Turn);
  std::shuffle(R->Numbers.begin(), R->Numbers.end(),
               std::mt19937(unsigned(Turn)));
  R->Words.clear();
  std::istringstream Words(Is.substr(0, 200));
  std::copy(std::istream_iterator<dsm_string>(Words), {},
            std::back_inserter(R->Words));
  R->Resource[Turn] = Is.substr(0, 50);
  memset(R->Read, 1, sizeof R->Read);
}

/// Out of shared memory.
static void print(int Turn) {
  std::string Is = text(Turn);
  std::ostringstream O;
  O << R->Chars << std::setw(12) << R->Long << ' ' << R->Int << ' ' << R->Double
    << ' ' << R->Complex << ' ' << R->Text << ' ' << R->Words[1];
  std::ostringstream Expected;
  Expected << Is << std::setw(12) << Turn * 1000000007L << ' ' << Turn << ' '
           << Turn / 8.0 << ' ' << std::complex<double>(Turn, 2) << ' ' << Is
           << ' ' << Turn << ';';
  EXPECT(O.str() == Expected.str());
  std::ostringstream Day;
  Day << std::put_time(&R->Day, "%Y-%m-%d %A");
  tm Mine = R->Day;
  char Printed[100];
  strftime(Printed, sizeof Printed, "%Y-%m-%d %A", &Mine);
  EXPECT(Day.str() == Printed && std::stol(Day.str()) == 2000 + Turn);
  std::wostringstream W;
  W << R->Wide;
  EXPECT(W.str() == L"turn " + std::to_wstring(Turn));
  {
    std::ofstream F(File);
    F << R->Chars << '\n';
    F.write(R->Chars, std::streamsize(Is.size()));
    F << '\n' << R->Long << ' ' << R->Double << ' ' << R->Chars;
  }
}

/// Into shared memory, of the last thread alone.
static void read(int Turn) {
  std::string Is = text(Turn);
  std::ifstream F(File);
  dsm_string Line;
  std::getline(F, R->Text);
  EXPECT(std::string_view(R->Text) == Is);
  F.getline(R->Read, sizeof R->Read);
  EXPECT(R->Read == Is);
  F >> R->Long >> R->Double;
  EXPECT(R->Long == Turn * 1000000007L && R->Double == Turn / 8.0);
  F.get();
  memset(R->Read, 0, sizeof R->Read);
  F.read(R->Read, std::streamsize(Is.size()));
  EXPECT(R->Read == Is);
  std::istringstream In("17 0x1f 2.5 1 (3,4) word another");
  In >> R->Int >> std::setbase(16) >> R->Long >> R->Double >> R->Bool >>
      R->Complex >> R->Text >> std::setw(100) >> R->Read;
  EXPECT(In && R->Int == 17 && R->Long == 0x1f && R->Double == 2.5 && R->Bool);
  EXPECT(R->Complex == std::complex<double>(3, 4) && R->Text == "word");
  EXPECT(!strcmp(R->Read, "another"));
  auto To = std::to_chars(R->Read, R->Read + 100, 1.0 / 3);
  *To.ptr = 0;
  EXPECT(!strcmp(R->Read, "0.3333333333333333"));
  std::from_chars(R->Read, To.ptr, R->Double);
  EXPECT(R->Double == 1.0 / 3);
  std::istringstream("  8.25") >> R->Double;
  EXPECT(R->Double == 8.25);
}

static void compute(int Turn) {
  std::string Is = text(Turn), S(R->Chars), A = "x";
  EXPECT(S == Is && Is == R->Chars && Is.compare(R->Chars) == 0);
  A.append(R->Chars).insert(1, R->Chars);
  A += R->Chars;
  EXPECT(A == "x" + Is + Is + Is);
  EXPECT(Is.find(R->Chars) == 0 && Is.find_first_of(R->Chars + 5) == 0);
  EXPECT(std::hash<std::string_view>()(std::string_view(R->Chars)) ==
         std::hash<std::string>()(Is));
  EXPECT(std::stoi(std::string(R->Chars + 5)) == Turn);
  std::cmatch M;
  EXPECT(std::regex_search(R->Chars, M, std::regex("([0-9]+); turn")));
  EXPECT(std::stoi(M[1]) == Turn);
  EXPECT(std::accumulate(R->Numbers.begin(), R->Numbers.end(), 0.0) ==
         1000.0 * Turn + 999 * 500);
  EXPECT(*std::max_element(R->Numbers.begin(), R->Numbers.end()) == Turn + 999);
  EXPECT(R->Resource.at(Turn) == std::string_view(Is).substr(0, 50));
}

static void sort(int Turn) {
  std::sort(R->Numbers.begin(), R->Numbers.begin() + 500);
  std::stable_sort(R->Numbers.begin() + 500, R->Numbers.end(),
                   std::greater<>());
  std::reverse(R->Numbers.begin() + 500, R->Numbers.end());
  std::inplace_merge(R->Numbers.begin(), R->Numbers.begin() + 500,
                     R->Numbers.end());
  std::sort(R->Words.begin(), R->Words.end());
  std::pmr::string P("long enough for memory of the resource, which is shared",
                     &R->Buffer);
  EXPECT(P.size() == 55);
  EXPECT(R->Numbers[0] == Turn);
}

// A private stream whose characters are shared.
struct SharedBuffer : std::streambuf {
  SharedBuffer(char *B, size_t N) { setg(B, B, B + N); }
};
struct SharedStream : private SharedBuffer, public std::istream {
  SharedStream(char *B, size_t N)
      : SharedBuffer(B, N), std::istream(static_cast<std::streambuf *>(this)) {}
};

static void readShared(int Turn) {
  std::string Word;
  int Is = 0;
  {
    SharedBuffer B(R->Chars, 7);
    std::istream In(&B);
    In >> Word >> Is;
    EXPECT(Word == "turn" && Is == Turn);
  }
  SharedStream In(R->Chars, 7);
  In >> Word >> Is;
  EXPECT(Word == "turn" && Is == Turn);
}

// Streams where a moment ago there were shared pointers. They hold none.
__attribute__((noinline)) static long follow(char **Pointers, int N) {
  long Sum = 0;
  for (int I = 0; I != N; ++I)
    Sum += *Pointers[I];
  return Sum;
}
template <int N> __attribute__((noinline)) static void leavePointers() {
  char *Pointers[N];
  for (char *&P : Pointers)
    P = R->Read;
  follow(Pointers, N);
}
template <int N> __attribute__((noinline)) static void streamOver(int Depth) {
  volatile char Gap[N];
  Gap[0] = 1;
  std::ostringstream Out;
  Out << Depth;
  EXPECT(Out.str().size() == 1);
  if (Depth)
    streamOver<N>(Depth - 1);
}
static void reuseStack() {
  leavePointers<1000>();
  streamOver<8>(3);
  leavePointers<3000>();
  streamOver<24>(5);
  leavePointers<777>();
  streamOver<104>(2);
  for (int I = 0; I != 3; ++I) {
    std::stringstream Out;
    Out << I;
    char *Pointers[8];
    for (char *&P : Pointers)
      P = R->Read;
    follow(Pointers, 8);
  }
}

static void work(void *) {
  for (int Turn = 1; Turn != 7; ++Turn) {
    bool Mine = Turn % gdsm_threads() == gdsm_thread();
    if (Mine)
      write(Turn);
    gdsm_barrier();
    print(Turn);
    compute(Turn);
    readShared(Turn);
    reuseStack();
    gdsm_barrier();
    if ((Turn + 1) % gdsm_threads() == gdsm_thread())
      sort(Turn);
    gdsm_barrier();
    EXPECT(std::is_sorted(R->Numbers.begin(), R->Numbers.end()));
    EXPECT(std::is_sorted(R->Words.begin(), R->Words.end()));
    EXPECT(std::lower_bound(R->Numbers.begin(), R->Numbers.end(), Turn + 99) -
               R->Numbers.begin() ==
           99);
    gdsm_barrier();
    if (Mine)
      strcpy(R->Chars, (text(Turn) + "!").c_str());
    gdsm_barrier();
    // The standard streams.
    if ((Turn + 1) % gdsm_threads() == gdsm_thread()) {
      read(Turn);
      std::cout << std::string_view(R->Chars).substr(strlen(R->Chars) - 20)
                << std::endl;
      std::cout << R->Chars + strlen(R->Chars) - 9 << '\n' << std::flush;
    }
    gdsm_barrier();
  }
}

int main(int, char **argv) {
  File = argv[1] + std::string(".") + std::to_string(gdsm_node());
  if (gdsm_node() == 0)
    R = graupel::dsm_new<Root>();
  gdsm_broadcast(&R, sizeof R, 0);
  gdsm_parallel(work, nullptr);
  long Sum = gdsm_reduce_int64(Wrong, GDSM_SUM);
  if (gdsm_node() == 0)
    std::cout << (Sum ? "wrong" : "all right") << " on " << gdsm_threads()
              << " threads\n";
  return Sum != 0;
}
