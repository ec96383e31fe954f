/*===- em3d.c - Propagation on a bipartite graph ------------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Electromagnetic waves as a graph of E and H nodes (Culler et al. 1993): in
|* turn each E node subtracts a weighted sum of its H neighbors, and each H
|* node one of its E neighbors. Producers and consumers only; barriers, no
|* locks.
|*
|* The graph is made of `parts` parts. A neighbor is in the same part, or, for
|* `remote` percent of the edges, in a part at most `span` away. A thread owns
|* whole parts, so the graph, and with it each bit of the result, depends on
|* `parts` and not on the number of threads. The default is the published
|* machine's 16; pass the number of threads for the published share of remote
|* edges.
|*
\*===----------------------------------------------------------------------===*/

#include "common.h"

struct node {
  double value;
  int32_t degree, first; /**< Its edges. */
};

struct edge {
  const struct node *from;
  double weight;
};

/** Half of the graph: nodes, and the edges that point at the other half. */
struct side {
  struct node *nodes;
  struct edge *edges;
};

struct graph {
  struct side e, h;
};

static long nodes, degree, remote, span, parts, steps;
static struct graph shared_graph;

static long side_nodes(void) { return nodes / 2; }
static long part_nodes(void) { return side_nodes() / parts; }

/** The nodes of this thread: those of its parts. */
static long my_begin(struct team team, int ahead) {
  return part_begin(parts, team.thread + ahead, team.threads) * part_nodes();
}

/** Where edge number `edge` of a node in `part` comes from. */
static long neighbor(uint64_t edge, long part) {
  uint64_t bits = mix(edge);
  if ((long)(bits % 100) < remote) {
    long distance = 1 + (long)((bits >> 8) % (uint64_t)span);
    long step = (bits >> 7) & 1 ? distance : -distance;
    part = ((part + step) % parts + parts) % parts;
  }
  return part * part_nodes() + (long)((bits >> 24) % (uint64_t)part_nodes());
}

static void make_side(struct side to, const struct node *from, uint64_t seed,
                      struct team team) {
  for (long i = my_begin(team, 0), end = my_begin(team, 1); i < end; ++i) {
    to.nodes[i].value = mix_double(seed + (uint64_t)i);
    to.nodes[i].degree = (int32_t)degree;
    to.nodes[i].first = (int32_t)(i * degree);
    for (long d = 0; d < degree; ++d) {
      uint64_t edge = seed + (uint64_t)(i * degree + d);
      struct edge *to_fill = &to.edges[i * degree + d];
      to_fill->from = &from[neighbor(edge * 2, i / part_nodes())];
      to_fill->weight =
          0.125 * (mix_double(edge * 2 + 1) - 0.5) / (double)degree;
    }
  }
}

static void propagate(struct side side, long begin, long end) {
  struct node *restrict node = side.nodes;
  const struct edge *restrict edges = side.edges;
  for (long i = begin; i < end; ++i) {
    const struct edge *restrict edge = edges + node[i].first;
    double value = node[i].value;
    for (int d = 0, count = node[i].degree; d < count; ++d)
      value -= edge[d].weight * edge[d].from->value;
    node[i].value = value;
  }
}

static void run(struct graph graph, struct team team) {
  make_side(graph.e, graph.h.nodes, 1, team);
  make_side(graph.h, graph.e.nodes, (uint64_t)1 << 40, team);
  long begin = my_begin(team, 0), end = my_begin(team, 1);
  phase_begin(team);
  for (long step = 0; step < steps; ++step) {
    propagate(graph.e, begin, end);
    team_barrier(team);
    propagate(graph.h, begin, end);
    team_barrier(team);
  }
  phase_end(team);
}

static struct graph allocate(int shared) {
  size_t node_bytes = (size_t)side_nodes() * sizeof(struct node);
  size_t edge_bytes = (size_t)(side_nodes() * degree) * sizeof(struct edge);
  struct graph graph;
  graph.e.nodes = problem_alloc(shared, node_bytes, BULK_BLOCK_BYTES,
                                GDSM_HOME_FIRST_TOUCH);
  graph.h.nodes = problem_alloc(shared, node_bytes, BULK_BLOCK_BYTES,
                                GDSM_HOME_FIRST_TOUCH);
  graph.e.edges = problem_alloc(shared, edge_bytes, BULK_BLOCK_BYTES,
                                GDSM_HOME_FIRST_TOUCH);
  graph.h.edges = problem_alloc(shared, edge_bytes, BULK_BLOCK_BYTES,
                                GDSM_HOME_FIRST_TOUCH);
  return graph;
}

static double *values_of(struct graph graph) {
  double *values = private_alloc((size_t)(2 * side_nodes()) * sizeof *values);
  for (long i = 0; i < side_nodes(); ++i) {
    values[i] = graph.e.nodes[i].value;
    values[side_nodes() + i] = graph.h.nodes[i].value;
  }
  return values;
}

static long verify(const double *values) {
  struct graph reference = allocate(0);
  run(reference, lone_team());
  return count_differences("node", values, values_of(reference),
                           2 * side_nodes(), 0, 0);
}

static void solve(void *unused) {
  (void)unused;
  run(shared_graph, whole_team());
}

int main(int argc, char **argv) {
  struct option options[] = {
      {"nodes", &nodes, 4096, 128 << 10, 2, 1 << 26},
      {"degree", &degree, 6, 6, 1, 64},
      {"remote", &remote, 40, 40, 0, 100},
      {"span", &span, 1, 1, 1, 1 << 10},
      {"parts", &parts, 16, 16, 1, 1 << 16},
      {"steps", &steps, 10, 100, 1, 1 << 30},
  };
  parse_options("em3d", argc, argv, options, 6);
  if (nodes % (2 * parts))
    fail("--nodes must be a multiple of twice --parts", "");
  if (nodes * degree >= (long)1 << 31)
    fail("more edges than can be counted; use fewer nodes", "");

  if (gdsm_node() == 0)
    shared_graph = allocate(1);
  gdsm_broadcast(&shared_graph, sizeof shared_graph, 0);
  gdsm_parallel(solve, NULL);

  long wrong = 0;
  if (gdsm_node() == 0) {
    if (error_wanted)
      shared_graph.h.nodes[side_nodes() - 1].value += 0.0009765625;
    double *values = values_of(shared_graph), sum = 0;
    for (long i = 0; i < 2 * side_nodes(); ++i)
      sum += values[i];
    printf("result: em3d nodes=%ld steps=%ld sum %.15g checksum %016llx\n",
           nodes, steps, sum,
           (unsigned long long)hash_doubles(0, values, 2 * side_nodes()));
    if (verify_wanted)
      wrong = verify(values);
  }
  return finish(wrong);
}
