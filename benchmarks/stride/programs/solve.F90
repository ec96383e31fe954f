!===- solve.F90 - Linear equations with LAPACK ------------------------------===
!
! Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
!===--------------------------------------------------------------------------===
!
! solve N: a system of N equations by the reference dgesv, whose BLAS is Fortran,
! too. Prints the sum of the solution.
!
!===--------------------------------------------------------------------------===

program solve
  implicit none
  integer, parameter :: right = 8
  integer :: n, i, j, state, info
  real(8), allocatable :: a(:, :), b(:, :)
  integer, allocatable :: pivots(:)
  character(len=16) :: word
  call get_command_argument(1, word)
  read (word, *) n
  allocate(a(n, n), b(n, right), pivots(n))
  state = 12345
  do j = 1, n
    do i = 1, n
      state = iand(state * 1103515 + 12345, 2147483647)
      a(i, j) = real(state, 8) / 2147483647
    end do
    a(j, j) = a(j, j) + 4
  end do
  do j = 1, right
    do i = 1, n
      b(i, j) = mod(i * j, 17)
    end do
  end do
  call dgesv(n, right, a, n, pivots, b, n, info)
  if (info .ne. 0) stop 1
  print '(A, ES22.14)', 'sum ', sum(b)
end program
