// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Intrinsics of x86 that access memory are checked, or refused with their line
   (TargetIntrinsics.cpp). Refused: what -DREFUSED adds.

   RUN: clang -O1 -march=sapphirerapids -mcmpccxadd -S -emit-llvm -fpass-plugin=%passes -mllvm -fgdsm-verify %s -o - | FileCheck %s
   RUN: not clang -O1 -march=sapphirerapids -mcmpccxadd -S -emit-llvm -fpass-plugin=%passes -DREFUSED %s -o - 2>&1 | FileCheck %s --check-prefix=REFUSED
*/
#include <immintrin.h>

#ifndef REFUSED
// CHECK-LABEL: @maskStore(
// CHECK: call {{.*}} @graupel_dsm_store{{(.stub)?}}(ptr {{.*}}, i64 32)
// CHECK: @llvm.x86.avx.maskstore.ps.256(
void maskStore(float *p, __m256i m, __m256 v) { _mm256_maskstore_ps(p, m, v); }
// CHECK-LABEL: @maskLoad(
// CHECK: call {{.*}} @graupel_dsm_load{{(.stub)?}}(ptr {{.*}}, i64 16)
// CHECK: @llvm.x86.avx2.maskload.d(
__m128i maskLoad(int *p, __m128i m) { return _mm_maskload_epi32(p, m); }
// CHECK-LABEL: @maskMove(
// CHECK: call {{.*}} @graupel_dsm_store{{(.stub)?}}(ptr {{.*}}, i64 16)
// CHECK: @llvm.x86.sse2.maskmov.dqu(
void maskMove(char *p, __m128i m, __m128i v) { _mm_maskmoveu_si128(v, m, p); }
// CHECK-LABEL: @unaligned(
// CHECK: call {{.*}} @graupel_dsm_load{{(.stub)?}}(ptr {{.*}}, i64 16)
// CHECK: @llvm.x86.sse3.ldu.dq(
__m128i unaligned(void *p) { return _mm_lddqu_si128(p); }
// CHECK-LABEL: @compress(
// CHECK: call {{.*}} @graupel_dsm_store{{(.stub)?}}(ptr {{.*}}, i64 64)
// CHECK: @llvm.masked.compressstore
void compress(void *p, __m512i v, __mmask16 m) { _mm512_mask_compressstoreu_epi32(p, m, v); }
// CHECK-LABEL: @noData(
// CHECK-NOT: graupel_dsm
// CHECK: ret
void noData(void *p) {
  _mm_prefetch(p, _MM_HINT_T0);
  _mm_clflush(p);
}
#else
// REFUSED: intrinsics.c:[[#@LINE+1]]:{{.*}}error: fgdsm: 'llvm.x86.avx2.gather.d.d.256' accesses memory that may be shared and has no check; write plain loads or stores
__m256i gather(int *p, __m256i i) { return _mm256_i32gather_epi32(p, i, 4); }
// REFUSED: intrinsics.c:[[#@LINE+1]]:{{.*}}'llvm.x86.avx512.mask.scatter.dpi.512'
void scatter(void *p, __m512i v, __mmask16 m) { _mm512_mask_i32scatter_epi32(p, m, v, v, 4); }
// REFUSED: intrinsics.c:[[#@LINE+1]]:{{.*}}'llvm.x86.movdir64b'
void line(void *p, void *q) { _movdir64b(p, q); }
// REFUSED: intrinsics.c:[[#@LINE+1]]:{{.*}}'llvm.x86.fxsave'
void state(void *p) { _fxsave(p); }
// REFUSED: intrinsics.c:[[#@LINE+1]]:{{.*}}'llvm.x86.avx512.mask.pmov.db.mem.512'
void narrow(void *p, __m512i v) { _mm512_mask_cvtepi32_storeu_epi8(p, 0x55, v); }
// REFUSED: intrinsics.c:[[#@LINE+1]]:{{.*}}'llvm.x86.cmpccxadd64'
long long add(long long *p) { return _cmpccxadd_epi64(p, 1, 2, _CMPCCX_B); }
// REFUSED-NOT: error:
// REFUSED: 6 errors generated
static char own[512] __attribute__((aligned(64)));
void private(void) { _fxsave(own); }
#endif
