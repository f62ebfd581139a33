/* SPDX-License-Identifier: Apache-2.0
 * simd_avx512.h - the vector words of gather_simd.inc, in AVX-512: 16 floats (vf), 8 doubles (vd).
 *
 * A mask says which lanes there are. Windows are runs of 2 or 4 pixels at plane + o[lane]; loading
 * them gives one vector for each pixel of the window, all lanes of it. */
#ifndef OC_KERNELS_SIMD_AVX512_H
#define OC_KERNELS_SIMD_AVX512_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

enum { VF_LANES = 16, VD_LANES = 8 };

typedef __m512 vf;
typedef __m512d vd;
typedef __mmask16 vf_mask;
typedef __mmask8 vd_mask;

/* ---- lanes that are there */

/* Of n lanes, those whose row is not absent. */
static inline vf_mask vf_rows(const int32_t *absent, int n)
{
    const __mmask16 gone = _mm512_movepi32_mask(_mm512_loadu_si512(absent));
    return _kandn_mask16(gone, (__mmask16)((1u << n) - 1));
}

static inline vd_mask vd_rows(const int32_t *absent, int n)
{
    const __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)absent);
    return _kandn_mask8(_mm256_movepi32_mask(v), (__mmask8)((1u << n) - 1));
}

/* Lanes whose shift is k. */
static inline vf_mask vf_is(const int32_t *shift, int k)
{
    return _mm512_cmpeq_epi32_mask(_mm512_loadu_si512(shift), _mm512_set1_epi32(k));
}

static inline vd_mask vd_is(const int32_t *shift, int k)
{
    return _mm256_cmpeq_epi32_mask(_mm256_loadu_si256((const __m256i *)(const void *)shift),
                                   _mm256_set1_epi32(k));
}

static inline vf_mask vf_both(vf_mask a, vf_mask b)
{
    return _kand_mask16(a, b);
}

static inline vd_mask vd_both(vd_mask a, vd_mask b)
{
    return _kand_mask8(a, b);
}

static inline vf_mask vf_either(vf_mask a, vf_mask b)
{
    return _kor_mask16(a, b);
}

static inline vd_mask vd_either(vd_mask a, vd_mask b)
{
    return _kor_mask8(a, b);
}

static inline int vf_all(vf_mask a)
{
    return a == 0xffff;
}

static inline int vd_all(vd_mask a)
{
    return a == 0xff;
}

/* ---- arithmetic */

static inline vf vf_zero(void)
{
    return _mm512_setzero_ps();
}

static inline vd vd_zero(void)
{
    return _mm512_setzero_pd();
}

/* sum + w * v, rounded twice, in the lanes of the mask. */
static inline vf vf_add_product(vf sum, vf_mask m, const float *w, vf v)
{
    return _mm512_mask_add_ps(sum, m, sum, _mm512_mul_ps(_mm512_loadu_ps(w), v));
}

static inline vd vd_add_product(vd sum, vd_mask m, const double *w, vd v)
{
    return _mm512_mask_add_pd(sum, m, sum, _mm512_mul_pd(_mm512_loadu_pd(w), v));
}

static inline vf vf_choose(vf_mask m, vf yes, vf no)
{
    return _mm512_mask_blend_ps(m, no, yes);
}

static inline vd vd_choose(vd_mask m, vd yes, vd no)
{
    return _mm512_mask_blend_pd(m, no, yes);
}

/* ---- four windows, or two, in the lanes of one register */

static inline __m128i pair_8(const char *p, const int32_t *o, int a, int b, size_t size)
{
    const __m128i low = _mm_loadl_epi64((const __m128i *)(const void *)(p + (size_t)o[a] * size));
    const __m128 both =
        _mm_loadh_pi(_mm_castsi128_ps(low), (const __m64 *)(const void *)(p + (size_t)o[b] * size));
    return _mm_castps_si128(both);
}

static inline __m128i at_16(const char *p, const int32_t *o, int a, size_t size)
{
    return _mm_loadu_si128((const __m128i *)(const void *)(p + (size_t)o[a] * size));
}

static inline __m512i join(__m128i a, __m128i b, __m128i c, __m128i d)
{
    const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1);
    const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(c), d, 1);
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/* Windows of 8 bytes: a, b, then those 4, 8 and 12 lanes farther on. */
static inline __m512i eights(const void *p, const int32_t *o, int a, int b, size_t size)
{
    return join(pair_8(p, o, a, b, size), pair_8(p, o, a + 4, b + 4, size),
                pair_8(p, o, a + 8, b + 8, size), pair_8(p, o, a + 12, b + 12, size));
}

/* Windows of 16 bytes: a, and those `step` lanes farther on. */
static inline __m512i sixteens(const void *p, const int32_t *o, int a, int step, size_t size)
{
    return join(at_16(p, o, a, size), at_16(p, o, a + step, size), at_16(p, o, a + 2 * step, size),
                at_16(p, o, a + 3 * step, size));
}

/* Windows of 4 bytes of all 16 lanes. */
static inline __m512i fours(const void *p_, const int32_t *o, size_t size)
{
    const char *p = p_;
    __m128i v[4];
    for (int i = 0; i < 4; i++, o += 4) {
        int32_t w[4];
        for (int k = 0; k < 4; k++)
            memcpy(w + k, p + (size_t)o[k] * size, 4);
        v[i] = _mm_setr_epi32(w[0], w[1], w[2], w[3]);
    }
    return join(v[0], v[1], v[2], v[3]);
}

/* ---- float */

static inline void load2_f32(vf *v, const void *p, const int32_t *o)
{
    const __m512 a = _mm512_castsi512_ps(eights(p, o, 0, 1, 4));
    const __m512 b = _mm512_castsi512_ps(eights(p, o, 2, 3, 4));
    v[0] = _mm512_shuffle_ps(a, b, 0x88);
    v[1] = _mm512_shuffle_ps(a, b, 0xdd);
}

static inline void load4_f32(vf *v, const void *p, const int32_t *o)
{
    const __m512 a = _mm512_castsi512_ps(sixteens(p, o, 0, 4, 4));
    const __m512 b = _mm512_castsi512_ps(sixteens(p, o, 1, 4, 4));
    const __m512 c = _mm512_castsi512_ps(sixteens(p, o, 2, 4, 4));
    const __m512 d = _mm512_castsi512_ps(sixteens(p, o, 3, 4, 4));
    const __m512 ab = _mm512_unpacklo_ps(a, b), cd = _mm512_unpacklo_ps(c, d);
    const __m512 ab2 = _mm512_unpackhi_ps(a, b), cd2 = _mm512_unpackhi_ps(c, d);
    v[0] = _mm512_shuffle_ps(ab, cd, 0x44);
    v[1] = _mm512_shuffle_ps(ab, cd, 0xee);
    v[2] = _mm512_shuffle_ps(ab2, cd2, 0x44);
    v[3] = _mm512_shuffle_ps(ab2, cd2, 0xee);
}

static inline void store_f32(float *y, vf v, int n)
{
    _mm512_mask_storeu_ps(y, (__mmask16)((1u << n) - 1), v);
}

/* ---- double */

static inline void load2_f64(vd *v, const void *p, const int32_t *o)
{
    const __m512d a = _mm512_castsi512_pd(sixteens(p, o, 0, 2, 8));
    const __m512d b = _mm512_castsi512_pd(sixteens(p, o, 1, 2, 8));
    v[0] = _mm512_unpacklo_pd(a, b);
    v[1] = _mm512_unpackhi_pd(a, b);
}

static inline void load4_f64(vd *v, const void *p_, const int32_t *o)
{
    load2_f64(v, p_, o);
    load2_f64(v + 2, (const double *)p_ + 2, o);
}

static inline void store_f64(double *y, vd v, int n)
{
    _mm512_mask_storeu_pd(y, (__mmask8)((1u << n) - 1), v);
}

/* ---- 16 and 8 bits, widened to float */

static inline vf widen_f16(__m256i code)
{
    return _mm512_cvtph_ps(code);
}

static inline vf widen_bf16(__m256i code)
{
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(code), 16));
}

/* Element k of the two elements of 16 bits of each lane. */
static inline __m256i of_two(__m512i v, int k)
{
    return _mm512_cvtepi32_epi16(_mm512_srli_epi32(v, (unsigned)k * 16));
}

/* Element k of the four of each lane: lanes 4i and 4i+1 stand in a, 4i+2 and 4i+3 in b. */
static inline __m256i of_four(__m512i a, __m512i b, int k)
{
    const __m512i low = _mm512_srli_epi64(a, (unsigned)k * 16);
    const __m512i high = _mm512_srli_epi64(b, (unsigned)k * 16);
    const __m128i x = _mm512_cvtepi64_epi16(low), y = _mm512_cvtepi64_epi16(high);
    const __m128i l = _mm_unpacklo_epi32(x, y), h = _mm_unpackhi_epi32(x, y);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(l), h, 1);
}

static inline void load2_f16(vf *v, const void *p, const int32_t *o)
{
    const __m512i w = fours(p, o, 2);
    v[0] = widen_f16(of_two(w, 0));
    v[1] = widen_f16(of_two(w, 1));
}

static inline void load4_f16(vf *v, const void *p, const int32_t *o)
{
    const __m512i a = eights(p, o, 0, 1, 2), b = eights(p, o, 2, 3, 2);
    for (int k = 0; k < 4; k++)
        v[k] = widen_f16(of_four(a, b, k));
}

static inline void load2_bf16(vf *v, const void *p, const int32_t *o)
{
    const __m512i w = fours(p, o, 2);
    v[0] = _mm512_castsi512_ps(_mm512_slli_epi32(w, 16));
    v[1] = _mm512_castsi512_ps(_mm512_and_si512(w, _mm512_set1_epi32((int)0xffff0000)));
}

static inline void load4_bf16(vf *v, const void *p, const int32_t *o)
{
    const __m512i a = eights(p, o, 0, 1, 2), b = eights(p, o, 2, 3, 2);
    for (int k = 0; k < 4; k++)
        v[k] = widen_bf16(of_four(a, b, k));
}

static inline void load2_u8(vf *v, const void *p_, const int32_t *o)
{
    const uint8_t *p = p_;
    uint16_t w[16];
    for (int i = 0; i < 16; i++)
        memcpy(w + i, p + o[i], 2);
    const __m512i wide = _mm512_setr_epi32(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8],
                                           w[9], w[10], w[11], w[12], w[13], w[14], w[15]);
    v[0] = _mm512_cvtepi32_ps(_mm512_and_si512(wide, _mm512_set1_epi32(255)));
    v[1] = _mm512_cvtepi32_ps(_mm512_srli_epi32(wide, 8));
}

static inline void load4_u8(vf *v, const void *p, const int32_t *o)
{
    const __m512i w = fours(p, o, 1), byte = _mm512_set1_epi32(255);
    for (int k = 0; k < 4; k++)
        v[k] = _mm512_cvtepi32_ps(_mm512_and_si512(_mm512_srli_epi32(w, (unsigned)k * 8), byte));
}

static inline void store_f16(uint16_t *y, vf v, int n)
{
    const __m256i code = _mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    _mm256_mask_storeu_epi16(y, (__mmask16)((1u << n) - 1), code);
}

/* To nearest, ties to even, on the bits; a NaN keeps a bit of its own. */
static inline void store_bf16(uint16_t *y, vf v, int n)
{
    const __m512i bits = _mm512_castps_si512(v);
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    const __m512i up = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));
    const __m512i nan = _mm512_or_si512(bits, _mm512_set1_epi32(0x400000));
    const __mmask16 is_nan = _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q);
    const __m512i code = _mm512_srli_epi32(_mm512_mask_blend_epi32(is_nan, up, nan), 16);
    _mm512_mask_cvtepi32_storeu_epi16(y, (__mmask16)((1u << n) - 1), code);
}

/* Truncated and saturated; NaN is 0, for the second operand is taken then. */
static inline void store_u8(uint8_t *y, vf v, int n)
{
    v = _mm512_min_ps(_mm512_max_ps(v, _mm512_setzero_ps()), _mm512_set1_ps(255));
    _mm512_mask_cvtepi32_storeu_epi8(y, (__mmask16)((1u << n) - 1), _mm512_cvttps_epi32(v));
}

#endif
