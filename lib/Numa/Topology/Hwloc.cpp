//===- Numa/Topology/Hwloc.cpp - Reads a topology from hwloc --------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a topology from hwloc.
//
// 1. readHwloc, readHwlocXML and readHwlocSynthetic load hwloc's topology: this
//    machine's, one from a file, or one from a description.
// 2. Reader::nodes takes the nodes by number, with their memory, path and
//    performance.
// 3. processors gives each processor the node with the fewest processors among
//    those it is local to. It notes the package and the last cache.
// 4. distances takes the matrix of latencies if it has all nodes.
// 5. devices takes the devices that are near one node only.
// 6. Topology::complete checks and derives the rest. readHwloc adds the free
//    memory from sysfs.
//
//===----------------------------------------------------------------------===//

#include "Readers.h"
#include "Text.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <hwloc.h>

using namespace graupel::numa;

namespace {
class Reader {
public:
  explicit Reader(Topology &T) : T(T) { hwloc_topology_init(&H); }
  ~Reader() { hwloc_topology_destroy(H); }
  Reader(const Reader &) = delete;
  Reader &operator=(const Reader &) = delete;

  hwloc_topology_t handle() { return H; }
  /// False, and errno, if hwloc cannot.
  bool load();
  ErrorText read();

private:
  unsigned package(hwloc_obj_t From) const;
  std::string path(hwloc_obj_t Node) const;
  void nodes();
  void processors();
  void distances();
  void performance(Node &N, hwloc_obj_t Object) const;
  void devices();

  Topology &T;
  hwloc_topology_t H;
  std::vector<hwloc_obj_t> Objects; ///< By index of the node.
};
} // namespace

bool Reader::load() {
  hwloc_topology_set_io_types_filter(H, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  return hwloc_topology_load(H) == 0;
}

unsigned Reader::package(hwloc_obj_t From) const {
  hwloc_obj_t P = hwloc_get_ancestor_obj_by_type(H, HWLOC_OBJ_PACKAGE, From);
  return P && P->os_index != HWLOC_UNKNOWN_INDEX ? P->os_index : 0;
}

/// "/machine/package0/node0", with the groups there are in between.
std::string Reader::path(hwloc_obj_t Object) const {
  std::string Path = "node" + std::to_string(Object->os_index);
  for (hwloc_obj_t Up = Object->parent; Up; Up = Up->parent) {
    std::string Index = std::to_string(
        Up->os_index != HWLOC_UNKNOWN_INDEX ? Up->os_index : Up->logical_index);
    if (Up->type == HWLOC_OBJ_PACKAGE)
      Path = "package" + Index + "/" + Path;
    else if (Up->type == HWLOC_OBJ_GROUP)
      Path = "group" + Index + "/" + Path;
  }
  return "/machine/" + Path;
}

void Reader::performance(Node &N, hwloc_obj_t Object) const {
  hwloc_location Near;
  Near.type = HWLOC_LOCATION_TYPE_CPUSET;
  Near.location.cpuset = Object->cpuset;
  auto Get = [&](hwloc_memattr_id_t Own, hwloc_memattr_id_t Common) {
    std::optional<double> Found;
    hwloc_uint64_t Value = 0;
    if (hwloc_memattr_get_value(H, Own, Object, &Near, 0, &Value) == 0 ||
        hwloc_memattr_get_value(H, Common, Object, &Near, 0, &Value) == 0)
      Found = double(Value);
    return Found;
  };
  // Bandwidths are as the system tells them, in 10^6 bytes a second.
  N.Local = {Get(HWLOC_MEMATTR_ID_READ_LATENCY, HWLOC_MEMATTR_ID_LATENCY),
             Get(HWLOC_MEMATTR_ID_WRITE_LATENCY, HWLOC_MEMATTR_ID_LATENCY),
             Get(HWLOC_MEMATTR_ID_READ_BANDWIDTH, HWLOC_MEMATTR_ID_BANDWIDTH),
             Get(HWLOC_MEMATTR_ID_WRITE_BANDWIDTH, HWLOC_MEMATTR_ID_BANDWIDTH)};
}

void Reader::nodes() {
  for (hwloc_obj_t O = nullptr;
       (O = hwloc_get_next_obj_by_type(H, HWLOC_OBJ_NUMANODE, O));)
    Objects.push_back(O);
  std::sort(Objects.begin(), Objects.end(), [](hwloc_obj_t A, hwloc_obj_t B) {
    return A->os_index < B->os_index;
  });
  for (hwloc_obj_t O : Objects) {
    Node N;
    N.Id = O->os_index;
    N.Bytes = O->attr->numanode.local_memory;
    N.Path = path(O);
    performance(N, O);
    T.Nodes.push_back(std::move(N));
  }
}

/// A processor may be local to several nodes, one of which may have memory only
/// (HBM); it belongs to the one with the fewest processors, then the first.
void Reader::processors() {
  for (hwloc_obj_t O = nullptr;
       (O = hwloc_get_next_obj_by_type(H, HWLOC_OBJ_PU, O));) {
    int Best = -1;
    for (unsigned N = 0; N < Objects.size(); ++N)
      if (hwloc_bitmap_isset(Objects[N]->cpuset, O->os_index) &&
          (Best < 0 || hwloc_bitmap_weight(Objects[N]->cpuset) <
                           hwloc_bitmap_weight(Objects[size_t(Best)]->cpuset)))
        Best = int(N);
    if (Best < 0)
      continue;
    Processor P{O->os_index, unsigned(Best), package(O)};
    if (hwloc_obj_t L3 =
            hwloc_get_ancestor_obj_by_type(H, HWLOC_OBJ_L3CACHE, O))
      P.Cache = unsigned(hwloc_bitmap_first(L3->cpuset));
    T.Processors.push_back(P);
  }
}

void Reader::distances() {
  unsigned Found = 1;
  hwloc_distances_s *D = nullptr;
  if (hwloc_distances_get_by_type(H, HWLOC_OBJ_NUMANODE, &Found, &D,
                                  HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) != 0 ||
      Found == 0)
    return;
  unsigned Count = unsigned(T.Nodes.size());
  Matrix Distances(Count);
  bool All = D->nbobjs == Count;
  for (unsigned A = 0; All && A < D->nbobjs; ++A)
    for (unsigned B = 0; All && B < D->nbobjs; ++B) {
      auto From = T.indexOfNode(D->objs[A]->os_index);
      auto To = T.indexOfNode(D->objs[B]->os_index);
      All = From && To;
      if (All)
        Distances.set(*From, *To, double(D->values[A * D->nbobjs + B]));
    }
  hwloc_distances_release(H, D);
  if (All)
    T.Firmware = std::move(Distances);
}

static const char *kindOf(hwloc_obj_t O) {
  switch (O->attr->osdev.type) {
  case HWLOC_OBJ_OSDEV_BLOCK:
    return "block";
  case HWLOC_OBJ_OSDEV_GPU:
  case HWLOC_OBJ_OSDEV_COPROC:
    return "gpu";
  case HWLOC_OBJ_OSDEV_NETWORK:
  case HWLOC_OBJ_OSDEV_OPENFABRICS:
    return "network";
  default:
    return "pci";
  }
}

/// The nearest node is one whose processors are those the device hangs on. With
/// several such nodes the device is near none of them in particular.
void Reader::devices() {
  for (hwloc_obj_t O = nullptr;
       (O = hwloc_get_next_obj_by_type(H, HWLOC_OBJ_OS_DEVICE, O));) {
    hwloc_obj_t Up = hwloc_get_non_io_ancestor_obj(H, O);
    unsigned Near = 0, Count = 0;
    for (unsigned N = 0; Up && Up->nodeset && N < Objects.size(); ++N)
      if (hwloc_bitmap_isset(Up->nodeset, Objects[N]->os_index)) {
        Near = N;
        ++Count;
      }
    if (Count == 1 && O->name)
      T.Devices.push_back({O->name, kindOf(O), Near});
  }
}

ErrorText Reader::read() {
  nodes();
  processors();
  distances();
  devices();
  return T.complete();
}

ErrorText graupel::numa::readHwloc(Topology &T) {
  Reader R(T);
  if (!R.load())
    return std::string("hwloc cannot read this machine (") + strerror(errno) +
           "); try --topology=sysfs";
  T.Source = "this machine (hwloc " HWLOC_VERSION ")";
  if (ErrorText Error = R.read())
    return Error;
  // hwloc does not say what is free.
  Topology Now;
  if (!readSysfs("/sys", Now))
    for (Node &N : T.Nodes)
      if (auto Same = Now.indexOfNode(N.Id))
        N.FreeBytes = Now.Nodes[*Same].FreeBytes;
  return std::nullopt;
}

ErrorText graupel::numa::readHwlocXML(const std::string &Path, Topology &T) {
  Reader R(T);
  if (hwloc_topology_set_xml(R.handle(), Path.c_str()) != 0 || !R.load())
    return Path + ": hwloc cannot read it; write it with `lstopo " + Path + "`";
  T.Source = "hwloc's file " + Path;
  return R.read();
}

ErrorText graupel::numa::readHwlocSynthetic(const std::string &Text,
                                            Topology &T) {
  Reader R(T);
  if (hwloc_topology_set_synthetic(R.handle(), Text.c_str()) != 0 || !R.load())
    return "`" + Text +
           "` is neither a file nor a description hwloc understands; write as "
           "\"pack:2 [numa] core:4 pu:1\"";
  T.Source = "synthetic \"" + Text + "\"";
  return R.read();
}
