/*===- matrix.h - Sizes and data of the sparse matrix-vector product
-------===*\
|*
|* Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* The case study of (Balle, Steely 1997). BLOCKS blocks of rows, each with
SLOTS
|* elements by columns: column j of a block has elements COLSTR(j) to
|* COLSTR(j + 1) - 1, of rows ROWIDX within the block. All counts are from 1, as
|* in Fortran. Published: COLSTR(n, 4), though column n + 1 is read; here it has
|* that many.
|*
\*===----------------------------------------------------------------------===*/

#ifndef MATRIX_H
#define MATRIX_H

#ifndef N
#define N 14000
#endif
#ifndef BLOCKS
#define BLOCKS 4
#endif
#ifndef SLOTS
#define SLOTS 511350
#endif
#define ROWS (N / BLOCKS)
/** What is read behind a column's end: one group of four, and the unrolled one.
 */
#define BEHIND 16

/** Fills all arrays, always with the same; `banded`: rows of a column are near
    each other. Called from Fortran, too. */
void fill_matrix(double *aa, int *rowidx, int *colstr, double *p,
                 const int *banded);
/** Of Q, independent of the order in which blocks were added but for rounding.
 */
double checksum(const double *q);
double seconds(void);

#endif
