//===- numa/Run/Sites.cpp - A placement file in this process --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies the statements of $GRAUPEL_NUMA_PLACEMENT to this process, and
// reports the nodes of its memory at its end.
//
// 1. applyPlacement reads the statements, makes the domains of `memories` and
//    converts variables that are to have copies.
// 2. addressesOf finds a place in this process by its module's build-id or file
//    name. placeGlobal attaches policies to variables; placeOther sets those of
//    data and of all other memory.
// 3. placeHeap enters ranges of code, and makeArenas makes an arena for each
//    heap statement. For a launcher that plans while the program runs, one more
//    arena has the large blocks of all other code.
// 4. watchLater waits for calls of the functions that `at` statements name.
//    callHappens then places the variable or the arena again.
// 5. arenaFor finds the arena of a return address by binary search. placeThread
//    puts the calling thread where a `run` statement says.
// 6. reportPlacement verifies arenas and variables, and writes the report.
//
//===----------------------------------------------------------------------===//

#include "Sites.h"
#include "Calls.h"
#include "Data.h"
#include "Kernel.h"
#include "Report.h"
#include "common/BuildId.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <link.h>
#include <unistd.h>

using namespace graupel::numa;

namespace {

struct Range {
  uint64_t Start, End;
  unsigned Arena;
};

/// Global memory with a policy.
struct Region {
  const Statement *Stmt;
  uint64_t Start, Bytes;
};

/// Made before the program's main function, not changed later.
struct Placement {
  std::vector<Statement> Statements;
  std::vector<graupel_numa_domain *> Domains;
  std::vector<Range> Sites;             ///< By address.
  std::vector<const Statement *> Heaps; ///< By number of the arena.
  std::vector<Region> Regions;
  /// For large blocks of all others, which the launcher may want copies of.
  Arena *Others = nullptr;
  std::vector<const Statement *> Later; ///< By number of the watched call.
  /// Some memory may wait for its next touch; where variables are that may.
  bool CopiesGlobals = false;
  bool Waits = false;
  uint64_t FirstWaiting = ~uint64_t(0), LastWaiting = 0;
};
Placement *P;

//===--- Modules ----------------------------------------------------------===//

struct Search {
  const std::string &Module;
  uint64_t Base = 0;
  bool Found = false;
};

/// The program's own name is empty here.
std::string fileOf(const dl_phdr_info &Info) {
  char Own[4096];
  const char *Path = Info.dlpi_name;
  if (!*Path) {
    ssize_t Length = readlink("/proc/self/exe", Own, sizeof(Own) - 1);
    Own[std::max<ssize_t>(Length, 0)] = 0;
    Path = Own;
  }
  const char *Slash = strrchr(Path, '/');
  return Slash ? Slash + 1 : Path;
}

int visit(dl_phdr_info *Info, size_t, void *Data) {
  auto &S = *static_cast<Search *>(Data);
  S.Found = S.Module == graupel::findBuildId(*Info).hexadecimal() ||
            S.Module == fileOf(*Info);
  S.Base = Info->dlpi_addr;
  return S.Found;
}

/// The addresses of a place in this process. None: the module is not there, as
/// it has been built again, or is another program's.
std::vector<std::pair<uint64_t, uint64_t>> addressesOf(const Place &Location) {
  Search S{Location.Module};
  dl_iterate_phdr(visit, &S);
  std::vector<std::pair<uint64_t, uint64_t>> Found;
  for (auto [From, To] : Location.Ranges)
    if (S.Found)
      Found.emplace_back(S.Base + From, S.Base + To);
  return Found;
}

//===--- Statements -------------------------------------------------------===//

int nodeOf(const Home &H) {
  if (!H.IsMemory)
    return int(H.Number);
  return H.Number < P->Domains.size()
             ? graupel_numa_domain_node(P->Domains[H.Number])
             : -1;
}

void makeDomains(const Statement &S) {
  for (unsigned N = 0; N < S.Count; ++N)
    P->Domains.push_back(graupel_numa_domain_new(S.Bytes, S.Radius));
  std::vector<const char *> Near;
  for (const std::string &Name : S.Near)
    Near.push_back(Name.c_str());
  std::vector<int> Nodes(S.Nodes.begin(), S.Nodes.end());
  graupel_numa_request R = {};
  R.shape = !Nodes.empty() ? GRAUPEL_NUMA_PHYSICAL
            : S.Cube       ? GRAUPEL_NUMA_CUBE
                           : GRAUPEL_NUMA_FREE;
  R.mandatory = S.Mandatory;
  R.near = Near.data();
  R.near_count = Near.size();
  R.nodes = Nodes.data();
  int Result = graupel_numa_place_set(P->Domains.data(), S.Count, &R);
  if (Result != GRAUPEL_NUMA_PLACED && Result != GRAUPEL_NUMA_TRIVIAL)
    complain(S, graupel_numa_message());
}

/// False if a node is none.
bool placing(const Statement &S, Arena::Placing &To) {
  static const graupel_numa_kind Kinds[] = {
      GRAUPEL_NUMA_FIRST_TOUCH, GRAUPEL_NUMA_FIXED,
      GRAUPEL_NUMA_ROUND_ROBIN, GRAUPEL_NUMA_INTERLEAVE,
      GRAUPEL_NUMA_ROUND_ROBIN, GRAUPEL_NUMA_NEXT_TOUCH,
      GRAUPEL_NUMA_FIRST_TOUCH};
  To.Kind = Kinds[S.Rule.Kind];
  To.Mandatory = S.Rule.Mandatory;
  To.Unit = S.Rule.Unit;
  To.Weights = S.Rule.Weights;
  To.Copies = S.Rule.Kind == PlacementRule::Replicate;
  To.PerBlock = S.Rule.Kind == PlacementRule::RoundRobin ||
                S.Rule.Kind == PlacementRule::Block;
  for (const Home &H : S.Rule.Homes) {
    int Node = nodeOf(H);
    if (Node < 0 || Node > 63 || !(graupel_numa_memory_nodes() >> Node & 1)) {
      complain(S, H.IsMemory ? "there is no such memory"
                             : "there is no such node with memory");
      return false;
    }
    To.Nodes.push_back(Node);
  }
  for (int Node = 0; S.Rule.Homes.empty() && Node < 64; ++Node)
    if (graupel_numa_memory_nodes() >> Node & 1)
      To.Nodes.push_back(Node);
  return true;
}

graupel_numa_policy policyOf(const Arena::Placing &ArenaPolicy, uint64_t Bytes,
                             bool Block) {
  graupel_numa_policy To = {};
  To.kind = ArenaPolicy.Kind;
  To.nodes = ArenaPolicy.Nodes.data();
  To.node_count = ArenaPolicy.Nodes.size();
  To.weights =
      ArenaPolicy.Weights.empty() ? nullptr : ArenaPolicy.Weights.data();
  To.unit = ArenaPolicy.Unit;
  if (Block)
    To.unit = pageUp((Bytes + ArenaPolicy.Nodes.size() - 1) /
                     ArenaPolicy.Nodes.size());
  To.mandatory = ArenaPolicy.Mandatory;
  return To;
}

/// A page that several variables share is placed with the one that has most of
/// it.
void placeGlobal(const Statement &S) {
  Arena::Placing ArenaPolicy;
  if (!placing(S, ArenaPolicy))
    return;
  if (ArenaPolicy.Copies)
    // The variable could not be converted.
    ArenaPolicy.Kind = GRAUPEL_NUMA_INTERLEAVE;
  auto Addresses = addressesOf(S.Target);
  if (Addresses.empty())
    return complain(S, "this program has no such variable");
  for (auto [Start, End] : Addresses) {
    Start = pageDown(Start + PageBytes / 2);
    End = pageDown(End + PageBytes / 2);
    if (Start >= End) {
      complain(S, "it has not half a page; it goes with its neighbors");
      continue;
    }
    graupel_numa_policy Policy =
        policyOf(ArenaPolicy, End - Start, S.Rule.Kind == PlacementRule::Block);
    if (graupel_numa_attach(reinterpret_cast<void *>(Start), End - Start,
                            &Policy) < 0)
      complain(S, graupel_numa_message());
    else
      P->Regions.push_back({&S, Start, End - Start});
  }
}

void expectTouches(const Statement &S) {
  P->Waits = true;
  if (S.Kind != Statement::PlaceGlobal)
    return;
  for (auto [Start, End] : addressesOf(S.Target)) {
    P->FirstWaiting = std::min(P->FirstWaiting, pageDown(Start));
    P->LastWaiting = std::max(P->LastWaiting, pageUp(End));
  }
}

void placeOther(const Statement &S) {
  Arena::Placing ArenaPolicy;
  if (!placing(S, ArenaPolicy))
    return;
  graupel_numa_policy Policy = policyOf(ArenaPolicy, 0, false);
  int Result = S.Kind == Statement::PlaceData
                   ? graupel_numa_attach_section(GRAUPEL_NUMA_DATA, &Policy)
                   : graupel_numa_default(&Policy);
  if (Result < 0)
    complain(S, graupel_numa_message());
}

/// Memory of variables changes before there are policies for it.
void convertGlobals() {
  std::vector<std::pair<uint64_t, uint64_t>> Wanted;
  for (const Statement &S : P->Statements)
    if (S.Kind == Statement::PlaceGlobal &&
        S.Rule.Kind == PlacementRule::Replicate)
      for (auto Range : addressesOf(S.Target))
        Wanted.push_back(Range);
  if (Wanted.empty())
    return;
  P->CopiesGlobals = convertData(Wanted);
  for (const Statement &S : P->Statements)
    if (!P->CopiesGlobals && *dataComplaint() &&
        S.Kind == Statement::PlaceGlobal &&
        S.Rule.Kind == PlacementRule::Replicate)
      complain(S, dataComplaint());
}

void placeHeap(const Statement &S) {
  auto Addresses = addressesOf(S.Target);
  if (Addresses.empty())
    complain(S, "this program has no such code");
  for (auto [Start, End] : Addresses)
    P->Sites.push_back({Start, End, unsigned(P->Heaps.size())});
  P->Heaps.push_back(&S);
}

/// Whether an earlier statement has made an arena for the same code.
bool isPlaced(const Place &Location) {
  auto Addresses = addressesOf(Location);
  for (const Range &R : P->Sites)
    if (!Addresses.empty() && R.Start == Addresses.front().first)
      return true;
  return false;
}

/// `Commands`: of a launcher that plans while the program runs, or null.
void makeArenas(const char *Commands) {
  const unsigned Others = unsigned(P->Heaps.size());
  if (!Others && !Commands)
    return;
  if (!Arena::reserve(Others + (Commands != nullptr))) {
    fprintf(stderr, "graupel numa: warning: there is no address space for heap "
                    "statements (ulimit -v?); they are ignored\n");
    P->Sites.clear();
    P->Heaps.clear();
    return;
  }
  for (unsigned N = 0; N < P->Heaps.size(); ++N) {
    Arena::Placing ArenaPolicy;
    // Until its time has come it is on the node of the first touch.
    if (!P->Heaps[N]->When && placing(*P->Heaps[N], ArenaPolicy))
      Arena::place(N, std::move(ArenaPolicy));
  }
  if (Commands) {
    Arena::Placing ArenaPolicy;
    ArenaPolicy.Copies = true;
    Arena::place(Others, std::move(ArenaPolicy));
    P->Others = &Arena::get(Others);
    P->Others->copyOnDemand();
  }
  std::sort(P->Sites.begin(), P->Sites.end(),
            [](const Range &A, const Range &B) { return A.Start < B.Start; });
}

//===--- Changes while the program runs -----------------------------------===//

void placeHeapAgain(const Statement &S) {
  Arena::Placing ArenaPolicy;
  if (!placing(S, ArenaPolicy))
    return;
  auto Addresses = addressesOf(S.Target);
  for (size_t N = 0; N < P->Heaps.size(); ++N)
    for (const Range &R : P->Sites)
      if (R.Arena == N && !Addresses.empty() &&
          R.Start == Addresses.front().first) {
        Arena::get(unsigned(N)).placeAgain(ArenaPolicy);
        P->Heaps[N] = &S;
      }
}

/// A function that a statement waits for is called.
void callHappens(size_t Number) {
  const Statement &S = *P->Later[Number];
  if (S.Kind == Statement::PlaceGlobal)
    placeGlobal(S);
  else
    placeHeapAgain(S);
}

/// A heap that only later statements name has blocks of its own from the start.
void watchLater() {
  std::vector<uint64_t> Entries;
  for (const Statement &S : P->Statements) {
    if (!S.When)
      continue;
    auto Addresses = addressesOf(*S.When);
    if (Addresses.empty())
      complain(S, "this program has no such function");
    for (auto [Start, End] : Addresses) {
      Entries.push_back(Start);
      P->Later.push_back(&S);
    }
  }
  if (Entries.empty())
    return;
  if (const char *Wrong = watchCalls(Entries, callHappens))
    fprintf(stderr, "graupel numa: warning: %s\n", Wrong);
}

} // namespace

void graupel::numa::applyPlacement() {
  const char *Text = getenv("GRAUPEL_NUMA_PLACEMENT");
  const char *Commands = getenv("GRAUPEL_NUMA_AUTO");
  if (!Text && !Commands)
    return;
  if (!Text)
    Text = "";
  auto *New = new Placement;
  if (auto Wrong = readStatements(
          Text,
          [](const std::string &) { return std::optional<std::string>(); },
          New->Statements)) {
    fprintf(stderr, "graupel numa: warning: GRAUPEL_NUMA_PLACEMENT: %s\n",
            Wrong->c_str());
    delete New;
    return;
  }
  P = New;
  for (const Statement &S : P->Statements) {
    if (S.Rule.Kind == PlacementRule::NextTouch)
      expectTouches(S);
    if (S.Kind == Statement::Memories)
      makeDomains(S);
  }
  convertGlobals();
  for (const Statement &S : P->Statements)
    if (S.When) {
      if (S.Kind == Statement::PlaceHeap && !isPlaced(S.Target))
        placeHeap(S);
    } else if (S.Kind == Statement::PlaceHeap)
      placeHeap(S);
    else if (S.Kind == Statement::PlaceGlobal &&
             !(P->CopiesGlobals && S.Rule.Kind == PlacementRule::Replicate))
      placeGlobal(S);
    else if (S.Kind == Statement::PlaceData ||
             S.Kind == Statement::PlaceDefault)
      placeOther(S);
  makeArenas(Commands);
  watchLater();
  if (isReportWanted())
    Arena::verifyAtRelease();
}

Arena *graupel::numa::arenaFor(const void *Caller, size_t Bytes) {
  constexpr size_t Large = 64 << 10;
  if (!P || IsHolding)
    return nullptr;
  Arena *Others = Bytes >= Large ? P->Others : nullptr;
  if (P->Sites.empty())
    return Others;
  // The call is before the address it returns to.
  uint64_t At = reinterpret_cast<uint64_t>(Caller) - 1;
  auto After = std::upper_bound(
      P->Sites.begin(), P->Sites.end(), At,
      [](uint64_t Address, const Range &R) { return Address < R.Start; });
  if (After == P->Sites.begin() || At >= std::prev(After)->End)
    return Others;
  return &Arena::get(std::prev(After)->Arena);
}

void graupel::numa::placeThread(unsigned Number) {
  if (!P)
    return;
  for (const Statement &S : P->Statements) {
    if (S.Kind != Statement::Run || S.Thread != Number)
      continue;
    int Result =
        S.Where.IsMemory && S.Where.Number < P->Domains.size()
            ? graupel_numa_link_thread(0, P->Domains[S.Where.Number], S.Pinned)
            : graupel_numa_run_on(0, nodeOf(S.Where), S.Pinned);
    if (Result < 0)
      complain(S, graupel_numa_message());
  }
}

void graupel::numa::reportPlacement() {
  if (!P)
    return;
  for (unsigned N = 0; N < P->Heaps.size(); ++N) {
    Arena &A = Arena::get(N);
    if (*A.complaint())
      complain(*P->Heaps[N], A.complaint());
    if (A.used() && P->Heaps[N]->Rule.Kind == PlacementRule::Replicate)
      tellCopies(*P->Heaps[N], A.copies());
    else if (A.used())
      tellPages(*P->Heaps[N], A.verify());
    else
      complain(
          *P->Heaps[N],
          "nothing has been allocated there; a function that ends with the "
          "allocation leaves it to its caller: name the caller's line");
  }
  for (const Statement &S : P->Statements)
    if (P->CopiesGlobals && S.Kind == Statement::PlaceGlobal &&
        S.Rule.Kind == PlacementRule::Replicate)
      for (auto [Start, End] : addressesOf(S.Target))
        tellCopies(S, copiesOfData(Start, End));
  for (const Region &R : P->Regions) {
    graupel_numa_report Found = {};
    if (graupel_numa_verify(reinterpret_cast<void *>(R.Start), R.Bytes, &Found,
                            nullptr, nullptr) >= 0)
      tellPages(*R.Stmt, Found);
  }
  writeReport(P->Statements);
}

bool graupel::numa::mayWaitForTouch(const void *Memory) {
  if (!P || !P->Waits)
    return false;
  const auto At = reinterpret_cast<uint64_t>(Memory);
  return (At >= P->FirstWaiting && At <= P->LastWaiting) || Arena::of(Memory);
}

bool graupel::numa::wantsCopies() {
  bool Wants = P && (P->Others || P->CopiesGlobals);
  for (size_t N = 0; P && N < P->Heaps.size(); ++N)
    Wants |= P->Heaps[N]->Rule.Kind == PlacementRule::Replicate;
  return Wants;
}

void graupel::numa::lockArenas() {
  if (P && P->Others)
    P->Others->lock();
  for (unsigned N = 0; P && N < P->Heaps.size(); ++N)
    Arena::get(N).lock();
}

void graupel::numa::unlockArenas() {
  if (P && P->Others)
    P->Others->unlock();
  for (unsigned N = 0; P && N < P->Heaps.size(); ++N)
    Arena::get(N).unlock();
}
