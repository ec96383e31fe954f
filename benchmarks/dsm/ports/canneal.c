/*===- canneal.c - Placement by simulated annealing ---------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

/* Places the elements of a netlist on a grid by simulated annealing, as
   PARSEC's canneal does: pairs of elements swap their places if wires get
   shorter, or, with a probability that falls with the temperature, if not. So
   that the result does not depend on threads, a step has two phases: all pairs
   decide by the placement that the step begins with, then those that want to
   are swapped. */
#include "graupel/dsm.h"
#include "options.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct location {
  int x, y;
};

struct element {
  struct location *location;
  int fanin_count, fanout_count;
  struct element **fanin, **fanout;
  struct element *partner; /* of this step, if they will swap */
  int id;
};

struct netlist {
  int count, width;
  struct element *elements;
  struct location *locations;
  struct element **wires; /* the memory of all fan-in and fan-out arrays */
};

struct stats {
  long accepted_good, accepted_bad, rejected;
};

static struct netlist *netlist;
static int element_count, grid_width, fan, steps;
static double start_temperature;

static unsigned long hash(unsigned long x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static double unit(unsigned long x) {
  return (double)(hash(x) >> 11) * 0x1p-53;
}

/* The element that drives wire `wire` of element i: mostly one nearby. */
static int driver_of(int i, int wire) {
  unsigned long bits = hash((unsigned long)(i * fan + wire));
  int distance = bits % 8 ? 256 : element_count;
  int j = i + 1 + (int)((bits >> 8) % (unsigned long)(distance - 1));
  return j % element_count;
}

static struct netlist *make_netlist(void) {
  struct netlist *net = gdsm_malloc(sizeof *net);
  struct element **next;
  int i, k, *place;

  net->count = element_count;
  net->width = grid_width;
  net->elements = gdsm_malloc((size_t)element_count * sizeof *net->elements);
  net->locations = gdsm_malloc((size_t)element_count * sizeof *net->locations);
  net->wires =
      gdsm_malloc(2 * (size_t)element_count * (size_t)fan * sizeof *net->wires);

  for (i = 0; i < element_count; i++) {
    net->locations[i].x = i % grid_width;
    net->locations[i].y = i / grid_width;
  }
  place = malloc((size_t)element_count * sizeof *place);
  for (i = 0; i < element_count; i++)
    place[i] = i;
  for (i = element_count - 1; i > 0; i--) {
    int j = (int)(hash((unsigned long)i + 77777) % (unsigned long)(i + 1));
    int swap = place[i];
    place[i] = place[j];
    place[j] = swap;
  }

  for (i = 0; i < element_count; i++) {
    struct element *e = &net->elements[i];
    e->id = i;
    e->location = &net->locations[place[i]];
    e->fanin_count = fan;
    for (k = 0; k < fan; k++)
      net->elements[driver_of(i, k)].fanout_count++;
  }
  next = net->wires;
  for (i = 0; i < element_count; i++) {
    struct element *e = &net->elements[i];
    e->fanin = next;
    next += e->fanin_count;
    e->fanout = next;
    next += e->fanout_count;
    e->fanout_count = 0;
  }
  for (i = 0; i < element_count; i++)
    for (k = 0; k < fan; k++) {
      struct element *e = &net->elements[i];
      struct element *driver = &net->elements[driver_of(i, k)];
      e->fanin[k] = driver;
      driver->fanout[driver->fanout_count++] = e;
    }
  free(place);
  return net;
}

static int wire_length(const struct location *a, const struct location *b) {
  return abs(a->x - b->x) + abs(a->y - b->y);
}

static long routing_cost(const struct element *e, const struct location *at) {
  long cost = 0;
  int k;

  for (k = 0; k < e->fanin_count; k++)
    cost += wire_length(at, e->fanin[k]->location);
  for (k = 0; k < e->fanout_count; k++)
    cost += wire_length(at, e->fanout[k]->location);
  return cost;
}

/* What the wires of e get longer by if it moves. */
static long swap_cost(const struct element *e, const struct location *old_place,
                      const struct location *new_place) {
  long no_swap = 0, yes_swap = 0;
  int k;

  for (k = 0; k < e->fanin_count; k++) {
    const struct location *other = e->fanin[k]->location;
    no_swap += wire_length(old_place, other);
    yes_swap += wire_length(new_place, other);
  }
  for (k = 0; k < e->fanout_count; k++) {
    const struct location *other = e->fanout[k]->location;
    no_swap += wire_length(old_place, other);
    yes_swap += wire_length(new_place, other);
  }
  return yes_swap - no_swap;
}

static struct element *partner_of(struct netlist *net, int i, int step) {
  unsigned long bits = hash((unsigned long)step + 4242);
  int mask = (int)(bits % (unsigned long)(net->count - 1)) + 1;
  return &net->elements[i ^ mask];
}

static void decide(struct netlist *net, int first, int last, int step,
                   double temperature, struct stats *stats) {
  int i;

  for (i = first; i < last; i++) {
    struct element *a = &net->elements[i], *b = partner_of(net, i, step);
    long delta;

    if (b->id < i)
      continue; /* decided by the other one */
    delta = swap_cost(a, a->location, b->location) +
            swap_cost(b, b->location, a->location);
    a->partner = NULL;
    if (delta < 0) {
      a->partner = b;
      stats->accepted_good++;
    } else if (exp(-(double)delta / temperature) >
               unit((unsigned long)step * (unsigned long)net->count +
                    (unsigned long)i)) {
      a->partner = b;
      stats->accepted_bad++;
    } else
      stats->rejected++;
  }
}

static void swap_pairs(struct netlist *net, int first, int last, int step) {
  int i;

  for (i = first; i < last; i++) {
    struct element *a = &net->elements[i], *b = a->partner;
    if (partner_of(net, i, step)->id < i || b == NULL)
      continue;
    struct location *swap = a->location;
    a->location = b->location;
    b->location = swap;
  }
}

static void anneal(void *argument) {
  int me = gdsm_thread(), threads = gdsm_threads(), step;
  int first = (int)((long)element_count * me / threads);
  int last = (int)((long)element_count * (me + 1) / threads);
  double temperature = start_temperature;
  struct stats stats = {0, 0, 0};
  long *total = argument;

  for (step = 0; step < steps; step++) {
    decide(netlist, first, last, step, temperature, &stats);
    gdsm_barrier();
    swap_pairs(netlist, first, last, step);
    gdsm_barrier();
    temperature *= 0.8;
  }
  stats.accepted_good = gdsm_reduce_int64(stats.accepted_good, GDSM_SUM);
  stats.accepted_bad = gdsm_reduce_int64(stats.accepted_bad, GDSM_SUM);
  if (me == 0) {
    total[0] = stats.accepted_good;
    total[1] = stats.accepted_bad;
  }
}

static long total_cost(struct netlist *net) {
  long cost = 0;
  int i;

  for (i = 0; i < net->count; i++)
    cost += routing_cost(&net->elements[i], net->elements[i].location);
  return cost / 2;
}

int main(int argc, char **argv) {
  int middle = is_middle(argc, argv);
  long before = 0, *total = NULL;
  double start;

  grid_width = middle ? 256 : 128;
  element_count = grid_width * grid_width;
  fan = 5;
  steps = middle ? 40 : 20;
  start_temperature = 200;
  if (gdsm_node() == 0) {
    netlist = make_netlist();
    total = gdsm_malloc(2 * sizeof *total);
    before = total_cost(netlist);
  }
  gdsm_broadcast(&netlist, sizeof netlist, 0);
  gdsm_broadcast(&total, sizeof total, 0);
  start = gdsm_time();
  gdsm_parallel(anneal, total);
  if (gdsm_node() == 0) {
    printf("result: canneal elements %d cost %ld to %ld good %ld bad %ld\n",
           element_count, before, total_cost(netlist), total[0], total[1]);
    printf("time: %.4f\n", gdsm_time() - start);
  }
  return 0;
}
