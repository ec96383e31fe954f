//===- numa/Domains.cpp - Domains and sets of them ------------------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Domains.h"
#include "Machine.h"
#include "Numa/Placement/Sets.h"
#include "Numa/Topology/Text.h"
#include <cerrno>
#include <mutex>
#include <new>

using namespace graupel::numa;

namespace {
/// Domains on each node by index; a set is to avoid those of earlier ones.
std::mutex PlacedLock;
std::vector<unsigned> Placed;

void count(const graupel_numa_domain &D, int Change) {
  std::lock_guard Hold(PlacedLock);
  Placed.resize(machine().T.Nodes.size());
  if (D.Center >= 0)
    Placed[*machine().T.indexOfNode(unsigned(D.Center))] += unsigned(Change);
}
} // namespace

std::vector<unsigned> graupel_numa_domain::nodes() const {
  const Topology &T = machine().T;
  std::vector<unsigned> Ids;
  if (Center >= 0)
    for (unsigned N : T.within(*T.indexOfNode(unsigned(Center)), Radius))
      Ids.push_back(T.Nodes[N].Id);
  return Ids;
}

graupel_numa_domain *graupel_numa_domain_new(size_t Bytes, unsigned Radius) {
  return new (std::nothrow) graupel_numa_domain{Bytes, Radius, -1};
}

void graupel_numa_domain_delete(graupel_numa_domain *Domain) {
  if (!Domain)
    return;
  count(*Domain, -1);
  delete Domain;
}

int graupel_numa_domain_node(const graupel_numa_domain *Domain) {
  return Domain->Center;
}

graupel_numa_nodes
graupel_numa_domain_nodes(const graupel_numa_domain *Domain) {
  Nodes Found = 0;
  for (unsigned Id : Domain->nodes())
    Found |= Nodes(1) << Id;
  return Found;
}

/// The index of the node that a device, or "node3", is near.
static std::optional<unsigned> nearNode(const Topology &T,
                                        std::string_view Name) {
  if (Name.starts_with("node"))
    if (auto Id = parseNumber(Name.substr(4)))
      return T.indexOfNode(unsigned(*Id));
  for (const Device &D : T.Devices)
    if (D.Name == Name)
      return D.Node;
  return std::nullopt;
}

static int assign(graupel_numa_domain *const *Domains,
                  const std::vector<unsigned> &Centers) {
  for (size_t D = 0; D < Centers.size(); ++D) {
    count(*Domains[D], -1);
    Domains[D]->Center = int(machine().T.Nodes[Centers[D]].Id);
    count(*Domains[D], 1);
  }
  return placed();
}

/// The nodes that the request lists.
static int physical(const graupel_numa_request &R, size_t Count,
                    std::vector<unsigned> &Centers) {
  for (size_t D = 0; D < Count; ++D) {
    if (!R.nodes || !machine().has(R.nodes[D]))
      return say(-EINVAL,
                 "there is no node " +
                     (R.nodes ? std::to_string(R.nodes[D]) : "in the request"));
    Centers.push_back(*machine().T.indexOfNode(unsigned(R.nodes[D])));
  }
  return 0;
}

int graupel_numa_place_set(graupel_numa_domain *const *Domains, size_t Count,
                           const graupel_numa_request *Request) {
  const Machine &M = machine();
  graupel_numa_request R = {};
  if (Request)
    R = *Request;
  SetWish Wish;
  Wish.Wanted = R.shape == GRAUPEL_NUMA_CUBE ? Shape::Cube : Shape::Free;
  Wish.FreeBytes = M.freeBytes();
  for (size_t D = 0; D < Count; ++D)
    Wish.Domains.push_back({Domains[D]->Bytes, Domains[D]->Radius});
  std::string Short;
  for (size_t N = 0; N < R.near_count; ++N) {
    if (auto Node = nearNode(M.T, R.near[N]))
      Wish.Near.push_back(*Node);
    else
      Short = std::string("nobody knows which node ") + R.near[N] + " is near";
  }
  {
    std::lock_guard Hold(PlacedLock);
    Wish.Placed = Placed;
  }
  SetPlace P;
  if (R.shape == GRAUPEL_NUMA_PHYSICAL) {
    if (int Error = physical(R, Count, P.Centers))
      return Error;
    P.HasRoom = hasRoom(M.T, Wish, P.Centers);
    P.HasShape = true;
  } else {
    P = placeSet(M.T, Wish);
  }
  if (!P.HasRoom)
    Short = "a domain does not find its memory within its radius";
  else if (!P.HasShape)
    Short = "no nodes are the corners of such a cube";
  if (!Short.empty() && R.mandatory)
    return say(P.HasRoom ? -EINVAL : -ENOMEM, Short + "; nothing is placed");
  int Result = assign(Domains, P.Centers);
  return Short.empty() ? Result : say(GRAUPEL_NUMA_FELL_BACK, Short);
}
