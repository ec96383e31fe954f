//===- c++allocator.h - std::allocator over shared memory -------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands before libstdc++'s header of this name, which says what std::allocator
// is made of: here an allocator of shared memory, so that the tests' containers
// keep their elements there.
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_TEST_CXX_ALLOCATOR_H
#define GRAUPEL_TEST_CXX_ALLOCATOR_H

#include <bits/new_allocator.h>

extern "C" {
void *suite_allocate(unsigned long size, unsigned long alignment);
void suite_free(void *memory, unsigned long alignment);
}

namespace std {

template <typename T> class suite_allocator : public __new_allocator<T> {
public:
#if __cplusplus <= 201703L
  template <typename U> struct rebind {
    typedef suite_allocator<U> other;
  };
#endif
  suite_allocator() _GLIBCXX_USE_NOEXCEPT {}
  suite_allocator(const suite_allocator &other) _GLIBCXX_USE_NOEXCEPT
      : __new_allocator<T>(other) {}
  template <typename U>
  suite_allocator(const suite_allocator<U> &) _GLIBCXX_USE_NOEXCEPT {}
#if __cplusplus >= 201103L
  suite_allocator &operator=(const suite_allocator &) = default;
#endif

  _GLIBCXX_NODISCARD T *allocate(size_t count, const void * = 0) {
    if (__builtin_expect(count > size_t(__PTRDIFF_MAX__) / sizeof(T), false)) {
      if (count > size_t(-1) / sizeof(T))
        __throw_bad_array_new_length();
      __throw_bad_alloc();
    }
    return static_cast<T *>(suite_allocate(count * sizeof(T), __alignof__(T)));
  }
  void deallocate(T *memory, size_t) { suite_free(memory, __alignof__(T)); }
};

#if __cplusplus >= 201103L
template <typename T> using __allocator_base = suite_allocator<T>;
#else
#define __allocator_base suite_allocator
#endif

} // namespace std

#endif
