/*===- graupel/numa.h - Place pages and threads on memory nodes ---*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Link with -lgraupel_numa. docs/numa.md shows how this is used.
|*
|* Nodes have the system's numbers, 0 to 63. Ranges of memory are rounded outward
|* to whole pages. Unless a comment says otherwise, functions may be called by
|* any thread at any time but not from signal handlers, and return
|*
|*   GRAUPEL_NUMA_PLACED     0  done, as asked for
|*   GRAUPEL_NUMA_TRIVIAL    1  recorded; the machine has one node, so there was
|*                              nothing to do
|*   GRAUPEL_NUMA_FELL_BACK  2  an advisory wish was met in part
|*   -errno                     not done; graupel_numa_message() says why
|*
|* No result proves where a page is: the kernel may drop nodes from a request,
|* or have no memory left there. graupel_numa_verify() looks at each page.
|*
\*===----------------------------------------------------------------------===*/

#ifndef GRAUPEL_NUMA_H
#define GRAUPEL_NUMA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  GRAUPEL_NUMA_PLACED = 0,
  GRAUPEL_NUMA_TRIVIAL = 1,
  GRAUPEL_NUMA_FELL_BACK = 2
};

/* A set of nodes: bit N is node N. */
typedef uint64_t graupel_numa_nodes;

/* What the calling thread's last call that failed or fell back had to say, a
   sentence; "" before. Valid until its next call. */
const char *graupel_numa_message(void);

/*===-- The machine -------------------------------------------------------===*\
 * As the kernel describes it, or $GRAUPEL_NUMA_TOPOLOGY, a file with another
 * description: placements for its nodes are then recorded only.
\*===----------------------------------------------------------------------===*/

/* All nodes; those with memory. Never empty. */
graupel_numa_nodes graupel_numa_all_nodes(void);
graupel_numa_nodes graupel_numa_memory_nodes(void);
/* Steps between nodes: 0 to itself, 1 to the nearest. -EINVAL if there is no
   such node. */
int graupel_numa_steps(int from, int to);
graupel_numa_nodes graupel_numa_nodes_within(int node, unsigned steps);
/* The node of the processor that the calling thread runs on now. Also for signal
   handlers. */
int graupel_numa_here(void);

/*===-- Domains (Prestor 2001, 3.1) ---------------------------------------===*\
 * A domain is a center node and the memory of all nodes within a radius. It has
 * no node until the set it is in has been placed. Sets are placed as a whole.
\*===----------------------------------------------------------------------===*/

typedef struct graupel_numa_domain graupel_numa_domain;

/* `bytes` is how much memory it is to have, `radius` in steps. Free it with
   graupel_numa_domain_delete. NULL if there is no memory. */
graupel_numa_domain *graupel_numa_domain_new(size_t bytes, unsigned radius);
void graupel_numa_domain_delete(graupel_numa_domain *domain);
/* The center, or -1 before it was placed. */
int graupel_numa_domain_node(const graupel_numa_domain *domain);
/* The nodes within its radius; none before it was placed. */
graupel_numa_nodes
graupel_numa_domain_nodes(const graupel_numa_domain *domain);

enum graupel_numa_shape {
  GRAUPEL_NUMA_FREE,    /* near each other */
  GRAUPEL_NUMA_CUBE,    /* the domains are the corners of a cube: those whose
                           numbers differ in one bit are near each other */
  GRAUPEL_NUMA_PHYSICAL /* on the nodes that the request lists */
};

struct graupel_numa_request {
  enum graupel_numa_shape shape;
  int mandatory;           /* fail rather than fall back */
  const char *const *near; /* devices, as "eth0", or "node3" */
  size_t near_count;
  const int *nodes; /* for GRAUPEL_NUMA_PHYSICAL, as many as domains */
};

/* Gives each domain a node: its own while there are enough. Considers free
   memory, the shape, devices, and domains placed before. `request` may be NULL:
   free, advisory, near nothing. */
int graupel_numa_place_set(graupel_numa_domain *const *domains, size_t count,
                           const struct graupel_numa_request *request);

/* Binds a thread (0 is the caller, else its number as gettid gives it) to a
   domain that was placed: to the processors of all its nodes, or if `pinned` to
   one processor of its center, in turn. */
int graupel_numa_link_thread(int thread, const graupel_numa_domain *domain,
                             int pinned);
/* The same with a node instead of a domain. */
int graupel_numa_run_on(int thread, int node, int pinned);

/*===-- Policies ----------------------------------------------------------===*\
 * Of several attached to a page the one of the smallest range holds, then the
 * latest. Pages that are there already are moved.
\*===----------------------------------------------------------------------===*/

enum graupel_numa_kind {
  GRAUPEL_NUMA_FIRST_TOUCH, /* the node of the thread that writes it first */
  GRAUPEL_NUMA_FIXED,       /* nodes[0]; advisory: then others, nearest first */
  GRAUPEL_NUMA_ROUND_ROBIN, /* units of the range go to nodes in turn, nodes[i]
                               gets weights[i] of them at a time */
  GRAUPEL_NUMA_INTERLEAVE,  /* the kernel's own interleaving, page by page */
  GRAUPEL_NUMA_NEXT_TOUCH,  /* each unit moves to the node of the thread that
                               touches it next, once. System calls fail with
                               EFAULT on what no thread has touched yet. The
                               range has to be readable and writable. */
};

struct graupel_numa_policy {
  enum graupel_numa_kind kind;
  const int *nodes; /* in order; NULL: all that have memory, ascending */
  size_t node_count;
  const unsigned *weights; /* as many as nodes, at least 1; NULL: 1 each */
  size_t unit;             /* bytes, rounded up to pages; 0: a page, or more if
                              the range is large (next touch) */
  int mandatory;           /* fixed: no other node, fail if it has no room */
};

int graupel_numa_attach(void *start, size_t bytes,
                        const struct graupel_numa_policy *policy);
/* Fixed to a placed domain: its center, then its other nodes, nearest first. */
int graupel_numa_attach_domain(void *start, size_t bytes,
                               const graupel_numa_domain *domain,
                               int mandatory);
/* Forgets policies attached within the range. Those around it hold again. */
int graupel_numa_detach(void *start, size_t bytes);

enum graupel_numa_section {
  GRAUPEL_NUMA_DATA, /* the program's variables, not its libraries' */
  GRAUPEL_NUMA_STACK /* the calling thread's */
};
int graupel_numa_attach_section(enum graupel_numa_section section,
                                const struct graupel_numa_policy *policy);
/* For what the calling thread, and those it creates, allocate elsewhere.
   First touch, fixed or interleave. */
int graupel_numa_default(const struct graupel_numa_policy *policy);

/* Pages of their own, zero, with a policy (NULL: none). NULL if that fails. */
void *graupel_numa_alloc(size_t bytes,
                         const struct graupel_numa_policy *policy);
void graupel_numa_free(void *start, size_t bytes);

/* Code compiled with graupel-numa.cfg calls this after it has allocated a block:
   the pages that are only the block's are placed as the file $GRAUPEL_NUMA_PLAN,
   a placement file, says of the heap of that line ("main.c:31") or function. Does
   nothing under `graupel numa run`, which does that and more. */
void graupel_numa_site(void *block, size_t bytes, const char *line,
                       const char *function);

/*===-- Where pages are ---------------------------------------------------===*/

/* nodes[i] gets the node of page i of the range, or -ENOENT if it has none yet,
   or another -errno. `count` is the length of `nodes`. */
int graupel_numa_query(const void *start, size_t bytes, int *nodes,
                       size_t count);

struct graupel_numa_report {
  size_t pages;   /* of the range */
  size_t present; /* that have memory */
  size_t right;   /* that are where their policy wants them */
  size_t wrong;
  size_t free_choice; /* present, and no policy says where */
};

/* Asks the kernel for each page and compares with the policies attached. The
   function, if not NULL, gets each page that is wrong: the nodes it should be
   on and the one it is on. Returns GRAUPEL_NUMA_PLACED if none is wrong,
   GRAUPEL_NUMA_FELL_BACK otherwise. */
int graupel_numa_verify(const void *start, size_t bytes,
                        struct graupel_numa_report *report,
                        void (*mismatch)(void *page, graupel_numa_nodes wanted,
                                         int node, void *data),
                        void *data);

/* Moves pages now. status, if not NULL, gets for each page its node, or -errno:
   -ENOENT no memory yet, -EBUSY in use by the kernel, -ENOMEM no room there.
   Policies stay. */
int graupel_numa_migrate(void *start, size_t bytes, int node, int *status);

/*===-- Counters of references --------------------------------------------===*\
 * Software counts, 64 bits, for each page and node. Something has to count: the
 * program, instrumented code, a sampler.
\*===----------------------------------------------------------------------===*/

typedef struct graupel_numa_counters graupel_numa_counters;

struct graupel_numa_limits {
  uint64_t threshold; /* a node's count beyond the home's that is too many */
  unsigned freeze;    /* a page that has moved so often stays; 0: never */
  uint64_t melt;      /* ... until the difference is so great; 0: for ever */
};

/* NULL if there is no memory. Free with graupel_numa_counters_delete. */
graupel_numa_counters *
graupel_numa_counters_new(void *start, size_t bytes,
                          const struct graupel_numa_limits *limits);
void graupel_numa_counters_delete(graupel_numa_counters *counters);
/* Called by the thread that counts, once each time a page passes the threshold.
   Without such a function the page is moved to `node` at once. */
void graupel_numa_counters_notify(
    graupel_numa_counters *counters,
    void (*passed)(void *page, int home, int node, void *data), void *data);
/* Counts references from a node to an address. Cheap. */
void graupel_numa_count(graupel_numa_counters *counters, const void *address,
                        int node, uint64_t references);
uint64_t graupel_numa_counted(const graupel_numa_counters *counters,
                              const void *address, int node);
/* Moves each page to the node that counts most, if that passes the threshold.
   The number of pages moved; -errno. Counts of moved pages begin again. */
long graupel_numa_balance(graupel_numa_counters *counters);

/*===-- Replicas ----------------------------------------------------------===*\
 * Memory that is read much and written seldom. Each node reads a mapping of its
 * own. While a unit is replicated each mapping has its own copy; the first write
 * makes all mappings show the written one, before it happens. A reader sees the
 * old value before, the new one after, never one after the other has been seen.
 * A forked process has such memory of its own, without copies at first: forks
 * take the time to write all of it.
\*===----------------------------------------------------------------------===*/

typedef struct graupel_numa_replicas graupel_numa_replicas;

/* Zero, not replicated yet. NULL, and a message, if that fails. */
graupel_numa_replicas *graupel_numa_replicas_new(size_t bytes);
void graupel_numa_replicas_delete(graupel_numa_replicas *replicas);
/* Where it may be written, and read too. */
void *graupel_numa_replicas_writable(graupel_numa_replicas *replicas);
/* Where the calling thread should read: its node's mapping. A thread that moves
   to another node stays right, but reads from afar. */
const void *graupel_numa_replicas_near(const graupel_numa_replicas *replicas);
const void *
graupel_numa_replicas_of_node(const graupel_numa_replicas *replicas, int node);
/* Makes copies, so that each node of `readers` (0: all with processors) has one
   within `radius` steps, on as few nodes as that takes. Again after writes: those
   end copies. Units whose copies ended so three times stay single. */
int graupel_numa_replicate(graupel_numa_replicas *replicas,
                           graupel_numa_nodes readers, unsigned radius);

struct graupel_numa_replica_counts {
  size_t units;      /* in all */
  size_t replicated; /* have copies now */
  size_t frozen;     /* written too often to be copied again */
  size_t collapses;  /* writes that ended copies, ever */
  graupel_numa_nodes nodes; /* that hold copies */
};
void graupel_numa_replicas_count(const graupel_numa_replicas *replicas,
                                 struct graupel_numa_replica_counts *counts);

#ifdef __cplusplus
}
#endif

#endif
