! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! Loops over arrays of a module, whose histograms are compared with a trace.

module arrays
  integer, parameter :: n = 120
  real(8) :: a(n, n), b(n, n), c(n, n), x(4 * n), y(4 * n), rows(1500, 4)
  integer(4) :: index(4 * n), counts(64)
end module

! What loops start from.
subroutine fill
  use arrays
  integer :: i
  do i = 1, 4 * n
    x(i) = i
    index(i) = mod(i * 7919, 4 * n) + 1
  end do
  a = 1
  b = 2
  rows = 3
end subroutine

subroutine copy
  use arrays
  integer :: i
  do i = 1, 4 * n
    y(i) = x(i)
  end do
end subroutine

! A matrix of columns, walked along its rows.
subroutine row_walk
  use arrays
  integer :: i
  do i = 1, 400
    y(i) = rows(i, 1) + rows(i, 2) + rows(i, 3) + rows(i, 4)
  end do
end subroutine

subroutine transposed
  use arrays
  integer :: i, j
  do j = 1, n
    do i = 1, n
      c(i, j) = a(j, i)
    end do
  end do
end subroutine

subroutine product
  use arrays
  integer :: i, j, k
  do j = 1, 30
    do k = 1, 30
      do i = 1, 30
        c(i, j) = c(i, j) + a(i, k) * b(k, j)
      end do
    end do
  end do
end subroutine

subroutine gather
  use arrays
  integer :: i
  do i = 1, 4 * n
    y(i) = x(index(i))
  end do
end subroutine

subroutine histogram
  use arrays
  integer :: i, bin
  do i = 1, 4 * n
    bin = mod(index(i), 64) + 1
    counts(bin) = counts(bin) + 1
  end do
end subroutine

subroutine triangle
  use arrays
  integer :: i, j
  do i = 1, n
    do j = 1, i
      b(j, i) = b(j, i) + a(i, j)
    end do
  end do
end subroutine

subroutine stencil
  use arrays
  integer :: i, j
  do j = 2, n - 1
    do i = 2, n - 1
      c(i, j) = a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1)
    end do
  end do
end subroutine

subroutine columns_of(matrix, count)
  integer :: count, i
  real(8) :: matrix(count, *)
  do i = 1, count
    matrix(i, 2) = matrix(i, 1) + matrix(i, 3)
  end do
end subroutine

subroutine whole_arrays
  use arrays
  where (a > 0.5d0)
    c = a + b
  elsewhere
    c = 0
  end where
  y = x * 2
end subroutine

program kernels
  use arrays
  external :: columns_of
  call fill
  call copy
  call row_walk
  call transposed
  call product
  call gather
  call histogram
  call triangle
  call stencil
  call columns_of(rows, 1500)
  call columns_of(a, n)
  call whole_arrays
end program
