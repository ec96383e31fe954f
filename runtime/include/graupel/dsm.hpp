//===- graupel/dsm.hpp - C++ objects in shared memory -----------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What C++ programs need beyond graupel/dsm.h: an allocator for the standard
// containers, a memory resource, and new and delete for single objects. The
// global operator new stays private to its node, and so does what the library
// allocates for itself: std::string, which has std::allocator, must not be kept
// in shared memory; graupel::dsm_string may. What is seen of that does not
// compile: such types themselves, as elements and in pairs, but not as members.
//
// Objects in shared memory are like others: who modifies a container while
// others use it needs a lock (gdsm_lock) or a barrier between.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_HPP
#define GRAUPEL_DSM_HPP

#include "graupel/dsm.h"
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#if __cplusplus >= 201703L
#include <memory_resource>
#endif

namespace graupel {

namespace detail {

/// As gdsm_malloc, aligned. All blocks are aligned to 32 bytes; blocks of the
/// size of a greater alignment are to that.
inline void *dsm_allocate(std::size_t size, std::size_t alignment) {
  return alignment <= 32 ? gdsm_malloc(size)
                         : gdsm_alloc(size, alignment < 128 ? 128 : alignment,
                                      GDSM_HOME_ROUND_ROBIN);
}

} // namespace detail

/// Holds memory, shared or not, for code that is not compiled with checks, for
/// as long as this exists (gdsm_fetch).
class dsm_fetched {
public:
  dsm_fetched(const void *memory, std::size_t size, gdsm_mode mode)
      : memory(memory), size(size) {
    gdsm_fetch(memory, size, mode);
  }
  ~dsm_fetched() { gdsm_release(memory, size); }
  dsm_fetched(const dsm_fetched &) = delete;
  dsm_fetched &operator=(const dsm_fetched &) = delete;

private:
  const void *memory;
  std::size_t size;
};

namespace detail {
template <class T> struct keeps_private_memory;

/// A container that std::allocator serves, or whose elements are such.
template <class T>
std::integral_constant<
    bool, std::is_same<typename T::allocator_type,
                       std::allocator<typename T::value_type>>::value ||
              keeps_private_memory<typename T::value_type>::value>
has_private_allocator(int);
template <class T> std::false_type has_private_allocator(...);
/// std::barrier, which keeps its state in memory that it allocates itself.
template <class T, class = typename T::arrival_token>
std::true_type is_barrier(int);
template <class T> std::false_type is_barrier(...);

template <class T>
struct keeps_private_memory
    : std::integral_constant<bool,
                             decltype(has_private_allocator<T>(0))::value ||
                                 decltype(is_barrier<T>(0))::value> {};
template <class A, class B>
struct keeps_private_memory<std::pair<A, B>>
    : std::integral_constant<
          bool, keeps_private_memory<typename std::remove_cv<A>::type>::value ||
                    keeps_private_memory<B>::value> {};
} // namespace detail

/// An allocator of shared memory. Alignments are at most 4096. Each allocation
/// has blocks of its own, so containers of nodes take at least one block an
/// element.
template <class T> class dsm_allocator {
public:
  using value_type = T;
  using is_always_equal = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;

  dsm_allocator() = default;
  template <class U> dsm_allocator(const dsm_allocator<U> &) noexcept {}

  T *allocate(std::size_t count) {
    static_assert(alignof(T) <= 4096,
                  "shared memory is aligned to 4096 at most");
    static_assert(
        !detail::keeps_private_memory<T>::value,
        "what objects of this type hold is in memory of their own node: give "
        "containers and strings graupel::dsm_allocator (dsm_string), and use "
        "gdsm_barrier instead of std::barrier");
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T))
      throw std::bad_alloc();
    return static_cast<T *>(
        detail::dsm_allocate(count * sizeof(T), alignof(T)));
  }
  void deallocate(T *memory, std::size_t) noexcept { gdsm_free(memory); }
};

template <class T, class U>
bool operator==(const dsm_allocator<T> &, const dsm_allocator<U> &) noexcept {
  return true;
}
template <class T, class U>
bool operator!=(const dsm_allocator<T> &, const dsm_allocator<U> &) noexcept {
  return false;
}

/// A string that may be kept in shared memory.
using dsm_string =
    std::basic_string<char, std::char_traits<char>, dsm_allocator<char>>;

/// A new T in shared memory.
template <class T, class... Arguments> T *dsm_new(Arguments &&...arguments) {
  T *memory = dsm_allocator<T>().allocate(1);
  try {
    return ::new (static_cast<void *>(memory))
        T(std::forward<Arguments>(arguments)...);
  } catch (...) {
    gdsm_free(memory);
    throw;
  }
}

/// Ends what dsm_new began; T is the type that it was made as.
template <class T> void dsm_delete(T *object) {
  if (!object)
    return;
  object->~T();
  gdsm_free(object);
}

#if __cplusplus >= 201703L
/// The same for containers of std::pmr. Each node has its own of this, at the
/// same address: containers in shared memory may refer to it.
class dsm_memory_resource : public std::pmr::memory_resource {
  void *do_allocate(std::size_t size, std::size_t alignment) override {
    return detail::dsm_allocate(size, alignment);
  }
  void do_deallocate(void *memory, std::size_t, std::size_t) override {
    gdsm_free(memory);
  }
  bool do_is_equal(const memory_resource &other) const noexcept override {
    return this == &other;
  }
};
inline dsm_memory_resource dsm_resource;
#endif

} // namespace graupel

#endif
