/*===- raytrace.c - Ray tracing -----------------------------------*- C -*-===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

/* Ray tracing of spheres and triangles, with a tree of bounding boxes, shadows
   and reflections. Threads take tiles of the picture from a shared counter. */
#include "graupel/dsm.h"
#include "options.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TILE 16
#define LEAF_OBJECTS 4
#define MAX_DEPTH 4
#define FAR 1e30

typedef struct {
  double x, y, z;
} vector;

struct material {
  vector color;
  double diffuse, specular, reflection;
};

enum kind { SPHERE, TRIANGLE };

struct object {
  enum kind kind;
  struct material *material;
  union {
    struct {
      vector center;
      double radius;
    } sphere;
    struct {
      vector corner, edge1, edge2, normal;
    } triangle;
  } u;
};

struct box {
  vector low, high;
};

struct tree_node {
  struct box box;
  struct tree_node *left, *right; /* NULL: a leaf */
  int count;
  struct object *objects[LEAF_OBJECTS];
};

struct light {
  vector position;
  double intensity;
};

struct scene {
  int width, height, next_tile, tiles_wide, tiles, object_count, light_count;
  gdsm_lock_t tile_lock;
  vector eye;
  struct object *objects;
  struct material *materials;
  struct light *lights;
  struct tree_node *nodes, *root;
  int nodes_used;
  unsigned char *pixels; /* three for each */
};

struct ray {
  vector origin, direction, inverse;
};

struct hit {
  double t;
  struct object *object;
};

static struct scene *scene;
static unsigned long seed = 12345;

static double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(seed >> 11) * 0x1p-53;
}

static vector make(double x, double y, double z) {
  vector v = {x, y, z};
  return v;
}
static vector add(vector a, vector b) {
  return make(a.x + b.x, a.y + b.y, a.z + b.z);
}
static vector sub(vector a, vector b) {
  return make(a.x - b.x, a.y - b.y, a.z - b.z);
}
static vector scale(vector a, double s) {
  return make(a.x * s, a.y * s, a.z * s);
}
static double dot(vector a, vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
static vector cross(vector a, vector b) {
  return make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
              a.x * b.y - a.y * b.x);
}
static vector normalize(vector a) { return scale(a, 1 / sqrt(dot(a, a))); }

/* --- Tree ----------------------------------------------------------------- */

static void grow(struct box *box, vector v) {
  box->low =
      make(fmin(box->low.x, v.x), fmin(box->low.y, v.y), fmin(box->low.z, v.z));
  box->high = make(fmax(box->high.x, v.x), fmax(box->high.y, v.y),
                   fmax(box->high.z, v.z));
}

static void add_bounds(struct box *box, const struct object *o) {
  if (o->kind == SPHERE) {
    double r = o->u.sphere.radius;
    grow(box, sub(o->u.sphere.center, make(r, r, r)));
    grow(box, add(o->u.sphere.center, make(r, r, r)));
  } else {
    grow(box, o->u.triangle.corner);
    grow(box, add(o->u.triangle.corner, o->u.triangle.edge1));
    grow(box, add(o->u.triangle.corner, o->u.triangle.edge2));
  }
}

static double middle_of(const struct object *o, int axis) {
  struct box box = {{FAR, FAR, FAR}, {-FAR, -FAR, -FAR}};
  add_bounds(&box, o);
  vector sum = add(box.low, box.high);
  return axis == 0 ? sum.x : axis == 1 ? sum.y : sum.z;
}

static int sort_axis;

static int compare_objects(const void *a, const void *b) {
  double x = middle_of(*(struct object *const *)a, sort_axis);
  double y = middle_of(*(struct object *const *)b, sort_axis);
  return (x > y) - (x < y);
}

static struct tree_node *build(struct object **objects, int count) {
  struct tree_node *node = &scene->nodes[scene->nodes_used++];
  struct box box = {{FAR, FAR, FAR}, {-FAR, -FAR, -FAR}};
  int i;

  for (i = 0; i < count; i++)
    add_bounds(&box, objects[i]);
  node->box = box;
  if (count <= LEAF_OBJECTS) {
    node->count = count;
    for (i = 0; i < count; i++)
      node->objects[i] = objects[i];
    return node;
  }
  vector size = sub(box.high, box.low);
  sort_axis = size.x > size.y && size.x > size.z ? 0 : size.y > size.z ? 1 : 2;
  qsort(objects, (size_t)count, sizeof *objects, compare_objects);
  node->left = build(objects, count / 2);
  node->right = build(objects + count / 2, count - count / 2);
  return node;
}

/* --- Rays ----------------------------------------------------------------- */

static int hits_box(const struct ray *ray, const struct box *box,
                    double limit) {
  double x1 = (box->low.x - ray->origin.x) * ray->inverse.x;
  double x2 = (box->high.x - ray->origin.x) * ray->inverse.x;
  double y1 = (box->low.y - ray->origin.y) * ray->inverse.y;
  double y2 = (box->high.y - ray->origin.y) * ray->inverse.y;
  double z1 = (box->low.z - ray->origin.z) * ray->inverse.z;
  double z2 = (box->high.z - ray->origin.z) * ray->inverse.z;
  double from = fmax(fmax(fmin(x1, x2), fmin(y1, y2)), fmin(z1, z2));
  double to = fmin(fmin(fmax(x1, x2), fmax(y1, y2)), fmax(z1, z2));
  return to >= fmax(from, 0) && from < limit;
}

static double hit_sphere(const struct ray *ray, const struct object *o) {
  vector to = sub(o->u.sphere.center, ray->origin);
  double b = dot(to, ray->direction);
  double d = b * b - dot(to, to) + o->u.sphere.radius * o->u.sphere.radius;
  if (d < 0)
    return FAR;
  d = sqrt(d);
  if (b - d > 1e-6)
    return b - d;
  return b + d > 1e-6 ? b + d : FAR;
}

static double hit_triangle(const struct ray *ray, const struct object *o) {
  vector p = cross(ray->direction, o->u.triangle.edge2);
  double det = dot(o->u.triangle.edge1, p);
  if (fabs(det) < 1e-12)
    return FAR;
  vector s = sub(ray->origin, o->u.triangle.corner);
  double u = dot(s, p) / det;
  if (u < 0 || u > 1)
    return FAR;
  vector q = cross(s, o->u.triangle.edge1);
  double v = dot(ray->direction, q) / det;
  if (v < 0 || u + v > 1)
    return FAR;
  double t = dot(o->u.triangle.edge2, q) / det;
  return t > 1e-6 ? t : FAR;
}

static void intersect(const struct ray *ray, const struct tree_node *node,
                      struct hit *hit) {
  int i;

  if (!hits_box(ray, &node->box, hit->t))
    return;
  if (node->left) {
    intersect(ray, node->left, hit);
    intersect(ray, node->right, hit);
    return;
  }
  for (i = 0; i < node->count; i++) {
    struct object *o = node->objects[i];
    double t = o->kind == SPHERE ? hit_sphere(ray, o) : hit_triangle(ray, o);
    if (t < hit->t) {
      hit->t = t;
      hit->object = o;
    }
  }
}

static struct ray make_ray(vector origin, vector direction) {
  struct ray ray = {
      origin, direction, {1 / direction.x, 1 / direction.y, 1 / direction.z}};
  return ray;
}

static vector trace(const struct ray *ray, int depth) {
  struct hit hit = {FAR, NULL};
  vector color;
  int i;

  intersect(ray, scene->root, &hit);
  if (!hit.object) {
    double sky = 0.5 * (ray->direction.y + 1);
    return make(0.2 + 0.3 * sky, 0.3 + 0.4 * sky, 0.5 + 0.5 * sky);
  }
  vector at = add(ray->origin, scale(ray->direction, hit.t));
  vector normal = hit.object->kind == SPHERE
                      ? normalize(sub(at, hit.object->u.sphere.center))
                      : hit.object->u.triangle.normal;
  if (dot(normal, ray->direction) > 0)
    normal = scale(normal, -1);
  struct material *m = hit.object->material;
  color = scale(m->color, 0.1);
  vector mirrored =
      sub(ray->direction, scale(normal, 2 * dot(normal, ray->direction)));
  for (i = 0; i < scene->light_count; i++) {
    struct light *light = &scene->lights[i];
    vector to_light = sub(light->position, at);
    double distance = sqrt(dot(to_light, to_light));
    to_light = scale(to_light, 1 / distance);
    struct ray shadow = make_ray(at, to_light);
    struct hit blocker = {distance, NULL};
    double cosine = dot(normal, to_light);
    if (cosine <= 0)
      continue;
    intersect(&shadow, scene->root, &blocker);
    if (blocker.object)
      continue;
    color = add(color, scale(m->color, m->diffuse * cosine * light->intensity));
    double shine = dot(mirrored, to_light);
    if (shine > 0)
      color = add(color, scale(make(1, 1, 1), m->specular * light->intensity *
                                                  pow(shine, 20)));
  }
  if (m->reflection > 0 && depth < MAX_DEPTH) {
    struct ray reflected = make_ray(at, mirrored);
    color = add(color, scale(trace(&reflected, depth + 1), m->reflection));
  }
  return color;
}

static unsigned char to_byte(double value) {
  return (unsigned char)(value >= 1 ? 255 : value <= 0 ? 0 : value * 255);
}

static void render_tile(int tile) {
  int x0 = tile % scene->tiles_wide * TILE,
      y0 = tile / scene->tiles_wide * TILE;
  int x, y;

  for (y = y0; y < y0 + TILE && y < scene->height; y++)
    for (x = x0; x < x0 + TILE && x < scene->width; x++) {
      vector direction = make((x + 0.5) / scene->width - 0.5,
                              0.5 - (y + 0.5) / scene->height, 1.0);
      struct ray ray = make_ray(scene->eye, normalize(direction));
      vector color = trace(&ray, 0);
      unsigned char *pixel = &scene->pixels[3 * (y * scene->width + x)];
      pixel[0] = to_byte(color.x);
      pixel[1] = to_byte(color.y);
      pixel[2] = to_byte(color.z);
    }
}

static int get_tile(void) {
  gdsm_lock(scene->tile_lock);
  int tile = scene->next_tile < scene->tiles ? scene->next_tile++ : -1;
  gdsm_unlock(scene->tile_lock);
  return tile;
}

static void render(void *unused) {
  int tile;

  (void)unused;
  while ((tile = get_tile()) >= 0)
    render_tile(tile);
}

static void make_object(struct object *o, int i) {
  vector at = make(uniform() * 20 - 10, uniform() * 14 - 7, uniform() * 20 + 8);

  o->material = &scene->materials[i % 8];
  if (i % 2) {
    o->kind = SPHERE;
    o->u.sphere.center = at;
    o->u.sphere.radius = 0.2 + 0.6 * uniform();
  } else {
    vector a = make(uniform() - 0.5, uniform() - 0.5, uniform() - 0.5);
    vector b = make(uniform() - 0.5, uniform() - 0.5, uniform() - 0.5);
    o->kind = TRIANGLE;
    o->u.triangle.corner = at;
    o->u.triangle.edge1 = scale(a, 3);
    o->u.triangle.edge2 = scale(b, 3);
    o->u.triangle.normal = normalize(cross(a, b));
  }
}

static void make_scene(int width, int height, int objects) {
  int i;
  struct object **order = malloc((size_t)objects * sizeof *order);

  scene = gdsm_malloc(sizeof *scene);
  scene->width = width;
  scene->height = height;
  scene->tiles_wide = (width + TILE - 1) / TILE;
  scene->tiles = scene->tiles_wide * ((height + TILE - 1) / TILE);
  scene->tile_lock = gdsm_locks_new(1);
  scene->eye = make(0, 0, -10);
  scene->pixels = gdsm_malloc(3 * (size_t)width * (size_t)height);
  scene->materials = gdsm_malloc(8 * sizeof(struct material));
  for (i = 0; i < 8; i++) {
    struct material *m = &scene->materials[i];
    m->color = make(0.3 + 0.7 * uniform(), 0.3 + 0.7 * uniform(), uniform());
    m->diffuse = 0.6;
    m->specular = 0.4;
    m->reflection = i % 2 ? 0.35 : 0;
  }
  scene->light_count = 2;
  scene->lights = gdsm_malloc(2 * sizeof(struct light));
  scene->lights[0].position = make(-15, 20, -10);
  scene->lights[0].intensity = 0.7;
  scene->lights[1].position = make(20, 10, -5);
  scene->lights[1].intensity = 0.4;
  scene->object_count = objects;
  scene->objects = gdsm_malloc((size_t)objects * sizeof(struct object));
  for (i = 0; i < objects; i++) {
    make_object(&scene->objects[i], i);
    order[i] = &scene->objects[i];
  }
  scene->nodes = gdsm_malloc(2 * (size_t)objects * sizeof(struct tree_node));
  scene->root = build(order, objects);
  free(order);
}

int main(int argc, char **argv) {
  int i, middle = is_middle(argc, argv);
  long sum = 0;
  double start;

  start = gdsm_time();
  if (gdsm_node() == 0)
    make_scene(middle ? 400 : 128, middle ? 300 : 96, middle ? 2000 : 500);
  gdsm_broadcast(&scene, sizeof scene, 0);
  gdsm_parallel(render, NULL);
  if (gdsm_node() == 0) {
    for (i = 0; i < 3 * scene->width * scene->height; i++)
      sum += scene->pixels[i] * (1 + i % 11);
    printf("result: raytrace %d x %d objects %d checksum %ld\n", scene->width,
           scene->height, scene->object_count, sum);
    printf("time: %.4f\n", gdsm_time() - start);
  }
  return 0;
}
