!===- spmv.F90 - The loop of the case study in Fortran ----------------------===
!
! Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
!===--------------------------------------------------------------------------===
!
! As spmv.c; figures 1 and 10 of (Balle, Steely 1997), with -DMODIFIED the second.
! Arrays are in COMMON, as then.
!
!===--------------------------------------------------------------------------===

#ifndef N
#define N 14000
#endif
#ifndef BLOCKS
#define BLOCKS 4
#endif
#ifndef SLOTS
#define SLOTS 511350
#endif

#define ARRAYS \
  real(8) :: AA(SLOTS, BLOCKS), YTEMP(N, BLOCKS), Q(N), P(N); \
  integer(4) :: ROWIDX(SLOTS, BLOCKS), COLSTR(N + 1, BLOCKS); \
  common /matrix/ AA, ROWIDX, COLSTR; \
  common /vectors/ YTEMP, Q, P

#ifndef MODIFIED
subroutine spmv(numRows)
  implicit none
  ARRAYS
  integer :: numRows, index, i, j, k, k1, p1, p2, p3
  real(8) :: sum0, sum1, sum2, sum3, x1, x2, x3, x4
  do i = 1, N
    Q(i) = 0
  end do
  do k1 = 1, BLOCKS
    index = (k1 - 1) * numRows
    do j = 1, N
      p1 = COLSTR(j, k1)
      p2 = COLSTR(j + 1, k1) - 1
#else
subroutine spmv(numRows)
  implicit none
  ARRAYS
  integer :: numRows, index, j, k, k1, p1, p2, p3
  real(8) :: sum0, sum1, sum2, sum3, x1, x2, x3, x4
  do k1 = 1, BLOCKS
    index = (k1 - 1) * numRows
    p2 = COLSTR(1, k1) - 1
    do j = 1, N
      p1 = p2 + 1
      p2 = COLSTR(j + 1, k1) - 1
#endif
      p3 = p1 + (p2 - p1 + 1) / 4 * 4 - 1
      sum0 = 0.d0
      sum1 = 0.d0
      sum2 = 0.d0
      sum3 = 0.d0
      x1 = P(index + ROWIDX(p1, k1))
      x2 = P(index + ROWIDX(p1 + 1, k1))
      x3 = P(index + ROWIDX(p1 + 2, k1))
      x4 = P(index + ROWIDX(p1 + 3, k1))
      do k = p1, p3, 4
        sum0 = sum0 + AA(k, k1) * x1
        sum1 = sum1 + AA(k + 1, k1) * x2
        sum2 = sum2 + AA(k + 2, k1) * x3
        sum3 = sum3 + AA(k + 3, k1) * x4
        x1 = P(index + ROWIDX(k + 4, k1))
        x2 = P(index + ROWIDX(k + 5, k1))
        x3 = P(index + ROWIDX(k + 6, k1))
        x4 = P(index + ROWIDX(k + 7, k1))
      end do
      do k = p3 + 1, p2
        x1 = P(index + ROWIDX(k, k1))
        sum0 = sum0 + AA(k, k1) * x1
      end do
#ifndef MODIFIED
      YTEMP(j, k1) = sum0 + sum1 + sum2 + sum3
    end do
    do i = 1, N, 4
      Q(i) = Q(i) + YTEMP(i, k1)
      Q(i + 1) = Q(i + 1) + YTEMP(i + 1, k1)
      Q(i + 2) = Q(i + 2) + YTEMP(i + 2, k1)
      Q(i + 3) = Q(i + 3) + YTEMP(i + 3, k1)
    end do
#else
      if (k1 .eq. 1) then
        Q(j) = sum0 + sum1 + sum2 + sum3
      else
        Q(j) = Q(j) + sum0 + sum1 + sum2 + sum3
      end if
    end do
#endif
  end do
end subroutine

program main
  use iso_c_binding
  implicit none
  interface
    subroutine fill_matrix(aa, rowidx, colstr, p, banded) bind(c)
      import
      real(c_double) :: aa(*), p(*)
      integer(c_int) :: rowidx(*), colstr(*), banded
    end subroutine
    function checksum(q) bind(c)
      import
      real(c_double) :: q(*), checksum
    end function
    function seconds() bind(c)
      import
      real(c_double) :: seconds
    end function
  end interface
  ARRAYS
  character(len=16) :: word
  integer :: calls, call
  integer(c_int) :: banded
  real(8) :: start, end
  calls = 26
  banded = 0
  if (command_argument_count() >= 1) then
    call get_command_argument(1, word)
    read (word, *) calls
  end if
  if (command_argument_count() >= 2) then
    call get_command_argument(2, word)
    if (word .eq. 'banded') banded = 1
  end if
  call fill_matrix(AA, ROWIDX, COLSTR, P, banded)
  start = seconds()
  do call = 1, calls
    call spmv(N / BLOCKS)
  end do
  end = seconds()
  print '(A, F0.3)', 'checksum ', checksum(Q)
  print '(A, F0.6)', 'seconds ', end - start
end program
