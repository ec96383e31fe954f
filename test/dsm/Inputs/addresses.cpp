// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Pointers to code and constants in shared memory: node 0 stores them, the
   others use them. Prints whether addresses are random in this process. */
#include <cstdio>
#include <cstring>
#include <graupel/dsm.h>
#include <new>
#include <sys/personality.h>

#ifndef SALT
#define SALT 1
#endif

struct Shape {
  virtual int area() const = 0;
};
struct Square final : Shape {
  int side = 5;
  int area() const override { return side * side * SALT; }
};
struct Strip final : Shape {
  int length = 7;
  int area() const override { return length; }
};

static int twice(int x) { return 2 * x; }

struct Root {
  Shape *shapes[2];
  int (*own)(int);
  int (*library)(const char *, const char *);
  int (Shape::*member)() const;
  const char *text;
};
static Root *root;

int main(int argc, char **) {
  if (gdsm_node() == 0) {
    root = static_cast<Root *>(gdsm_malloc(sizeof(Root)));
    root->shapes[0] = new (gdsm_malloc(sizeof(Square))) Square;
    root->shapes[1] = new (gdsm_malloc(sizeof(Strip))) Strip;
    root->own = twice;
    root->library = strcmp;
    root->member = &Shape::area;
    root->text = "constant";
  }
  gdsm_broadcast(&root, sizeof root, 0);
  int (*own)(int) = root->own;
  int (*library)(const char *, const char *) = root->library;
  char copy[] = "constant";
  bool right = root->shapes[0]->area() == 25 * SALT &&
               root->shapes[1]->area() == 7 &&
               (root->shapes[0]->*root->member)() == 25 * SALT &&
               own(argc) == 2 * argc && own == twice && library == strcmp &&
               library(root->text, copy) == 0 && strcmp(root->text, copy) == 0;
  bool random = !(personality(0xffffffff) & ADDR_NO_RANDOMIZE);
  printf("node %d of %d: %s, addresses %s\n", gdsm_node(), gdsm_nodes(),
         right ? "right" : "WRONG", random ? "random" : "fixed");
  return !right;
}
